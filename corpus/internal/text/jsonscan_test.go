package text

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/internal/must"
)

// lineOf is a document as a line gives it, by the scan, or by encoding/json alone.
func lineOf(f *fields, raw []byte, scan bool) string {
	d := counting.Document{Line: 2, Damaged: !scan || !utf8.Valid(raw)}
	err := f.read(&d, raw)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%q %q %v %q %v %v %v", d.Text, d.ID, d.HasID, d.Label, d.HasLabel, d.NoText, d.Odd)
}

// sameScan compares the scan of a line with encoding/json.
func sameScan(t *testing.T, raw []byte) {
	t.Helper()
	named := &fields{texts: []string{"text", "a.b", "title"}, id: "id", label: "label.0"}
	for _, f := range []*fields{plainFields(), named} {
		if got, want := lineOf(f, raw, true), lineOf(f, raw, false); got != want {
			t.Fatalf("%q: %s, encoding/json %s", raw, got, want)
		}
	}
	seen := 0
	if scanObject(raw, func(_, value []byte) bool { seen++; return json.Valid(value) }) && !json.Valid(raw) {
		t.Fatalf("%q with %d fields is no JSON", raw, seen)
	}
}

var jsonPieces = []string{`{`, `}`, `[`, `]`, `,`, `:`, `"`, `"id"`, `"text"`, `"label"`, `"Text"`, `"a"`, `"b"`, `"title"`, `"x y"`, `"\n\u00e9"`,
	`"\ud83d\ude00"`, `"\ud83d"`, `"\x"`, `"\u12"`, `"é"`, `"te\u0078t"`, `1`, `-0.5e+3`, `01`, `1.`, `.5`, `-`, `true`, `null`, `nul`, "\"a\x01\"", `"\/"`, ` `, "\t", `{}`, `[]`,
	`{"id":1,"text":"x"`, `"text":"some words"`, `"id":"d1"`, `"label":["y"]`, `"a":{"b":"deep"}`, "\xff"}

// A line that is scanned gives what encoding/json gives, and its errors.
func TestScannedLinesAreJSON(t *testing.T) {
	rnd := rand.New(rand.NewPCG(36, 5))
	for range 30000 {
		var b strings.Builder
		switch rnd.IntN(3) {
		case 0:
			for range rnd.IntN(12) {
				b.WriteString(jsonPieces[rnd.IntN(len(jsonPieces))])
			}
		default: // an object, mostly sound
			b.WriteString("{")
			for i := range rnd.IntN(5) {
				if i > 0 {
					b.WriteString(",")
				}
				b.WriteString(jsonPieces[6+rnd.IntN(11)] + ":" + jsonPieces[13+rnd.IntN(24)])
			}
			b.WriteString([]string{"}", "} ", "", "}x"}[rnd.IntN(4)])
		}
		sameScan(t, []byte(b.String()))
	}
	nested := `{"text":"x","deep":` + strings.Repeat("[", 3*deepestScan) + strings.Repeat("]", 3*deepestScan) + `}`
	sameScan(t, []byte(nested))
	if _, text, _, ok := scanPlain([]byte(`{"id": 7, "more": {"k": [1, {"z": null}]}, "text": "a\tb", "label": "y"}`)); !ok || string(text) != `"a\tb"` {
		t.Errorf("a usual line is not scanned: %q", text)
	}
}

func FuzzScannedLines(f *testing.F) {
	for _, p := range jsonPieces {
		f.Add([]byte(`{"id":1,"text":` + p + `}`))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { sameScan(t, raw) })
}

func BenchmarkJSONLines(b *testing.B) {
	rnd := rand.New(rand.NewPCG(36, 6))
	var lines [][]byte
	total := int64(0)
	for i := range 2000 {
		words := make([]string, 150)
		for j := range words {
			words[j] = fmt.Sprintf("word%d", rnd.IntN(50000))
		}
		line := must.Get(json.Marshal(map[string]any{"id": fmt.Sprint("d", i), "text": strings.Join(words, " ") + "\n", "label": "pos", "stars": 4}))(b)
		lines, total = append(lines, line), total+int64(len(line))
	}
	for name, damaged := range map[string]bool{"scan": false, "encoding": true} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(total)
			for b.Loop() {
				for _, raw := range lines {
					d := counting.Document{Line: 2, Damaged: damaged}
					must.Do(b, plainFields().read(&d, raw))
				}
			}
		})
	}
}

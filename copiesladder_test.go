package eigenmap_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// described is a line of the shipped corpus.
type described struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Label string `json:"label,omitempty"`
}

// descriptions are the documents of the shipped corpus.
func descriptions(t *testing.T) (list []described) {
	t.Helper()
	packed := must.Get(os.ReadFile("examples/debian/packages.jsonl.gz"))(t)
	unpacked := must.Get(gzip.NewReader(bytes.NewReader(packed)))(t)
	for lines := json.NewDecoder(unpacked); ; {
		var d described
		if err := lines.Decode(&d); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
}

// repeated are copies of some texts, count of each, with changed further words each.
func repeated(list []described, texts, count, changed int) (more []described) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, i := range rng.Perm(len(list))[:texts] {
		for c := range count {
			text := list[i].Text
			for range changed {
				text += " " + word(rng.IntN(300))
			}
			more = append(more, described{ID: fmt.Sprintf("%s-%d", list[i].ID, c), Text: text})
		}
	}
	return more
}

// word is a word that no description has.
func word(n int) string {
	const a, b = "bdfgklmnprstvz", "aeiou"
	return string([]byte{a[n%14], b[n%5], a[n/14%14], b[n/70%5], 'x', 'q'})
}

// mails are count mails of each of three templates, which differ in a name of twenty and a number.
func mails(count int) (more []described) {
	rng := rand.New(rand.NewPCG(2, 2))
	for k, template := range []string{
		"Dear %s, your order %d has been shipped to %s and will arrive in a few working days. Thank you for shopping with us.",
		"Hello %s, your invoice %d for %s is due this month. Please transfer the amount to our account.",
		"%s, your message %d about %s was received. I am out of office and will not read mail. In urgent cases please call.",
	} {
		for i := range count {
			text := fmt.Sprintf(template, word(300+rng.IntN(20)), rng.IntN(100000), word(400+rng.IntN(300)))
			more = append(more, described{ID: fmt.Sprintf("mail%d-%d", k, i), Text: text})
		}
	}
	return more
}

// TestCopiesLadder: copies of descriptions, near-copies and mails of templates among the shipped
// corpus cost the graph methods at most .03 of the accuracy on the descriptions themselves. With -v
// it prints the table of docs/which-method.md.
func TestCopiesLadder(t *testing.T) {
	if testing.Short() {
		t.Skip("48 runs over the shipped corpus")
	}
	plain, dir := descriptions(t), t.TempDir()
	alone := map[string]float64{}
	for k, c := range []struct {
		name string
		more []described
	}{
		{"nothing", nil},
		{"100 texts × 5 copies", repeated(plain, 100, 5, 0)},
		{"100 texts × 10 copies", repeated(plain, 100, 10, 0)},
		{"100 texts × 14 copies", repeated(plain, 100, 14, 0)},
		{"100 texts × 30 copies", repeated(plain, 100, 30, 0)},
		{"20 texts × 30 copies", repeated(plain, 20, 30, 0)},
		{"100 texts × 30 near-copies", repeated(plain, 100, 30, 2)},
		{"3 templates × 400 mails", mails(400)},
	} {
		var text strings.Builder
		for _, d := range append(plain[:len(plain):len(plain)], c.more...) {
			line, _ := json.Marshal(d)
			text.Write(append(line, '\n'))
		}
		clusters := 12
		if strings.Contains(c.name, "templates") {
			clusters = 15
		}
		file := write(t, dir, fmt.Sprintf("%d.jsonl", k), text.String())
		row := "| " + c.name + " |"
		for _, m := range []string{"diffusion", "spectral", "le"} {
			once := cluster(t, file, eigenmap.Options{Method: m, Clusters: clusters}).Scores.Accuracy
			kept := cluster(t, file, eigenmap.Options{Method: m, Clusters: clusters, Duplicates: "keep"}).Scores.Accuracy
			row += fmt.Sprintf(" %.3f | **%.3f** |", kept, once)
			if k == 0 {
				alone[m] = once
			} else if once < alone[m]-.03 {
				t.Errorf("%s, %s: accuracy %.3f, without them %.3f", c.name, m, once, alone[m])
			}
		}
		t.Log(row)
	}
}

package corpus

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const exampleCorpus = "../examples/debian/packages.jsonl.gz"

// exampleTexts returns the texts of the example corpus.
func exampleTexts(t testing.TB) []string {
	t.Helper()
	f, err := os.Open(exampleCorpus)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	lines := &jsonLines{name: exampleCorpus, r: bufio.NewReader(z), limit: 1 << 20}
	err = lines.batches(func(b batch) bool {
		for i := range b.len() {
			d, err := b.document(i)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, d.text)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestJSONL(t *testing.T) {
	lines := "\ufeff" + `{"id": "a", "text": "red apple", "label": "fruit", "year": [1, {"x": null}]}

  {"label": "car", "id": 17, "text": "red car"}` + "\r\n" + `{"text": "", "label": null}
{"id": null, "text": "apple pie", "label": "fruit"}`
	c := readTexts(t, lines, TextOptions{MinDF: 1})
	if want := []string{"a", "17", "3", "4"}; !slices.Equal(c.IDs, want) {
		t.Errorf("ids %q, want %q", c.IDs, want)
	}
	if want := []string{"car", "fruit"}; !slices.Equal(c.ClassNames, want) {
		t.Errorf("classes %q, want %q", c.ClassNames, want)
	}
	if want := []int{1, 0, -1, 1}; !slices.Equal(c.Labels, want) {
		t.Errorf("labels %v, want %v", c.Labels, want)
	}
	if want := []string{"apple", "car", "pie", "red"}; !slices.Equal(c.Terms, want) {
		t.Errorf("terms %q, want %q", c.Terms, want)
	}
	want := mat.NewDense(4, 4, []float64{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0})
	if !mat.Equal(c.X, want) {
		t.Errorf("counts %v", mat.Formatted(c.X))
	}
}

// TestNamesAreTidy: blanks around ids and labels and control characters in them make no names of their own, in any format.
func TestNamesAreTidy(t *testing.T) {
	c := readTexts(t, `{"id":" a\r\n","text":"some words","label":" x "}
{"id":"b\u001b c","text":"some words","label":"x"}
{"id":"d  e","text":"some words","label":"y\tz\u0085"}`, TextOptions{})
	if got := classOf(c); got != "a:x b c:x d  e:y z" {
		t.Errorf("documents %q", got)
	}
	_, err := readJSONL(t.Context(), strings.NewReader(`{"id":" a ","text":"some words"}`+"\n"+`{"id":"a","text":"some words"}`), "f", ReadOptions{})
	wantFault(t, err, `the id "a" is that of line 1 already`)
	labels := writeFile(t, t.TempDir(), "l.csv", []byte("id,label\n\" a\r\n\",\"q\tr\"\nb c,s\n"))
	l, err := ReadLabeling(t.Context(), labels, "")
	if err != nil || !slices.Equal(l.IDs, []string{"a", "b c"}) || !slices.Equal(l.Labels, []string{"q r", "s"}) {
		t.Errorf("labels %q of %q: %v", l.Labels, l.IDs, err)
	}
	for _, archive := range []bool{false, true} {
		files := map[string]string{" x/1": "some words", "x /2": "some words", "x/3\n4": "some words"}
		var err error
		if archive {
			c, err = readBytes(tarred(" x/1", files[" x/1"], "x /2", files["x /2"], "x/3\n4", files["x/3\n4"]), "", ReadOptions{})
		} else {
			c, err = Read(t.Context(), makeFolder(t, files), ReadOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := classOf(c); got != "x/1:x x/3 4:x x /2:x" {
			t.Errorf("documents %q", got)
		}
	}
	for name, want := range map[string]string{"": "", " \t": "", "a\r\n": "a", "a \n b": "a b", "\x1b[1m": "[1m", "a  b": "a  b", "\u00a0a\u00a0": "a"} {
		if got := tidy(name); got != want || tidy(got) != got {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}

func TestJSONLWithoutIDsAndLabels(t *testing.T) {
	c := readTexts(t, jsonLinesOf([]string{"one thing", "one thing"}), TextOptions{})
	if c.IDs != nil || c.Labels != nil || c.ID(1) != "2" {
		t.Errorf("ids %q labels %v", c.IDs, c.Labels)
	}
}

func TestJSONLNumericLabels(t *testing.T) {
	c := readTexts(t, `{"text":"aa","label":10}
{"text":"aa","label":9}
{"text":"aa","label":"10"}`, TextOptions{})
	if !slices.Equal(c.ClassNames, []string{"9", "10"}) || !slices.Equal(c.Labels, []int{1, 0, 1}) {
		t.Errorf("classes %q, labels %v", c.ClassNames, c.Labels)
	}
}

func TestJSONLErrors(t *testing.T) {
	good := `{"id": "a", "text": "some words some words"}` + "\n"
	for _, tc := range []struct{ name, lines, place, why string }{
		{"no object", good + "words", "line 2", "not a JSON object"},
		{"cut off", good + "\n" + `{"text": "wor`, "line 3", "cut off"},
		{"cut off in a line", good + `{"text": "wor` + "\n" + good, "line 2", "cut off"},
		{"null text", good + `{"text": null}`, "line 2", "text is null"},
		{"UTF-32", "\xff\xfe\x00\x00{\x00\x00\x00", "", "UTF-32"},
		{"raw NUL", good + "{\"text\": \"a\x00b\"}", "line 2", "not a JSON object"},
		{"number", good + "17", "line 2", "is a JSON number"},
		{"list", good + "[1]", "line 2", "is a JSON array"},
		{"null", "null\n", "line 1", "no string text"},
		{"no text", good + `{"body": "x", "id": 3}`, "line 2", "body, id"},
		{"text is a number", good + `{"text": 3}`, "line 2", "text is a JSON number"},
		{"text is a list", good + `{"text": ["a"]}`, "line 2", "text is a JSON array"},
		{"two labels", good + `{"text": "x", "label": ["a", "b"]}`, "line 2", "label is neither"},
		{"id is an object", good + `{"text": "x", "id": {}}`, "line 2", "id is neither"},
		{"id is true", good + `{"text": "x", "id": true}`, "line 2", "id is neither"},
		{"id twice", good + `{"id": "b", "text": "x"}` + "\n\n" + good, "line 4", "line 1"},
		{"id is another's number", `{"id": 2, "text": "some words"}` + "\n" + `{"text": "some words"}`, "line 2", "line 1"},
		{"array file", `[{"text": "x"}]`, "line 1", "one JSON array"},
		{"UTF-16", "\xff\xfe{\x00", "", "UTF-16"},
		{"empty", "", "", "no documents"},
		{"blank", "\n \n", "", "no documents"},
		{"stop words only", `{"text": "the and of 42"}`, "", "none of its 1 documents has a word"},
		{"no term twice", good, "", "1 term was found in 1 document"},
		{"first of two", `{"text": 3}` + "\n" + "{", "line 1", "JSON number"},
	} {
		_, err := readJSONL(context.Background(), strings.NewReader(tc.lines), "f.jsonl", ReadOptions{})
		var format *FormatError
		if !errors.As(err, &format) || !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v is no FormatError", tc.name, err)
			continue
		}
		if format.File != "f.jsonl" || format.Place != tc.place || !strings.Contains(format.Why, tc.why) {
			t.Errorf("%s: %v; want place %q and %q", tc.name, err, tc.place, tc.why)
		}
	}
}

func TestJSONLInvalidUTF8IsTold(t *testing.T) {
	c := readTexts(t, "{\"text\": \"good words\"}\n{\"text\": \"good caf\xe9 words\"}\n", TextOptions{})
	if !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "not UTF-8") && strings.Contains(n, "line 2") }) {
		t.Errorf("notes %q", c.Notes)
	}
	if !slices.Equal(c.Terms, []string{"good", "words"}) {
		t.Errorf("terms %q", c.Terms)
	}
}

func TestJSONLLongLine(t *testing.T) {
	line := `{"text": "` + strings.Repeat("several words of text ", 1<<16) + `"}` // 1.4 MB
	if c := readTexts(t, line, TextOptions{MinDF: 1}); c.X.At(0, slices.Index(c.Terms, "words")) != 1<<16 {
		t.Error("a line longer than a batch was not counted whole")
	}
	_, err := readJSONL(context.Background(), strings.NewReader(line), "f", ReadOptions{MaxBytes: 8 << 20})
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a line of more than an eighth of the memory allowed: %v", err)
	}
}

func TestJSONLMemoryIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "{\"text\": \"u%da v%db\"}\n", i, i)
	}
	_, err := readJSONL(context.Background(), strings.NewReader(b.String()), "f", ReadOptions{MaxBytes: 4 << 20})
	if !errors.Is(err, errMemory) {
		t.Errorf("got %v", err)
	}
}

func TestJSONLReaderErrorPasses(t *testing.T) {
	broken := errors.New("the disk is gone")
	r := io.MultiReader(strings.NewReader(jsonLinesOf(randomTexts(500, 100))), iotest.ErrReader(broken))
	if _, err := readJSONL(context.Background(), r, "f", ReadOptions{}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// endless repeats a line for ever, and cancels after a while.
type endless struct {
	line   string
	left   int
	cancel func()
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left--; e.left == 0 {
		e.cancel()
	}
	return copy(p, e.line), nil
}

func TestJSONLCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := readJSONL(ctx, &endless{"{\"text\": \"again and again\"}\n", 10_000, cancel}, "f", ReadOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestExampleCorpus holds the shipped corpus against the table in its README.
func TestExampleCorpus(t *testing.T) {
	c, err := Read(context.Background(), exampleCorpus, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../examples/debian/README.md")
	if err != nil {
		t.Fatal(err)
	}
	sizes, unlabelled := c.ClassSizes()
	rows := regexp.MustCompile(`(?m)^\| ([a-z-]+) \| ([\d,]+) \|`).FindAllStringSubmatch(string(readme), -1)
	if len(rows) != 12 || len(c.ClassNames) != 12 || unlabelled != 0 {
		t.Fatalf("%d rows in the README, %d classes, %d unlabelled", len(rows), len(c.ClassNames), unlabelled)
	}
	total := 0
	for _, row := range rows {
		want, _ := strconv.Atoi(strings.ReplaceAll(row[2], ",", ""))
		k := slices.Index(c.ClassNames, row[1])
		if k < 0 || sizes[k] != want {
			t.Errorf("section %s is not as the README tells", row[1])
		}
		total += want
	}
	if c.Len() != total || !strings.Contains(string(readme), fmt.Sprintf("%d,%03d English", total/1000, total%1000)) {
		t.Errorf("%d documents, the README's table has %d", c.Len(), total)
	}
	if empty := c.X.(*sparse.CSR).EmptyRows(); len(empty) > 0 {
		t.Errorf("%d documents have no term", len(empty))
	}
	// A section's top terms must be words that a reader would file under it.
	top := c.TopTerms(c.Labels, len(c.ClassNames), 5)
	for class, term := range map[string]string{"games": "game", "fonts": "font", "mail": "mail", "sound": "audio", "haskell": "haskell", "science": "sequence"} {
		k := slices.Index(c.ClassNames, class)
		if !slices.ContainsFunc(top[k], func(w TermWeight) bool { return w.Term == term }) {
			t.Errorf("%s is not among the top terms of %s: %v", term, class, top[k])
		}
	}
}

// FuzzJSONL: any bytes end in a corpus that holds together or in a FormatError.
func FuzzJSONL(f *testing.F) {
	f.Add([]byte(`{"id": "a", "text": "red apple", "label": "fruit"}` + "\n" + `{"id": 2, "text": "red car", "label": 3}`))
	f.Add([]byte("\ufeff{\"text\": \"caf\xe9\"}\r\n\n{\"TEXT\":\"x\\u0000\\ud800\"}"))
	f.Add([]byte(`[{"text": "x"}]`))
	f.Add([]byte(`{"text": "x", "label": 1e999, "id": -0}`))
	f.Add([]byte("{\"text\": [\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := readJSONL(context.Background(), strings.NewReader(string(data)), "f", ReadOptions{Text: TextOptions{MinDF: 1}, MaxBytes: 64 << 20})
		if err != nil {
			var format *FormatError
			if !errors.As(err, &format) {
				t.Fatalf("%v is no FormatError", err)
			}
			return
		}
		n, m := c.X.Dims()
		if n < 1 || m < 1 || m != len(c.Terms) || m > len(data) || n > len(data) || c.IDs != nil && len(c.IDs) != n || c.Labels != nil && len(c.Labels) != n {
			t.Fatalf("%d×%d, %d terms, %d ids, %d labels", n, m, len(c.Terms), len(c.IDs), len(c.Labels))
		}
		for _, l := range c.Labels {
			if l < -1 || l >= len(c.ClassNames) {
				t.Fatalf("label %d of %d classes", l, len(c.ClassNames))
			}
		}
		if err := c.X.(*sparse.CSR).CheckFinite(); err != nil {
			t.Fatal(err)
		}
	})
}

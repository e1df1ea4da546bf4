package corpus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const exampleCorpus = "../examples/debian/packages.jsonl.gz"

func TestJSONL(t *testing.T) {
	lines := "\ufeff" + `{"id": "a", "text": "red apple", "label": "fruit", "year": [1, {"x": null}]}

  {"label": "car", "id": 17, "text": "red car"}` + "\r\n" + `{"text": "", "label": null}
{"id": null, "text": "apple pie", "label": "fruit"}`
	c := readLines(t, lines, TextOptions{MinDF: 1})
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

// TestNamesAreTidy: blanks around ids and labels and control characters in them do not make
// different names, in any format.
func TestNamesAreTidy(t *testing.T) {
	c := readLines(t, `{"id":" a\r\n","text":"some words","label":" x "}
{"id":"b\u001b c","text":"some words","label":"x"}
{"id":"d  e","text":"some words","label":"y\tz\u0085"}`, TextOptions{})
	if got := classOf(c); got != "a:x b c:x d  e:y z" {
		t.Errorf("documents %q", got)
	}
	_, err := readJSONL(t.Context(), strings.NewReader(`{"id":" a ","text":"some words"}`+"\n"+`{"id":"a","text":"some words"}`), "f", ReadOptions{})
	wantFault(t, err, `the id "a" already belongs to line 1`)
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
}

func TestJSONLWithoutIDsAndLabels(t *testing.T) {
	c := readLines(t, jsonLinesOf([]string{"one thing", "one thing"}), TextOptions{})
	if c.IDs != nil || c.Labels != nil || c.ID(1) != "2" {
		t.Errorf("ids %q labels %v", c.IDs, c.Labels)
	}
}

func TestJSONLNumericLabels(t *testing.T) {
	c := readLines(t, `{"text":"aa","label":10}
{"text":"aa","label":9}
{"text":"aa","label":"10"}`, TextOptions{})
	if !slices.Equal(c.ClassNames, []string{"9", "10"}) || !slices.Equal(c.Labels, []int{1, 0, 1}) {
		t.Errorf("classes %q, labels %v", c.ClassNames, c.Labels)
	}
}

// TestExampleCorpus compares the shipped corpus with the table in its README.
func TestExampleCorpus(t *testing.T) {
	c := must.Get(Read(context.Background(), exampleCorpus, ReadOptions{}))(t)
	readme := must.Get(os.ReadFile("../examples/debian/README.md"))(t)
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
			t.Errorf("section %s is not as the README says", row[1])
		}
		total += want
	}
	if c.Len() != total || !strings.Contains(string(readme), fmt.Sprintf("%d,%03d English", total/1000, total%1000)) {
		t.Errorf("%d documents, the README's table has %d", c.Len(), total)
	}
	if empty := c.X.(*sparse.CSR).EmptyRows(); len(empty) > 0 {
		t.Errorf("%d documents have no term", len(empty))
	}
	// A section's top terms must be words that a reader would expect in it.
	top := c.TopTerms(c.Labels, len(c.ClassNames), 5)
	for class, term := range map[string]string{"games": "game", "fonts": "font", "mail": "mail", "sound": "audio", "haskell": "haskell", "science": "sequence"} {
		k := slices.Index(c.ClassNames, class)
		if !slices.ContainsFunc(top[k], func(w TermWeight) bool { return w.Term == term }) {
			t.Errorf("%s is not among the top terms of %s: %v", term, class, top[k])
		}
	}
}

// FuzzJSONL: any bytes give a consistent corpus or a FormatError.
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
		must.Do(t, c.X.(*sparse.CSR).CheckFinite())
	})
}

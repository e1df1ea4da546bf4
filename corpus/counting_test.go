package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Numbers of documents without ids are read from 0 or from 1, whichever fits, and refused if both
// do. ids-from decides; ids of the corpus win.
func TestNumbered(t *testing.T) {
	dir := t.TempDir()
	counted := func(from string) *Corpus {
		c := bare(t)
		c.IDsFrom = from
		return c
	}
	for _, c := range []struct {
		text, from string
		labels     []int
		note       string
	}{
		{"id,label\n1,x\n2,y\n3,x\n", "", []int{0, 1, 0}, ""},
		{"id,label\n0,x\n1,y\n2,x\n", "", []int{0, 1, 0}, "count the documents from 0"},
		{"0,x\n1,y\n", "", []int{0, 1, -1}, "count the documents from 0"},
		{"1,x\n3,y\n", "", []int{0, -1, 1}, ""},
		{"1,x\n2,y\n", "0", []int{-1, 0, 1}, ""},
		{"1,x\n2,y\n", "1", []int{0, 1, -1}, ""},
	} {
		g, err := ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte(c.text)), counted(c.from))
		if err != nil {
			t.Errorf("%q from %q: %v", c.text, c.from, err)
			continue
		}
		if !slices.Equal(g.Labels, c.labels) || !strings.Contains(strings.Join(g.Notes, " "), c.note) || (c.note == "") != (g.Notes == nil) {
			t.Errorf("%q from %q: %+v", c.text, c.from, g)
		}
	}
	_, err := ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte("1,x\n2,y\n")), bare(t))
	wantFault(t, err, "given.csv", "1 to 2", "counted from 0 and counted from 1", "‹ids-from› 0 or 1")
	_, err = ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte("0,x\n3,y\n")), bare(t))
	wantFault(t, err, "there is no document 0", "from 1 to 3")
	_, err = ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte("0,x\n1,y\n")), counted("1"))
	wantFault(t, err, "there is no document 0")
	_, err = ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte("3,x\n1,y\n")), counted("0"))
	wantFault(t, err, "there is no document 4")

	own := bare(t)
	own.IDs = []string{"0", "1", "2"}
	if g, err := ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte("1,x\n2,y\n")), own); err != nil || !slices.Equal(g.Labels, []int{-1, 0, 1}) {
		t.Errorf("ids of the corpus: %+v, %v", g, err)
	}

	links := writeFile(t, dir, "links.csv", []byte("0,2,must\n1,2,cannot\n"))
	list, note, err := ReadConstraints(t.Context(), links, bare(t))
	if err != nil || !slices.Equal(list, []Constraint{{0, 2, false, 1}, {1, 2, true, 2}}) || !strings.Contains(note, "from 0") {
		t.Errorf("%v, %q, %v", list, note, err)
	}
	_, _, err = ReadConstraints(t.Context(), writeFile(t, dir, "links.csv", []byte("1,2,must\n")), bare(t))
	wantFault(t, err, "links.csv", "‹ids-from›")

	path := writeFile(t, dir, "x.csv", []byte("1,0\n0,1\n1,1\n"))
	truth := writeFile(t, dir, "truth.csv", []byte("1,x\n2,y\n"))
	_, err = Read(t.Context(), path, ReadOptions{Labels: truth})
	wantFault(t, err, "truth.csv", "‹ids-from›")
	for from, want := range map[string][]int{"0": {-1, 0, 1}, "1": {0, 1, -1}} {
		c, err := Read(t.Context(), path, ReadOptions{Labels: truth, IDsFrom: from})
		if err != nil || !slices.Equal(c.Labels, want) || c.IDsFrom != from {
			t.Errorf("from %s: %+v, %v", from, c, err)
		}
	}
	if _, err := Read(t.Context(), path, ReadOptions{IDsFrom: "2"}); err == nil || !strings.Contains(err.Error(), "ids_from") {
		t.Errorf("ids from 2: %v", err)
	}
}

// -1 is no label wherever labels are read, but the class of a corpus that has it.
func TestMinusOne(t *testing.T) {
	dir := t.TempDir()
	c, err := Read(t.Context(), writeFile(t, dir, "x.svm", []byte("-1 1:1\n3 2:1\n2 1:1\n-1 2:1\n")), ReadOptions{})
	if err != nil || !slices.Equal(c.Labels, []int{-1, 1, 0, -1}) {
		t.Fatalf("%+v, %v", c, err)
	}
	wantNote(t, c, "The label -1 means no label, here of 2 documents.")
	g, err := ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte("2\n-1\n-1\n3\n")), c)
	if err != nil || g.Own || !slices.Equal(g.Labels, []int{0, -1, -1, 1}) || fmt.Sprint(g.Notes) != "[The label -1 means no label, here of 2 documents.]" {
		t.Errorf("%+v, %v", g, err)
	}
	pair, err := Read(t.Context(), writeFile(t, dir, "pair.svm", []byte("-1 1:1\n+1 2:1\n+1 1:1\n-1 2:1\n")), ReadOptions{})
	if err != nil || !slices.Equal(pair.Labels, []int{0, 1, 1, 0}) {
		t.Fatalf("%+v, %v", pair, err)
	}
	g, err = ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte("-1\nunlabeled\n1\nNaN\n")), pair)
	if err != nil || !slices.Equal(g.Labels, []int{0, -1, 1, -1}) || len(g.Notes) != 1 {
		t.Errorf("%+v, %v", g, err)
	}
	c, err = Read(t.Context(), writeFile(t, dir, "x.jsonl", []byte(`{"text":"red red blue","label":"a"}`+"\n"+`{"text":"red blue","label":-1}`+"\n")), ReadOptions{Text: TextOptions{MinDF: 1}})
	if err != nil || !slices.Equal(c.Labels, []int{0, -1}) {
		t.Errorf("%+v, %v", c, err)
	}
	wantNote(t, c, "The label -1 means no label, here of 1 document.")
	c, err = Read(t.Context(), writeFile(t, dir, "y.csv", []byte("a,b,label\n1,0,x\n0,1,unlabelled\n1,1,y\n")), ReadOptions{})
	if err != nil || !slices.Equal(c.Labels, []int{0, -1, 1}) {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = Read(t.Context(), writeFile(t, dir, "z.csv", []byte("1,0\n0,1\n1,1\n")), ReadOptions{Labels: writeFile(t, dir, "truth.csv", []byte("4\n-1\n2\n"))})
	if err != nil || !slices.Equal(c.Labels, []int{1, -1, 0}) {
		t.Errorf("%+v, %v", c, err)
	}
	wantNote(t, c, "The label -1 means no label, here of 1 document.")
}

package corpus

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// named is a corpus of four documents of two classes.
func named(t testing.TB) *Corpus {
	c := must.Get(readBytes([]byte("id,a,b,label\np,1,0,u\nq,0,1,v\nr,1,1,u\ns,1,2,\n"), "csv", ReadOptions{}))(t)
	return c
}

// bare is a corpus of three documents without names and labels.
func bare(t testing.TB) *Corpus {
	c := must.Get(readBytes([]byte("1,0\n0,1\n1,1\n"), "csv", ReadOptions{}))(t)
	return c
}

// Classes that differ only in the case of letters stay two and are noted: of a corpus, of labels
// beside it, in place of its own and in memory.
func TestClassesThatDifferInCase(t *testing.T) {
	const note = "The classes U and u differ only in the case of letters"
	dir := t.TempDir()
	labels := writeFile(t, dir, "labels.csv", []byte("p,u\nq,U\nr,u\n"))
	for content, opt := range map[string]ReadOptions{
		"id,a,b,label\np,1,0,u\nq,0,1,U\nr,1,1,u\n": {},
		"id,a,b\np,1,0\nq,0,1\nr,1,1\n":             {Labels: labels},
	} {
		c, err := Read(t.Context(), writeFile(t, dir, "x.csv", []byte(content)), opt)
		if err != nil || len(c.ClassNames) != 2 {
			t.Fatalf("%+v, %v", c, err)
		}
		wantNote(t, c, note)
	}
	g, err := ReadGiven(t.Context(), labels, named(t))
	if err == nil {
		t.Errorf("a class that the corpus does not have: %+v", g)
	}
	own := named(t)
	own.Labels, own.ClassNames = nil, nil
	if g, err = ReadGiven(t.Context(), labels, own); err != nil || len(g.ClassNames) != 2 || !strings.Contains(strings.Join(g.Notes, " "), note) {
		t.Errorf("%+v, %v", g, err)
	}
	if g = GiveWords([]string{"u", "", "U"}); len(g.ClassNames) != 2 || !strings.Contains(strings.Join(g.Notes, " "), note) {
		t.Errorf("%+v", g)
	}
}

// A file that names documents of a corpus without names says so once, with the column that would
// name them if one looks like it; two lines are examples.
func TestNamesForDocumentsWithoutNames(t *testing.T) {
	dir := t.TempDir()
	var table, labels, links strings.Builder
	table.WriteString("Ticket ID,text\n")
	for i := range 24 {
		fmt.Fprintf(&table, "T-%d,%s\n", 100+i, []string{"the engine of my old car is loud and slow", "a cake of flour and sugar from the hot oven"}[i%2])
		fmt.Fprintf(&labels, "T-%d,%s\n", 100+i, []string{"car", "cake"}[i%2])
		fmt.Fprintf(&links, "T-%d,T-%d,must\n", 100+i, 100+i%2)
	}
	path := writeFile(t, dir, "tickets.csv", []byte(table.String()))
	given := writeFile(t, dir, "given.csv", []byte(strings.Join(strings.SplitAfter(labels.String(), "\n")[:20], "")))
	check := func(err error, path, more string) {
		t.Helper()
		wantFault(t, err, path, "line 1: there is no document T-100; ", "; and "+more+" more such lines: ",
			"tickets.csv has no names of documents, but numbers them from 1 to 24; column 1 (Ticket ID) differs in all rows looked at; ‹id-column› ")
		if strings.Contains(err.Error(), "T-102") {
			t.Errorf("%v has more than two examples", err)
		}
	}
	_, err := Read(t.Context(), path, ReadOptions{Labels: given})
	check(err, "given.csv", "18")
	c := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
	_, err = ReadGiven(t.Context(), given, c)
	check(err, "given.csv", "18")
	_, _, err = ReadConstraints(t.Context(), writeFile(t, dir, "links.csv", []byte(links.String())), c)
	check(err, "links.csv", "46")
	if _, err = Read(t.Context(), path, ReadOptions{Labels: given, IDColumn: "Ticket ID"}); err != nil {
		t.Error(err)
	}
	// A list of all documents may be in another order than the table, so its names are not lent to
	// the rows unless that is asked for.
	all := strings.SplitAfter(labels.String(), "\n")[:24]
	slices.Reverse(all)
	reversed := writeFile(t, dir, "reversed.csv", []byte(strings.Join(all, "")))
	_, err = Read(t.Context(), path, ReadOptions{Labels: reversed})
	wantFault(t, err, "reversed.csv", "line 1: there is no document T-123; ", "‹id-column› 'Ticket ID' makes it the names of the documents; ‹id-column› none takes the names in this list, in its order")
	byName, err := Read(t.Context(), path, ReadOptions{Labels: reversed, IDColumn: "Ticket ID"})
	if err != nil || byName.IDs[0] != "T-100" || byName.ClassNames[byName.Labels[0]] != "car" {
		t.Errorf("the rows by their names: %v", err)
	}
	inOrder, err := Read(t.Context(), path, ReadOptions{Labels: reversed, IDColumn: "none"})
	if err != nil || inOrder.IDs[0] != "T-123" || inOrder.ClassNames[inOrder.Labels[0]] != "cake" {
		t.Errorf("the rows in order: %v", err)
	}
	c.Notes = nil // no column looks like names
	_, err = ReadGiven(t.Context(), given, c)
	wantFault(t, err, "numbers them from 1 to 24; if a column or field of it holds these names, ‹id-column› names it")
	c.Format = "mtx" // which has none
	if _, err = ReadGiven(t.Context(), given, c); err == nil || strings.Contains(err.Error(), "‹id-column›") {
		t.Error(err)
	}
}

// Where only the first line of a list fits nothing, it may be a header of other words than id and
// label.
func TestHeaderOfOtherWords(t *testing.T) {
	dir := t.TempDir()
	const header = "if it is a header, name its columns id and label, or remove it"
	for text, want := range map[string]bool{
		"ticket_id,topic\np,u\nq,v\n":  true,
		"ticket_id,topic\np,x\nq,y\n":  true, // classes of its own
		"p,u\nticket_id,topic\nq,v\n":  false,
		"ticket_id,topic\np,u\nx,v\n":  false,
		"ticket_id,topic\nx,u\n":       false,
		"id,label\nticket_id,u\np,v\n": false, // it has one
		`{"id":"ticket_id","label":"u"}` + "\n" + `{"id":"p","label":"v"}` + "\n": false,
	} {
		given := writeFile(t, dir, "given.csv", []byte(text))
		_, err := ReadGiven(t.Context(), given, named(t))
		wantFault(t, err, "there is no document ticket_id", "from p to s")
		if strings.Contains(err.Error(), header) != want {
			t.Errorf("%q: %v", text, err)
		}
		_, err = Read(t.Context(), writeFile(t, dir, "x.csv", []byte("id,a,b\np,1,0\nq,0,1\nr,1,1\n")), ReadOptions{Labels: given})
		wantFault(t, err, "there is no document ticket_id", "from p to r")
		if strings.Contains(err.Error(), header) != want {
			t.Errorf("%q as labels to compare with: %v", text, err)
		}
	}
}

// A first line that alone is of no document, and whose label is the only one that occurs once, is a
// header, with a note: such lists were refused until the columns were called id and label. A line
// with a wrong name of a document and a label that others have is refused.
func TestHeaderThatIsLikeNoOtherLine(t *testing.T) {
	const list = "ticket_id,topic\np,u\nq,v\nr,u\ns,v\n"
	dir := t.TempDir()
	given := writeFile(t, dir, "given.csv", []byte(list))
	g := must.Get(ReadGiven(t.Context(), given, named(t)))(t)
	if !slices.Equal(g.Labels, []int{0, 1, 0, 1}) || !strings.Contains(strings.Join(g.Notes, " "), "ticket_id") {
		t.Errorf("labels %v, notes %v", g.Labels, g.Notes)
	}
	table := writeFile(t, dir, "x.csv", []byte("id,a,b\np,1,0\nq,0,1\nr,1,1\ns,0,0\n"))
	c := must.Get(Read(t.Context(), table, ReadOptions{Labels: given}))(t)
	if !slices.Equal(c.Labels, []int{0, 1, 0, 1}) || !hasNote(c, "ticket_id") {
		t.Errorf("to compare with: labels %v, notes %v", c.Labels, c.Notes)
	}
	for _, wrong := range []string{"x,u\np,u\nq,v\nr,u\ns,v\n", "ticket_id,topic\np,u\nq,v\nr,u\nx,v\n"} {
		_, err := ReadGiven(t.Context(), writeFile(t, dir, "wrong.csv", []byte(wrong)), named(t))
		wantFault(t, err, "there is no document")
	}
}

// A first line with a wrong name of a document and a label that no other has is refused, not taken
// for a header, if its name has a digit as others have or its label is a class of the corpus: its
// label was lost.
func TestWrongNameIsNoHeader(t *testing.T) {
	coded := named(t)
	coded.IDs = []string{"p1", "q2", "r3", "s4"}
	classed := named(t)
	classed.Labels, classed.ClassNames = []int{0, 1, 1, 2}, []string{"u", "v", "w"}
	for list, c := range map[string]*Corpus{"p7,rare\nq2,v\nr3,u\ns4,v\np1,u\n": coded, "lost,w\np,u\nq,v\nr,v\ns,u\n": classed} {
		_, err := ReadGiven(t.Context(), writeFile(t, t.TempDir(), "given.csv", []byte(list)), c)
		wantFault(t, err, "there is no document")
	}
	g := must.Get(ReadGiven(t.Context(), writeFile(t, t.TempDir(), "given.csv", []byte("V1,V2\np,u\nq,v\nr,u\ns,v\n")), named(t)))(t)
	if !slices.Equal(g.Labels, []int{0, 1, 0, 1}) {
		t.Errorf("a header with digits above names without: labels %v, notes %v", g.Labels, g.Notes)
	}
}

func TestReadGiven(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, text string
		corpus     *Corpus
		labels     []int
		classes    []string
		own        bool
	}{
		{"ids", "r,v\np,u\n", named(t), []int{0, -1, 1, -1}, []string{"u", "v"}, false},
		{"header, one class, gzip", gzipped("id;label\ns;v\n"), named(t), []int{-1, -1, -1, 1}, []string{"u", "v"}, false},
		{"classes of its own", "r,sport\np,news\nq,sport\n", named(t), []int{0, 1, 1, -1}, []string{"news", "sport"}, true},
		{"said twice", "p,u\nq,\np,u\nr,v\nq,v\n", named(t), []int{0, 1, 1, -1}, []string{"u", "v"}, false},
		{"in order", "u\n\"\"\nv\nv\n", named(t), []int{0, -1, 1, 1}, []string{"u", "v"}, false},
		{"numbers", "3,x\n1,y\n", bare(t), []int{1, -1, 0}, []string{"x", "y"}, true},
	} {
		g, err := ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte(c.text)), c.corpus)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !slices.Equal(g.Labels, c.labels) || !slices.Equal(g.ClassNames, c.classes) || g.Own != c.own {
			t.Errorf("%s: %+v", c.name, g)
		}
	}
	for text, parts := range map[string][]string{
		"p,u\nx,v\n\"y,z\",u\n": {"line 2: there is no document x", "line 3: there is no document y,z", "from p to s"},
		"id,label\np,u\np,v\n":  {"line 3: p is v, but u by line 2"},
		"p,u\nq,w\nr,W\n":       {"line 2: the corpus has no class w", "line 3", "class W", "u, v"},
		"x,u\nq,w\np,u\np,v\n":  {"line 1: there is no document x; line 2: the corpus has no class w; line 4: p is v, but u by line 3", "from p to s", "u, v"},
		"u\nv\nw\nu\n":          {"line 3: the corpus has no class w"},
		"u\nv\n":                {"2 labels", "4 documents", "id,label"},
		"p,\n":                  {"all labels are empty"},
		"":                      {"empty"},
		"a,b,c\n":               {"line 1"},
	} {
		_, err := ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte(text)), named(t))
		wantFault(t, err, append(parts, "given.csv")...)
	}
	twice := named(t)
	twice.IDs[1] = "p"
	_, err := ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte("r,u\np,u\n")), twice)
	wantFault(t, err, "line 2: several documents have the name p")
	if g, err := ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte("p,u\np,v\nr,u\ns,v\n")), twice); err != nil || !slices.Equal(g.Labels, []int{0, 1, 0, 1}) {
		t.Errorf("names in order that occur twice: %+v, %v", g, err)
	}
	for text, said := range map[string]bool{"id,cluster,label,distance\np,0,u,1\nr,1,v,2\n": true, "id,cluster,distance\np,0,1\nr,1,2\n": false, "id,label\np,u\nr,v\n": false} {
		g, err := ReadGiven(t.Context(), writeFile(t, dir, "clusters.csv", []byte(text)), named(t))
		notes := g != nil && slices.ContainsFunc(g.Notes, func(n string) bool {
			return strings.Contains(n, "clusters.csv: its column label is taken, and not its column cluster")
		})
		if err != nil || notes != said {
			t.Errorf("%q: %+v, %v", text, g, err)
		}
	}
	many := strings.Repeat("x,u\n", 500)
	_, err = ReadGiven(t.Context(), writeFile(t, dir, "given.csv", []byte(many)), named(t))
	wantFault(t, err, "line 10", "and 490 more such lines")
}

func TestReadConstraints(t *testing.T) {
	dir := t.TempDir()
	read := func(text string, c *Corpus) ([]Constraint, error) {
		list, _, err := ReadConstraints(t.Context(), writeFile(t, dir, "links.csv", []byte(text)), c)
		return list, err
	}
	for _, comma := range []string{",", "\t", "; "} {
		for _, before := range []string{"", "\ufeff", "a,b,constraint\n", "# which documents belong together\n\n"} {
			text := strings.ReplaceAll(before+"p,q,Must\nr,q,cannot-link\r\n", ",", comma)
			line := strings.Count(before, "\n")
			want := []Constraint{{0, 1, false, 1 + line}, {2, 1, true, 2 + line}}
			if got, err := read(text, named(t)); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q: %v, %v", text, got, err)
			}
			if got, err := read(gzipped(text), named(t)); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q compressed: %v, %v", text, got, err)
			}
		}
	}
	if got, err := read("1,3,cannot\n# 2,3,must\n3,3,must\n", bare(t)); err != nil || !slices.Equal(got, []Constraint{{0, 2, true, 1}, {2, 2, false, 3}}) {
		t.Errorf("%v, %v", got, err)
	}
	hash := named(t)
	hash.IDs[0] = "#1"
	if got, err := read("#1,q,must\n\"#1\",r,must\n", hash); err != nil || !slices.Equal(got, []Constraint{{0, 2, false, 2}}) {
		t.Errorf("%v, %v", got, err)
	}
	for text, parts := range map[string][]string{
		"p,q,must\nx,q,maybe\np,q\nr,y,cannot\n": {"line 2: maybe is neither must nor cannot", "line 2: there is no document x", "line 3: it has 2 fields", "line 4: there is no document y", "p to s"},
		"":                                       {"empty"},
		"# nothing\n":                            {"no constraints"},
		"a,b,constraint\n":                       {"no constraints"},
		"p,q,must\na,b,constraint\n":             {"line 2: constraint is neither"},
		"p,\"q,must\n":                           {"line 1", "quotes"},
	} {
		_, err := read(text, named(t))
		wantFault(t, err, append(parts, "links.csv")...)
	}
	_, _, err := ReadConstraints(t.Context(), dir, named(t))
	wantFault(t, err, "folder")
}

// The rows returned belong to the selection.
func TestSelectWithRows(t *testing.T) {
	c := named(t)
	for _, classes := range [][]string{nil, {"v"}, {"v", "u"}, {"u"}} {
		out, rows, err := c.SelectWithRows(classes)
		if err != nil || out.Len() != len(rows) {
			t.Fatalf("%d documents, rows %v, %v", out.Len(), rows, err)
		}
		for i, r := range rows {
			if out.ID(i) != c.ID(r) {
				t.Errorf("document %d of classes %v is %s, not %s", i, classes, out.ID(i), c.ID(r))
			}
		}
	}
}

func FuzzGiven(f *testing.F) {
	f.Add([]byte("id,label\np,u\nq,v\n"))
	f.Add([]byte("p,u\np,v\nx,u\n"))
	f.Add([]byte("1,a\n2,b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range []*Corpus{named(t), bare(t)} {
			before := allocated()
			in, err := input.New(context.Background(), "given", bytes.NewReader(data), int64(len(data)), input.Limits{MaxBytes: fuzzMemory})
			var l *Labeling
			if err == nil {
				l, err = labelingInLines(in, "")
			}
			var g *Given
			if err == nil {
				g, err = l.give(c)
			}
			if used := allocated() - before; used > fuzzAllocs {
				t.Fatalf("reading %d bytes allocated %d", len(data), used)
			}
			if err != nil {
				checkFault(t, err)
				continue
			}
			if len(g.Labels) != c.Len() || !g.Own && !slices.Equal(g.ClassNames, c.ClassNames) {
				t.Fatalf("%+v of %d documents", g, c.Len())
			}
			if slices.Max(g.Labels) < 0 || slices.Max(g.Labels) >= len(g.ClassNames) || slices.Min(g.Labels) < -1 {
				t.Fatalf("%+v", g)
			}
		}
	})
}

func FuzzConstraints(f *testing.F) {
	f.Add([]byte("p,q,must\nr,q,cannot\n"))
	f.Add([]byte("# x\na\tb\tlink\n1\t3\tcannot\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range []*Corpus{named(t), bare(t)} {
			before := allocated()
			in, err := input.New(context.Background(), "links", bytes.NewReader(data), int64(len(data)), input.Limits{MaxBytes: fuzzMemory})
			var list []Constraint
			if err == nil {
				list, _, err = parseConstraints(in, c)
			}
			if used := allocated() - before; used > fuzzAllocs {
				t.Fatalf("reading %d bytes allocated %d", len(data), used)
			}
			if err != nil {
				checkFault(t, err)
				continue
			}
			lines := bytes.Count(data, []byte("\n")) + 1
			for _, l := range list {
				if min(l.A, l.B) < 0 || max(l.A, l.B) >= c.Len() || l.Line < 1 || l.Line > lines {
					t.Fatalf("%+v of %d documents and %d lines", l, c.Len(), lines)
				}
			}
		}
	})
}

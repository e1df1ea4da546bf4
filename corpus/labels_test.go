package corpus

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

func TestLabelingForms(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, text, column string
		ids, labels        []string
	}{
		{"list", "a\nb\na\n", "", nil, []string{"a", "b", "a"}},
		{"list with header", "label\na\nb", "", nil, []string{"a", "b"}},
		{"pairs", "d1,a\nd2,b\n", "", []string{"d1", "d2"}, []string{"a", "b"}},
		{"pairs with header", "Label\tID\na\td1\nb\td2\n", "", []string{"d1", "d2"}, []string{"a", "b"}},
		{"clusters", "id,cluster,label\n1,0,x\n2,1,\n", "", []string{"1", "2"}, []string{"x", ""}},
		{"clusters by name", "id,cluster,label\n1,0,x\n2,1,y\n", "Cluster", []string{"1", "2"}, []string{"0", "1"}},
		{"quoted", "id,label\n\"a, b\",\"x; y\"\n", "", []string{"a, b"}, []string{"x; y"}},
	} {
		for _, text := range []string{c.text, gzipped(c.text), "\ufeff" + c.text} {
			l, err := ReadLabeling(t.Context(), writeFile(t, dir, "l.csv", []byte(text)), c.column)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if !slices.Equal(l.IDs, c.ids) || !slices.Equal(l.Labels, c.labels) {
				t.Errorf("%s: ids %q, labels %q", c.name, l.IDs, l.Labels)
			}
		}
	}
	for _, c := range []struct{ text, column, part string }{
		{"a,b,c\n1,2,3\n", "", "id,label"}, {"a,b\nc\n", "", "line 2"}, {"id,label\na,b\n", "cluster", "id, label"}, {"label\n", "", "no labels"}, {"\n", "", "no labels"},
	} {
		_, err := ReadLabeling(t.Context(), writeFile(t, dir, "l.csv", []byte(c.text)), c.column)
		wantFault(t, err, "l.csv", c.part)
	}
	_, err := ReadLabeling(t.Context(), dir, "")
	wantFault(t, err, "folder")
}

// Lists of labels are read from what R saved and from a table of a page, too.
func TestLabelingSaved(t *testing.T) {
	dir, table := t.TempDir(), pageTableOf("id|label", "d1|a", "d2|b")
	levels := []string{"levels", rTexts([]string{"a", "b"}), "class", rTexts([]string{"factor"})}
	for _, c := range []struct {
		name, content string
		ids           []string
	}{
		{"l.rds", rFile(rFrame(rInts([]int{rMissing, -2}), "id", rTexts([]string{"d1", "d2"}), "label", rInts([]int{1, 2}, levels...))), []string{"d1", "d2"}},
		{"l.RData", packedGzip(rSave("l", rTexts([]string{"a", "b"}))), nil},
		{"l.rds", rFile(rInts([]int{1, 2}, append(levels, "names", rTexts([]string{"d1", "d2"}))...)), []string{"d1", "d2"}},
		{"l.xls", table, []string{"d1", "d2"}},
		{"l.html", "<html><body>" + table + "</body></html>", []string{"d1", "d2"}},
	} {
		l := must.Get(ReadLabeling(t.Context(), writeFile(t, dir, c.name, []byte(c.content)), ""))(t)
		if !slices.Equal(l.IDs, c.ids) || !slices.Equal(l.Labels, []string{"a", "b"}) {
			t.Errorf("%s: ids %q, labels %q", c.name, l.IDs, l.Labels)
		}
	}
	_, err := ReadLabeling(t.Context(), writeFile(t, dir, "m.rds", []byte(rFile(rMatrix))), "")
	wantFault(t, err, "m.rds", "holds a matrix, where labels are needed")
	_, err = ReadLabeling(t.Context(), writeFile(t, dir, "m.RData", []byte(rSave("d", rNumbers, "m", rMatrix))), "")
	wantFault(t, err, "m.RData", "holds several objects; saveRDS(x, 'x.rds') names one")
}

func TestLabelsFile(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "x.csv", []byte("id,a,b,label\np,1,0,u\nq,0,1,v\nr,1,1,u\n"))
	read := func(labels string) (*Corpus, error) {
		return Read(t.Context(), path, ReadOptions{Labels: writeFile(t, dir, "labels.txt", []byte(labels))})
	}
	c, err := read("r,late\nq,early\n")
	if err != nil || !slices.Equal(c.Labels, []int{-1, 0, 1}) || !slices.Equal(c.ClassNames, []string{"early", "late"}) {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = read("2\n1\n2\n")
	if err != nil || !slices.Equal(c.Labels, []int{1, 0, 1}) {
		t.Errorf("%+v, %v", c, err)
	}
	for text, parts := range map[string][]string{
		"r,x\nz,y\n": {"line 2: there is no document z", "p to r"}, "r,x\nq,y\nr,x\n": {"line 3: r is in line 1 already"},
		"id,label\nz,x\nr,x\n\ny,x\nr,y\n": {"line 2: there is no document z", "line 5: there is no document y", "line 6: r is in line 3 already"}, "1\n2\n": {"2 entries", "3×2"},
		"id,label\np,\n": {"all labels are empty"},
	} {
		_, err := read(text)
		wantFault(t, err, append(parts, "labels.txt")...)
	}
	path = writeFile(t, dir, "twice.csv", []byte("id,a,b\np,1,0\np,0,1\nr,1,1\n"))
	_, err = read("r,x\np,y\n")
	wantFault(t, err, "twice.csv: line 3", `"p"`, "line 2 already")
	_, err = Read(t.Context(), path, ReadOptions{Labels: dir + "/missing"})
	wantFault(t, err, "missing", "no such file")
	// Numbers name the documents of a corpus without names.
	path = writeFile(t, dir, "y.csv", []byte("1,0\n0,1\n1,1\n"))
	c, err = read("id,label\n3,x\n1,y\n")
	if err != nil || !slices.Equal(c.Labels, []int{1, -1, 0}) {
		t.Errorf("%+v, %v", c, err)
	}
	// A list that is as long as the columns, and not as the rows, transposes the matrix.
	path = writeFile(t, dir, "z.csv", []byte("1,0\n0,1\n1,1\n"))
	c, err = read("x\ny\n")
	if err != nil || c.Len() != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A matrix format without room for names keeps the names of the file beside it when other labels
// are given. If there is no such file, it takes the names of the given file.
func TestLabelsFileKeepsNames(t *testing.T) {
	const mtx = "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 1\n2 2 1\n3 1 2\n"
	const labels = "id,label\np,u\nq,v\nr,u\n"
	dir := t.TempDir()
	path := writeFile(t, dir, "x.mtx", []byte(mtx))
	side := writeFile(t, dir, "x.labels.csv", []byte(labels))
	for _, tc := range []struct {
		text   string
		labels []int
		note   string
	}{
		{labels, []int{0, 1, 0}, "given.csv labels 3 of 3 documents."},
		{"q,late\n", []int{-1, 0, -1}, "given.csv labels 1 of 3 documents."},
		{"b\na\nb\n", []int{1, 0, 1}, "given.csv labels 3 of 3 documents."},
	} {
		c := must.Get(Read(t.Context(), path, ReadOptions{Labels: writeFile(t, dir, "given.csv", []byte(tc.text))}))(t)
		if !slices.Equal(c.IDs, []string{"p", "q", "r"}) || !slices.Equal(c.Labels, tc.labels) || c.Format != "mtx" {
			t.Errorf("%q: ids %q, labels %v, format %s", tc.text, c.IDs, c.Labels, c.Format)
		}
		wantNote(t, c, tc.note)
		wantNote(t, c, "The names of the documents are from x.labels.csv")
	}
	if c, err := Read(t.Context(), path, ReadOptions{Labels: side}); err != nil || c.ID(1) != "q" {
		t.Errorf("the very file beside it: %+v, %v", c, err)
	}
	_, err := Read(t.Context(), path, ReadOptions{Labels: writeFile(t, dir, "given.csv", []byte("a\nb\na\nb\n"))})
	var fault *FormatError
	if !errors.As(err, &fault) || filepath.Base(fault.File) != "given.csv" {
		t.Errorf("labels of a wrong length: %v", err)
	}

	path = writeFile(t, dir, "bare.mtx", []byte(mtx))
	c, err := Read(t.Context(), path, ReadOptions{Labels: writeFile(t, dir, "given.csv", []byte("c,u\na,v\nb,u\n"))})
	if err != nil || !slices.Equal(c.IDs, []string{"c", "a", "b"}) || !slices.Equal(c.Labels, []int{0, 1, 0}) {
		t.Fatalf("%+v, %v", c, err)
	}
	wantNote(t, c, "take the names in given.csv, in the order of that file.")
	for _, text := range []string{"c,u\na,v\n", "c,u\na,v\nc,u\n", "c,u\n2,v\nb,u\n"} {
		_, err := Read(t.Context(), path, ReadOptions{Labels: writeFile(t, dir, "given.csv", []byte(text))})
		wantFault(t, err, "given.csv", "line 1: there is no document c")
	}
}

// A file of MATLAB with lists alone is one of labels: of several the one of a usual name, or the
// one that is asked for.
func TestLabelsOfMATLAB(t *testing.T) {
	two := func(first, second string) *corpustest.MatWriter {
		m := corpustest.NewMatWriter(false, false)
		return m.Add(m.Cell(first, "p", "q", "q")).Add(m.Cell(second, "p", "q", "p"))
	}
	m, packed := corpustest.NewMatWriter(true, false), corpustest.NewMatWriter(false, true)
	for name, c := range map[string]struct {
		file         *corpustest.MatWriter
		column, want string
	}{
		"a column":       {m.Add(m.Full(6, 9, "gnd", [][]float64{{2}, {1}, {2}})), "", "2 1 2"},
		"sparse":         {packed.Add(packed.Sparse("z", [][]float64{{2}, {1}, {2}})), "", "2 1 2"},
		"a usual name":   {two("z", "y"), "", "p q p"},
		"asked for":      {two("z", "y"), "z", "p q q"},
		"no usual names": {two("a", "b"), "", "holds 2 lists, a, b"},
		"another name":   {two("a", "b"), "c", "has no list \"c\"; its lists are a, b"},
	} {
		list, err := ReadLabeling(t.Context(), writeFile(t, t.TempDir(), "l.mat", c.file.Out), c.column)
		got := fmt.Sprint(err)
		if err == nil {
			got = strings.Join(list.Labels, " ")
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// The notes name the labels that are used, not those that were replaced.
func TestLabelsFileReplacesNotes(t *testing.T) {
	dir := t.TempDir()
	labels := writeFile(t, dir, "l.csv", []byte("1,x\n3,y\n"))
	m := corpustest.NewMatWriter(true, true)
	m.Add(m.Sparse("fea", [][]float64{{0, 3}, {1, 0}, {2, 2}}))
	m.Add(m.Sparse("gnd", [][]float64{{1}, {2}, {1}}))
	for name, data := range map[string][]byte{"a.csv": []byte("v,w,class\n1,0,2\n0,1,1\n1,1,2\n"), "a.mat": m.Out} {
		c := must.Get(Read(t.Context(), writeFile(t, dir, name, data), ReadOptions{Labels: labels}))(t)
		wantNote(t, c, "l.csv labels 2 of 3 documents.")
		for _, note := range c.Notes {
			if strings.Contains(note, "The classes are") || strings.Contains(note, "labels from") || !strings.HasSuffix(note, ".") {
				t.Errorf("%s: note %q", name, note)
			}
		}
	}
}

func FuzzLabels(f *testing.F) {
	f.Add([]byte("id,label\n1,a\n2,b\n"), "")
	f.Add([]byte("a\nb\n\"c\"\n"), "cluster")
	f.Fuzz(func(t *testing.T, data []byte, column string) {
		before := allocated()
		in, err := input.New(context.Background(), "labels", bytes.NewReader(data), int64(len(data)), input.Limits{MaxBytes: fuzzMemory})
		var l *Labeling
		if err == nil {
			l, err = labelingInLines(in, column)
		}
		if used := allocated() - before; used > fuzzAllocs {
			t.Fatalf("reading %d bytes allocated %d", len(data), used)
		}
		if err != nil {
			checkFault(t, err)
			return
		}
		if len(l.Labels) == 0 || l.IDs != nil && len(l.IDs) != len(l.Labels) {
			t.Fatalf("%d names of %d labels", len(l.IDs), len(l.Labels))
		}
		c := must.Get(readBytes([]byte("1,2\n3,4\n"), "csv", ReadOptions{}))(t)
		if err := l.apply(c); err != nil {
			checkFault(t, err)
			return
		}
		checkInvariants(t, c)
	})
}

// Lists that NumPy saved and IDX files are lists of labels: numbers, of which NaN is none, and
// texts.
func TestLabelingOfArrays(t *testing.T) {
	dir := t.TempDir()
	array := func(descr, shape string, data ...byte) []byte {
		head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape)
		head += strings.Repeat(" ", 63-(len(head)+10)%64) + "\n"
		return append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(head)), 0})+head), data...)
	}
	wide := func(text string) (b []byte) {
		for _, r := range text {
			b = append(b, byte(r), 0, 0, 0)
		}
		return b
	}
	half := []byte{0, 0, 0xc0, 0x7f, 0, 0, 0, 0x40, 0, 0, 0x80, 0xbf} // NaN, 2, -1
	for _, c := range []struct {
		name   string
		data   []byte
		labels []string
	}{
		{"numbers", array("<i2", "3,", 7, 0, 0, 0, 7, 0), []string{"7", "0", "7"}},
		{"big-endian, a column", array(">i2", "2, 1", 0, 7, 255, 255), []string{"7", "-1"}},
		{"a row", array("|u1", "1, 2", 5, 4), []string{"5", "4"}},
		{"fractions", array("<f4", "3,", half...), []string{"", "2", "-1"}},
		{"texts", array("<U2", "3,", wide("ab\x00\x00 é")...), []string{"ab", "", "é"}},
		{"bytes", array("|S2", "2,", 'a', 'b', 'c', 0), []string{"ab", "c"}},
		{"large integers", array("<i8", "2,", 1, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 32, 0), []string{"9007199254740993", "9007199254740992"}},
		{"big-endian unsigned", array(">u8", "1,", 255, 255, 255, 255, 255, 255, 255, 255), []string{"18446744073709551615"}},
		{"idx", []byte{0, 0, 8, 1, 0, 0, 0, 3, 9, 1, 9}, []string{"9", "1", "9"}},
	} {
		for _, data := range [][]byte{c.data, []byte(gzipped(string(c.data)))} {
			l, err := ReadLabeling(t.Context(), writeFile(t, dir, "y.npy", data), "")
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else if l.IDs != nil || !slices.Equal(l.Labels, c.labels) || len(l.Lines) != len(c.labels) {
				t.Errorf("%s: ids %q, labels %q", c.name, l.IDs, l.Labels)
			}
		}
	}
	for _, c := range []struct {
		data []byte
		part string
	}{
		{array("|O", "2,", 1, 2), "astype(str)"},
		{array("<f4", "1,", 0, 0, 0x80, 0x7f), "label 1 is infinite"},
		{array("<i2", "3,", 7, 0), "ends"},
		{array("|u1", "2, 2", 1, 2, 3, 4), "has no labels"},
		{array("<U9", "4000000000,", 1), "ends"},
		{array("|u1", "2,", 1, 2, 3), "goes on after the 2 labels"},
		{array("|S1", "2,", 'a', 'b', 'c'), "goes on after the 2 labels"},
	} {
		_, err := ReadLabeling(t.Context(), writeFile(t, dir, "y.npy", c.data), "")
		wantFault(t, err, "y.npy", c.part)
	}
	_, err := ReadLabeling(t.Context(), writeFile(t, dir, "y.npy", array("|u1", "2,", 1, 2)), "kind")
	wantFault(t, err, "y.npy", "leave the column")
}

// An array has no header, and neither has a list of numbers that begins with a number: such a list
// with one label too many is refused, and not shortened.
func TestListWithOneLabelTooMany(t *testing.T) {
	for _, l := range []*Labeling{
		labelingOfList("y.npy", []string{"x", "a", "a", "b"}, nil),
		{File: "y.csv", isTable: true, Labels: []string{"9", "1", "", "2"}, Lines: []int{1, 2, 3, 4}},
		{File: "y.csv", isTable: true, Labels: []string{"9", "nan", "1", "2"}, Lines: []int{1, 2, 3, 4}},
	} {
		c := must.Get(readBytes([]byte("1,2\n3,4\n5,7\n"), "csv", ReadOptions{}))(t)
		if g, err := l.give(c); err == nil {
			t.Errorf("%q: labels %v, classes %q", l.Labels, g.Labels, g.ClassNames)
		}
		if err := l.apply(c); err == nil {
			t.Errorf("%q: labels %v", l.Labels, c.Labels)
		}
	}
}

// An archive of arrays without a matrix holds a list of labels: its only list, the one of a usual
// name, or the one that is named, with ids where it has them.
func TestLabelingOfArchives(t *testing.T) {
	dir := t.TempDir()
	numbers := func(values ...byte) []byte {
		return corpustest.NPY("'|u1'", "False", fmt.Sprintf("(%d,)", len(values)), values)
	}
	words := corpustest.NPY("'|S1'", "False", "(3,)", []byte("pqr"))
	for _, c := range []struct {
		name, column string
		members      []any
		labels, ids  []string
		part         string
	}{
		{"one", "", []any{"arr_0", numbers(7, 0, 7)}, []string{"7", "0", "7"}, nil, ""},
		{"usual", "", []any{"weights", numbers(1, 2, 3), "y", numbers(7, 0, 7)}, []string{"7", "0", "7"}, nil, ""},
		{"named", "kind", []any{"kind", words, "y", numbers(7, 0, 7)}, []string{"p", "q", "r"}, nil, ""},
		{"ids", "", []any{"ids", words, "group", numbers(7, 0, 7)}, []string{"7", "0", "7"}, []string{"p", "q", "r"}, ""},
		{"several", "", []any{"a", numbers(7, 0, 7), "b", words}, nil, nil, "holds 2 lists, a, b, and none"},
		{"another", "kind", []any{"a", numbers(7, 0, 7), "b", words}, nil, nil, "has no list \"kind\"; its lists are a, b"},
		{"other ids", "", []any{"ids", words, "y", numbers(7, 0)}, nil, nil, "has 3 names of 2 documents"},
		{"objects", "", []any{"y", corpustest.NPY("'|O'", "False", "(2,)", []byte{1, 2})}, nil, nil, "astype(str)"},
		{"nothing", "", []any{"y", numbers()}, nil, nil, "y"},
		{"a matrix", "", []any{"X", corpustest.NPY("'|u1'", "False", "(2, 2)", []byte{1, 2, 3, 4}), "y", numbers(7, 0)}, []string{"7", "0"}, nil, ""},
	} {
		l, err := ReadLabeling(t.Context(), writeFile(t, dir, "y.npz", corpustest.NPZ(t, c.members...)), c.column)
		if c.part != "" {
			wantFault(t, err, "y.npz", c.part)
		} else if err != nil || !slices.Equal(l.IDs, c.ids) || !slices.Equal(l.Labels, c.labels) {
			t.Errorf("%s: %v, %+v", c.name, err, l)
		}
	}
}

// A list of labels is read from a spreadsheet, from an archive of its one file, and in the encoding
// that spreadsheets save.
func TestLabelingOfPackedLists(t *testing.T) {
	dir := t.TempDir()
	lines := "id,label\np,M\u00fcnchen\nq,K\u00f6ln\n"
	latin := strings.NewReplacer("\u00fc", "\xfc", "\u00f6", "\xf6").Replace(lines)
	var wide []byte
	for _, r := range "\ufeff" + strings.ReplaceAll(lines, ",", "\t") {
		wide = append(wide, byte(r), byte(r>>8))
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, err := z.Create("labels.csv")
	if err == nil {
		_, err = w.Write([]byte(lines))
	}
	if err = cmp.Or(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"utf8.csv": []byte(lines), "latin.csv": []byte(latin), "wide.txt": wide, "labels.zip": packed.Bytes(),
		"labels.xlsx": []byte(sheetOf(t, "id,label", "p,M\u00fcnchen", "q,K\u00f6ln")),
	} {
		l, err := ReadLabeling(t.Context(), writeFile(t, dir, name, data), "")
		if err != nil || !slices.Equal(l.IDs, []string{"p", "q"}) || !slices.Equal(l.Labels, []string{"M\u00fcnchen", "K\u00f6ln"}) {
			t.Errorf("%s: %v, %+v", name, err, l)
		}
	}
}

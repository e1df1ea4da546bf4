package matrix

import (
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestCSVColumns(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        Options
		labels     []int
		classes    []string
		terms, ids []string
		notes      []string
	}{
		{name: "header, class last", text: "\ufeffa,b,c,Class\n1,0,2,y\n0,3,0,x\n4,0,0,y\n0,0,5,x\n",
			labels: []int{1, 0, 1, 0}, classes: []string{"x", "y"}, terms: []string{"a", "b", "c"}, notes: []string{"is a header", "4 (Class)"}},
		{name: "semicolons, id and label first", text: "ID;Label;a;b;c\nd1;10;1;0;2\nd2;9;0;3;0\nd3;10;4;0;0\nd4;9;0;0;5",
			labels: []int{1, 0, 1, 0}, classes: []string{"9", "10"}, terms: []string{"a", "b", "c"}, ids: []string{"d1", "d2", "d3", "d4"}},
		{name: "no header, words last", text: "1,0,2,y\n0,3,0,x\n4,0,0,y\n0,0,5,\"x\"\n",
			labels: []int{1, 0, 1, 0}, classes: []string{"x", "y"}, notes: []string{"no header", "column 4"}},
		{name: "names first, words last", text: "p\t1\t0\t2\ty\nq\t0\t3\t0\tx\nr\t4\t0\t0\ty\ns\t0\t0\t5\tx\n",
			labels: []int{1, 0, 1, 0}, classes: []string{"x", "y"}, ids: []string{"p", "q", "r", "s"}},
		{name: "numbers only", text: "1,0,2\n0,3,0\n4,0,0\n0,0,5\n", notes: []string{"‹label-column›"}},
		{name: "blanks", text: "1.0e+00 0 2\n0 3 0\n4 0 0\n0 0 5\n"},
		{name: "by number", text: "1,0,7,2\n0,3,8,0\n4,0,7,0\n0,0,8,5\n", opt: Options{LabelColumn: "3"}, labels: []int{0, 1, 0, 1}, classes: []string{"7", "8"}},
		{name: "from the end", text: "1,0,7,2\n0,3,8,0\n4,0,7,0\n0,0,8,5\n", opt: Options{LabelColumn: "-2"}, labels: []int{0, 1, 0, 1}, classes: []string{"7", "8"}},
		{name: "by name", text: "a,b,Topic,c\n1,0,7,2\n0,3,,0\n4,0,7,0\n0,0,8,5\n", opt: Options{LabelColumn: "topic"},
			labels: []int{0, -1, 0, 1}, classes: []string{"7", "8"}, terms: []string{"a", "b", "c"}, notes: []string{"1 document has no label"}},
		{name: "a term called class", text: "a,class,c,label\n1,0,2,y\n0,3,0,x\n4,0,0,y\n0,0,5,x\n",
			labels: []int{1, 0, 1, 0}, classes: []string{"x", "y"}, terms: []string{"a", "class", "c"}},
		{name: "none", text: "a,b,y\n1,0,2\n0,3,0\n4,0,0\n0,0,5\n", opt: Options{LabelColumn: "none"}, terms: []string{"a", "b", "y"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mustRead(t, []byte(c.text), "csv", c.opt, small)
			if !slices.Equal(got.Labels, c.labels) || !slices.Equal(got.ClassNames, c.classes) ||
				!slices.Equal(got.Terms, c.terms) || !slices.Equal(got.IDs, c.ids) {
				t.Errorf("labels %v of %q, terms %q, ids %q", got.Labels, got.ClassNames, got.Terms, got.IDs)
			}
			for _, n := range c.notes {
				wantNote(t, got, n)
			}
		})
	}
}

func TestCSVStorage(t *testing.T) {
	for zeros := range 11 {
		row := strings.Repeat("0,", zeros) + strings.Repeat("3,", 10-zeros)
		text := strings.Repeat(strings.TrimSuffix(row, ",")+"\n", 3)
		if zeros == 10 {
			continue
		}
		c := mustRead(t, []byte(text), "csv", Options{}, nil)
		_, isSparse := c.X.(*sparse.CSR)
		_, isDense := c.X.(*mat.Dense)
		if isSparse != (zeros > 6) || isDense == isSparse {
			t.Errorf("%d of 10 zero: stored as %T", zeros, c.X)
		}
	}
}

func TestCSVRefusals(t *testing.T) {
	for _, c := range []struct {
		text  string
		opt   Options
		parts []string
	}{
		{"a,b\n1,2\n3,\n", Options{}, []string{"line 3", "column 2 (b)", "empty"}},
		{"a,b\n1,2\n3,NaN\n", Options{}, []string{"line 3", "column 2 (b)", "NaN"}},
		{"a,b\n1,2\n3,1e999\n", Options{}, []string{"line 3", "column 2 (b)", "1e999 is beyond the largest number"}},
		// No column of classes.
		{"1,-1e400\n3,-1e400\n", Options{}, []string{"line 1, column 2", "beyond the largest number"}},
		{"1,2\n3,4\n5,x\n7,8\n", Options{}, []string{"line 3", "column 2", `"x"`, "‹label-column›"}},
		{"1,2\n3,4,5\n", Options{}, []string{"line 2", "3 fields", "2"}},
		{"x,1,y,2,z\nx,1,y,2,z\n", Options{}, []string{"column 1", "‹label-column›"}},
		{"1,2\n3,4\n", Options{LabelColumn: "3"}, []string{"‹label-column› 3", "1 to 2"}},
		{"1,2\n3,4\n", Options{LabelColumn: "0"}, []string{"‹label-column› 0"}},
		{"1,2\n3,4\n", Options{LabelColumn: "kind"}, []string{"‹label-column› kind", "no header"}},
		{"a,b\n3,4\n", Options{LabelColumn: "kind"}, []string{"‹label-column› kind", "a, b"}},
		{"a,a\n3,4\n", Options{LabelColumn: "a"}, []string{"columns 1 and 2"}},
		{"a,b\n", Options{}, []string{"a header and no lines below"}},
		{"x\ny\n", Options{}, []string{"names or classes of documents alone"}},
		{"1,2\n3,\"4\n", Options{}, []string{"line", "quotes"}},
		{"\n\n", Options{}, []string{"no lines"}},
		{"a,b,label\n0,0,x\n", Options{Transpose: true}, []string{"1 entry", "1×2"}},
	} {
		_, err := readBytes([]byte(c.text), "csv", c.opt)
		corpustest.WantFault(t, err, c.parts...)
	}
}

// One record may not fill the memory, though no line ends.
func TestCSVEndlessRecord(t *testing.T) {
	_, err := readBytes([]byte(corpustest.Gzipped(`"`+strings.Repeat("x", 8<<20))), "csv", Options{}, 1<<20)
	corpustest.WantFault(t, err, "longer than")
	_, err = readBytes([]byte(corpustest.Gzipped(strings.Repeat("1,2,3\n", 1<<18))), "csv", Options{}, 1<<20)
	corpustest.WantFault(t, err, "memory", "1.0 MiB")
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("a,b,c,Class\n1,0,2,y\n0,3,0,x\n"))
	f.Add([]byte("id;label;a\nd1;1;0.5\n\"d;2\";2;-1e3\n"))
	f.Add([]byte("1 2\n3 4\n"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzRead(t, data, "csv", Options{}) })
}

package matrix

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/internal/must"
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

// Tables, and files of svmlight, are sparse where they are mostly empty or hold counts of a few
// words; else they are dense, as other formats have the same numbers.
func TestStorage(t *testing.T) {
	for _, c := range []struct {
		name   string
		cols   int
		filled int // of the columns
		values []float64
		sparse bool
	}{
		{"mostly empty", 40, 4, []float64{0.5, 3}, true},
		{"indicators of many categories", 40, 4, []float64{1}, true},
		{"an image", 40, 8, []float64{17, 255, 128, 3}, false},
		{"indicators", 40, 10, []float64{1}, false},
		{"counts of a few words", 40, 12, []float64{1, 1, 1, 2, 3}, true},
		{"many counts", 40, 20, []float64{1, 1, 1, 2, 3}, false},
		{"few columns", 10, 1, []float64{0.5, 3}, false},
		{"full", 40, 40, []float64{0.5, 3}, false},
	} {
		var table, svm strings.Builder
		for i := range 30 {
			at := map[int]float64{}
			for q := range c.filled {
				at[(7*i+q*c.cols/c.filled)%c.cols] = c.values[(i+q)%len(c.values)]
			}
			svm.WriteString("1")
			for j := range c.cols {
				fmt.Fprintf(&table, "%g,", at[j])
				if at[j] != 0 || i == 0 && (j == 0 || j == c.cols-1) {
					fmt.Fprintf(&svm, " %d:%g", j+1, at[j])
				}
			}
			table.WriteString("a\n")
			svm.WriteString("\n")
		}
		for format, text := range map[string]string{"csv": table.String(), "svm": svm.String()} {
			x := mustRead(t, []byte(text), format, Options{}, nil).X
			_, isSparse := x.(*sparse.CSR)
			if _, isDense := x.(*mat.Dense); isSparse != c.sparse || isDense == isSparse {
				t.Errorf("%s, %s: stored as %T", c.name, format, x)
			}
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

// A packed table that was cut off is refused, wherever the cut is: in the last field, which is a
// number without its last digits too; behind a row; and in the trailer of gzip.
func TestCSVCutOff(t *testing.T) {
	for name, left := range map[string]int{"in the last field": 3, "behind a row": 0, "in the trailer": -1} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		for i := range 3000 {
			fmt.Fprintf(z, "%d,%d.25,3.14159\n", i%7, i)
		}
		last := "1,2.25,3.14159\n"
		fmt.Fprint(z, last[:len(last)-max(0, left)])
		must.Do(t, z.Flush())
		if left < 0 {
			must.Do(t, z.Close())
			packed.Truncate(packed.Len() - 4)
		}
		c, err := readBytes(packed.Bytes(), "csv", Options{})
		if err == nil {
			n, _ := c.X.Dims()
			t.Errorf("%s: read as %d rows", name, n)
			continue
		}
		if s := err.Error(); !strings.Contains(s, "test.csv") || !strings.Contains(s, "line 300") || !strings.Contains(s, "cut off") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Memory that ends before a block without rows is stored is an error with a place.
func TestCSVMemoryBeforeABlock(t *testing.T) {
	text := "1,0\n0,1\n"
	in := must.Get(input.New(context.Background(), "test.csv", strings.NewReader(text), int64(len(text)), input.Limits{MaxBytes: 1 << 20}))(t)
	tab := must.Get(table.Open(in, table.Options{}))(t)
	c := csvCollector{in: &source{File: in}, Table: tab, store: rowStore{mem: in.Mem, cols: 2}}
	if _, err := tab.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.store.room(); err != nil {
		t.Fatal(err)
	}
	in.Mem.Limit = 1
	if err := c.addBlock(&table.Block{}); err == nil || !strings.Contains(err.Error(), "test.csv: line 1") {
		t.Errorf("error %v", err)
	}
}

// Rows never take more memory than as dense ones, of few columns too, where the ends of the rows
// count.
func TestRowStoreIsNeverLarger(t *testing.T) {
	const rows = 50
	for cols := 1; cols <= 12; cols++ {
		for entries := 0; entries <= rows*cols; entries += 3 {
			s := rowStore{mem: input.NewBudget(1 << 30), cols: cols}
			cells := make([]float64, rows*cols)
			for i := range entries {
				cells[i] = 1
			}
			must.Do(t, s.add(cells))
			want := int64(8 * rows * cols)
			if 5*entries < 2*rows*cols {
				want = min(want, int64(12*entries+8*rows))
			}
			if got := s.parts[0].bytes(); got != want {
				t.Errorf("%d of %d cells: %d bytes, not %d", entries, rows*cols, got, want)
			}
		}
	}
}

// Rows come out as they went in, whatever number of them was expected, and where there is no
// memory for that number.
func TestRowStoreExpects(t *testing.T) {
	const cols, blocks = 3, 5
	for _, expected := range []int64{0, 2, 4 * cols * blocks, 5 * cols * blocks, 1000, 1 << 40} {
		for _, zeros := range []int{-1, 0, 3} { // the block of zeros, which is a sparse part
			s := rowStore{mem: input.NewBudget(1 << 16), cols: cols, expected: expected}
			var want []float64
			for b := range blocks {
				cells := make([]float64, 4*cols)
				for i := range cells {
					if b != zeros {
						cells[i] = float64(100*b + i + 1)
					}
				}
				want = append(want, cells...)
				must.Do(t, s.add(cells))
				clear(cells) // which are the caller's
			}
			x := must.Get(s.matrix(false))(t)
			if dense, ok := x.(*mat.Dense); !ok || !slices.Equal(dense.RawMatrix().Data, want) {
				t.Errorf("expected %d, zeros in block %d: %v, want %v", expected, zeros, x, want)
			}
			if used := s.mem.Used(); used < 8*int64(len(want)) || used > 9*int64(len(want)) {
				t.Errorf("expected %d, zeros in block %d: %d bytes stay reserved", expected, zeros, used)
			}
		}
	}
}

// A guess of the number of rows that is too high takes no memory from the rows, dense or sparse;
// one that is about right saves the copy at the end, also where rows came one by one before.
func TestRowStoreWithinTheBudget(t *testing.T) {
	const first = 1000
	for _, c := range []struct {
		name    string
		cols    int
		rows    int64
		entries int // of each row behind the first ones
		guess   float64
		copied  bool
	}{
		{"right", 100, 4000, 100, 1.02, false},
		{"right, few columns", 10, 40_000, 10, 1.02, false},
		{"a little low", 100, 4000, 100, 0.98, true},
		{"too high", 100, 4000, 100, 1.9, true},
		{"too high, few columns", 10, 40_000, 10, 1.9, true},
		{"too high for the budget", 100, 4000, 100, 100, true},
		{"sparse", 100, 20_000, 2, 1, true},
		{"sparse, few columns", 20, 80_000, 1, 1, true},
	} {
		cells, cols := c.rows*int64(c.cols), c.cols
		most := 8*cells*9/8 + 8*int64(openCells+cols*first)
		if c.copied {
			most = 2 * 8 * cells
		}
		if c.entries < cols { // the first rows are dense, and then there is the matrix
			most = int64(20*cols*first) + 2*(12*int64(c.entries)+8)*c.rows
		}
		s := rowStore{mem: input.NewBudget(most), cols: cols}
		row := make([]float64, cols)
		for i := range cols {
			row[i] = float64(i + 1)
		}
		for range first {
			to := must.Get(s.room())(t)
			copy(to, row)
		}
		s.expected = int64(c.guess * float64(cells))
		clear(row[c.entries:])
		block := slices.Concat(slices.Repeat([][]float64{row}, 100)...)
		for range (c.rows - first) / 100 {
			if err := s.add(block); err != nil {
				t.Errorf("%s: %v after %d rows", c.name, err, s.rows)
				break
			}
		}
		x, err := s.matrix(false)
		if err != nil {
			t.Errorf("%s: %v at the end", c.name, err)
			continue
		}
		if r, _ := x.Dims(); int64(r) != c.rows || x.At(r-1, c.entries-1) != float64(c.entries) || x.At(first-1, cols-1) != float64(cols) {
			t.Errorf("%s: other rows", c.name)
		}
	}
}

package matrix

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
)

var small = [][]float64{{1, 0, 2}, {0, 3, 0}, {4, 0, 0}, {0, 0, 5}} // 4×3

func column(vals ...float64) [][]float64 {
	var rows [][]float64
	for _, v := range vals {
		rows = append(rows, []float64{v})
	}
	return rows
}

func transposed(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows[0]))
	for j := range out {
		for i := range rows {
			out[j] = append(out[j], rows[i][j])
		}
	}
	return out
}

func TestMatFullAndSparse(t *testing.T) {
	eachMat(t, func(t *testing.T, w *corpustest.MatWriter) {
		w.Add(w.Sparse("fea", small)).Add(w.Full(mxDouble, miUint8, "gnd", column(7, 2, 7, 2)))
		c := mustRead(t, w.Out, "mat", Options{}, small)
		if !slices.Equal(c.Labels, []int{1, 0, 1, 0}) || !slices.Equal(c.ClassNames, []string{"2", "7"}) {
			t.Errorf("labels %v of %v", c.Labels, c.ClassNames)
		}
		wantNote(t, c, "fea (4×3 sparse)")
	})
	for class := byte(mxDouble); class <= mxUint64; class++ {
		for _, typ := range corpustest.MatNumbers {
			w := corpustest.NewMatWriter(false, false)
			w.Add(w.Full(class, typ, "X", small))
			mustRead(t, w.Out, "mat", Options{}, small)
		}
	}
}

func TestMatOrientation(t *testing.T) {
	eachMat(t, func(t *testing.T, w *corpustest.MatWriter) {
		w.Add(w.Full(mxDouble, 9, "x", transposed(small))).Add(w.Full(mxDouble, 9, "y", [][]float64{{-1, 1, 1, -1}}))
		c := mustRead(t, w.Out, "mat", Options{}, small)
		wantNote(t, c, "every column is a document")
		if !slices.Equal(c.ClassNames, []string{"-1", "1"}) {
			t.Errorf("classes %v", c.ClassNames)
		}
		_, err := readBytes(w.Out, "mat", Options{Transpose: false, LabelVar: "x"})
		corpustest.WantFault(t, err, "variable x")
	})
	// Square: rows are documents, unless asked otherwise.
	square := [][]float64{{1, 2}, {3, 4}}
	w := corpustest.NewMatWriter(false, false)
	w.Add(w.Full(mxDouble, 9, "X", square)).Add(w.Full(mxDouble, 9, "Y", column(1, 2)))
	mustRead(t, w.Out, "mat", Options{}, square)
	mustRead(t, w.Out, "mat", Options{Transpose: true}, transposed(square))
	// Sparse with one column per document: no transposition is needed.
	w = corpustest.NewMatWriter(false, true)
	w.Add(w.Sparse("X", transposed(small))).Add(w.Full(mxDouble, 9, "Y", column(1, 2, 3, 4)))
	mustRead(t, w.Out, "mat", Options{}, small)
	// Neither fits.
	w = corpustest.NewMatWriter(false, false)
	w.Add(w.Full(mxDouble, 9, "fea", small)).Add(w.Full(mxDouble, 9, "gnd", column(1, 2, 3, 4, 5)))
	_, err := readBytes(w.Out, "mat", Options{})
	corpustest.WantFault(t, err, "5 entries", "4×3", "gnd", "fea")
	if _, err = readBytes(w.Out, "mat", Options{LabelVar: "none"}); err != nil {
		t.Error(err)
	}
	_, err = readBytes(w.Out, "mat", Options{LabelVar: "none", Transpose: true})
	if err != nil {
		t.Error(err)
	}
}

func TestMatOneHot(t *testing.T) {
	// Classes × documents; the third document has none.
	hot := [][]float64{{0, 1, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 1}}
	for _, rows := range [][][]float64{hot, transposed(hot)} {
		for _, asSparse := range []bool{false, true} {
			w := corpustest.NewMatWriter(false, true)
			w.Add(w.Full(mxDouble, 9, "data", small))
			if asSparse {
				w.Add(w.Sparse("target", rows))
			} else {
				w.Add(w.Full(mxDouble, 9, "target", rows))
			}
			c := mustRead(t, w.Out, "mat", Options{}, small)
			if !slices.Equal(c.Labels, []int{1, 0, -1, 1}) || !slices.Equal(c.ClassNames, []string{"1", "3"}) {
				t.Errorf("labels %v of %v", c.Labels, c.ClassNames)
			}
		}
	}
	for _, bad := range [][]float64{{1, 1, 0, 0}, {0, 2, 0, 0}, {0, math.NaN(), 0, 0}} {
		w := corpustest.NewMatWriter(false, false)
		w.Add(w.Full(mxDouble, 9, "data", small)).Add(w.Full(mxDouble, 9, "target", [][]float64{{0, 1, 0, 1}, bad}))
		_, err := readBytes(w.Out, "mat", Options{})
		corpustest.WantFault(t, err, "variable target", "document")
	}
}

func TestMatWords(t *testing.T) {
	eachMat(t, func(t *testing.T, w *corpustest.MatWriter) {
		w.Add(w.Sparse("fea", small))
		w.Add(w.Cell("gnd", "sport", "Ökonomie", "", "sport"))
		w.Add(w.Cell("terms", "a", "bc", "def"))
		c := mustRead(t, w.Out, "mat", Options{}, small)
		if !slices.Equal(c.Labels, []int{0, 1, -1, 0}) || !slices.Equal(c.ClassNames, []string{"sport", "Ökonomie"}) ||
			!slices.Equal(c.Terms, []string{"a", "bc", "def"}) {
			t.Errorf("labels %v of %v, terms %q", c.Labels, c.ClassNames, c.Terms)
		}
	})
	w := corpustest.NewMatWriter(false, false)
	w.Add(w.Sparse("fea", small)).Add(w.Full(mxDouble, 9, "gnd", column(2, 1, 2, 1))).Add(w.Cell("classnames", "cats", "dogs"))
	// A char matrix of four lines, column by column.
	w.Add(w.Array(mxChar, 0, []int32{4, 2}, "names", 0, w.Element(miUTF8, []byte("abcd1 2 "))))
	c := mustRead(t, w.Out, "mat", Options{}, small)
	if !slices.Equal(c.ClassNames, []string{"cats", "dogs"}) || !slices.Equal(c.IDs, []string{"a1", "b", "c2", "d"}) {
		t.Errorf("classes %v, documents %q", c.ClassNames, c.IDs)
	}
}

func TestMatChoice(t *testing.T) {
	w := corpustest.NewMatWriter(false, false)
	w.Add(w.Array(2, 0, []int32{1, 1}, "info", 0, w.Element(miInt32, []byte{1, 0, 0, 0}), w.Element(miInt8, nil)))
	w.Add(w.Full(mxDouble, 9, "kernel", [][]float64{{1, 2}, {3, 4}}))
	w.Add(w.Full(mxDouble, 9, "words", small))
	w.Add(w.Full(mxDouble, 9, "groups", column(1, 1, 2, 2)))
	w.Add(w.Array(mxDouble, matComplex, []int32{2, 2}, "spectrum", 0, w.Numbers(9, 1, 2, 3, 4), w.Numbers(9, 1, 2, 3, 4)))
	c := mustRead(t, w.Out, "mat", Options{}, small) // the largest
	wantNote(t, c, "words (4×3)")
	c = mustRead(t, w.Out, "mat", Options{Var: "words", LabelVar: "groups"}, small)
	if len(c.ClassNames) != 2 {
		t.Errorf("classes %v", c.ClassNames)
	}
	mustRead(t, w.Out, "mat", Options{Var: "kernel"}, [][]float64{{1, 2}, {3, 4}})
	for _, bad := range []struct {
		opt  Options
		part string
	}{
		{Options{Var: "nothing"}, "kernel (2×2)"}, {Options{Var: "spectrum"}, "complex"}, {Options{Var: "info"}, "struct"},
		{Options{LabelVar: "nothing"}, "no such variable"}, {Options{LabelVar: "info"}, "struct"},
	} {
		_, err := readBytes(w.Out, "mat", bad.opt)
		corpustest.WantFault(t, err, bad.part)
	}
}

func TestMatRefusals(t *testing.T) {
	hdf := append([]byte("\x89HDF\r\n\x1a\n"), make([]byte, 600)...)
	header73 := corpustest.NewMatWriter(false, false).Out
	copy(header73, "MATLAB 7.3 MAT-file")
	block := append(make([]byte, 512), hdf...)
	copy(block, "MATLAB 7.3 MAT-file")
	for _, data := range [][]byte{hdf, header73, block} {
		_, err := readBytes(data, "mat", Options{})
		corpustest.WantFault(t, err, "copy or download it again")
	}
	level4 := binary.LittleEndian.AppendUint32(nil, 0)
	level4 = append(level4, make([]byte, 60)...)
	_, err := readBytes(level4, "mat", Options{})
	corpustest.WantFault(t, err, "level 4", "-v7")
	_, err = readBytes([]byte("hello, this is no matrix at all"), "mat", Options{})
	corpustest.WantFault(t, err, "not a MATLAB file")
	_, err = readBytes(corpustest.NewMatWriter(false, false).Out, "mat", Options{})
	corpustest.WantFault(t, err, "no variables")

	w := corpustest.NewMatWriter(true, false)
	w.Add(w.Full(mxDouble, 9, "fea", [][]float64{{1, 2, 3}, {4, 5, math.NaN()}}))
	_, err = readBytes(w.Out, "mat", Options{})
	corpustest.WantFault(t, err, "variable fea", "row 2, column 3, is NaN", "1 cell is missing")
	w = corpustest.NewMatWriter(false, true)
	w.Add(w.Sparse("fea", [][]float64{{1, 0, 3}, {4, math.Inf(-1), 0}}))
	_, err = readBytes(w.Out, "mat", Options{})
	corpustest.WantFault(t, err, "variable fea", "row 2, column 2", "-Inf")
	w = corpustest.NewMatWriter(false, false)
	w.Add(w.Array(mxDouble, 0, []int32{0, 7}, "fea", 0, w.Element(9, nil)))
	_, err = readBytes(w.Out, "mat", Options{})
	corpustest.WantFault(t, err, "variable fea", "empty (0×7)")
	w = corpustest.NewMatWriter(false, false)
	w.Add(w.Array(mxSparse, 0, []int32{3, 2}, "fea", 3, w.Numbers(miInt32, 0, 1, 1), w.Numbers(miInt32, 0, 1, 3), w.Numbers(9, 1, 2, 3)))
	_, err = readBytes(w.Out, "mat", Options{})
	corpustest.WantFault(t, err, "row 2, column 2", "two values")
	w = corpustest.NewMatWriter(false, false)
	w.Add(w.Array(mxSparse, 0, []int32{3, 2}, "fea", 3, w.Numbers(miInt32, 0, 9, 1), w.Numbers(miInt32, 0, 1, 3), w.Numbers(9, 1, 2, 3)))
	_, err = readBytes(w.Out, "mat", Options{})
	corpustest.WantFault(t, err, "outside")
}

// A file cut at any byte gives a sentence, and never a corpus of the wrong size.
func TestMatTruncated(t *testing.T) {
	eachMat(t, func(t *testing.T, w *corpustest.MatWriter) {
		w.Add(w.Sparse("fea", small)).Add(w.Full(mxDouble, 9, "gnd", column(1, 2, 1, 2)))
		for n := 1; n < len(w.Out); n++ {
			c, err := readBytes(w.Out[:n], "mat", Options{})
			if err != nil {
				corpustest.WantFault(t, err)
				continue
			}
			if n < 128 || c.Len() != 4 {
				t.Errorf("cut to %d of %d bytes it gave %d documents", n, len(w.Out), c.Len())
			}
		}
		_, err := readBytes(w.Out[:len(w.Out)-4], "mat", Options{})
		corpustest.WantFault(t, err, "cut off", "gnd")
	})
}

// Sizes in headers that the file does not back cost no memory.
func TestMatHostileSizes(t *testing.T) {
	w := corpustest.NewMatWriter(false, true)
	w.Add(w.Array(mxDouble, 0, []int32{1 << 20, 1 << 10}, "fea", 0, w.Numbers(9, 1, 2, 3)))
	v := corpustest.NewMatWriter(false, false)
	v.Add(v.Array(mxSparse, 0, []int32{math.MaxInt32, 2}, "fea", math.MaxInt32, v.Numbers(miInt32, 0, 1), v.Numbers(miInt32, 0, 1, 2), v.Numbers(9, 1, 2)))
	long := corpustest.NewMatWriter(false, false)
	long.Add(bytes.Replace(long.Full(mxDouble, 9, "fea", small), long.Order.AppendUint32(nil, 96), long.Order.AppendUint32(nil, 0xfffffff0), 1))
	for _, data := range [][]byte{w.Out, v.Out, long.Out} {
		before := corpustest.Allocated()
		_, err := readBytes(data, "mat", Options{})
		corpustest.WantFault(t, err)
		if used := corpustest.Allocated() - before; used > 16<<20 {
			t.Errorf("%d bytes allocated for a file of %d", used, len(data))
		}
	}
}

// FuzzMat varies the bytes after the header, and the compressed content of an element. Most changes
// to a header or to compressed bytes reach no new code.
func FuzzMat(f *testing.F) {
	for _, big := range []bool{false, true} {
		w := corpustest.NewMatWriter(big, false)
		w.Add(w.Sparse("fea", small)).Add(w.Full(mxDouble, miUint8, "gnd", column(1, 2, 1, 2))).Add(w.Cell("terms", "a", "b", "c"))
		f.Add(w.Out[128:], big, false)
		w = corpustest.NewMatWriter(big, false)
		w.Add(w.Full(mxDouble, 9, "X", transposed(small))).Add(w.Cell("Y", "a", "b", "c", "a"))
		f.Add(w.Out[128:], big, false)
		w = corpustest.NewMatWriter(big, false)
		f.Add(w.Sparse("x", small), big, true)
		w = corpustest.NewMatWriter(false, big)
		w.Add(w.Full(mxDouble, 9, "X", small))
		f.Add(w.Out, false, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, big, compress bool) {
		w := corpustest.NewMatWriter(big, compress)
		w.Add(data)
		fuzzRead(t, w.Out, "mat", Options{})
		fuzzRead(t, data, "mat", Options{})
	})
}

// eachMat runs a test over both byte orders, with and without compression.
func eachMat(t *testing.T, test func(t *testing.T, w *corpustest.MatWriter)) {
	for _, big := range []bool{false, true} {
		for _, compress := range []bool{false, true} {
			t.Run(fmt.Sprintf("big=%v,compressed=%v", big, compress), func(t *testing.T) {
				test(t, corpustest.NewMatWriter(big, compress))
			})
		}
	}
}

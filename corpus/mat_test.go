package corpus

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"
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
	eachMat(t, func(t *testing.T, w *matWriter) {
		w.add(w.sparse("fea", small)).add(w.full(mxDouble, miUint8, "gnd", column(7, 2, 7, 2)))
		c := mustRead(t, w.out, "mat", ReadOptions{}, small)
		if !slices.Equal(c.Labels, []int{1, 0, 1, 0}) || !slices.Equal(c.ClassNames, []string{"2", "7"}) {
			t.Errorf("labels %v of %v", c.Labels, c.ClassNames)
		}
		wantNote(t, c, "fea (4×3 sparse)")
	})
	for class := byte(mxDouble); class <= mxUint64; class++ {
		for _, typ := range matNumbers {
			w := newMatWriter(false, false)
			w.add(w.full(class, typ, "X", small))
			mustRead(t, w.out, "mat", ReadOptions{}, small)
		}
	}
}

func TestMatOrientation(t *testing.T) {
	eachMat(t, func(t *testing.T, w *matWriter) {
		w.add(w.full(mxDouble, 9, "x", transposed(small))).add(w.full(mxDouble, 9, "y", [][]float64{{-1, 1, 1, -1}}))
		c := mustRead(t, w.out, "mat", ReadOptions{}, small)
		wantNote(t, c, "every column is a document")
		if !slices.Equal(c.ClassNames, []string{"-1", "1"}) {
			t.Errorf("classes %v", c.ClassNames)
		}
		_, err := readBytes(w.out, "mat", ReadOptions{Transpose: false, LabelVar: "x"})
		wantFault(t, err, "variable x")
	})
	// Square: rows are documents, unless asked otherwise.
	square := [][]float64{{1, 2}, {3, 4}}
	w := newMatWriter(false, false)
	w.add(w.full(mxDouble, 9, "X", square)).add(w.full(mxDouble, 9, "Y", column(1, 2)))
	mustRead(t, w.out, "mat", ReadOptions{}, square)
	mustRead(t, w.out, "mat", ReadOptions{Transpose: true}, transposed(square))
	// Sparse with one column per document: no transposition is needed.
	w = newMatWriter(false, true)
	w.add(w.sparse("X", transposed(small))).add(w.full(mxDouble, 9, "Y", column(1, 2, 3, 4)))
	mustRead(t, w.out, "mat", ReadOptions{}, small)
	// Neither fits.
	w = newMatWriter(false, false)
	w.add(w.full(mxDouble, 9, "fea", small)).add(w.full(mxDouble, 9, "gnd", column(1, 2, 3, 4, 5)))
	_, err := readBytes(w.out, "mat", ReadOptions{})
	wantFault(t, err, "5 entries", "4×3", "gnd", "fea")
	if _, err = readBytes(w.out, "mat", ReadOptions{LabelVar: "none"}); err != nil {
		t.Error(err)
	}
	_, err = readBytes(w.out, "mat", ReadOptions{LabelVar: "none", Transpose: true})
	if err != nil {
		t.Error(err)
	}
}

func TestMatOneHot(t *testing.T) {
	// Classes × documents; the third document has none.
	hot := [][]float64{{0, 1, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 1}}
	for _, rows := range [][][]float64{hot, transposed(hot)} {
		for _, asSparse := range []bool{false, true} {
			w := newMatWriter(false, true)
			w.add(w.full(mxDouble, 9, "data", small))
			if asSparse {
				w.add(w.sparse("target", rows))
			} else {
				w.add(w.full(mxDouble, 9, "target", rows))
			}
			c := mustRead(t, w.out, "mat", ReadOptions{}, small)
			if !slices.Equal(c.Labels, []int{1, 0, -1, 1}) || !slices.Equal(c.ClassNames, []string{"1", "3"}) {
				t.Errorf("labels %v of %v", c.Labels, c.ClassNames)
			}
		}
	}
	for _, bad := range [][]float64{{1, 1, 0, 0}, {0, 2, 0, 0}, {0, math.NaN(), 0, 0}} {
		w := newMatWriter(false, false)
		w.add(w.full(mxDouble, 9, "data", small)).add(w.full(mxDouble, 9, "target", [][]float64{{0, 1, 0, 1}, bad}))
		_, err := readBytes(w.out, "mat", ReadOptions{})
		wantFault(t, err, "variable target", "document")
	}
}

func TestMatWords(t *testing.T) {
	eachMat(t, func(t *testing.T, w *matWriter) {
		w.add(w.sparse("fea", small))
		w.add(w.cell("gnd", "sport", "Ökonomie", "", "sport"))
		w.add(w.cell("terms", "a", "bc", "def"))
		c := mustRead(t, w.out, "mat", ReadOptions{}, small)
		if !slices.Equal(c.Labels, []int{0, 1, -1, 0}) || !slices.Equal(c.ClassNames, []string{"sport", "Ökonomie"}) ||
			!slices.Equal(c.Terms, []string{"a", "bc", "def"}) {
			t.Errorf("labels %v of %v, terms %q", c.Labels, c.ClassNames, c.Terms)
		}
	})
	w := newMatWriter(false, false)
	w.add(w.sparse("fea", small)).add(w.full(mxDouble, 9, "gnd", column(2, 1, 2, 1))).add(w.cell("classnames", "cats", "dogs"))
	// A char matrix of four lines, column by column.
	w.add(w.array(mxChar, 0, []int32{4, 2}, "names", 0, w.element(miUTF8, []byte("abcd1 2 "))))
	c := mustRead(t, w.out, "mat", ReadOptions{}, small)
	if !slices.Equal(c.ClassNames, []string{"cats", "dogs"}) || !slices.Equal(c.IDs, []string{"a1", "b", "c2", "d"}) {
		t.Errorf("classes %v, documents %q", c.ClassNames, c.IDs)
	}
}

func TestMatChoice(t *testing.T) {
	w := newMatWriter(false, false)
	w.add(w.array(2, 0, []int32{1, 1}, "info", 0, w.element(miInt32, []byte{1, 0, 0, 0}), w.element(miInt8, nil)))
	w.add(w.full(mxDouble, 9, "kernel", [][]float64{{1, 2}, {3, 4}}))
	w.add(w.full(mxDouble, 9, "words", small))
	w.add(w.full(mxDouble, 9, "groups", column(1, 1, 2, 2)))
	w.add(w.array(mxDouble, matComplex, []int32{2, 2}, "spectrum", 0, w.numbers(9, 1, 2, 3, 4), w.numbers(9, 1, 2, 3, 4)))
	c := mustRead(t, w.out, "mat", ReadOptions{}, small) // the largest
	wantNote(t, c, "words (4×3)")
	c = mustRead(t, w.out, "mat", ReadOptions{Var: "words", LabelVar: "groups"}, small)
	if len(c.ClassNames) != 2 {
		t.Errorf("classes %v", c.ClassNames)
	}
	mustRead(t, w.out, "mat", ReadOptions{Var: "kernel"}, [][]float64{{1, 2}, {3, 4}})
	for _, bad := range []struct {
		opt  ReadOptions
		part string
	}{
		{ReadOptions{Var: "nothing"}, "kernel (2×2)"}, {ReadOptions{Var: "spectrum"}, "complex"}, {ReadOptions{Var: "info"}, "struct"},
		{ReadOptions{LabelVar: "nothing"}, "no such variable"}, {ReadOptions{LabelVar: "info"}, "struct"},
	} {
		_, err := readBytes(w.out, "mat", bad.opt)
		wantFault(t, err, bad.part)
	}
}

func TestMatRefusals(t *testing.T) {
	hdf := append([]byte("\x89HDF\r\n\x1a\n"), make([]byte, 600)...)
	header73 := newMatWriter(false, false).out
	copy(header73, "MATLAB 7.3 MAT-file")
	block := append(make([]byte, 512), hdf...)
	copy(block, "MATLAB 7.3 MAT-file")
	for _, data := range [][]byte{hdf, header73, block} {
		_, err := readBytes(data, "mat", ReadOptions{})
		wantFault(t, err, "7.3", "-v7")
	}
	level4 := binary.LittleEndian.AppendUint32(nil, 0)
	level4 = append(level4, make([]byte, 60)...)
	_, err := readBytes(level4, "mat", ReadOptions{})
	wantFault(t, err, "level 4", "-v7")
	_, err = readBytes([]byte("hello, this is no matrix at all"), "mat", ReadOptions{})
	wantFault(t, err, "not a MATLAB file")
	_, err = readBytes(newMatWriter(false, false).out, "mat", ReadOptions{})
	wantFault(t, err, "no variables")

	w := newMatWriter(true, false)
	w.add(w.full(mxDouble, 9, "fea", [][]float64{{1, 2, 3}, {4, 5, math.NaN()}}))
	_, err = readBytes(w.out, "mat", ReadOptions{})
	wantFault(t, err, "variable fea", "row 2, column 3", "NaN")
	w = newMatWriter(false, true)
	w.add(w.sparse("fea", [][]float64{{1, 0, 3}, {4, math.Inf(-1), 0}}))
	_, err = readBytes(w.out, "mat", ReadOptions{})
	wantFault(t, err, "variable fea", "row 2, column 2", "-Inf")
	w = newMatWriter(false, false)
	w.add(w.array(mxDouble, 0, []int32{0, 7}, "fea", 0, w.element(9, nil)))
	_, err = readBytes(w.out, "mat", ReadOptions{})
	wantFault(t, err, "variable fea", "empty (0×7)")
	w = newMatWriter(false, false)
	w.add(w.array(mxSparse, 0, []int32{3, 2}, "fea", 3, w.numbers(miInt32, 0, 1, 1), w.numbers(miInt32, 0, 1, 3), w.numbers(9, 1, 2, 3)))
	_, err = readBytes(w.out, "mat", ReadOptions{})
	wantFault(t, err, "row 2, column 2", "two values")
	w = newMatWriter(false, false)
	w.add(w.array(mxSparse, 0, []int32{3, 2}, "fea", 3, w.numbers(miInt32, 0, 9, 1), w.numbers(miInt32, 0, 1, 3), w.numbers(9, 1, 2, 3)))
	_, err = readBytes(w.out, "mat", ReadOptions{})
	wantFault(t, err, "outside")
}

// A file cut at any byte gives a sentence, and never a corpus of the wrong size.
func TestMatTruncated(t *testing.T) {
	eachMat(t, func(t *testing.T, w *matWriter) {
		w.add(w.sparse("fea", small)).add(w.full(mxDouble, 9, "gnd", column(1, 2, 1, 2)))
		for n := 1; n < len(w.out); n++ {
			c, err := readBytes(w.out[:n], "mat", ReadOptions{})
			if err != nil {
				wantFault(t, err)
				continue
			}
			if n < 128 || c.Len() != 4 {
				t.Errorf("cut to %d of %d bytes it gave %d documents", n, len(w.out), c.Len())
			}
		}
		_, err := readBytes(w.out[:len(w.out)-4], "mat", ReadOptions{})
		wantFault(t, err, "cut off", "gnd")
	})
}

// Sizes in headers that the file does not back cost no memory.
func TestMatHostileSizes(t *testing.T) {
	w := newMatWriter(false, true)
	w.add(w.array(mxDouble, 0, []int32{1 << 20, 1 << 10}, "fea", 0, w.numbers(9, 1, 2, 3)))
	v := newMatWriter(false, false)
	v.add(v.array(mxSparse, 0, []int32{math.MaxInt32, 2}, "fea", math.MaxInt32, v.numbers(miInt32, 0, 1), v.numbers(miInt32, 0, 1, 2), v.numbers(9, 1, 2)))
	long := newMatWriter(false, false)
	long.add(bytes.Replace(long.full(mxDouble, 9, "fea", small), long.order.AppendUint32(nil, 96), long.order.AppendUint32(nil, 0xfffffff0), 1))
	for _, data := range [][]byte{w.out, v.out, long.out} {
		before := allocated()
		_, err := readBytes(data, "mat", ReadOptions{})
		wantFault(t, err)
		if used := allocated() - before; used > 16<<20 {
			t.Errorf("%d bytes allocated for a file of %d", used, len(data))
		}
	}
}

// FuzzMat varies the bytes after the header, and the compressed content of an element. Most changes
// to a header or to compressed bytes reach no new code.
func FuzzMat(f *testing.F) {
	for _, big := range []bool{false, true} {
		w := newMatWriter(big, false)
		w.add(w.sparse("fea", small)).add(w.full(mxDouble, miUint8, "gnd", column(1, 2, 1, 2))).add(w.cell("terms", "a", "b", "c"))
		f.Add(w.out[128:], big, false)
		w = newMatWriter(big, false)
		w.add(w.full(mxDouble, 9, "X", transposed(small))).add(w.cell("Y", "a", "b", "c", "a"))
		f.Add(w.out[128:], big, false)
		w = newMatWriter(big, false)
		f.Add(w.sparse("x", small), big, true)
		w = newMatWriter(false, big)
		w.add(w.full(mxDouble, 9, "X", small))
		f.Add(w.out, false, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, big, compress bool) {
		w := newMatWriter(big, compress)
		w.add(data)
		fuzzRead(t, w.out, "mat", ReadOptions{})
		fuzzRead(t, data, "mat", ReadOptions{})
	})
}

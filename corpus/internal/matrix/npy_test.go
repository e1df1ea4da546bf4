package matrix

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"
)

// npyNumbers encodes values as a type of NumPy.
func npyNumbers(k string, order binary.AppendByteOrder, vals ...float64) []byte {
	var b []byte
	for _, v := range vals {
		switch k {
		case "i1", "u1":
			b = append(b, byte(int8(v)))
		case "i2", "u2":
			b = order.AppendUint16(b, uint16(int16(v)))
		case "i4", "u4":
			b = order.AppendUint32(b, uint32(int32(v)))
		case "f4":
			b = order.AppendUint32(b, math.Float32bits(float32(v)))
		case "f8":
			b = order.AppendUint64(b, math.Float64bits(v))
		case "f2": // small whole numbers
			h := uint16(0)
			if v != 0 {
				frac, exp := math.Frexp(v)
				h = uint16(exp+14)<<10 | uint16((2*frac-1)*1024)
			}
			b = order.AppendUint16(b, h)
		default:
			b = order.AppendUint64(b, uint64(int64(v)))
		}
	}
	return b
}

var flat = []float64{1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 5} // small, by rows

func TestNPYTypes(t *testing.T) {
	var byColumn []float64
	for j := range 3 {
		for i := range 4 {
			byColumn = append(byColumn, small[i][j])
		}
	}
	for _, name := range []string{"i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"} {
		for mark, order := range map[string]binary.AppendByteOrder{"<": binary.LittleEndian, ">": binary.BigEndian} {
			data := corpustest.NPY("'"+mark+name+"'", "False", "(4, 3)", npyNumbers(name, order, flat...))
			mustRead(t, data, "npy", Options{}, small)
			data = corpustest.NPY("'"+mark+name+"'", "True", "(4, 3)", npyNumbers(name, order, byColumn...))
			mustRead(t, data, "npy", Options{}, small)
			mustRead(t, data, "npy", Options{Transpose: true}, transposed(small))
		}
	}
	mustRead(t, corpustest.NPY("'|b1'", "False", "(1, 3)", []byte{1, 0, 1}), "npy", Options{}, [][]float64{{1, 0, 1}})
	mustRead(t, []byte(corpustest.Gzipped(string(corpustest.NPY("'|b1'", "False", "(1L, 3L)", []byte{1, 0, 1})))), "npy", Options{}, [][]float64{{1, 0, 1}})
}

// Another implementation of the format writes what we read, and reads what we write.
func TestNPYAgainstNpyio(t *testing.T) {
	d := mat.NewDense(4, 3, slices.Clone(flat))
	var b bytes.Buffer
	must.Do(t, npyio.Write(&b, d))
	mustRead(t, b.Bytes(), "npy", Options{}, small)
	b.Reset()
	must.Do(t, Write(&b, "npy", &Content{X: d}))
	var back mat.Dense
	must.Do(t, npyio.Read(&b, &back))
	corpustest.CheckMatrix(t, &back, small)
}

func TestNPYRefusals(t *testing.T) {
	f8 := func(vals ...float64) []byte { return npyNumbers("f8", binary.LittleEndian, vals...) }
	for _, c := range []struct {
		data  []byte
		parts []string
	}{
		{corpustest.NPY("'<f8'", "False", "(4, 3)", f8(flat[:11]...)), []string{"cut off"}},
		{corpustest.NPY("'<f8'", "False", "(4, 3)", f8(append(flat, 1)...)), []string{"12 numbers"}},
		{corpustest.NPY("'<f8'", "False", "(12,)", f8(flat...)), []string{"1 dimension,"}},
		{corpustest.NPY("'<f8'", "False", "(2, 2, 3)", f8(flat...)), []string{"3 dimensions"}},
		{corpustest.NPY("'<f8'", "False", "(0, 3)", nil), []string{"empty (0×3)"}},
		{corpustest.NPY("'<f8'", "False", "(1, 2)", f8(1, math.NaN())), []string{"row 1, column 2", "NaN"}},
		{corpustest.NPY("'<f8'", "True", "(2, 1)", f8(1, math.Inf(1))), []string{"row 2, column 1", "+Inf"}},
		{corpustest.NPY("'<c16'", "False", "(1, 1)", f8(1, 2)), []string{"complex"}},
		{corpustest.NPY("'|O'", "False", "(1, 1)", f8(1)), []string{"pickled"}},
		{corpustest.NPY("[('a', '<f8')]", "False", "(1, 1)", f8(1)), []string{"records"}},
		{corpustest.NPY("'<U4'", "False", "(1, 1)", make([]byte, 16)), []string{"text"}},
		{corpustest.NPY("'<f8'", "Maybe", "(1, 1)", f8(1)), []string{"damaged"}},
		{corpustest.NPY("'<f8'", "False", "(99999999, 99999999)", f8(1)), []string{"memory"}},
		{corpustest.NPY("'<f8'", "False", "(99999, 99999)", f8(1)), []string{"cut off"}},
		{[]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"), []string{"damaged"}},
		{[]byte("\x93NUMPY\x01\x00"), []string{"cut off"}},
	} {
		before := corpustest.Allocated()
		_, err := readBytes(c.data, "npy", Options{})
		corpustest.WantFault(t, err, c.parts...)
		if used := corpustest.Allocated() - before; used > 4<<20 {
			t.Errorf("%d bytes allocated for a file of %d", used, len(c.data))
		}
	}
}

// Offsets that lead outside an archive are the file's fault, not the system's.
func TestNPZOffsets(t *testing.T) {
	data := corpustest.NPZ(t, "X", corpustest.NPY("'|u1'", "False", "(2, 2)", []byte{1, 2, 3, 4}))
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	for _, offset := range []uint32{1, 0xfffffff0, uint32(len(data))} {
		binary.LittleEndian.PutUint32(data[end+16:], offset)
		in, done, err := input.Open(t.Context(), corpustest.WriteFile(t, t.TempDir(), "a.npz", data), input.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Read(in, "npz", Options{})
		done()
		corpustest.WantFault(t, err, "damaged")
	}
}

func i4(vals ...float64) []byte {
	return corpustest.NPY("'<i4'", "False", fmt.Sprintf("(%d,)", len(vals)), npyNumbers("i4", binary.LittleEndian, vals...))
}

func f8(vals ...float64) []byte {
	return corpustest.NPY("'<f8'", "False", fmt.Sprintf("(%d,)", len(vals)), npyNumbers("f8", binary.LittleEndian, vals...))
}

func layout(name string) []byte { return corpustest.NPY("'|S3'", "False", "()", []byte(name)) }

// Two values for one entry are refused in every format; SciPy would add them.
func TestNPZTwoValues(t *testing.T) {
	shape := corpustest.NPY("'<i8'", "False", "(2,)", npyNumbers("i8", binary.LittleEndian, 2, 3))
	for _, c := range []struct {
		data  []byte
		parts []string
	}{
		{corpustest.NPZ(t, "format", layout("coo"), "shape", shape, "row", i4(0, 1, 0), "col", i4(2, 1, 2), "data", f8(5, 1, 3)), []string{"row 1, column 3", "entries 1 and 3", "sum_duplicates"}},
		{corpustest.NPZ(t, "format", layout("csr"), "shape", shape, "indptr", i4(0, 1, 4), "indices", i4(0, 2, 1, 2), "data", f8(1, 1, 1, 1)), []string{"row 2, column 3", "entries 2 and 4", "sum_duplicates"}},
		{corpustest.NPZ(t, "format", layout("csc"), "shape", shape, "indptr", i4(0, 0, 0, 2), "indices", i4(1, 1), "data", f8(1, 1)), []string{"row 2, column 3", "entries 1 and 2", "sum_duplicates"}},
		{corpustest.NPZ(t, "format", layout("coo"), "shape", shape, "row", i4(0), "col", i4(3), "data", f8(5)), []string{"outside its size 2×3"}},
		{corpustest.NPZ(t, "format", layout("coo"), "shape", shape, "row", i4(0), "col", i4(0), "data", f8(math.NaN())), []string{"row 1, column 1", "NaN"}},
		{corpustest.NPZ(t, "format", layout("coo"), "shape", corpustest.NPY("'<i8'", "False", "(2,)", npyNumbers("i8", binary.LittleEndian, 1<<40, 3)), "row", i4(0), "col", i4(0), "data", f8(1)),
			[]string{"array shape", "1099511627776×3", "beyond"}},
		{corpustest.NPZ(t, "format", layout("coo"), "shape", corpustest.NPY("'<i8'", "False", "(2,)", npyNumbers("i8", binary.LittleEndian, -4, 3)), "row", i4(0), "col", i4(0), "data", f8(1)),
			[]string{"array shape", "negative"}},
	} {
		_, err := readBytes(c.data, "npz", Options{})
		corpustest.WantFault(t, err, c.parts...)
	}
}

func TestNPZSparse(t *testing.T) {
	shape := corpustest.NPY("'<i8'", "False", "(2,)", npyNumbers("i8", binary.LittleEndian, 4, 3))
	bools := corpustest.NPY("'|b1'", "False", "(2,)", []byte{1, 1})
	for name, data := range map[string][]byte{
		"csr": corpustest.NPZ(t, "format", layout("csr"), "shape", shape, "indptr", i4(0, 2, 3, 4, 5), "indices", i4(0, 2, 1, 0, 2), "data", f8(1, 2, 3, 4, 5)),
		"csr unsorted, with zeros": corpustest.NPZ(t, "format", layout("csr"), "shape", shape, "indptr", i4(0, 3, 4, 5, 7),
			"indices", i4(2, 0, 1, 1, 0, 2, 0), "data", f8(2, 1, 0, 3, 4, 5, 0)),
		"csc": corpustest.NPZ(t, "format", layout("csc"), "shape", shape, "indptr", i4(0, 2, 3, 5), "indices", i4(0, 2, 1, 0, 3), "data", f8(1, 4, 3, 2, 5)),
		"coo": corpustest.NPZ(t, "format", layout("coo"), "shape", shape, "row", i4(3, 0, 1, 0, 2), "col", i4(2, 0, 1, 2, 0), "data", f8(5, 1, 3, 2, 4)),
	} {
		t.Run(name, func(t *testing.T) {
			c := mustRead(t, data, "npz", Options{}, small)
			if x := c.X.(*sparse.CSR); x.NNZ() != 5 {
				t.Errorf("%d entries stored, want 5", x.NNZ())
			}
		})
	}
	c := mustRead(t, corpustest.NPZ(t, "format", layout("coo"), "shape", shape, "row", i4(0, 3), "col", i4(0, 2), "data", bools,
		"y", corpustest.NPY("'<U3'", "False", "(4,)", []byte("b\x00\x00\x00"+strings.Repeat("\x00", 8)+"a\x00\x00\x00"+strings.Repeat("\x00", 8)+strings.Repeat("\x00", 24)))),
		"npz", Options{}, [][]float64{{1, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 1}})
	if !slices.Equal(c.Labels, []int{1, 0, -1, -1}) {
		t.Errorf("labels %v of %v", c.Labels, c.ClassNames)
	}
}

// A compressed archive takes the memory of its matrix and little more: what its bytes can hold is
// taken once, in the matrix's size, and coordinates in order become the matrix in place.
func TestNPZMemory(t *testing.T) {
	const rows, per = 4000, 100
	var indptr, row, col, val []float64
	for i := range rows {
		indptr = append(indptr, float64(per*i))
		for j := range per {
			row, col, val = append(row, float64(i)), append(col, float64(2*j)), append(val, float64(1+j%3))
		}
	}
	indptr = append(indptr, rows*per)
	shape := corpustest.NPY("'<i8'", "False", "(2,)", npyNumbers("i8", binary.LittleEndian, rows, 2*per))
	dense := corpustest.NPY("'<f8'", "False", fmt.Sprintf("(%d, %d)", rows, per), npyNumbers("f8", binary.LittleEndian, val...))
	for name, c := range map[string]struct {
		data   []byte
		matrix int64
	}{
		"dense": {corpustest.NPZ(t, "X", dense), 8 * rows * per},
		"csr":   {corpustest.NPZ(t, "format", layout("csr"), "shape", shape, "indptr", i4(indptr...), "indices", i4(col...), "data", f8(val...)), 12 * rows * per},
		"coo":   {corpustest.NPZ(t, "format", layout("coo"), "shape", shape, "row", i4(row...), "col", i4(col...), "data", f8(val...)), 16 * rows * per},
	} {
		if int64(len(c.data)) > c.matrix/20 {
			t.Fatalf("%s: the archive is not compressed: %d bytes", name, len(c.data))
		}
		if _, err := readBytes(c.data, "npz", Options{}, c.matrix*5/4); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	lie := corpustest.NPY("'<f8'", "False", "(4000, 100)", npyNumbers("f8", binary.LittleEndian, val[:1000]...))
	_, err := readBytes(corpustest.NPZ(t, "X", lie), "npz", Options{})
	corpustest.WantFault(t, err, "array X", "ends too early")
}

func TestNPZPlain(t *testing.T) {
	x := corpustest.NPY("'<f8'", "False", "(3, 4)", npyNumbers("f8", binary.LittleEndian, slices.Concat(transposed(small)...)...))
	c := mustRead(t, corpustest.NPZ(t, "X", x, "y", i4(3, 1, 3, 1)), "npz", Options{}, small)
	wantNote(t, c, "every column is a document")
	c = mustRead(t, corpustest.NPZ(t, "counts", x, "groups", i4(3, 1, 3, 1)), "npz", Options{LabelVar: "groups"}, small)
	if !slices.Equal(c.ClassNames, []string{"1", "3"}) {
		t.Errorf("classes %v", c.ClassNames)
	}
	hot := corpustest.NPY("'<i8'", "False", "(4, 2)", npyNumbers("i8", binary.LittleEndian, 1, 0, 0, 1, 1, 0, 1, 0))
	c = mustRead(t, corpustest.NPZ(t, "X", x, "y", hot), "npz", Options{}, small)
	if !slices.Equal(c.Labels, []int{0, 1, 0, 0}) {
		t.Errorf("labels %v", c.Labels)
	}
}

func TestNPZRefusals(t *testing.T) {
	shape := i4(4, 3)
	good := []any{"format", layout("csr"), "shape", shape, "indptr", i4(0, 2, 3, 4, 5), "indices", i4(0, 2, 1, 0, 2), "data", f8(1, 2, 3, 4, 5)}
	with := func(name string, content []byte) []byte {
		m := slices.Clone(good)
		for k := 0; k < len(m); k += 2 {
			if m[k] == name {
				m[k+1] = content
			}
		}
		return corpustest.NPZ(t, m...)
	}
	for _, c := range []struct {
		data  []byte
		opt   Options
		parts []string
	}{
		{with("indices", i4(0, 2, 1, 0, 3)), Options{}, []string{"outside", "4×3"}},
		{with("indices", i4(0, 2, 1, 0, -1)), Options{}, []string{"outside"}},
		{with("indptr", i4(0, 2, 1, 4, 5)), Options{}, []string{"pointer 3"}},
		{with("indptr", i4(0, 2, 3, 4, 9)), Options{}, []string{"pointer 5"}},
		{with("indptr", i4(0, 2, 3, 5)), Options{}, []string{"pointers"}},
		{with("data", f8(1, 2, 3, math.NaN(), 5)), Options{}, []string{"row 3, column 1", "NaN"}},
		{with("format", layout("bsr")), Options{}, []string{"bsr", "tocsr"}},
		{with("shape", i4(4)), Options{}, []string{"1 dimension,"}},
		{with("shape", i4(0, 3)), Options{}, []string{"empty (0×3)"}},
		{with("data", corpustest.NPY("'<c16'", "False", "(1,)", make([]byte, 16))), Options{}, []string{"array data", "complex"}},
		{corpustest.NPZ(t, good[:8]...), Options{}, []string{"no real matrix"}},
		{corpustest.NPZ(t, append(good[:4:4], good[8:]...)...), Options{}, []string{"array indptr", "missing"}},
		{corpustest.NPZ(t, append(good[:len(good):len(good)], "labels", i4(1, 2, 3, 4, 5))...), Options{}, []string{"labels", "5 entries", "4×3"}},
		{corpustest.NPZ(t, append(good[:len(good):len(good)], "labels", corpustest.NPY("'|O'", "False", "(4,)", nil))...), Options{}, []string{"pickled", "astype(str)"}},
		{corpustest.NPZ(t, append(good[:len(good):len(good)], "labels", f8(1, 2, 1<<53, 4))...), Options{}, []string{"array labels", "label 3 is 9.007", "‹label-var› none"}},
		{corpustest.NPZ(t, good...), Options{LabelVar: "q"}, []string{"‹label-var› q", "indptr"}},
		{corpustest.NPZ(t), Options{}, []string{"without NumPy arrays"}},
		{corpustest.NPZ(t, good...)[:200], Options{}, []string{"damaged or cut off"}},
		{corpustest.NPZ(t, "X", corpustest.NPY("'<f8'", "False", "(30000, 30000)", nil)), Options{}, []string{"cut off"}},
	} {
		before := corpustest.Allocated()
		_, err := readBytes(c.data, "npz", c.opt)
		corpustest.WantFault(t, err, c.parts...)
		if used := corpustest.Allocated() - before; used > 4<<20 {
			t.Errorf("%d bytes allocated for a file of %d: %v", used, len(c.data), err)
		}
	}
}

func FuzzNPY(f *testing.F) {
	f.Add(corpustest.NPY("'<f8'", "False", "(4, 3)", npyNumbers("f8", binary.LittleEndian, flat...)))
	f.Add(corpustest.NPY("'>i2'", "True", "(3, 2)", npyNumbers("i2", binary.BigEndian, 1, 2, 3, 4, 5, 6)))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzRead(t, data, "npy", Options{}) })
}

// FuzzNPZ varies the arrays inside an undamaged archive, because random bytes are hardly ever an
// archive, and also the bytes of the archive.
func FuzzNPZ(f *testing.F) {
	f.Add(layout("csr"), i4(4, 3), i4(0, 2, 3, 4, 5), i4(0, 2, 1, 0, 2), f8(1, 2, 3, 4, 5), i4(1, 2, 1, 2), false, []byte{})
	f.Add(layout("csc"), i4(4, 3), i4(0, 2, 3, 5), i4(0, 2, 1, 0, 3), f8(1, 4, 3, 2, 5), corpustest.NPY("'<U1'", "False", "(4,)", make([]byte, 16)), false, []byte{})
	f.Add(layout("coo"), i4(4, 3), i4(0, 0, 1, 2, 3), i4(0, 2, 1, 0, 2), f8(1, 2, 3, 4, 5), i4(1, 2, 1, 2), true, []byte{})
	f.Add(corpustest.NPY("'<f8'", "False", "(4, 3)", npyNumbers("f8", binary.LittleEndian, flat...)), i4(4, 3), i4(0), i4(0), f8(1), i4(1), false,
		corpustest.NPZ(f, "X", corpustest.NPY("'|u1'", "False", "(2, 2)", []byte{1, 2, 3, 4}), "y", i4(1, 2)))
	f.Fuzz(func(t *testing.T, format, shape, ptr, idx, data, labels []byte, coo bool, raw []byte) {
		first, second := "indptr", "indices"
		if coo {
			first, second = "row", "col"
		}
		fuzzRead(t, corpustest.NPZ(t, "format", format, "shape", shape, first, ptr, second, idx, "data", data, "labels", labels), "npz", Options{})
		fuzzRead(t, corpustest.NPZ(t, "X", data, "terms", labels, "y", labels, "ids", format), "npz", Options{})
		fuzzRead(t, raw, "npz", Options{})
	})
}

// Integers beside a matrix are names if no two are alike. Texts in an old encoding are told.
func TestNumbersAsNames(t *testing.T) {
	x := corpustest.NPY("'|i1'", "False", "(3, 2)", []byte{1, 2, 3, 4, 5, 6})
	array := func(data string) []byte { return corpustest.NPY("'|i1'", "False", "(3,)", []byte(data)) }
	r := must.Get(readBytes(corpustest.NPZ(t, "X", x, "ids", array("\x07\x09\x08")), "npz", Options{}))(t)
	if !slices.Equal(r.IDs, []string{"7", "9", "8"}) {
		t.Errorf("ids %q", r.IDs)
	}
	r = must.Get(readBytes(corpustest.NPZ(t, "X", x, "ids", array("\x07\x09\x07")), "npz", Options{}))(t)
	if r.IDs != nil {
		t.Errorf("ids %q", r.IDs)
	}
	wantNote(t, r, "Array ids was passed over: its numbers are not all different")
	words := corpustest.NPY("'|S5'", "False", "(3,)", []byte("a\x00\x00\x00\x00gr\xfc\xdfea\x00\x00\x00\x00"))
	r = must.Get(readBytes(corpustest.NPZ(t, "X", x, "labels", words), "npz", Options{}))(t)
	if !slices.Equal(r.ClassNames, []string{"a", "grüße"}) {
		t.Errorf("classes %q", r.ClassNames)
	}
	wantNote(t, r, "are read as Windows-1252")
}

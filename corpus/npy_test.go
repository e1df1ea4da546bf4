package corpus

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"
)

// npyBytes makes an array's file with any header.
func npyBytes(descr, fortran, shape string, data []byte) []byte {
	dict := fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n", descr, fortran, shape)
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(dict)), byte(len(dict)>>8))
	return append(append(b, dict...), data...)
}

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
			data := npyBytes("'"+mark+name+"'", "False", "(4, 3)", npyNumbers(name, order, flat...))
			mustRead(t, data, "npy", ReadOptions{}, small)
			data = npyBytes("'"+mark+name+"'", "True", "(4, 3)", npyNumbers(name, order, byColumn...))
			mustRead(t, data, "npy", ReadOptions{}, small)
			mustRead(t, data, "npy", ReadOptions{Transpose: true}, transposed(small))
		}
	}
	mustRead(t, npyBytes("'|b1'", "False", "(1, 3)", []byte{1, 0, 1}), "npy", ReadOptions{}, [][]float64{{1, 0, 1}})
	mustRead(t, []byte(gzipped(string(npyBytes("'|b1'", "False", "(1L, 3L)", []byte{1, 0, 1})))), "npy", ReadOptions{}, [][]float64{{1, 0, 1}})
}

// Another implementation of the format writes what we read, and reads what we write.
func TestNPYAgainstNpyio(t *testing.T) {
	d := mat.NewDense(4, 3, slices.Clone(flat))
	var b bytes.Buffer
	if err := npyio.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	mustRead(t, b.Bytes(), "npy", ReadOptions{}, small)
	b.Reset()
	if err := WriteMatrix(&b, "npy", d); err != nil {
		t.Fatal(err)
	}
	var back mat.Dense
	if err := npyio.Read(&b, &back); err != nil {
		t.Fatal(err)
	}
	checkMatrix(t, &back, small)
}

func TestNPYRefusals(t *testing.T) {
	f8 := func(vals ...float64) []byte { return npyNumbers("f8", binary.LittleEndian, vals...) }
	for _, c := range []struct {
		data  []byte
		parts []string
	}{
		{npyBytes("'<f8'", "False", "(4, 3)", f8(flat[:11]...)), []string{"cut off"}},
		{npyBytes("'<f8'", "False", "(4, 3)", f8(append(flat, 1)...)), []string{"12 numbers"}},
		{npyBytes("'<f8'", "False", "(12,)", f8(flat...)), []string{"1 dimension,"}},
		{npyBytes("'<f8'", "False", "(2, 2, 3)", f8(flat...)), []string{"3 dimensions"}},
		{npyBytes("'<f8'", "False", "(0, 3)", nil), []string{"empty (0×3)"}},
		{npyBytes("'<f8'", "False", "(1, 2)", f8(1, math.NaN())), []string{"row 1, column 2", "NaN"}},
		{npyBytes("'<f8'", "True", "(2, 1)", f8(1, math.Inf(1))), []string{"row 2, column 1", "+Inf"}},
		{npyBytes("'<c16'", "False", "(1, 1)", f8(1, 2)), []string{"complex"}},
		{npyBytes("'|O'", "False", "(1, 1)", f8(1)), []string{"pickled"}},
		{npyBytes("[('a', '<f8')]", "False", "(1, 1)", f8(1)), []string{"records"}},
		{npyBytes("'<U4'", "False", "(1, 1)", make([]byte, 16)), []string{"text"}},
		{npyBytes("'<f8'", "Maybe", "(1, 1)", f8(1)), []string{"damaged"}},
		{npyBytes("'<f8'", "False", "(99999999, 99999999)", f8(1)), []string{"memory"}},
		{npyBytes("'<f8'", "False", "(99999, 99999)", f8(1)), []string{"cut off"}},
		{[]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"), []string{"damaged"}},
		{[]byte("\x93NUMPY\x01\x00"), []string{"cut off"}},
	} {
		before := allocated()
		_, err := readBytes(c.data, "npy", ReadOptions{})
		wantFault(t, err, c.parts...)
		if used := allocated() - before; used > 4<<20 {
			t.Errorf("%d bytes allocated for a file of %d", used, len(c.data))
		}
	}
}

// Offsets that lead outside an archive are the file's fault, not the system's.
func TestNPZOffsets(t *testing.T) {
	data := npzBytes(t, "X", npyBytes("'|u1'", "False", "(2, 2)", []byte{1, 2, 3, 4}))
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	for _, offset := range []uint32{1, 0xfffffff0, uint32(len(data))} {
		binary.LittleEndian.PutUint32(data[end+16:], offset)
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.npz", data), ReadOptions{})
		wantFault(t, err, "damaged")
	}
}

// npzBytes makes an archive of arrays given as name, content, name, content, ...
func npzBytes(t testing.TB, members ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(members); k += 2 {
		w, err := z.Create(members[k].(string) + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		w.Write(members[k+1].([]byte))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func i4(vals ...float64) []byte {
	return npyBytes("'<i4'", "False", fmt.Sprintf("(%d,)", len(vals)), npyNumbers("i4", binary.LittleEndian, vals...))
}

func f8(vals ...float64) []byte {
	return npyBytes("'<f8'", "False", fmt.Sprintf("(%d,)", len(vals)), npyNumbers("f8", binary.LittleEndian, vals...))
}

func layout(name string) []byte { return npyBytes("'|S3'", "False", "()", []byte(name)) }

func TestNPZSparse(t *testing.T) {
	shape := npyBytes("'<i8'", "False", "(2,)", npyNumbers("i8", binary.LittleEndian, 4, 3))
	bools := npyBytes("'|b1'", "False", "(2,)", []byte{1, 1})
	for name, data := range map[string][]byte{
		"csr": npzBytes(t, "format", layout("csr"), "shape", shape, "indptr", i4(0, 2, 3, 4, 5), "indices", i4(0, 2, 1, 0, 2), "data", f8(1, 2, 3, 4, 5)),
		"csr unsorted, a sum and a zero": npzBytes(t, "format", layout("csr"), "shape", shape, "indptr", i4(0, 4, 5, 6, 8),
			"indices", i4(2, 0, 2, 1, 1, 0, 2, 0), "data", f8(0.5, 1, 1.5, 0, 3, 4, 5, 0)),
		"csc": npzBytes(t, "format", layout("csc"), "shape", shape, "indptr", i4(0, 2, 3, 5), "indices", i4(0, 2, 1, 0, 3), "data", f8(1, 4, 3, 2, 5)),
		"coo": npzBytes(t, "format", layout("coo"), "shape", shape, "row", i4(3, 0, 1, 0, 2, 0), "col", i4(2, 0, 1, 2, 0, 2), "data", f8(5, 1, 3, 1, 4, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			c := mustRead(t, data, "npz", ReadOptions{}, small)
			if x := c.X.(*sparse.CSR); x.NNZ() != 5 {
				t.Errorf("%d entries stored, want 5", x.NNZ())
			}
		})
	}
	c := mustRead(t, npzBytes(t, "format", layout("coo"), "shape", shape, "row", i4(0, 3), "col", i4(0, 2), "data", bools,
		"y", npyBytes("'<U3'", "False", "(4,)", []byte("b\x00\x00\x00"+strings.Repeat("\x00", 8)+"a\x00\x00\x00"+strings.Repeat("\x00", 8)+strings.Repeat("\x00", 24)))),
		"npz", ReadOptions{}, [][]float64{{1, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 1}})
	if !slices.Equal(c.Labels, []int{1, 0, -1, -1}) {
		t.Errorf("labels %v of %v", c.Labels, c.ClassNames)
	}
}

func TestNPZPlain(t *testing.T) {
	x := npyBytes("'<f8'", "False", "(3, 4)", npyNumbers("f8", binary.LittleEndian, slices.Concat(transposed(small)...)...))
	c := mustRead(t, npzBytes(t, "X", x, "y", i4(3, 1, 3, 1)), "npz", ReadOptions{}, small)
	wantNote(t, c, "every column is a document")
	c = mustRead(t, npzBytes(t, "counts", x, "groups", i4(3, 1, 3, 1)), "npz", ReadOptions{LabelVar: "groups"}, small)
	if !slices.Equal(c.ClassNames, []string{"1", "3"}) {
		t.Errorf("classes %v", c.ClassNames)
	}
	hot := npyBytes("'<i8'", "False", "(4, 2)", npyNumbers("i8", binary.LittleEndian, 1, 0, 0, 1, 1, 0, 1, 0))
	c = mustRead(t, npzBytes(t, "X", x, "y", hot), "npz", ReadOptions{}, small)
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
		return npzBytes(t, m...)
	}
	for _, c := range []struct {
		data  []byte
		opt   ReadOptions
		parts []string
	}{
		{with("indices", i4(0, 2, 1, 0, 3)), ReadOptions{}, []string{"outside", "4×3"}},
		{with("indices", i4(0, 2, 1, 0, -1)), ReadOptions{}, []string{"outside"}},
		{with("indptr", i4(0, 2, 1, 4, 5)), ReadOptions{}, []string{"pointer 3"}},
		{with("indptr", i4(0, 2, 3, 4, 9)), ReadOptions{}, []string{"pointer 5"}},
		{with("indptr", i4(0, 2, 3, 5)), ReadOptions{}, []string{"pointers"}},
		{with("data", f8(1, 2, 3, math.NaN(), 5)), ReadOptions{}, []string{"row 3, column 1", "NaN"}},
		{with("format", layout("bsr")), ReadOptions{}, []string{"bsr", "tocsr"}},
		{with("shape", i4(4)), ReadOptions{}, []string{"1 dimension,"}},
		{with("shape", i4(0, 3)), ReadOptions{}, []string{"empty (0×3)"}},
		{with("data", npyBytes("'<c16'", "False", "(1,)", make([]byte, 16))), ReadOptions{}, []string{"array data", "complex"}},
		{npzBytes(t, good[:8]...), ReadOptions{}, []string{"no real matrix"}},
		{npzBytes(t, append(good[:4:4], good[8:]...)...), ReadOptions{}, []string{"array indptr", "missing"}},
		{npzBytes(t, append(good[:len(good):len(good)], "labels", i4(1, 2, 3, 4, 5))...), ReadOptions{}, []string{"labels", "5 entries", "4×3"}},
		{npzBytes(t, append(good[:len(good):len(good)], "labels", npyBytes("'|O'", "False", "(4,)", nil))...), ReadOptions{}, []string{"pickled", "astype(str)"}},
		{npzBytes(t, good...), ReadOptions{LabelVar: "q"}, []string{"--label-var q", "indptr"}},
		{npzBytes(t), ReadOptions{}, []string{"without NumPy arrays"}},
		{npzBytes(t, good...)[:200], ReadOptions{}, []string{"damaged or cut off"}},
		{npzBytes(t, "X", npyBytes("'<f8'", "False", "(30000, 30000)", nil)), ReadOptions{}, []string{"cut off"}},
	} {
		before := allocated()
		_, err := readBytes(c.data, "npz", c.opt)
		wantFault(t, err, c.parts...)
		if used := allocated() - before; used > 4<<20 {
			t.Errorf("%d bytes allocated for a file of %d: %v", used, len(c.data), err)
		}
	}
}

func FuzzNPY(f *testing.F) {
	f.Add(npyBytes("'<f8'", "False", "(4, 3)", npyNumbers("f8", binary.LittleEndian, flat...)))
	f.Add(npyBytes("'>i2'", "True", "(3, 2)", npyNumbers("i2", binary.BigEndian, 1, 2, 3, 4, 5, 6)))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzRead(t, data, "npy", ReadOptions{}) })
}

// FuzzNPZ varies the arrays inside an undamaged archive, because random bytes are hardly ever an
// archive, and also the bytes of the archive.
func FuzzNPZ(f *testing.F) {
	f.Add(layout("csr"), i4(4, 3), i4(0, 2, 3, 4, 5), i4(0, 2, 1, 0, 2), f8(1, 2, 3, 4, 5), i4(1, 2, 1, 2), false, []byte{})
	f.Add(layout("csc"), i4(4, 3), i4(0, 2, 3, 5), i4(0, 2, 1, 0, 3), f8(1, 4, 3, 2, 5), npyBytes("'<U1'", "False", "(4,)", make([]byte, 16)), false, []byte{})
	f.Add(layout("coo"), i4(4, 3), i4(0, 0, 1, 2, 3), i4(0, 2, 1, 0, 2), f8(1, 2, 3, 4, 5), i4(1, 2, 1, 2), true, []byte{})
	f.Add(npyBytes("'<f8'", "False", "(4, 3)", npyNumbers("f8", binary.LittleEndian, flat...)), i4(4, 3), i4(0), i4(0), f8(1), i4(1), false,
		npzBytes(f, "X", npyBytes("'|u1'", "False", "(2, 2)", []byte{1, 2, 3, 4}), "y", i4(1, 2)))
	f.Fuzz(func(t *testing.T, format, shape, ptr, idx, data, labels []byte, coo bool, raw []byte) {
		first, second := "indptr", "indices"
		if coo {
			first, second = "row", "col"
		}
		fuzzRead(t, npzBytes(t, "format", format, "shape", shape, first, ptr, second, idx, "data", data, "labels", labels), "npz", ReadOptions{})
		fuzzRead(t, npzBytes(t, "X", data, "terms", labels, "y", labels, "ids", format), "npz", ReadOptions{})
		fuzzRead(t, raw, "npz", ReadOptions{})
	})
}

package matrix

import (
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
)

func TestMtxCoordinate(t *testing.T) {
	c := mustRead(t, []byte("%%MatrixMarket MATRIX coordinate Real general\n% remark\n\n4 3 5\n1 1 1\n4 3 5e0\n\n% in between\n2 2 +3.0\n3 1 4\n1 3 2"),
		"mtx", Options{}, small)
	if c.Labels != nil {
		t.Error("labels from nowhere")
	}
	mustRead(t, []byte("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n3 1\n3 2\n"), "mtx", Options{},
		[][]float64{{1, 0, 1}, {0, 0, 1}, {1, 1, 0}})
	mustRead(t, []byte("%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 3 -7\n2 1 0\n"), "mtx", Options{Transpose: true},
		[][]float64{{0, 0}, {0, 0}, {-7, 0}})
}

func TestMtxArray(t *testing.T) {
	mustRead(t, []byte("%%MatrixMarket matrix array real general\n4 3\n1 0 4 0\n0\n3\n0\n0\n2\n0\n0\n5\n"), "mtx", Options{}, small)
}

func TestMtxRefusals(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real general\n"
	const sym = "%%MatrixMarket matrix coordinate real symmetric\n"
	for _, c := range []struct {
		text  string
		parts []string
	}{
		{head + "3 3 3\n1 1 1\n% c\n2 2 1\n1 1 5\n", []string{"line 6", "two values for one entry (1, 1)", "line 3;"}},
		{head + "3 3 2\n1 1 1\n1 1 0\n", []string{"line 4", "two values"}},
		{sym + "3 3 3\n2 1 1\n3 3 1\n1 2 5\n", []string{"line 5", "two values", "line 3;"}},
		{head + "3 3 2\n1 1 1\n\n4 1 1\n", []string{"line 5", "(4, 1)", "3×3"}},
		{head + "3 3 1\n1 0 1\n", []string{"line 3", "(1, 0)"}},
		{head + "3 3 1\n1 2 nan\n", []string{"line 3", "row 1, column 2", "NaN"}},
		{head + "3 3 1\n1 2 1e999\n", []string{"line 3", "Inf"}},
		{head + "3 3 1\n1 2 x\n", []string{"line 3", `"x"`}},
		{head + "3 3 1\n1 2\n", []string{"line 3", "not a number"}},
		{head + "3 3 1\n1 2 3 4\n", []string{"line 3", "more fields"}},
		{head + "3 3 5\n1 2 3\n", []string{"1 of 5", "cut off"}},
		{head + "3 3 1\n1 2 3\n2 2 3\n", []string{"line 4", "more entries"}},
		{head + "0 3 0\n", []string{"empty (0×3)"}},
		{head + "3 3\n", []string{"line 2", "entries"}},
		{head, []string{"cut off"}},
		{head + "2000000000 5 1\n1 1 1\n", []string{"2000000000 rows"}},
		{head + "99999999999 5 1\n1 1 1\n", []string{"beyond"}},
		{"%%MatrixMarket matrix coordinate complex general\n", []string{"complex"}},
		{"%%MatrixMarket matrix coordinate real skew-symmetric\n", []string{"skew-symmetric", "general"}},
		{"%%MatrixMarket vector coordinate real general\n", []string{"line 1"}},
		{"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", []string{"3 of 4"}},
		{"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\nnan\n", []string{"row 2, column 2", "NaN"}},
	} {
		_, err := readBytes([]byte(c.text), "mtx", Options{})
		corpustest.WantFault(t, err, c.parts...)
	}
}

func FuzzMtx(f *testing.F) {
	f.Add([]byte("%%MatrixMarket matrix coordinate real general\n% c\n3 3 3\n1 1 1\n2 2 2.5\n3 1 -1\n"))
	f.Add([]byte("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n3 2\n"))
	f.Add([]byte("%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzRead(t, data, "mtx", Options{}) })
}

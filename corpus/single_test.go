package corpus

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Columns in which single precision leaves few digits are named once, of a table and of an array.
func TestSingleNamesCoarseColumns(t *testing.T) {
	dir := t.TempDir()
	var table strings.Builder
	table.WriteString("a,b,c,d\n")
	array := slices.Concat([]byte("\x93NUMPY\x01\x00\x76\x00"), fmt.Appendf(nil, "%-117s\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (40, 4), }"))
	for i := range 40 {
		// b differs by less than single precision keeps; c is whole numbers that it holds; d is
		// constant.
		row := []float64{float64(i*i) / 3, 1e8 + float64(i*i%37), 1<<24 - float64(i*i%37), 1e8 + 1}
		for j, v := range row {
			fmt.Fprintf(&table, "%s%.17g", strings.Repeat(",", min(j, 1)), v)
			array = binary.LittleEndian.AppendUint64(array, math.Float64bits(v))
		}
		table.WriteString("\n")
	}
	// Documents are in columns, and the last term differs by little.
	turned := slices.Concat([]byte("\x93NUMPY\x01\x00\x76\x00"), fmt.Appendf(nil, "%-117s\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 9), }"))
	for k := range 27 {
		turned = binary.LittleEndian.AppendUint64(turned, math.Float64bits([]float64{0, 0.1, 1e9}[k/9]+float64(k)))
	}
	for name, content := range map[string]string{"b": table.String(), "2": string(array), "3": string(turned)} {
		file := filepath.Join(dir, map[string]string{"b": "t.csv", "2": "t.npy", "3": "turned.npy"}[name])
		must.Do(t, os.WriteFile(file, []byte(content), 0o600))
		for _, single := range []bool{false, true} {
			c := must.Get(Read(t.Context(), file, ReadOptions{Single: single, Transpose: name == "3"}))(t)
			if single {
				if err := c.ToSingle(); err != nil { // says nothing twice
					t.Fatal(err)
				}
			}
			want := 0
			if single {
				want = 1
			}
			if notes := strings.Join(c.Notes, " "); strings.Count(notes, "Single precision keeps few") != want || strings.Count(notes, "differ (first: "+name+"): give ‹precision› double") != want {
				t.Errorf("%s, single %v: %q", file, single, c.Notes)
			}
		}
	}
}

// Numbers of a file in single precision are taken whatever their size, and weights that it cannot
// hold are called so.
func TestSingleOfSmallNumbers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.npy")
	array := slices.Concat([]byte("\x93NUMPY\x01\x00\x76\x00"), fmt.Appendf(nil, "%-117s\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"))
	for _, v := range []float32{1, 0x1p-140, 3, 4} {
		array = binary.LittleEndian.AppendUint32(array, math.Float32bits(v))
	}
	must.Do(t, os.WriteFile(file, array, 0o600))
	c, err := Read(t.Context(), file, ReadOptions{Single: true})
	if err != nil || c.X.At(0, 1) != 0x1p-140 {
		t.Fatalf("%v", err)
	}
	far := &Corpus{Name: "m", X: mat.NewDense(2, 2, []float64{1e30, 1e-30, 1, 2})}
	must.Do(t, far.ToSingle())
	if _, err := far.Weighted("tf", "l2"); err == nil || !strings.Contains(err.Error(), "document 1, term 2: the weight ") {
		t.Errorf("%v", err)
	}
}

// The size of a corpus does not depend on how it is stored.
func TestMeasureSingle(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.svm")
	must.Do(t, os.WriteFile(file, []byte("1 1:2 9:1\n2 3:1\n"), 0o600))
	want := must.Get(Measure(t.Context(), file, ReadOptions{}))(t)
	got, err := Measure(t.Context(), file, ReadOptions{Single: true})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v: %v", got, want, err)
	}
}

// Weights are computed from the entries as they are read, also if they are weights themselves.
func TestWeightedOfWeighted(t *testing.T) {
	x := must.Get(sparse.FromMatrix(mat.NewDense(3, 3, []float64{1, 2, 0, 0, 3, 1, 4, 0, 5})))(t)
	counts := must.Get(sparse.NewSingle(x))(t)
	once := counts.Weighted(sparse.TakeValue, []float64{0.3, 0.7, 1.1}, []float64{2, 3, 5})
	for _, weighting := range []string{"tf", "tfidf", "binary"} {
		for _, normalize := range []string{"l2", "none"} {
			got := must.Get((&Corpus{X: once}).Weighted(weighting, normalize))(t)
			want, err := (&Corpus{X: once.Double()}).Weighted(weighting, normalize)
			if err != nil || !mat.Equal(got, want) {
				t.Errorf("%s, %s: %v, want %v", weighting, normalize, mat.Formatted(got), mat.Formatted(want))
			}
		}
	}
}

// A message writes an entry as the file does.
func TestSingleNegative(t *testing.T) {
	for _, x := range []mat.Matrix{mat.NewDense(1, 2, []float64{1, -0.1}), mat.NewDense(2, 1, []float64{-0.1, 0.3}).T()} {
		for _, stored := range []func(mat.Matrix) (mat.Matrix, error){sparse.ToSingle, toSparseSingle} {
			y := must.Get(stored(x))(t)
			if _, err := (&Corpus{X: y}).Weighted("tfidf", "l2"); err == nil || !strings.Contains(err.Error(), "the entry -0.1 is negative") {
				t.Errorf("%T: %v", y, err)
			}
		}
	}
}

func toSparseSingle(x mat.Matrix) (mat.Matrix, error) {
	s, err := sparse.FromMatrix(x)
	if err != nil {
		return nil, err
	}
	return sparse.NewSingle(s)
}

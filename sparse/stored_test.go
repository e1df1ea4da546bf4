package sparse

import (
	"errors"
	"io/fs"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

func TestStored(t *testing.T) {
	b := NewBuilder(2, 3)
	b.Add(1, 2, 4)
	a := must.Get(b.Build())(t)
	dense := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	if x, err := Stored(a); x != mat.Matrix(a) || err != nil {
		t.Errorf("a CSR is copied: %v", err)
	}
	if x, err := Stored(dense); x != mat.Matrix(dense) || err != nil {
		t.Errorf("a dense matrix is copied: %v", err)
	}
	for _, c := range []struct {
		x      mat.Matrix
		sparse bool
	}{
		{a.T(), true}, {mat.NewBandDense(3, 3, 0, 0, []float64{1, 0, 2}), true}, {mat.NewBandDense(3, 3, 0, 0, []float64{1, 0, 2}).T(), true},
		{mat.Transpose{Matrix: mat.NewBandDense(2, 2, 0, 0, []float64{1, 0})}, true},
		{dense.T(), false}, {mat.NewVecDense(2, []float64{1, 0}), false}, {mat.NewSymDense(2, []float64{1, 0, 0, 1}), false},
	} {
		got, err := Stored(c.x)
		if err != nil || !mat.Equal(got, c.x) {
			t.Errorf("%T: %v, or other values", c.x, err)
		}
		if _, isSparse := got.(*CSR); isSparse != c.sparse || Is(c.x) != c.sparse {
			t.Errorf("%T is stored as %T", c.x, got)
		}
	}
	if x, err := Stored(new(mat.VecDense)); err != nil || !x.(*mat.Dense).IsEmpty() {
		t.Errorf("an empty vector: %v, %v", x, err)
	}
	if _, err := Stored(nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no matrix: %v", err)
	}
	var where *NotFiniteError
	if _, err := Stored(mat.NewBandDense(2, 2, 0, 0, []float64{1, math.NaN()})); !errors.As(err, &where) || where.Row != 1 {
		t.Errorf("NaN: %v", err)
	}
}

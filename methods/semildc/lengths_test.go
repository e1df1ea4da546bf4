package semildc

import (
	"errors"
	"io/fs"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// TestBoundLengths: documents of 4, 2, 0 and 16 words have the median 4; with the bound 2 the last
// comes to 8, with 4 all stay.
func TestBoundLengths(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1, 3, 2, 0, 0, 0, 4, 12})
	for _, c := range []struct {
		bound float64
		last  []float64
	}{{2, []float64{2, 6}}, {4, []float64{4, 12}}, {1e300, []float64{4, 12}}, {math.Inf(1), []float64{4, 12}}} {
		a := must.Get(BoundLengths(x, c.bound))(t)
		want := mat.DenseCopyOf(x)
		want.SetRow(3, c.last)
		if !mat.Equal(a.ToDense(), want) {
			t.Errorf("bound %v: %v", c.bound, mat.Formatted(a.ToDense()))
		}
	}
	for _, bad := range []float64{0, -1, math.NaN()} {
		if _, err := BoundLengths(x, bad); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("bound %v: error %v", bad, err)
		}
	}
	if a, err := BoundLengths(mat.NewDense(2, 3, nil), 5); err != nil || a.NNZ() != 0 {
		t.Errorf("empty documents: %v", err)
	}
}

// TestHugeDocument: beyond the bound a document's length changes no soft label, unless lengths are
// kept.
func TestHugeDocument(t *testing.T) {
	counts, truth := texts(t, 100, 3, 20, 40, 0.2, 1)
	known := draw(t, truth, 0.1, 1)
	soft := func(times float64, opt Options) *mat.Dense {
		factor := make([]float64, 100)
		for i := range factor {
			if factor[i] = 1; i == 50 {
				factor[i] = times
			}
		}
		opt.Reduction = Raw
		m := must.Get(Fit(ctx, counts.ScaleRows(factor), nil, known, 3, opt))(t)
		return m.Soft
	}
	if a, b := soft(100, Options{}), soft(1000, Options{}); !mat.EqualApprox(a, b, 1e-6) {
		t.Error("the length of a huge document changes the soft labels")
	}
	if a, b := soft(100, Options{KeepLengths: true}), soft(1e5, Options{KeepLengths: true}); mat.EqualApprox(a, b, 1e-3) {
		t.Error("kept lengths are of no consequence")
	}
}

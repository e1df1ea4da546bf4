package pairs

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// rows draws data of several kinds: smooth, on a grid with many copies and zeros, far from the
// origin.
func rows(t *rapid.T, n, d int) *mat.Dense {
	kind := rapid.SampledFrom([]string{"normal", "grid", "far"}).Draw(t, "kind")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 {
		switch kind {
		case "grid":
			return float64(rng.IntN(3))
		case "far":
			return 1e6 + rng.NormFloat64()
		}
		return rng.NormFloat64()
	}, x)
	return x
}

func storages(t *rapid.T, x *mat.Dense) []*Rows {
	a := must.Get(sparse.FromMatrix(x))(t)
	dense, err1 := New(ctx, x)
	csr, err2 := New(ctx, a)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return []*Rows{dense, csr}
}

// Panels of windows give the products and distances of single pairs; copies have distance 0.
func TestPanels(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 30).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "d")
		x := rows(t, n, d)
		lo := rapid.IntRange(0, n-1).Draw(t, "lo")
		hi := rapid.IntRange(lo+1, n).Draw(t, "hi")
		for _, r := range storages(t, x) {
			to := r.Window(lo, hi)
			p := NewPanel(r, to)
			for range 2 { // the second load must not see the first
				which := rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 1, p.Size()).Draw(t, "rows")
				p.Load(which)
				from := rapid.IntRange(0, to.N-1).Draw(t, "from")
				dst := blas64.General{Rows: len(which), Cols: to.N - from, Stride: n + 1, Data: make([]float64, len(which)*(n+1))}
				dots := blas64.General{Rows: len(which), Cols: to.N - from, Stride: n, Data: make([]float64, len(which)*n)}
				p.Dots(from, dots)
				p.SqDists(from, dst)
				for q, i := range which {
					for c := range dst.Cols {
						dot, dist, size := 0.0, 0.0, 0.0
						for t := range d {
							a, b := x.At(int(i), t), x.At(lo+from+c, t)
							dot += a * b
							dist += (a - b) * (a - b)
							size += a*a + b*b
						}
						if got := dots.Data[q*n+c]; math.Abs(got-dot) > 1e-14*size {
							t.Fatalf("sparse %v: product %v, want %v", r.Sparse(), got, dot)
						}
						if got := dst.Data[q*(n+1)+c]; math.Abs(got-dist) > 1e-9*dist || dist == 0 && got != 0 {
							t.Fatalf("sparse %v: distance %v, want %v", r.Sparse(), got, dist)
						}
					}
				}
			}
		}
	})
}

// Means per label, also far from the origin; equal rows are their own mean.
func TestMeans(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 30).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "d")
		x := rows(t, n, d)
		labels := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "labels")
		for _, r := range storages(t, x) {
			m := must.Get(r.Means(ctx, labels, 5))(t)
			for c := range 5 {
				for q := range d {
					sum, size, same, first := 0.0, 0.0, true, math.NaN()
					for i, l := range labels {
						if l == c {
							if v := x.At(i, q); math.IsNaN(first) {
								first = v
							} else {
								same = same && v == first
							}
							sum += x.At(i, q)
							size++
						}
					}
					want := sum / max(size, 1)
					if math.Abs(m.At(c, q)-want) > 1e-13*(1+math.Abs(want)) || same && size > 0 && m.At(c, q) != first {
						t.Fatalf("mean %v, want %v", m.At(c, q), want)
					}
				}
			}
		}
	})
}

func TestLikeAndErrors(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 0, 0, 2})
	a, _ := sparse.FromMatrix(x)
	dense, _ := New(ctx, x)
	csr, _ := New(ctx, a)
	for _, data := range []mat.Matrix{x, a, mat.NewSymDense(2, []float64{1, 0, 0, 2}), mat.NewDiagDense(2, []float64{1, 2})} {
		for _, as := range []*Rows{dense, csr} {
			r, err := Like(ctx, data, as)
			if err != nil || r.Sparse() != as.Sparse() || SqDist(r, 0, as, 1) != 5 {
				t.Errorf("%T: %v", data, err)
			}
		}
	}
	for name, data := range map[string]mat.Matrix{"nil": nil, "empty": &mat.Dense{}, "NaN": mat.NewDense(1, 1, []float64{math.NaN()}),
		"long": mat.NewDense(1, 1, []float64{1e160})} {
		if _, err := New(ctx, data); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

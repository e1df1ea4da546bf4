package kmeans

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// ties are rows of many columns in which every second one is between two others, nearly or exactly,
// so that single precision does not see which is nearer.
func ties(n, d int, scale float64) *mat.Dense {
	rnd := rand.New(rand.NewPCG(36, 4))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			v := rnd.NormFloat64() * scale
			if i%2 == 1 && i > 2 {
				v = (x.At(i-1, j) + x.At(i-3, j)) / 2
				if i%4 == 1 {
					v += rnd.NormFloat64() * scale * 1e-9
				}
			}
			x.Set(i, j, v)
		}
	}
	return x
}

// Rows screened in single precision get the clusters of the plain algorithm, at any number of
// threads, whatever their size: also where single precision overflows or vanishes.
func TestScreenedIsPlain(t *testing.T) {
	defer native.SetThreads(native.Threads())
	for _, scale := range []float64{1, 1e-9, 1e12, 1e-30, 1e30} {
		x := ties(600, screenColumns+7, scale)
		single := must.Get(sparse.NewSingleDense(x))(t)
		for _, stored := range []mat.Matrix{x, single} {
			p := must.Get(newDensePoints(ctx, stored))(t)
			var want []int32
			for _, threads := range []int{1, 3} {
				native.SetThreads(threads)
				r := newRun(p, 40, parallel.Workers(600, 1), parallel.For)
				if screened := r.c.screenAbs() > 0; screened != (scale < 1e11) {
					t.Errorf("rows of size %g are screened: %v", scale, screened)
				}
				start := func() {
					for j := range r.k {
						r.c.place(j, 15*j)
					}
				}
				start()
				if want == nil {
					plainLloyd(r, 8)
					want = slices.Clone(r.label)
					start()
				}
				must.Do(t, r.lloyd(ctx, 8))
				if !slices.Equal(r.label, want) {
					t.Errorf("size %g, %d threads: other clusters than those of the plain algorithm", scale, threads)
				}
			}
		}
	}
}

// The error of a screened distance is within its bound, and single precision is in use: there is an
// error that double precision has not.
func TestScreenError(t *testing.T) {
	x := ties(300, 500, 10)
	p := must.Get(newDensePoints(ctx, x))(t)
	c := p.newCenters(50).(*denseCenters)
	rows, top := make([]int32, 128), 0.0
	for i := range rows {
		rows[i] = int32(2 * i)
	}
	out, gather := make([]float64, len(rows)*50), make([]float64, p.gather(len(rows)))
	for j := range 50 {
		if j == 25 { // centres are screened as they were before, and as they change then
			if c.tile(rows, out, gather); c.screen.c != nil {
				t.Error("centres that are not screened are there in single precision")
			}
			c.rough(rows, out, gather)
		}
		c.place(j, 3*j)
		top = max(top, c.norms[j])
	}
	c.rough(rows, out, gather)
	worst := 0.0
	for r, i := range rows {
		for j := range 50 {
			worst = max(worst, math.Abs(out[r*50+j]-c.exact(int(i), j))/(p.norms[i]+top))
		}
	}
	if rel, _, abs := c.errors(); worst > c.screenAbs()+abs+2*rel || worst < 1e-10 {
		t.Errorf("the error is %g of the bound %g", worst, c.screenAbs())
	}
}

package svd

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Where squares lose nothing that counts, the pairs of the covariance are the pairs of the
// refinement; with a singular value of 1e-5 of the largest they are refined, and that value keeps
// its digits.
func TestSquares(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(36, 6))
	const n, d, k = 200, 12, 5
	for _, least := range []float64{0.03, 1e-5} {
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, j int, _ float64) float64 {
			return 7 + rng.NormFloat64()*math.Pow(least, float64(min(j, k-1))/(k-1))/(1+100*float64(j/k))
		}, x)
		m := must.Get(New(ctx, x, true))(t)
		w := must.Get(newWork(ctx, m, Options{K: k}))(t)
		pairs := must.Get(w.spectrum(ctx, w.firstTol()))(t)
		got, err := w.fromSquares(ctx, pairs)
		if err != nil || (got != nil) != (least > 1e-3) {
			t.Fatalf("least %v: squares are taken: %v (%v)", least, got != nil, err)
		}
		want := must.Get(m.refine(ctx, pairs))(t)
		if got == nil {
			got, err = Truncated(ctx, m, Options{K: k})
			if err != nil {
				t.Fatal(err)
			}
		}
		top := want.Singular[0]
		back := panel.New(d, k)
		must.Do(t, m.MulT(ctx, back, got.AV))
		for j, s := range want.Singular {
			if math.Abs(got.Singular[j]-s) > 1e-13*top || got.Left[j] > 1e-13*top || got.Right[j] > 1e-12*top {
				t.Errorf("least %v, value %d: %v, not %v; residuals %v and %v", least, j, got.Singular[j], s, got.Left[j], got.Right[j])
			}
			for i := range d { // Aᵀ·A·v = σ²·v by products with the matrix itself
				if v := got.V.Data[i*got.V.Stride+j]; math.Abs(back.Data[i*k+j]-s*s*v) > 1e-12*top*s {
					t.Errorf("least %v, value %d: residual %v in column %d", least, j, back.Data[i*k+j]-s*s*v, i)
				}
				if math.Abs(got.V.Data[i*got.V.Stride+j]-want.V.Data[i*want.V.Stride+j]) > 1e-9 {
					t.Errorf("least %v, vector %d differs from the refined one", least, j)
				}
			}
		}
		var gram mat.SymDense
		gram.SetRawSymmetric(blas64.Symmetric{N: k, Stride: k, Uplo: blas.Upper, Data: make([]float64, k*k)})
		blas64.Syrk(blas.Trans, 1, got.AV, 0, gram.RawSymmetric())
		for i := range k {
			for j := range i {
				if c := gram.At(i, j); math.Abs(c) > 1e-10*got.Singular[i]*got.Singular[j] {
					t.Errorf("least %v: coordinates %d and %d have the product %v", least, i, j, c)
				}
			}
		}
	}
}

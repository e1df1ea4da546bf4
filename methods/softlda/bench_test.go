package softlda

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// The literal way beside Fit: both scatter matrices by syrk, and LAPACK's dsygvd of them by range.
func BenchmarkFitAgainstGeneralisedProblem(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n, d, k = 2000, 800, 5
	x, q := softly(rng, n, d, k, 0)
	rows := x.ToDense()
	var fast, literal time.Duration
	for b.Loop() {
		began := time.Now()
		m := must.Get(Fit(ctx, rows, q, Options{}))(b)
		fast += time.Since(began)
		began = time.Now()
		w := must.Get(newWeights(q, n, Options{}))(b)
		a := must.Get(newRows(ctx, rows, w))(b)
		within := must.Get(a.gram(ctx))(b)
		z, sb := panel.New(d, k), blas64.Symmetric{Uplo: blas.Upper, N: d, Stride: d, Data: make([]float64, d*d)}
		must.Do(b, a.MulT(ctx, z, panel.Clone(w.h)))
		native.Default().Syrk(blas.NoTrans, 1, z, 0, sb)
		native.Default().Syrk(blas.NoTrans, -1, z, 1, within)
		for i := range d {
			within.Data[i*d+i] += m.Mu
		}
		values, vectors, err := native.Default().SymDefEig(sb, within, native.EigRange{First: d - k + 1, Count: k - 1}, true)
		if err != nil {
			b.Fatal(err)
		}
		y := mat.NewDense(n, k-1, nil)
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, a.dense, vectors, 0, y.RawMatrix())
		literal += time.Since(began)
		if v := values[k-2]; v < m.Values[0]*(1-1e-8) || v > m.Values[0]*(1+1e-8) {
			b.Fatalf("λ = %v and %v", m.Values[0], v)
		}
	}
	b.ReportMetric(float64(literal)/float64(fast), "literal/Fit")
}

package svd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	docs "github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// ofRank are the rows that the rank has.
func ofRank(x mat.Matrix, share *ranks.Share) mat.Matrix {
	own := make([]int, share.Own())
	for i := range own {
		own[i] = share.First() + i
	}
	return docs.Select(x, own)
}

// lowRank has rows that are sums of three, and a column without a zero.
func lowRank(n, d int) *mat.Dense {
	rng := rand.New(rand.NewPCG(4, 4))
	a, b := mat.NewDense(n, 3, nil), mat.NewDense(3, d, nil)
	for _, m := range []*mat.Dense{a, b} {
		m.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, m)
	}
	x := mat.NewDense(n, d, nil)
	x.Mul(a, b)
	return x
}

// TestShared: with the rows divided among ranks the singular values and the directions equal one
// process's, and a rank has its rows' coordinates; by all solvers, of the Gram matrix of either
// side, of a share of the variance and of a matrix of low rank, whose columns Cholesky does not
// make orthonormal.
func TestShared(t *testing.T) {
	tall := scattered(300, 60, 0.2, rand.New(rand.NewPCG(2, 3)))
	wide := scattered(80, 240, 0.1, rand.New(rand.NewPCG(3, 3)))
	low := must.Get(sparse.FromMatrix(lowRank(50, 40)))(t)
	for name, x := range map[string]mat.Matrix{
		"tall": tall, "wide": wide, "tall dense": tall.ToDense(), "wide dense": wide.ToDense(), "low rank": low, "low rank dense": lowRank(40, 50),
	} {
		for _, opt := range []Options{{K: 5, Solver: eigen.Dense}, {K: 5, Solver: eigen.Lanczos}, {Share: 0.5, Solver: eigen.Lanczos}, {Share: 0.8}} {
			for _, centre := range []bool{false, true} {
				what := fmt.Sprintf("%s, %+v, centred %v", name, opt, centre)
				m := must.Get(New(context.Background(), x, centre))(t)
				want, err := Truncated(context.Background(), m, opt)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				for size := 1; size <= 3; size++ {
					ranks.Together(size, func(team ranks.Team) {
						share := ranks.NewShare(team, m.Rows*(team.Rank()+1)/size-m.Rows*team.Rank()/size)
						ctx := ranks.With(context.Background(), team)
						own, err := NewShared(ctx, share, ofRank(x, share), centre)
						if err != nil {
							t.Errorf("%s: %v", what, err)
							return
						}
						got, err := Truncated(ctx, own, opt)
						if err != nil {
							t.Errorf("%s: %v", what, err)
							return
						}
						if d := factorDifference(m, want, own, got); d != "" {
							t.Errorf("%s: rank %d of %d: %s", what, team.Rank(), size, d)
						}
					})
				}
			}
		}
	}
}

// factorDifference says how a rank's factors differ from one process's, "" if only by rounding.
func factorDifference(m *Matrix, want *Factors, own *Matrix, got *Factors) string {
	if math.Abs(own.Total-m.Total) > 1e-12*m.Total || got.Rank != want.Rank || len(got.Singular) != len(want.Singular) {
		return fmt.Sprintf("total %v, rank %d of %d; not %v, %d of %d", own.Total, got.Rank, len(got.Singular), m.Total, want.Rank, len(want.Singular))
	}
	rounded := float64(m.Rows) * 0x1p-52 * 4 // of so many sums of entries below 4
	for j, mean := range m.Mean {
		if math.Abs(own.Mean[j]-mean) > rounded {
			return fmt.Sprintf("the mean of column %d is %v, not %v", j, own.Mean[j], mean)
		}
	}
	top := want.Singular[0]
	for j, s := range want.Singular {
		if math.Abs(got.Singular[j]-s) > 1e-10*top || got.Right[j] > 1e-8*top || got.Left[j] > 1e-8*top {
			return fmt.Sprintf("σ_%d is %v, not %v, with residuals %g and %g", j, got.Singular[j], s, got.Left[j], got.Right[j])
		}
	}
	for j := range want.Singular {
		for i := range want.V.Rows {
			if gap := math.Abs(got.V.Data[i*got.V.Stride+j] - want.V.Data[i*want.V.Stride+j]); gap > 1e-6 {
				return fmt.Sprintf("direction %d differs by %g", j, gap)
			}
		}
		for i := range got.AV.Rows {
			if gap := math.Abs(got.AV.Data[i*got.AV.Stride+j] - want.AV.Data[(own.share.First()+i)*want.AV.Stride+j]); gap > 1e-6*top {
				return fmt.Sprintf("coordinate %d differs by %g", j, gap)
			}
		}
	}
	return ""
}

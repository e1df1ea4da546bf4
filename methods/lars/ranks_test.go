package lars

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// part returns rows [lo, hi) of x, of which there may be none.
func part(x mat.Matrix, lo, hi int) mat.Matrix {
	if s, ok := x.(*sparse.CSR); ok {
		var list []int
		for i := lo; i < hi; i++ {
			list = append(list, i)
		}
		return s.Select(list)
	}
	raw := x.(*mat.Dense).RawMatrix()
	var m mat.Dense
	m.SetRawMatrix(blas64.General{Rows: hi - lo, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data[lo*raw.Stride:][:(hi-lo)*raw.Stride]})
	return &m
}

// divisions are where the rows of ranks end, of n rows: some have none.
func divisions(n int) [][]int {
	return [][]int{{n}, {n / 3, n}, {0, n}, {n, n}, {5, 5, n}, {1, n / 2, n}}
}

// onRanks runs body on the ranks of a team with their rows of x and y.
func onRanks(x mat.Matrix, y *mat.Dense, ends []int, body func(ctx context.Context, share *ranks.Share, x mat.Matrix, y *mat.Dense)) {
	ranks.Together(len(ends), func(team ranks.Team) {
		r := team.Rank()
		lo := 0
		if r > 0 {
			lo = ends[r-1]
		}
		share := ranks.NewShare(team, ends[r]-lo)
		body(ranks.With(context.Background(), team), share, part(x, lo, ends[r]), part(y, lo, ends[r]).(*mat.Dense))
	})
}

// responsesOf are noisy sums of some columns, beside one that is constant.
func responsesOf(rng *rand.Rand, x mat.Matrix) *mat.Dense {
	n, p := x.Dims()
	y := mat.NewDense(n, 3, nil)
	for i := range n {
		y.Set(i, 0, 3*x.At(i, 0)-2*x.At(i, p/2)+0.3*rng.NormFloat64())
		y.Set(i, 1, x.At(i, 1)+x.At(i, p-1)+5+rng.NormFloat64())
		y.Set(i, 2, 4)
	}
	return y
}

func scattered(rng *rand.Rand, n, p int) *sparse.CSR {
	b := sparse.NewBuilder(n, p)
	for i := range n {
		b.Add(i, 2, 7) // constant
		for j := range p {
			if j == 3 || j != 2 && rng.IntN(4) == 0 {
				b.Add(i, j, 10*float64(j%2)+rng.NormFloat64()) // 3 is stored in full
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x
}

// Ranks that divide the rows find the paths and the ridge regressions of all rows.
func TestRanksFindTheSamePaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, size := range [][2]int{{40, 12}, {25, 60}} {
		x := scattered(rng, size[0], size[1])
		y := responsesOf(rng, x)
		for form, x := range map[string]mat.Matrix{"sparse": x, "dense": x.ToDense()} {
			for _, opt := range []Options{{Intercept: true}, {}, {Intercept: true, Ridge: 2}, {Positive: true, MaxTerms: 5}, {LAR: true, Intercept: true, MaxResidual: 0.3}} {
				if size[0] < size[1] { // at the end of a whole path all that is left is rounding
					opt.MaxTerms = 6
				}
				what := fmt.Sprintf("%v %s, %+v", size, form, opt)
				want := must.Get(Fit(context.Background(), x, y, opt))(t)
				for _, ends := range divisions(size[0]) {
					onRanks(x, y, ends, func(ctx context.Context, share *ranks.Share, x mat.Matrix, y *mat.Dense) {
						o := opt
						o.Share = share
						got, err := Fit(ctx, x, y, o)
						if err != nil {
							t.Errorf("%s, rows to %v: %v", what, ends, err)
							return
						}
						for k, path := range want {
							if k == 2 && !opt.Intercept { // the constant column is all of it
								continue
							}
							if d := pathDifference(path, got[k]); d != "" {
								t.Errorf("%s, rows to %v, rank %d, response %d: %s", what, ends, share.Rank(), k, d)
							}
						}
					})
				}
			}
			for _, opt := range []RidgeOptions{{Ridge: 2, Intercept: true}, {Ridge: 0.5}, {Ridge: 3, Intercept: true, Iterate: true}} {
				want := must.Get(Ridge(context.Background(), x, y, opt))(t)
				for _, ends := range divisions(size[0]) {
					onRanks(x, y, ends, func(ctx context.Context, share *ranks.Share, x mat.Matrix, y *mat.Dense) {
						o := opt
						o.Share = share
						got, err := Ridge(ctx, x, y, o)
						if err != nil || got.Converged != want.Converged || !mat.EqualApprox(got.Coefficients, want.Coefficients, 1e-8) ||
							!slices.EqualFunc(got.Intercepts, want.Intercepts, func(a, b float64) bool { return math.Abs(a-b) <= 1e-6 }) {
							t.Errorf("%v %s, %+v, rows to %v, rank %d: %v", size, form, opt, ends, share.Rank(), err)
						}
					})
				}
			}
		}
	}
}

// summing counts the sums that a rank takes part in.
type summing struct {
	ranks.Team
	count *int
}

func (s summing) Sum(x []float64) {
	*s.count++
	s.Team.Sum(x)
}

// Columns that tie cost the ranks a few sums for each that enters, and not one for each that waits;
// the path is one process's.
func TestRanksSumTiesAtOnce(t *testing.T) {
	const tied = 100
	x, y := mat.NewDense(tied, tied, nil), mat.NewDense(tied, 1, nil)
	for i := range tied {
		x.Set(i, i, 1)
		y.Set(i, 0, 2)
	}
	for name, opt := range map[string]Options{"all enter": {}, "parted": {MaxTerms: 60, PartTies: true}} {
		want := must.Get(Fit(context.Background(), x, y, opt))(t)
		onRanks(x, y, []int{tied / 2, tied}, func(ctx context.Context, share *ranks.Share, x mat.Matrix, y *mat.Dense) {
			count, o := 0, opt
			o.Share = &ranks.Share{Team: summing{share.Team, &count}, Bounds: share.Bounds}
			got, err := Fit(ctx, x, y, o)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if d := pathDifference(want[0], got[0]); d != "" || !slices.Equal(got[0].Parted, want[0].Parted) {
				t.Errorf("%s, rank %d: %s", name, share.Rank(), d)
			}
			if entered := tied + opt.MaxTerms; count > 5*entered+50 {
				t.Errorf("%s, rank %d: %d sums for %d columns that enter", name, share.Rank(), count, entered)
			}
		})
	}
}

// pathDifference says where two paths differ by more than rounding, "" if nowhere.
func pathDifference(want, got *Path) string {
	if got.Knots() != want.Knots() || got.Stopped != want.Stopped || !slices.Equal(got.Changes, want.Changes) || !slices.Equal(got.Constant, want.Constant) {
		return fmt.Sprintf("%d knots to %q with %v, not %d to %q with %v", got.Knots(), got.Stopped, got.Changes, want.Knots(), want.Stopped, want.Changes)
	}
	for k := range want.Knots() {
		at, values, intercept := want.At(k)
		also, others, other := got.At(k)
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-7*(1+math.Abs(a)) }
		if !slices.Equal(at, also) || !slices.EqualFunc(values, others, near) || !near(intercept, other) || !near(want.Penalty[k], got.Penalty[k]) || !near(want.Residual[k], got.Residual[k]) {
			return fmt.Sprintf("knot %d is %v %v, not %v %v", k, also, others, at, values)
		}
	}
	return ""
}

// What is wrong with the rows of one rank, or ends its context, ends the regressions of all.
func TestRanksEndTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	x := scattered(rng, 40, 12)
	y := responsesOf(rng, x)
	for name, change := range map[string]func(x, y mat.Matrix) error{
		"row":      func(x, _ mat.Matrix) error { x.(*sparse.CSR).Val[3] = math.NaN(); return fs.ErrInvalid },
		"response": func(_, y mat.Matrix) error { y.(*mat.Dense).Set(1, 1, math.Inf(1)); return fs.ErrInvalid },
		"context":  func(mat.Matrix, mat.Matrix) error { return context.Canceled },
	} {
		want := change(x.Clone(), mat.DenseCopyOf(y))
		onRanks(x, y, []int{20, 40}, func(ctx context.Context, share *ranks.Share, x mat.Matrix, y *mat.Dense) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			if share.Rank() == 1 {
				y = mat.DenseCopyOf(y)
				if change(x, y); want == context.Canceled {
					cancel()
				}
			}
			if _, err := Fit(ctx, x, y, Options{Share: share}); !errors.Is(err, want) {
				t.Errorf("%s: rank %d: %v", name, share.Rank(), err)
			}
			if _, err := Ridge(ctx, x, y, RidgeOptions{Ridge: 1, Share: share, Iterate: true}); !errors.Is(err, want) {
				t.Errorf("%s, ridge: rank %d: %v", name, share.Rank(), err)
			}
		})
	}
}

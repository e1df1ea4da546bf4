package spg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// own is what one rank has of x and of responses to it.
func own(team ranks.Team, x mat.Matrix, r *Responses) (*ranks.Share, mat.Matrix, *Responses) {
	n, _ := x.Dims()
	share := ranks.NewShare(team, n*(team.Rank()+1)/team.Size()-n*team.Rank()/team.Size())
	list := make([]int, share.Own())
	for i := range list {
		list[i] = share.First() + i
	}
	return share, rows.Select(x, list), r.ofShare(share)
}

// With the documents divided among ranks the directions, their description and the coordinates
// equal one process's, also where a rank has no document with a response.
func TestRanksFindTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	const n, p = 60, 25
	b := sparse.NewBuilder(n, p)
	known := make([]int, n)
	for i := range n {
		if known[i] = labels.Unknown; i < n/3 {
			known[i] = i % 3
		}
		for j := range p {
			if rng.IntN(3) == 0 {
				b.Add(i, j, 1+rng.Float64()+float64((i%3+j)%3))
			}
		}
	}
	x := must.Get(b.Build())(t)
	classes := must.Get(ClassResponses(known, 3))(t)
	all := &Responses{Y: mat.NewDense(n, 2, nil), Without: []int{0, 31}}
	all.Y.Apply(func(i, j int, _ float64) float64 { return x.At(i, j) - x.At(i, 7) + 0.1*rng.NormFloat64() }, all.Y)
	for name, r := range map[string]*Responses{"classes": classes, "numbers": all} {
		for form, x := range map[string]mat.Matrix{"sparse": x, "dense": x.ToDense()} {
			for _, opt := range []Options{{}, {Penalty: ElasticNet, Scale: Path}, {Penalty: Ridge, NormalizeRows: true}, {Penalty: Ridge, NoIntercept: true, iterate: true}} {
				if opt.Penalty != Ridge {
					opt.Terms.Count = 6
				}
				what := fmt.Sprintf("%s, %s, %+v", name, form, opt)
				want, err := FitResponses(context.Background(), x, r, opt)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				for size := 1; size <= 3; size++ {
					ranks.Together(size, func(team ranks.Team) {
						share, x, r := own(team, x, r)
						o := opt
						o.Share = share
						got, err := FitResponses(ranks.With(context.Background(), team), x, r, o)
						if err != nil {
							t.Errorf("%s: rank %d of %d: %v", what, team.Rank(), size, err)
							return
						}
						if d := modelDifference(share, want, got); d != "" {
							t.Errorf("%s: rank %d of %d: %s", what, team.Rank(), size, d)
						}
					})
				}
			}
		}
	}
}

// modelDifference says how a rank's model differs from one process's, "" if only by rounding.
func modelDifference(share *ranks.Share, want, got *Model) string {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-8*(1+math.Abs(a)) }
	_, d := want.Embedding.Dims()
	switch {
	case !slices.Equal(want.Cardinality, got.Cardinality) || want.Asked != got.Asked || want.Occurring != got.Occurring:
		return fmt.Sprintf("%v terms of %d, of %d that occur; not %v of %d, of %d", got.Cardinality, got.Asked, got.Occurring, want.Cardinality, want.Asked, want.Occurring)
	case !slices.EqualFunc(want.Intercepts, got.Intercepts, near):
		return fmt.Sprintf("the intercepts are %v, not %v", got.Intercepts, want.Intercepts)
	case !slices.EqualFunc(want.Correlations, got.Correlations, near):
		return fmt.Sprintf("the correlations are %v, not %v", got.Correlations, want.Correlations)
	case !mat.EqualApprox(want.Projection, got.Projection, 1e-8):
		return "the directions differ"
	case !mat.EqualApprox(want.Embedding.Slice(share.First(), share.First()+share.Own(), 0, d), got.Embedding, 1e-8):
		return "the coordinates differ"
	}
	return ""
}

// Without a response for any document all ranks say so; what is wrong on one rank is said by all.
func TestRanksRefuseTogether(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 2, 3, 1, 5, 5, 2, 2, 1, 0, 0, 4})
	r := &Responses{Y: mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), Without: []int{0, 1, 2, 3, 4, 5}}
	for name, r := range map[string]*Responses{"none": r, "beyond": {Y: r.Y, Without: []int{2}}} {
		ranks.Together(2, func(team ranks.Team) {
			share, x, r := own(team, x, r)
			if name == "beyond" && team.Rank() == 1 {
				r.Without = []int{3}
			}
			if _, err := FitResponses(ranks.With(context.Background(), team), x, r, Options{Share: share}); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%s: rank %d: %v", name, team.Rank(), err)
			}
		})
	}
}

// A value that is no number in a document without a response, which the projection alone reads, is
// an error on all ranks, with the number of the document.
func TestRanksRefuseDocumentWithoutResponse(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 2, 3, 1, 5, 5, 2, 2, 1, 0, 3, 4})
	s := must.Get(sparse.FromMatrix(x))(t)
	x.Set(5, 0, math.NaN())
	s.Val[s.RowPtr[5]] = math.NaN()
	r := &Responses{Y: mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), Without: []int{5}}
	for form, x := range map[string]mat.Matrix{"dense": x, "sparse": s} {
		for _, opt := range []Options{{}, {Penalty: Ridge}} {
			ranks.Together(2, func(team ranks.Team) {
				share, x, r := own(team, x, r)
				opt := opt
				opt.Share = share
				if _, err := FitResponses(ranks.With(context.Background(), team), x, r, opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "(5, 0)") {
					t.Errorf("%s, %s: rank %d: %v", form, opt.Penalty, team.Rank(), err)
				}
			})
		}
	}
}

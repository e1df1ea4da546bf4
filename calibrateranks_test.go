package eigenmap

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// TestRanksLookAtOneRanksDocuments: where the first documents have the known labels, all that are
// placed in a look are those of the last rank: clusters and confidences are still those of one
// process, of dense and of sparse rows.
func TestRanksLookAtOneRanksDocuments(t *testing.T) {
	defer func(few int) { request.FewDocuments = few }(request.FewDocuments)
	request.FewDocuments = 100
	const n, labelled = 400, 250
	rng := rand.New(rand.NewPCG(3, 4))
	x, known := mat.NewDense(n, 20, nil), make([]int, n)
	for i := range n {
		if known[i] = i % 2; i >= labelled {
			known[i] = -1
		}
		for j := range 20 {
			if j%2 == i%2 || rng.IntN(4) == 0 {
				x.Set(i, j, 1+rng.Float64())
			}
		}
	}
	s := must.Get(sparse.FromMatrix(x))(t)
	for _, rows := range []mat.Matrix{x, s} {
		opt := Options{Method: "label-propagation", Seed: 1, Known: &corpus.Given{Labels: known, ClassNames: []string{"a", "b"}}}
		want := must.Get(ClusterMatrix(context.Background(), rows, opt))(t)
		ranks.Together(2, func(team ranks.Team) {
			run, err := ClusterMatrix(ranks.With(context.Background(), team), rows, opt)
			if err != nil {
				t.Error(err)
				return
			}
			apart := func(a, b float64) int {
				if a-b > 1e-4 || b-a > 1e-4 {
					return 1
				}
				return 0
			}
			if !slices.Equal(run.Labels, want.Labels) || slices.CompareFunc(run.Confidence, want.Confidence, apart) != 0 {
				t.Errorf("%T: rank %d: %v, one process %v", rows, team.Rank(), fmt.Sprint(run.Confidence[:5], run.Notes()), want.Confidence[:5])
			}
		})
	}
}

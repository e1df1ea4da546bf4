package kmeans

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/mat"
)

// TestRanksFindTheSameClusters: the restarts of all ranks together are those of one process, with
// more ranks than restarts too.
func TestRanksFindTheSameClusters(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	x := mat.NewDense(300, 4, nil)
	x.Apply(func(i, _ int, _ float64) float64 { return float64(i%7) + 0.6*rng.NormFloat64() }, x)
	for _, restarts := range []int{1, 5} {
		opt := Options{K: 7, Restarts: restarts, Seed: 3}
		want, err := Fit(context.Background(), x, opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{2, 7} {
			ranks.Together(size, func(team ranks.Team) {
				got, err := Fit(ranks.With(context.Background(), team), x, opt)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%d restarts: rank %d of %d found another model: %v", restarts, team.Rank(), size, err)
				}
			})
		}
	}
}

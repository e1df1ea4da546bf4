package isomap

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// A fit that is stopped goes on with its finished distances, eigenpairs and embedding, bit for bit.
func TestStoppedAndResumed(t *testing.T) {
	x := rolled(sheet(300, 4))
	apart := mat.NewDense(310, 3, nil) // ten points far from the others
	for i := range 300 {
		apart.SetRow(i, x.RawRowView(i))
	}
	for i := range 10 {
		apart.SetRow(300+i, []float64{1e3, float64(i), 0})
	}
	for name, opt := range map[string]Options{
		"all":       {Dims: 2},
		"landmarks": {Dims: 3, Landmarks: 40, Seed: 5},
		"maxmin":    {Dims: 2, Landmarks: 30, Pick: MaxMin, NormalizeRows: true},
		"joined":    {Dims: 2, Parts: Join, Landmarks: 50},
	} {
		t.Run(name, func(t *testing.T) {
			opt.Graph = graph.Options{Neighbors: 6}
			storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (any, error) {
				opt := opt
				opt.Observer, opt.Graph.Observer, opt.Eigen.Observer = o, o, o
				m, err := Fit(ctx, apart, opt)
				if err != nil {
					return nil, err
				}
				return []any{m.Embedding, m.Coordinates, m.Values, m.Residuals, m.ResidualVariance, m.Outside, m.Links, m.Landmarks, m.paths.Offset, m.paths.Projection}, nil
			})
		})
	}
}

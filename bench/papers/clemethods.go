package papers

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"gonum.org/v1/gonum/mat"
)

// cleRestarts is how often k-means and NMF start.
const cleRestarts = 10

// cleColumns are the paper's methods, in its order.
func cleColumns() []Column {
	columns := []Column{
		{Method: "kmeans", Name: "k-means", score: scoreKMeans},
		{Method: "le", Name: "LE", score: scoreLE},
	}
	return columns
}

func scoreKMeans(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	return cluster(ctx, u, u.X)
}

func scoreLE(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	g, err := u.Graph(ctx)
	if err != nil {
		return nil, err
	}
	m, err := le.FitGraph(ctx, g, leOptions(u))
	if err != nil {
		return nil, err
	}
	return cluster(ctx, u, m.Embedding)
}

func leOptions(u *Unit) le.Options {
	opt := le.Options{Dims: u.K, Skip: le.SkipNone}
	opt.Eigen.Seed = u.Seed
	return opt
}

// cluster runs k-means on the rows of y and compares with the classes.
func cluster(ctx context.Context, u *Unit, y mat.Matrix) ([]float64, error) {
	m, err := kmeans.Fit(ctx, y, kmeans.Options{K: u.K, Restarts: cleRestarts, Seed: u.Seed})
	if err != nil {
		return nil, err
	}
	return agreement(u, m.Labels)
}

package papers

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/nmf"
	"github.com/eigenmap/eigenmap/methods/semile"
	"gonum.org/v1/gonum/mat"
)

// cleRestarts is how often k-means and NMF start.
const cleRestarts = 10

// cleColumns are the paper's methods, in its order.
func cleColumns() []Column {
	columns := []Column{
		{Method: "kmeans", Name: "k-means", score: scoreKMeans},
		{Method: "lsi", Name: "LSI", score: scoreLSI},
		{Method: "nmf", Name: "NMF-NCW", score: scoreNMF},
		{Method: "le", Name: "LE", score: scoreLE},
	}
	for _, share := range cleShares {
		columns = append(columns,
			Column{Method: "semi-le", Name: "Semi-LE", Share: share, score: withLabels(share, embedSemiLE)},
			Column{Method: "cle", Name: "CLE", Share: share, score: withLabels(share, embedCLE)})
	}
	return columns
}

func scoreKMeans(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	return cluster(ctx, u, u.X)
}

func scoreLSI(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	m, err := lsi.Fit(ctx, u.X, lsi.Options{Dims: u.K, Seed: u.Seed})
	if err != nil {
		return nil, err
	}
	return cluster(ctx, u, m.Embedding)
}

// scoreNMF takes NMF's own clusters: the topic of the largest coefficient.
func scoreNMF(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	m, err := nmf.Fit(ctx, u.X, nmf.Options{Dims: u.K, Weighting: nmf.NCW, Restarts: cleRestarts, Seed: u.Seed})
	if err != nil {
		return nil, err
	}
	return agreement(u, m.Labels)
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

// withLabels draws the labels of a case, embeds the unit's graph with them and clusters.
func withLabels(share float64, embed func(ctx context.Context, g *graph.Graph, known []int, u *Unit) (*mat.Dense, error)) func(context.Context, *Unit, uint64) ([]float64, error) {
	return func(ctx context.Context, u *Unit, labelSeed uint64) ([]float64, error) {
		g, err := u.Graph(ctx)
		if err != nil {
			return nil, err
		}
		known, err := labels.Draw(u.Truth, share, labelSeed)
		if err != nil {
			return nil, err
		}
		y, err := embed(ctx, g, known, u)
		if err != nil {
			return nil, err
		}
		return cluster(ctx, u, y)
	}
}

func embedSemiLE(ctx context.Context, g *graph.Graph, known []int, u *Unit) (*mat.Dense, error) {
	m, err := semile.FitGraph(ctx, g, known, u.K, leOptions(u))
	if err != nil {
		return nil, err
	}
	return m.Embedding, nil
}

func embedCLE(ctx context.Context, g *graph.Graph, known []int, u *Unit) (*mat.Dense, error) {
	var opt cle.Options
	opt.Eigen.Seed = u.Seed
	m, err := cle.FitGraph(ctx, g, known, u.K, opt)
	if err != nil {
		return nil, err
	}
	return m.Embedding, nil
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

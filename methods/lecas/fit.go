package lecas

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted embedding.
type Model struct {
	// Model is that of Laplacian Eigenmaps on the adjusted graph; its Graph is the graph as it was before.
	*le.Model
	// Adjusted is the graph with the adjusted weights.
	Adjusted *graph.Graph
	// Choice is the first clustering; nil where labels were given.
	Choice *Choice
	// Centroids are those of the first clustering.
	Centroids *Centroids
	// Sigma is σ_m, given or computed, Width the denominator of the heat kernels that it makes.
	Sigma, Width float64
	// Between is the share of the edges that join different clusters, Lost how many of them vanished because their weight became 0.
	Between float64
	Lost    int
}

// Fit embeds the rows of x by LE-CAS. Cost: ChooseClusters, graph.Build and le.FitGraph. Errors are theirs: a request or data that are wrong
// (fs.ErrInvalid), the context's, and *eigen.NotConvergedError, with which comes a model.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	sigma, err := opt.sigma(ctx, x)
	if err != nil {
		return nil, err
	}
	choice, err := opt.cluster(ctx, x)
	if err != nil {
		return nil, err
	}
	g, err := graph.Build(ctx, x, opt.complete(opt.width(sigma)).Graph)
	if err != nil {
		return nil, err
	}
	return fit(ctx, g, x, sigma, choice, opt)
}

// FitGraph is Fit on a graph that is there already, of any weights; x are its points, from which the clustering and the centroids come.
func FitGraph(ctx context.Context, g *graph.Graph, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	sigma, err := opt.sigma(ctx, x)
	if err != nil {
		return nil, err
	}
	if n, _ := x.Dims(); n != g.W.NumRows {
		return nil, invalid.Errorf("there are %d rows for a graph of %d points", n, g.W.NumRows)
	}
	choice, err := opt.cluster(ctx, x)
	if err != nil {
		return nil, err
	}
	return fit(ctx, g, x, sigma, choice, opt)
}

// sigma is σ_m. It checks the labels too, before the long work.
func (o Options) sigma(ctx context.Context, x mat.Matrix) (float64, error) {
	if x == nil {
		return 0, invalid.Errorf("there is no data matrix")
	}
	if n, _ := x.Dims(); o.Labels != nil && len(o.Labels) != n {
		return 0, invalid.Errorf("there are %d labels for %d rows", len(o.Labels), n)
	}
	if o.Sigma > 0 {
		return o.Sigma, nil
	}
	return kernelkmeans.MeanSquaredDistance(ctx, x)
}

// cluster is the first clustering, nil where labels are given.
func (o Options) cluster(ctx context.Context, x mat.Matrix) (*Choice, error) {
	if o.Labels != nil {
		return nil, nil
	}
	return ChooseClusters(ctx, x, o.Search)
}

func fit(ctx context.Context, g *graph.Graph, x mat.Matrix, sigma float64, choice *Choice, opt Options) (*Model, error) {
	m := &Model{Choice: choice, Sigma: sigma, Width: opt.width(sigma)}
	labels := opt.Labels
	if choice != nil {
		labels = choice.Labels
	}
	var err error
	if m.Centroids, err = NewCentroids(ctx, x, labels, m.Width); err != nil {
		return nil, err
	}
	if m.Adjusted, err = m.Centroids.Adjust(g); err != nil {
		return nil, err
	}
	m.Between = m.Centroids.between(g)
	m.Lost = (g.W.NNZ() - m.Adjusted.W.NNZ()) / 2
	if m.Lost > 0 {
		opt.Search.Observer.Notef("first clusters", "%d of %d edges are gone because their clusters are too far apart for σ = %.3g", m.Lost, g.W.NNZ()/2, sigma)
	}
	m.Model, err = le.FitGraph(ctx, m.Adjusted, opt.complete(m.Width))
	if m.Model == nil {
		return nil, err
	}
	m.Model.Graph = g
	return m, err
}

// between is the share of edges that join different clusters.
func (c *Centroids) between(g *graph.Graph) float64 {
	across := 0
	for i := range g.W.NumRows {
		js, _ := g.W.Row(i)
		for _, j := range js {
			if a, b := c.Labels[i], c.Labels[j]; a >= 0 && b >= 0 && a != b {
				across++
			}
		}
	}
	return float64(across) / float64(max(1, g.W.NNZ()))
}

package lecas

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted embedding.
type Model struct {
	// Model is the model of Laplacian Eigenmaps on the adjusted graph. Its Graph is the graph before
	// the adjustment.
	*le.Model
	// Adjusted is the graph with the adjusted weights.
	Adjusted *graph.Graph
	// Choice is the first clustering; nil if labels were given.
	Choice *Choice
	// Centroids are the centres of the first clustering.
	Centroids *Centroids
	// Sigma is σ_m, given or computed. Width is the denominator of the heat kernels, σ_m or its
	// square.
	Sigma, Width float64
	// Between is the share of the edges that join different clusters. Lost is the number of edges that
	// were left out because their weight became 0.
	Between float64
	Lost    int
}

// Fit embeds the rows of x by LE-CAS. Cost: ChooseClusters, graph.Build and le.FitGraph. Errors are
// theirs: a request or data that are wrong (fs.ErrInvalid), the context's, and
// *eigen.NotConvergedError together with a model.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	opt, err := opt.prepare(ctx, x)
	if err != nil {
		return nil, err
	}
	g, err := graph.Build(ctx, x, opt.LE.Graph)
	if err != nil {
		return nil, err
	}
	return opt.fit(ctx, g, x)
}

// FitGraph is Fit on a given graph of any weights. x are its points, for the clustering and the
// centroids. Of opt.LE.Graph only the parameters of the polynomial kernel count.
func FitGraph(ctx context.Context, g *graph.Graph, x mat.Matrix, opt Options) (*Model, error) {
	opt.LE.Graph = graph.Options{Weight: graph.Binary, PolyDegree: opt.LE.Graph.PolyDegree, PolyOffset: opt.LE.Graph.PolyOffset}
	opt, err := opt.prepare(ctx, x)
	if err != nil {
		return nil, err
	}
	if n, _ := x.Dims(); n != g.W.NumRows {
		return nil, invalid.Errorf("there are %d rows for a graph of %d points", n, g.W.NumRows)
	}
	return opt.fit(ctx, g, x)
}

// prepare checks the options and fills in their defaults, before the long work.
func (o Options) prepare(ctx context.Context, x mat.Matrix) (Options, error) {
	if err := invalid.Join(o.Validate(), o.checkFirst(o.Labels != nil)); err != nil {
		return o, err
	}
	if o.LE.Dims < 1 {
		return o, invalid.Errorf("the number of dimensions is %d; it must be at least 1", o.LE.Dims)
	}
	return o.complete(ctx, x)
}

// fit is the work on the graph g, of options that are complete.
func (o Options) fit(ctx context.Context, g *graph.Graph, x mat.Matrix) (*Model, error) {
	choice, err := o.cluster(ctx, x)
	if err != nil {
		return nil, err
	}
	return o.embed(ctx, g, x, choice)
}

// cluster is the first clustering, nil if labels are given.
func (o Options) cluster(ctx context.Context, x mat.Matrix) (*Choice, error) {
	if o.Labels != nil {
		return nil, nil
	}
	return ChooseClusters(ctx, x, o.Search)
}

// embed adjusts the graph g by the first clustering, nil for o.Labels, and embeds it.
func (o Options) embed(ctx context.Context, g *graph.Graph, x mat.Matrix, choice *Choice) (*Model, error) {
	m := &Model{Choice: choice, Sigma: o.Sigma, Width: o.width()}
	labels := o.Labels
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
	m.Model, err = le.FitGraph(ctx, m.Adjusted, o.LE)
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

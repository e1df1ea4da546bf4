package lecas

import (
	"cmp"
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"gonum.org/v1/gonum/mat"
)

// Denominator is what the squared distance is divided by in both heat kernels.
type Denominator string

// The two readings.
const (
	Sigma        Denominator = "sigma"   // exp(−d²/σ_m). The default
	SigmaSquared Denominator = "sigma^2" // exp(−d²/σ_m²)
)

// DefaultNeighbors is the default of LE.Graph.Neighbors, bounded by the number of other rows.
const DefaultNeighbors = 10

// Options of Fit. The zero value of every field but LE.Dims is its default. Through the contract of
// package method LE.Dims may be 0 too.
type Options struct {
	// Search says how the first clustering is found.
	Search Search `json:"search" flags:"*" group:"first clustering"`
	// Labels, if it is not nil, is the first clustering itself: a label for each row. Labels are
	// arbitrary; a row with a negative one belongs to no cluster and keeps its weights.
	Labels []int `json:"-"`
	// Sigma is σ_m of both heat kernels; 0 = the mean squared distance of two rows.
	Sigma float64 `json:"sigma,omitempty" flag:"sigma" range:">0" unset:"the mean of d² over all pairs of documents" help:"σ in exp(-d²/σ) of edges and of centroids" group:"method"`
	// Denominator; "" = sigma.
	Denominator Denominator `json:"denominator,omitempty" flag:"denominator" choices:"sigma|sigma^2" default:"sigma" help:"what d² is divided by in both heat kernels" group:"method"`
	// LE holds the dimensions, the graph and the eigensolver. Its defaults differ from Laplacian
	// Eigenmaps': Graph.Neighbors is 10, or all other rows if there are fewer; Graph.Weight is heat;
	// and Graph.HeatWidth is the denominator if Graph.HeatRule is unset.
	LE le.Options `json:"le" flags:"*,-graph-kind,-landmarks" defaults:"neighbors=(10, or all others if there are fewer);edge-weight=heat;heat-width=(the denominator of the other heat kernel);heat-rule=(none: the width is the denominator of the other heat kernel)"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds what depends
// on the data.
func (o Options) Validate() error {
	own := o
	own.Search, own.LE = Search{}, le.Options{} // which check themselves
	var unused error
	if g := o.LE.Graph; g.LocalNeighbor > 0 && g.HeatRule != graph.LocalWidth {
		unused = invalid.Errorf("‹local-neighbor› has no effect without ‹heat-rule› local: leave it out")
	}
	return invalid.Join(option.Check(&own), o.LE.Validate(), o.Search.Validate(), unused)
}

// withDefaults fills in what the data do not decide, but for the first clustering.
func (o Options) withDefaults() Options {
	option.Default(&o)
	o.LE.Graph.Weight = cmp.Or(o.LE.Graph.Weight, graph.Heat)
	o.Search = o.Search.withKernelOf(o.LE.Graph)
	return o
}

// complete fills in what the rows x decide: σ_m, the neighbours and the width of the heat kernel.
func (o Options) complete(ctx context.Context, x mat.Matrix) (Options, error) {
	o = o.withDefaults()
	if x == nil {
		return o, invalid.Errorf("there is no data matrix")
	}
	n, _ := x.Dims()
	if o.Labels != nil && len(o.Labels) != n {
		return o, invalid.Errorf("there are %d labels for %d rows", len(o.Labels), n)
	}
	var err error
	if o.Sigma == 0 {
		if o.Sigma, err = kernelkmeans.MeanSquaredDistance(ctx, x); err != nil {
			return o, err
		}
	}
	g := &o.LE.Graph
	if g.Neighbors == 0 && g.Epsilon == 0 {
		g.Neighbors = max(1, min(DefaultNeighbors, n-1))
	}
	if g.Weight == graph.Heat && g.HeatWidth == 0 && g.HeatRule == "" {
		g.HeatWidth, err = o.heatWidth()
	}
	return o, err
}

// width is the denominator of both heat kernels.
func (o Options) width() float64 {
	if o.Denominator == SigmaSquared {
		return o.Sigma * o.Sigma
	}
	return o.Sigma
}

// heatWidth is the denominator as the width of a graph's heat kernel. It refuses a square that
// overflows or underflows.
func (o Options) heatWidth() (float64, error) {
	t := o.width()
	if o.Denominator == SigmaSquared && (t == 0 || math.IsInf(t, 1)) {
		return 0, invalid.Errorf("the square of σ = %.4g is outside the range of 64-bit numbers: give another ‹sigma›, or ‹denominator› sigma", o.Sigma)
	}
	return t, nil
}

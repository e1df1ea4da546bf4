package graph

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/approx"
	"github.com/eigenmap/eigenmap/progress"
)

// Weight names the weight of an edge between x and y at squared distance d².
type Weight string

const (
	// Dot is x·y; edges with a value that is not positive are left out. The default for sparse
	// data.
	Dot Weight = "dot"
	// Binary is 1.
	Binary Weight = "binary"
	// Heat is exp(-d²/t). The default for dense data.
	Heat Weight = "heat"
	// Poly is (offset + x·y)^degree; edges with a base that is not positive are left out.
	Poly Weight = "poly"
)

// Symmetry names the rule that makes "j is among the k nearest of i" symmetric.
type Symmetry string

const (
	Union  Symmetry = "union"  // edge if either is among the other's k. The default
	Mutual Symmetry = "mutual" // edge if each is among the other's k
	Sum    Symmetry = "sum"    // as union, with twice the weight if each is among the other's k
)

// WidthRule names the rule for the width of the heat kernel if none is given.
type WidthRule string

const (
	MeanWidth   WidthRule = "mean"   // t = the mean of d² over the edges. The default
	MedianWidth WidthRule = "median" // t = the median of d² over the edges
	PairsWidth  WidthRule = "pairs"  // t = the mean of d² over all pairs of documents, edges or not
	// LocalWidth gives each point a scale σ, its distance to its LocalNeighbor-th neighbour, and
	// each edge t = σ_i·σ_j (Zelnik-Manor and Perona 2004, "Self-tuning spectral clustering",
	// eq. 3).
	LocalWidth WidthRule = "local"
)

// Search names the way in which the nearest neighbours are found.
type Search string

const (
	// AutoSearch is approximate from [ApproxRows] documents or [DenseApproxRows] dense rows on
	// where that is faster. The default.
	AutoSearch   Search = "auto"
	ExactSearch  Search = "exact"  // [Nearest]
	ApproxSearch Search = "approx" // [Approximate]
)

// DefaultLocalNeighbor is Options.LocalNeighbor if that is 0, as in the paper.
const DefaultLocalNeighbor = 7

// DefaultNeighbors is Options.Neighbors if that is 0.
const DefaultNeighbors = 15

// Options describe the graph to build. The zero value is the union graph of the 15 nearest
// neighbours, weighted by the dot product (sparse data) or the heat kernel (dense data).
type Options struct {
	// Neighbors is k, less than the number of documents; 0 = 15, or all others if there are fewer.
	Neighbors int `json:"neighbors" flag:"neighbors" range:">=1" when:"epsilon=" unset:"15, or all others if there are fewer" help:"nearest neighbours of each document in the graph"`
	// Search finds them; "" = auto. An approximate search reports its recall on a sample.
	Search Search `json:"neighbors_method,omitempty" flag:"neighbors-method" choices:"auto|exact|approx" default:"auto" when:"epsilon=" help:"search for neighbours: exact; approx, which finds nearly all of them in time proportional to the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is faster"`
	// Seed decides the random choices of an approximate search.
	Seed uint64 `json:"-"`
	// Epsilon > 0 joins all points within this Euclidean distance (inclusive); Neighbors is then
	// ignored.
	Epsilon float64 `json:"epsilon,omitempty" flag:"epsilon" range:">0" help:"join all documents within this distance, in place of the nearest neighbours"`
	// Weight of the edges; "" = dot for sparse data, heat for dense data.
	Weight Weight `json:"edge_weight" flag:"edge-weight" choices:"dot|binary|heat|poly" sparse:"dot" dense:"heat" unset:"dot for sparse data, heat for dense data" help:"weight of an edge"`
	// HeatWidth is t in exp(-d²/t); 0 = chosen by HeatRule. For LocalWidth it is a factor,
	// t = HeatWidth·σ_i·σ_j, and 0 = 1.
	HeatWidth float64 `json:"heat_width,omitempty" flag:"heat-width" range:">0" when:"edge-weight=heat" unset:"the mean squared distance over the edges" help:"t in the heat kernel exp(-d²/t)"`
	// HeatRule chooses the width if none is given; "" = mean.
	HeatRule WidthRule `json:"heat_rule,omitempty" flag:"heat-rule" choices:"mean|median|pairs|local" default:"mean" when:"edge-weight=heat; heat-width= | heat-rule=local" help:"how the width of the heat kernel is found: the mean or the median of d² over the edges, the mean over all pairs, or local: a scale for each document"`
	// LocalNeighbor is the number of the neighbour whose distance is the scale of LocalWidth;
	// 0 = 7. A point with fewer edges uses its longest.
	LocalNeighbor int `json:"local_neighbor,omitempty" flag:"local-neighbor" range:">=1" default:"7" when:"heat-rule=local" help:"the neighbour whose distance is the scale of a document"`
	// PolyDegree is the degree in (offset + x·y)^degree; 0 = 2.
	PolyDegree int `json:"poly_degree,omitempty" flag:"poly-degree" range:">=1" default:"2" when:"edge-weight=poly | kernel=polynomial" help:"degree of the polynomial kernel"`
	// PolyOffset is the offset in (offset + x·y)^degree; 0 = 1.
	PolyOffset float64 `json:"poly_offset,omitempty" flag:"poly-offset" range:">0" default:"1" when:"edge-weight=poly | kernel=polynomial" help:"constant of the polynomial kernel"`
	// Symmetry of the graph; "" = union. In an ε-graph every edge holds in both directions: union
	// and mutual agree, and sum doubles the weights.
	Symmetry Symmetry `json:"symmetry" flag:"symmetry" choices:"union|mutual|sum" default:"union" help:"an edge if either document is among the other's neighbours, if both are, or their sum"`
	// Share says which of all rows this rank has; the graph then has the edges of these rows alone.
	// nil: all rows are here.
	Share    *ranks.Share      `json:"-"`
	Observer progress.Observer `json:"-"`
}

// Validate returns an error that lists all violations, one per line; errors.Is(err, fs.ErrInvalid).
func (o Options) Validate() error {
	return option.Check(&o)
}

// withDefaults fills in the defaults; dense is the kind of data, n the number of documents.
func (o Options) withDefaults(dense bool, n int) Options {
	option.Default(&o)
	o.Neighbors = cmp.Or(o.Neighbors, min(DefaultNeighbors, n-1))
	if o.Weight == "" {
		o.Weight = Dot
		if dense {
			o.Weight = Heat
		}
	}
	return o
}

// Shares reports whether ranks can build such a graph of rows of which each has its own.
func (o *Options) Shares() bool { return o.Epsilon == 0 }

const (
	// ApproxRows is the number of sparse rows from which [AutoSearch] may be approximate.
	ApproxRows = 200_000
	// DenseApproxRows is the least number of dense rows, whose approximate search misses fewer
	// neighbours.
	DenseApproxRows = 50_000
	// GoalRecall is the recall on the sample from which [Approximate] stops searching.
	GoalRecall = approx.GoalRecall
	// RecallSample is the number of rows on which the recall is measured.
	RecallSample = approx.SampleRows
)

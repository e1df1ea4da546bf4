package graphssl

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/progress"
)

// Defaults of zero values.
const (
	DefaultNeighbors   = 5   // k' of both papers
	DefaultLabelWeight = 1e8 // M
	DefaultTol         = 1e-10
	DefaultMaxIter     = 5000
)

// NotConvergedError says that the residual stayed above Options.Tol. The model of what was reached
// comes with it.
type NotConvergedError = cg.NotConvergedError

// Targets are the values of labelled documents in the column of a class.
type Targets string

// The targets. They must fit the start: scores around zero, or shares.
const (
	Signed    Targets = "signed"    // 1 in its class, −1 in others. The default
	Indicator Targets = "indicator" // 1 and 0
)

// Options of a fit. The zero value is the setting of the Semi-LDC paper, with Goldberg and Zhu's α,
// β and M, of which it gives no values.
type Options struct {
	// LabeledNeighbors is k; 0 = a tenth of the labelled documents, rounded down, at least 1. There
	// are never more than labelled documents.
	LabeledNeighbors int `json:"labeled_neighbors,omitempty" flag:"labeled-neighbors" range:">=1" unset:"a tenth of them" help:"nearest documents with a label that each other document is joined to"`
	// Neighbors is k', of the documents without a label; 0 = 5. There are never more than other
	// unlabelled documents.
	Neighbors int `json:"neighbors,omitempty" flag:"neighbors" range:">=1" unset:"5, or all others if there are fewer" help:"nearest documents without a label that each document without one is joined to"`
	// Alpha is α = ak + bk' > 0, the weight of the graph; 0 = 1.5, Goldberg and Zhu's choice by
	// cross-validation.
	Alpha float64 `json:"alpha,omitempty" flag:"lambda" range:">0" default:"1.5" help:"weight of the graph against the classifier's scores"`
	// Beta is β = b/a ≥ 0, the weight of unlabelled neighbours relative to labelled ones; nil = 1. 0
	// leaves unlabelled neighbours out.
	Beta *float64 `json:"beta,omitempty" flag:"beta" range:">=0" default:"1" help:"weight of neighbours without a label relative to neighbours with one"`
	// LabelWeight is M > 0; 0 = 1e8.
	LabelWeight float64 `json:"label_weight,omitempty" range:">=0"`

	// Weight is w_ij of an edge; "" = dot for sparse data (the cosine of unit rows), heat for dense
	// data.
	Weight graph.Weight `json:"edge_weight,omitempty" flag:"edge-weight" choices:"dot|binary|heat" sparse:"dot" dense:"heat" unset:"dot for sparse data, heat for dense data" help:"weight of an edge"`
	// HeatWidth is t in exp(-d²/t); 0 = the mean of d² over the edges.
	HeatWidth float64 `json:"heat_width,omitempty" flag:"heat-width" range:">0" when:"edge-weight=heat" unset:"the mean squared distance over the edges" help:"t in the heat kernel exp(-d²/t)"`
	// Symmetry is the weight of an edge that both ends chose: graph.Union takes it once (default, as
	// in the paper's matrices), graph.Sum twice (as in its sums).
	Symmetry graph.Symmetry `json:"symmetry,omitempty" flag:"symmetry" choices:"union|sum" default:"union" help:"an edge that both documents chose counts once (union) or twice (sum)"`
	// Targets of labelled documents; "" = signed.
	Targets Targets `json:"targets,omitempty" choices:"signed|indicator"`

	Tol     float64 `json:"tol,omitempty" range:"0<=x<1"`   // see Model.Residual; 0 = 1e-10
	MaxIter int     `json:"max_iter,omitempty" range:">=1"` // products with the graph at most; 0 = 5,000
	// Observer receives the stages "neighbours" and "graph-based learning" (products done) and notes.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds errors that
// depend on the data.
func (o Options) Validate() error {
	return option.Check(&o)
}

// joined returns how many labelled and unlabelled documents one is joined to.
func (o Options) joined(labelled, unlabelled int) (with, without int) {
	with = min(cmp.Or(o.LabeledNeighbors, max(1, labelled/10)), labelled)
	return with, max(0, min(cmp.Or(o.Neighbors, DefaultNeighbors), unlabelled-1))
}

// withDefaults fills in the defaults, for sparse or dense data with the given numbers of labelled
// and unlabelled documents.
func (o Options) withDefaults(sparse bool, labelled, unlabelled int) Options {
	option.Default(&o)
	o.LabeledNeighbors, o.Neighbors = o.joined(labelled, unlabelled)
	o.LabelWeight = cmp.Or(o.LabelWeight, DefaultLabelWeight)
	if o.Weight == "" {
		o.Weight = graph.Heat
		if sparse {
			o.Weight = graph.Dot
		}
	}
	o.Targets = cmp.Or(o.Targets, Signed)
	o.Tol = cmp.Or(o.Tol, DefaultTol)
	o.MaxIter = cmp.Or(o.MaxIter, DefaultMaxIter)
	return o
}

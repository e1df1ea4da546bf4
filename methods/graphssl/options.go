package graphssl

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/progress"
)

// Defaults of zero values.
const (
	DefaultUnlabeledNeighbors = 5   // k' of both papers
	DefaultAlpha              = 1.5 // Goldberg and Zhu's choice by cross-validation
	DefaultBeta               = 1
	DefaultLabelWeight        = 1e8 // M
	DefaultTol                = 1e-10
	DefaultMaxIter            = 5000
)

// NotConvergedError tells that the residual stayed above Options.Tol. The model of what was reached comes with it.
type NotConvergedError = cg.NotConvergedError

// Targets are the values of labelled documents in the column of a class.
type Targets string

// The targets. They must fit the start: scores around zero, or shares.
const (
	Signed    Targets = "signed"    // 1 in its class, −1 in others. The default
	Indicator Targets = "indicator" // 1 and 0
)

// Options of a fit. The zero value is the setting of the Semi-LDC paper, with Goldberg and Zhu's α, β and M, which it does not tell.
type Options struct {
	// LabeledNeighbors is k; 0 = a tenth of the labelled documents, rounded down, at least 1. There are never more than labelled documents.
	LabeledNeighbors int `json:"labeled_neighbors,omitempty" yaml:"labeled_neighbors,omitempty"`
	// UnlabeledNeighbors is k'; 0 = 5. There are never more than other unlabelled documents.
	UnlabeledNeighbors int `json:"unlabeled_neighbors,omitempty" yaml:"unlabeled_neighbors,omitempty"`
	// Alpha is α = ak + bk' > 0, the weight of the graph; 0 = 1.5.
	Alpha float64 `json:"alpha,omitempty" yaml:"alpha,omitempty"`
	// Beta is β = b/a ≥ 0, the weight of unlabelled neighbours over that of labelled ones; 0 = 1. [NoUnlabeled] leaves them out.
	Beta float64 `json:"beta,omitempty" yaml:"beta,omitempty"`
	// NoUnlabeled means β = 0: unlabelled documents hear labelled ones only.
	NoUnlabeled bool `json:"no_unlabeled,omitempty" yaml:"no_unlabeled,omitempty"`
	// LabelWeight is M > 0; 0 = 1e8.
	LabelWeight float64 `json:"label_weight,omitempty" yaml:"label_weight,omitempty"`

	// Weight is w_ij of an edge; "" = dot for sparse data (the cosine of unit rows), heat for dense data. [graph.Poly] is not offered.
	Weight graph.Weight `json:"edge_weight,omitempty" yaml:"edge_weight,omitempty"`
	// HeatWidth is t in exp(-d²/t); 0 = the mean of d² over the edges.
	HeatWidth float64 `json:"heat_width,omitempty" yaml:"heat_width,omitempty"`
	// Symmetry says how often an edge counts that both ends chose: graph.Union once (default, as in the paper's matrices), graph.Sum twice (as in its sums).
	Symmetry graph.Symmetry `json:"symmetry,omitempty" yaml:"symmetry,omitempty"`
	// Targets of labelled documents; "" = signed.
	Targets Targets `json:"targets,omitempty" yaml:"targets,omitempty"`

	Tol     float64 `json:"tol,omitempty" yaml:"tol,omitempty"`           // see Model.Residual; 0 = 1e-10
	MaxIter int     `json:"max_iter,omitempty" yaml:"max_iter,omitempty"` // 0 = 5,000
	// MaxMemory bounds edges and blocks of documents × classes, in bytes; 0 = 16 GiB.
	MaxMemory int64 `json:"max_memory,omitempty" yaml:"max_memory,omitempty"`
	// Observer hears the stages "neighbours" and "graph-based learning": products done, and notes.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	for _, count := range []struct {
		name  string
		value int64
	}{
		{"number of labelled neighbours", int64(o.LabeledNeighbors)}, {"number of unlabelled neighbours", int64(o.UnlabeledNeighbors)},
		{"number of iterations", int64(o.MaxIter)}, {"memory", o.MaxMemory},
	} {
		if count.value < 0 {
			wrong("the %s must not be negative, but is %d", count.name, count.value)
		}
	}
	for _, number := range []struct {
		name  string
		value float64
	}{
		{"alpha", o.Alpha}, {"beta", o.Beta}, {"weight of labels", o.LabelWeight}, {"width of the heat kernel", o.HeatWidth},
	} {
		if !(number.value >= 0) || math.IsInf(number.value, 1) {
			wrong("the %s must be a number that is not negative, not %v", number.name, number.value)
		}
	}
	if o.NoUnlabeled && o.Beta != 0 {
		wrong("beta is %v, but unlabelled neighbours shall be left out: give one of them", o.Beta)
	}
	switch o.Weight {
	case "", graph.Dot, graph.Binary, graph.Heat:
	default:
		wrong("unknown weight %q of an edge: choose %q, %q or %q", string(o.Weight), string(graph.Dot), string(graph.Binary), string(graph.Heat))
	}
	switch o.Symmetry {
	case "", graph.Union, graph.Sum:
	default:
		wrong("unknown symmetry %q: choose %q or %q", string(o.Symmetry), string(graph.Union), string(graph.Sum))
	}
	switch o.Targets {
	case "", Signed, Indicator:
	default:
		wrong("unknown targets %q: choose %q or %q", string(o.Targets), string(Signed), string(Indicator))
	}
	if !(o.Tol >= 0 && o.Tol < 1) {
		wrong("the tolerance must be at least 0 and below 1, not %v", o.Tol)
	}
	return invalid.Join(errs...)
}

// withDefaults resolves what has a default, for sparse or dense data with so many labelled and unlabelled documents.
func (o Options) withDefaults(sparse bool, labelled, unlabelled int) Options {
	if o.LabeledNeighbors == 0 {
		o.LabeledNeighbors = max(1, labelled/10)
	}
	if o.UnlabeledNeighbors == 0 {
		o.UnlabeledNeighbors = DefaultUnlabeledNeighbors
	}
	o.LabeledNeighbors = min(o.LabeledNeighbors, labelled)
	o.UnlabeledNeighbors = max(0, min(o.UnlabeledNeighbors, unlabelled-1))
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.Beta == 0 && !o.NoUnlabeled {
		o.Beta = DefaultBeta
	}
	if o.LabelWeight == 0 {
		o.LabelWeight = DefaultLabelWeight
	}
	if o.Weight == "" {
		o.Weight = graph.Heat
		if sparse {
			o.Weight = graph.Dot
		}
	}
	if o.Symmetry == "" {
		o.Symmetry = graph.Union
	}
	if o.Targets == "" {
		o.Targets = Signed
	}
	if o.Tol == 0 {
		o.Tol = DefaultTol
	}
	if o.MaxIter == 0 {
		o.MaxIter = DefaultMaxIter
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 16 << 30
	}
	return o
}

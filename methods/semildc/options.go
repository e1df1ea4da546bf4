package semildc

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/fastica"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which notes go to the observer.
const Stage = "semi-ldc"

// DefaultShare is the part of the variance that the paper's principal components explain.
const DefaultShare = 0.9

// SoftLabels says where the soft labels come from.
type SoftLabels string

const (
	PLSA        SoftLabels = "plsa"        // constrained PLSA on the counts. The default
	Propagation SoftLabels = "propagation" // label propagation over a graph of the rows
	Hard        SoftLabels = "hard"        // the labelled documents only: LDA in place of soft LDA
)

// Reduction says what happens to the rows before the discriminants.
type Reduction string

const (
	PCA Reduction = "pca"  // principal components
	ICA Reduction = "ica"  // as many independent components
	Raw Reduction = "none" // the rows as they are; sparse rows stay sparse
)

// Options of Fit. The zero value is the paper's algorithm.
type Options struct {
	SoftLabels SoftLabels `json:"soft_labels,omitempty"` // "" = plsa
	// PLSA and Propagation are the options of these soft labels; K, Labels and the Observer are set by Fit, and so is the Seed.
	PLSA plsa.Options `json:"plsa,omitzero"`
	// KeepLengths gives PLSA the counts as they are. Otherwise documents of more than LengthBound times the median length are scaled down to that.
	KeepLengths bool              `json:"keep_lengths,omitempty"`
	Propagation labelprop.Options `json:"propagation,omitzero"`

	// Reduction; "" = pca, but none where neither Components nor Share is given and rows and columns are both more than 5,792
	// or the rows would take more than 2 GiB made dense (package comment, cost).
	Reduction Reduction `json:"reduction,omitempty"`
	// Components is the number of dimensions to reduce to; 0 = as many as Share says.
	Components int `json:"components,omitempty"`
	// Share is the part of the variance that the principal components shall explain, above 0 and at most 1; 0 = 0.9. Independent
	// components are as many as the principal ones (the paper, section IV-E).
	Share float64 `json:"share,omitempty"`
	// ICA are the options of independent components; their number, the Seed and the Observer are set by Fit.
	ICA fastica.Options `json:"ica,omitzero"`

	// LDA are the options of the discriminants: μ, and fewer than K − 1 directions. The Observer is set by Fit.
	LDA softlda.Options `json:"lda,omitzero"`

	Rule    ckmeans.Rule `json:"rule,omitempty"`     // "" = constrained
	MaxIter int          `json:"max_iter,omitempty"` // moves of the centres at most; 0 = 300

	Seed uint64 `json:"seed"` // of the iterative solvers and of independent components
	// Observer hears of every stage, and the stages' own events.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	switch o.SoftLabels {
	case "", PLSA, Propagation, Hard:
	default:
		bad("unknown soft labels %q: choose %q, %q or %q", string(o.SoftLabels), string(PLSA), string(Propagation), string(Hard))
	}
	switch o.Reduction {
	case "", PCA, ICA:
	case Raw:
		if o.Components != 0 || o.Share != 0 {
			bad("components or a share of variance are given, but the rows are not to be reduced: choose the reduction %q or %q", string(PCA), string(ICA))
		}
	default:
		bad("unknown reduction %q: choose %q, %q or %q", string(o.Reduction), string(PCA), string(ICA), string(Raw))
	}
	if o.Components < 0 {
		bad("the number of components is %d; it must be at least 1, or 0 for a share of variance", o.Components)
	}
	if math.IsNaN(o.Share) || o.Share < 0 || o.Share > 1 {
		bad("the share of variance is %v; it must be above 0 and at most 1", o.Share)
	}
	if o.Components > 0 && o.Share > 0 {
		bad("both a number of components and a share of variance are given; give one")
	}
	errs = append(errs, o.plsa(1, nil).Validate(), o.Propagation.Validate(), o.ica().Validate(), o.LDA.Validate(), o.clusters().Validate())
	return invalid.Join(errs...)
}

// plsa are the options of constrained PLSA with classes and labels filled in.
func (o Options) plsa(classes int, known []int) plsa.Options {
	p := o.PLSA
	p.K, p.Labels, p.Observer, p.Seed = classes, known, o.Observer, o.Seed
	return p
}

// ica are the options of independent components but for their number.
func (o Options) ica() fastica.Options {
	i := o.ICA
	i.Components, i.Share, i.Seed, i.Observer = 0, 0, o.Seed, o.Observer
	return i
}

func (o Options) clusters() ckmeans.Options {
	return ckmeans.Options{Rule: o.Rule, MaxIter: o.MaxIter, Seed: o.Seed, Observer: o.Observer}
}

func (o Options) withDefaults() Options {
	if o.SoftLabels == "" {
		o.SoftLabels = PLSA
	}
	if o.Reduction == "" {
		o.Reduction = PCA
	}
	if o.Components == 0 && o.Share == 0 && o.Reduction != Raw {
		o.Share = DefaultShare
	}
	if o.Rule == "" {
		o.Rule = ckmeans.Constrained
	}
	o.Propagation.Observer, o.LDA.Observer = o.Observer, o.Observer
	return o
}

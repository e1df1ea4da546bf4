package semildc

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which notes go to the observer.
const Stage = "semi-ldc"

// DefaultShare is the part of the variance that the paper's principal components explain.
const DefaultShare = 0.9

// SoftLabels is the origin of the soft labels.
type SoftLabels string

const (
	PLSA        SoftLabels = "plsa"        // constrained PLSA on the counts. The default
	Propagation SoftLabels = "propagation" // label propagation over a graph of the rows
	Hard        SoftLabels = "hard"        // the labelled documents only: LDA in place of soft LDA
)

// Reduction is the reduction of the rows before the discriminants.
type Reduction string

const (
	PCA Reduction = "pca"  // principal components
	ICA Reduction = "ica"  // as many independent components
	Raw Reduction = "none" // the rows as they are; sparse rows stay sparse
)

// Discriminant is the space of the directions that separate the classes.
type Discriminant string

const (
	// Linear directions in the space of the rows, after their reduction. The default.
	Linear Discriminant = "linear"
	// Kernel directions in the feature space of a Gaussian kernel of the rows (eq. 18).
	Kernel Discriminant = "kernel"
)

// kernelBytes is the memory of the kernel matrix of n documents and of its centred copy.
func kernelBytes(n int) int64 { return memory.Bytes(16, n, n) }

// Options of Fit. The zero value is the paper's algorithm.
type Options struct {
	// SoftLabels is PLSA unless set. The method then takes Propagation of dense data, and of data
	// with negative entries, which are no counts.
	SoftLabels SoftLabels `json:"soft_labels,omitempty" flag:"soft-labels" choices:"plsa|propagation|hard" sparse:"plsa" dense:"propagation" unset:"plsa for sparse data without negative entries, else propagation" help:"soft labels: plsa (constrained by the known labels), propagation (over the neighbour graph) or hard (the known labels alone)" group:"method"`
	// KeepLengths gives PLSA the counts as they are. Otherwise documents of more than LengthBound
	// times the median length are scaled down to that.
	KeepLengths bool `json:"keep_lengths,omitempty" flag:"keep-lengths" default:"false" when:"soft-labels=plsa" help:"give plsa documents of their own lengths, which otherwise are bounded by five times the median" group:"method"`
	// Reduction; "" = pca, but none if Components is not given and rows and columns are both more
	// than 1,200 or the rows would take more than 2 GiB made dense (package comment, cost). The
	// kernel form has none.
	Reduction Reduction `json:"reduction,omitempty" flag:"reduction" choices:"pca|ica|none" unset:"pca, or none if its spectrum would take most of the time" when:"discriminant=linear" help:"reduce documents to principal components, to as many independent components (ica), or not" group:"method"`
	// Components is the number of dimensions to reduce to, or the share of the variance that the
	// principal components explain; unset is a share of 0.9. Independent components are as many as
	// the principal ones (the paper, section IV-E).
	Components method.Amount `json:"components,omitzero" flag:"pca" unset:"0.9 of the variance" when:"reduction!=none; discriminant=linear" help:"principal components: their number, or the share of the variance that they explain, such as 0.9" group:"method"`
	// Discriminant is Linear unless set.
	Discriminant Discriminant `json:"discriminant,omitempty" flag:"discriminant" choices:"linear|kernel" default:"linear" help:"directions in the space of the documents, or in the feature space of a Gaussian kernel (which takes 16 n² bytes of memory for n documents)" group:"method"`
	// Sigma is σ of the Gaussian kernel exp(-d²/σ); 0 = the mean of d² over all pairs of documents.
	Sigma float64 `json:"sigma,omitempty" flag:"sigma" range:">0" unset:"the mean of d² over all pairs of documents" when:"discriminant=kernel" help:"σ in the Gaussian kernel exp(-d²/σ)" group:"method"`
	// LDA are the options of the discriminants: their number and μ. The Observer is set by Fit.
	LDA softlda.Options `json:"lda,omitzero" flags:"dims,mu" group:"method"`
	// Rule is Constrained unless set.
	Rule ckmeans.Rule `json:"rule,omitempty" flag:"rule" choices:"constrained|seeded" default:"constrained" help:"known labels in the k-means: documents stay in their class (constrained), or labels only start it (seeded)" group:"method"`
	// MaxIter is the most iterations of k-means; 0 = 300.
	MaxIter int `json:"max_iter,omitempty" flag:"kmeans-iter" range:">=1" default:"300" help:"most iterations of k-means" group:"method"`
	// Priors, if not nil, are shares above 0 of the classes among the documents without a label, by
	// which the k-means prefers classes ([Model.Clusters]); nil = the nearest centre, as in the
	// paper.
	Priors []float64 `json:"priors,omitempty"`
	// ClassShares settles Priors through the contract of package method, unless they are given; ""
	// = auto. labels, and auto where the documents do not plainly contradict the labels, set none.
	// [Fit] itself does not read it.
	ClassShares shares.Rule `json:"class_shares,omitempty" flag:"class-shares" default:"auto" help:"shares of the classes among the documents without a label, by which documents between two classes are decided: auto (found if the documents plainly contradict the known labels, else none), labels (none: the nearest centre, as in the paper), estimated, or a list such as a=0.9,b=0.1" group:"method"`
	// PLSA and Propagation are the options of these soft labels; K, Labels, Observer and Seed are
	// set by Fit.
	PLSA        plsa.Options      `json:"plsa,omitzero" flags:"smoothing,plsa-tol,em-iter" when:"soft-labels=plsa" group:"method"`
	Propagation labelprop.Options `json:"propagation,omitzero" flags:"*,-class-shares" when:"soft-labels=propagation" group:"method"`

	// Seed is the seed of the iterative solvers and of independent components.
	Seed uint64 `json:"seed"`
	// Observer receives the events of every stage. The notes of what each stage found are details.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o)}
	switch {
	case o.Reduction == Raw && !o.Components.IsZero():
		errs.Addf("components or a share of variance are given, but the rows are not to be reduced: choose the reduction %q or %q", string(PCA), string(ICA))
	case o.Discriminant == Kernel && (o.Reduction == PCA || o.Reduction == ICA || !o.Components.IsZero()):
		errs.Addf("‹discriminant› kernel works on the documents themselves: leave ‹reduction› and ‹pca› out")
	case o.Discriminant != Kernel && o.Sigma > 0:
		errs.Addf("‹sigma› is a parameter of the kernel: give ‹discriminant› kernel with it")
	}
	for k, v := range o.Priors {
		if !(v > 0 && v <= 1) {
			errs.Addf("the prior of class %d is %v; it must be above 0 and at most 1", k, v)
		}
	}
	errs = append(errs, o.ClassShares.Validate(), o.plsa(1, nil).Validate(), o.Propagation.Validate(), o.LDA.Validate())
	return invalid.Join(errs...)
}

// plsa are the options of constrained PLSA with classes and labels filled in.
func (o Options) plsa(classes int, known []int) plsa.Options {
	p := o.PLSA
	p.K, p.Labels, p.Observer, p.Seed = classes, known, o.Observer, o.Seed
	return p
}

func (o Options) clusters() ckmeans.Options {
	return ckmeans.Options{Rule: o.Rule, MaxIter: o.MaxIter, Seed: o.Seed, Observer: o.Observer}
}

func (o Options) withDefaults() Options {
	option.Default(&o)
	o.SoftLabels = cmp.Or(o.SoftLabels, PLSA)
	switch {
	case o.Discriminant == Kernel:
		o.Reduction = Raw
	case o.Reduction == "":
		o.Reduction = PCA
	}
	if o.Components.IsZero() && o.Reduction != Raw {
		o.Components.Share = DefaultShare
	}
	o.Propagation.Observer, o.LDA.Observer = o.Observer, o.Observer
	o.LDA.Partial = o.SoftLabels == Hard
	return o
}

package pca

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is principal component analysis as a method.
var Spec = method.Spec{
	Name:    "pca",
	Grows:   "entries",
	Summary: "principal components of the centred weights, then k-means",
	About: "Takes as coordinates (x − μ)·v, where μ is the mean of the rows and v are the eigenvectors of their\n" +
		"covariance matrix with the largest eigenvalues: the orthogonal directions of largest variance.\n" +
		"Sparse rows are centred in the products with them and never made dense.",
	Reference: "Pearson 1901; Hotelling 1933",
	Cost:      "LAPACK n·d·p + p³, p the smaller of n and d; of large data a few times r products with X and Xᵀ",
	Yields:    method.Yields{Coordinates: true, Nested: true},
	Divided:   true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	defer in.Stage("svd")()
	opt := used
	opt.Seed, opt.Observer, opt.Share = in.Seed, in.Observer, in.Share
	m, err := Fit(ctx, in.X, opt)
	out := &method.Fitted{Used: &used}
	if m != nil {
		out.Model, out.Embedding, out.Placer = m, m.Embedding, &m.Placer
		out.Values = m.values()
		out.Facts = []method.Fact{method.Found("variance_shares", m.ExplainedVarianceRatio)}
	}
	return out, err
}

// Shares implements method.Sharer: vectors of ARPACK are not divided.
func (o *Options) Shares() bool { return o.Solver != eigen.ARPACK }

// settle decides the number of components, and refuses more than the data have.
func (o *Options) settle(in *method.Input) error {
	name := "dims"
	switch {
	case o.Amount.Share > 0:
		return o.Validate() // it must be alone; as many as it takes
	case o.Amount.Count > 0:
		if err := o.Validate(); err != nil {
			return err
		}
		o.Dims, name = o.Amount.Count, "pca"
	default:
		var err error
		if o.Dims, err = in.Dims(o.Dims); err != nil {
			return err
		}
	}
	return in.CheckRank(o.Dims, name)
}

// values are the variances of the components.
func (m *Model) values() *method.Values {
	share := 0.0
	for _, r := range m.ExplainedVarianceRatio {
		share += r
	}
	return &method.Values{Kind: method.Variance, Values: m.ExplainedVariance, Residuals: svd.Worst(m.LeftResiduals, m.RightResiduals), Stats: &m.Stats,
		How: fmt.Sprintf("%s, %.3g %% of the variance", words.Counted(len(m.ExplainedVariance), "component"), 100*share)}
}

package lsi

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is latent semantic indexing as a method.
var Spec = method.Spec{
	Name:    "lsi",
	Grows:   "entries",
	Summary: "latent semantic indexing: projections on the first singular vectors, then k-means",
	About: "Decomposes the matrix of documents and terms, X = U Σ Vᵀ, and keeps its r largest singular values:\n" +
		"the coordinates of the documents are X V = U Σ, which keep their inner products as well as r\n" +
		"dimensions can. Nothing is centred, so a sparse matrix stays sparse.",
	Reference: "Deerwester, Dumais, Furnas, Landauer and Harshman 1990; Chen, Zhang, Bu, Wang and Chen 2010, section 4.3",
	Cost:      "a few times r products with X and Xᵀ, and 10·p·r² operations, p the smaller of n and d",
	Yields:    method.Yields{Coordinates: true, Nested: true},
	Divided:   true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	var err error
	if used.Dims, err = in.Dims(o.Dims); err != nil {
		return nil, err
	}
	if err := in.CheckRank(used.Dims, "dims"); err != nil {
		return nil, err
	}
	defer in.Stage("svd")()
	opt := used
	opt.Seed, opt.Observer, opt.Share = in.Seed, in.Observer, in.Share
	m, err := Fit(ctx, in.X, opt)
	out := &method.Fitted{Used: &used}
	if m != nil {
		out.Model, out.Embedding, out.Placer = m, m.Embedding, &m.Placer
		out.Values = &method.Values{Kind: method.SingularValue, Values: m.Singular, Residuals: svd.Worst(m.LeftResiduals, m.RightResiduals), Stats: &m.Stats}
	}
	return out, err
}

// Shares implements method.Sharer: vectors of ARPACK are not divided.
func (o *Options) Shares() bool { return o.Solver != eigen.ARPACK }

package semildc

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/fastica"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// reduced are the reduced rows and the linear map that made them.
type reduced struct {
	rows      mat.Matrix
	dims      int
	explained float64
	// rows = (x − mean)·mapᵀ; a nil map is the identity.
	mean []float64
	to   *mat.Dense
}

// denseSide is the order up to which LAPACK finds the whole spectrum for a share of variance:
// matrix and workspace take 1 GiB.
const denseSide = 5792

// reducedSide is the order up to which rows are reduced by default. The spectrum of texts beyond it
// takes most of the run, and the classes hardly change: on 1,991 of Debian's descriptions with 2
// and 5 % of the labels, and on 2,822 messages of six newsgroups with 2 %, accuracy is .634 / .669
// / .920 with principal components in 7.4 / 7.2 / 26 seconds of two cores, and .631 / .667 / .920
// without in 1.2 / 1.0 / 2.3.
const reducedSide = 1200

// denseComponents is the most memory for the vectors of the components, on both sides, by default.
// For 90 % of the variance of texts they are nearly as large as the matrix made dense.
const denseComponents = 2 << 30

// wholeSpectrum is the share of the variance from which texts have so many components that finding
// a few of them first is wasted.
const wholeSpectrum = 0.5

// unreduced is why n rows of d columns are not reduced, if the options leave it open; "" if they
// are.
func (o Options) unreduced(n, d int) string {
	switch bytes := 8 * float64(n) * float64(d); {
	case o.Discriminant == Kernel || o.Reduction != "" || !o.Components.IsZero():
	case min(n, d) > reducedSide:
		return fmt.Sprintf("the whole spectrum of %d × %d would take most of the time", n, d)
	case bytes > denseComponents:
		return fmt.Sprintf("the components of %d × %d would take some %.1f GiB", n, d, bytes/(1<<30))
	}
	return ""
}

// principals are the options of the principal components of n rows of d columns.
func (o Options) principals(n, d int) pca.Options {
	by := pca.Options{Amount: o.Components, Seed: o.Seed, Observer: o.Observer}
	if o.Components.Share >= wholeSpectrum && min(n, d) <= denseSide {
		by.Solver = eigen.Dense
	}
	return by
}

func reduce(ctx context.Context, x mat.Matrix, opt Options) (*reduced, error) {
	switch _, d := x.Dims(); opt.Reduction {
	case Raw:
		return &reduced{rows: x, dims: d, explained: 1}, nil
	case ICA:
		return independent(ctx, x, opt)
	}
	return principal(ctx, x, opt)
}

func principal(ctx context.Context, x mat.Matrix, opt Options) (*reduced, error) {
	p, err := pca.Fit(ctx, x, opt.principals(x.Dims()))
	if err != nil {
		return nil, err
	}
	r := &reduced{rows: p.Embedding, mean: p.Mean, to: p.Components}
	for _, share := range p.ExplainedVarianceRatio {
		r.explained += share
	}
	_, r.dims = p.Embedding.Dims()
	opt.Observer.Detailf(Stage, "Principal components: %d dimensions explain %.1f %% of the variance.", r.dims, 100*r.explained)
	return r, nil
}

func independent(ctx context.Context, x mat.Matrix, opt Options) (*reduced, error) {
	o := fastica.Options{Seed: opt.Seed, Observer: opt.Observer}
	o.Dims, o.Share = opt.Components.Count, opt.Components.Share
	f, err := fastica.Fit(ctx, x, o)
	if err != nil {
		return nil, err
	}
	r := &reduced{rows: f.Embedding, mean: f.Mean, to: f.Unmixing, explained: f.Explained}
	_, r.dims = f.Embedding.Dims()
	opt.Observer.Notef(Stage, "Independent components: %d, of %.1f %% of the variance.", r.dims, 100*r.explained)
	return r, nil
}

// compose multiplies the reduction with the discriminants: the embedding of x is (x −
// mean)·projection − offset.
func (r *reduced) compose(a *softlda.Model) (projection *mat.Dense, mean, offset []float64) {
	_, q := a.Projection.Dims()
	offset = make([]float64, q)
	if r.to == nil {
		return a.Projection, a.Mean, offset
	}
	_, d := r.to.Dims()
	projection = mat.NewDense(d, q, nil)
	native.Default().Gemm(blas.Trans, blas.NoTrans, 1, r.to.RawMatrix(), a.Projection.RawMatrix(), 0, projection.RawMatrix())
	for t, v := range a.Mean {
		for j, w := range a.Projection.RawRowView(t) {
			offset[j] += v * w
		}
	}
	return projection, r.mean, offset
}

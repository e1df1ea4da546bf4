package pca

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// Placer centres new rows and projects them on the components of an analysis.
type Placer struct {
	// Components is k×d, orthonormal rows with the signs of eigen.CanonicalSigns; Mean is μ.
	Components *mat.Dense
	Mean       []float64
	// Singular are the singular values of the centred rows.
	Singular []float64
	// Samples is n, the number of rows of the fit.
	Samples int
	Whiten  bool
}

var _ method.Placer = (*Placer)(nil)

// Width implements model.Part.
func (p *Placer) Width() int { return len(p.Singular) }

// Place implements method.Placer: Transform.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	y, err := p.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	return &method.Placement{Embedding: y, Isolated: rows.WithoutEntries(x)}, nil
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	f.Dense("components", &p.Components)
	f.Floats("mean", &p.Mean)
	f.Floats("singular_values", &p.Singular)
	f.Setting("samples", &p.Samples)
	f.Setting("whiten", &p.Whiten)
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	errs := []error{of.CheckComponents(p.Components, len(p.Singular))}
	if len(p.Mean) != of.Columns {
		errs = append(errs, invalid.Errorf("the model has a mean of %d columns, but its documents have %d", len(p.Mean), of.Columns))
	}
	if p.Samples < 2 {
		errs = append(errs, invalid.Errorf("the model is an analysis of %d documents", p.Samples))
	}
	return invalid.Join(errs...)
}

// factor multiplies the projection on component j.
func (p *Placer) factor(j int) float64 {
	switch {
	case !p.Whiten:
		return 1
	case p.Singular[j] == 0:
		return 0
	}
	return p.deviations() / p.Singular[j]
}

// deviations is √(n − 1): a singular value is that many standard deviations.
func (p *Placer) deviations() float64 { return math.Sqrt(float64(p.Samples - 1)) }

// Transform returns the coordinates of new rows, n×k; for the rows of the fit their Embedding, to
// rounding. Sparse rows stay sparse. 2·entries·k flops. Errors (fs.ErrInvalid): an empty matrix,
// another number of columns, values that are not finite.
func (p *Placer) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	y, err := svd.Project(ctx, x, p.Components, p.Mean)
	if err != nil || !p.Whiten {
		return y, err
	}
	by := make([]float64, len(p.Singular))
	for j := range by {
		by[j] = p.factor(j)
	}
	panel.ScaleColumns(y.RawMatrix(), by)
	return y, nil
}

// Inverse returns the points of the components' span whose coordinates are the rows of y, n×k: y·C
// + μ, dense n×d, which is 8·n·d bytes and 2·n·k·d flops. With all components it undoes
// [Placer.Transform] up to rounding, with fewer it gives the nearest point of the span. Errors
// (fs.ErrInvalid): an empty matrix or another number of columns.
func (p *Placer) Inverse(ctx context.Context, y *mat.Dense) (*mat.Dense, error) {
	if p.Components == nil || p.Components.IsEmpty() {
		return nil, invalid.Errorf("the model has no components: fit it first")
	}
	k, d := p.Components.Dims()
	if y == nil || y.IsEmpty() {
		return nil, invalid.Errorf("there are no coordinates to turn back")
	}
	n, c := y.Dims()
	if c != k {
		return nil, invalid.Errorf("the coordinates have %d columns, but the model has %d components", c, k)
	}
	if p.Whiten {
		by := make([]float64, k)
		for j := range by {
			by[j] = p.Singular[j] / p.deviations()
		}
		y = mat.DenseCopyOf(y)
		panel.ScaleColumns(y.RawMatrix(), by)
	}
	x := mat.NewDense(n, d, nil)
	raw := x.RawMatrix()
	// A thousand rows at a time, so that the context is checked.
	for lo := 0; lo < n; lo += 1024 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+1024, n)
		for i := lo; i < hi; i++ {
			copy(raw.Data[i*raw.Stride:], p.Mean)
		}
		from, to := y.Slice(lo, hi, 0, k).(*mat.Dense), x.Slice(lo, hi, 0, d).(*mat.Dense)
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, from.RawMatrix(), p.Components.RawMatrix(), 1, to.RawMatrix())
	}
	return x, ctx.Err()
}

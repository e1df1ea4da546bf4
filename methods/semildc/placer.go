package semildc

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Placer is what a model keeps for new documents: a linear map of their rows, or in the kernel form
// of their kernel values with the training rows.
type Placer struct {
	linear.Placer
	// Training are the training rows of the kernel form, nil in the linear one.
	Training mat.Matrix
	// Sigma is σ of the kernel exp(-d²/σ); 0 if all training rows are equal.
	Sigma float64
}

var _ method.Placer = (*Placer)(nil)

// Placer is the part of the model that places new documents. It does not scale rows to unit length,
// even if UnitRows is set.
func (m *Model) Placer() *Placer {
	p := &Placer{Placer: linear.Placer{Mean: m.Mean}, Training: m.Training, Sigma: m.Options.Sigma}
	if m.Projection != nil && !m.Projection.IsEmpty() {
		p.Projection = m.Projection
	}
	for _, v := range m.Offset {
		p.Offset = append(p.Offset, -v)
	}
	return p
}

// placed is the number of new rows whose kernel values are held at once.
const placed = 1024

// Place implements method.Placer. The kernel form takes 8·1024 bytes per training row.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	if p.Training == nil {
		return p.Placer.Place(ctx, x, obs)
	}
	to, err := pairs.New(ctx, p.Training)
	if err != nil {
		return nil, err
	}
	from, err := pairs.Like(ctx, x, to)
	if err != nil {
		return nil, err
	}
	if from.D != to.D {
		return nil, invalid.Errorf("the rows have %d columns, but the model was fitted on %d", from.D, to.D)
	}
	y := mat.NewDense(from.N, p.Width(), nil)
	for lo := 0; lo < from.N; lo += placed {
		hi := min(lo+placed, from.N)
		k, err := gaussian(ctx, from.Window(lo, hi), to, p.Sigma)
		if err != nil {
			return nil, err
		}
		part, err := p.Project(ctx, k)
		if err != nil {
			return nil, err
		}
		for i := lo; i < hi; i++ {
			y.SetRow(i, part.RawRowView(i-lo))
		}
	}
	return &method.Placement{Embedding: y, Isolated: rows.WithoutEntries(x)}, nil
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	p.Placer.Fields(f)
	if p.Training != nil || f.Has("sigma") {
		f.Rows("training", &p.Training)
		f.Setting("sigma", &p.Sigma)
	}
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	if p.Training == nil {
		return p.Placer.Check(of)
	}
	errs := []error{of.CheckTraining(p.Training)}
	if !(p.Sigma >= 0) || math.IsInf(p.Sigma, 0) {
		errs = append(errs, invalid.Errorf("the model has a kernel of the width %v", p.Sigma))
	}
	of.Columns = of.Documents // the projection is one of kernel values
	return invalid.Join(append(errs, p.Placer.Check(of))...)
}

// kernelMatrix is the Gaussian kernel among the rows of x, n×n, and its σ, completed if it is 0.
func kernelMatrix(ctx context.Context, x mat.Matrix, sigma float64) (*mat.Dense, float64, error) {
	r, err := pairs.New(ctx, x)
	if err != nil {
		return nil, 0, err
	}
	if sigma == 0 {
		if sigma, err = r.MeanSqDist(ctx); err != nil {
			return nil, 0, err
		}
	}
	k, err := gaussian(ctx, r, r, sigma)
	return k, sigma, err
}

// gaussian is exp(-d²/σ) between the rows of two sets, from × to. Of two different sets a row of it
// has the same bits whatever the other rows of from are.
func gaussian(ctx context.Context, from, to *pairs.Rows, sigma float64) (*mat.Dense, error) {
	const columns = 256 // that a goroutine takes at once
	k := mat.NewDense(from.N, to.N, nil)
	panel := pairs.NewPanel(from, to)
	panel.FromApart = from != to
	for first := 0; first < from.N; first += panel.Size() {
		which := make([]int32, min(panel.Size(), from.N-first))
		for q := range which {
			which[q] = int32(first + q)
		}
		panel.Load(which)
		err := parallel.For(ctx, to.N, columns, func(_, lo, hi int) error {
			tile := blas64.General{Rows: len(which), Cols: hi - lo, Stride: to.N, Data: k.RawMatrix().Data[first*to.N+lo:]}
			panel.SqDists(lo, tile)
			for q := range which {
				row := tile.Data[q*tile.Stride:][:tile.Cols]
				for i, v := range row {
					if row[i] = 1; v > 0 {
						row[i] = math.Exp(-v / sigma)
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return k, nil
}

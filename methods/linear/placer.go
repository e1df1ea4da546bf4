// Package linear has what linear embeddings have in common: the placer of new rows, the reading of
// directions by their terms, and the number of directions that separate classes.
package linear

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Placer is a linear embedding: the coordinates of a row x are (x − Mean)·Projection + Offset. The
// packages of linear methods project the rows of a fit with it too, so that training rows are
// placed where the fit put them, bit for bit.
type Placer struct {
	// Projection is columns × coordinates: *mat.Dense, or *sparse.CSR if most weights are zero.
	Projection mat.Matrix
	// Mean is subtracted from each row, nil for none. A sparse Projection has none.
	Mean []float64
	// Offset is added to the coordinates.
	Offset []float64
	// NormalizeRows scales the coordinates of each row to length 1.
	NormalizeRows bool
}

var _ method.Placer = (*Placer)(nil)

// Centered places rows by (x − mean)·projection; a nil mean is zero.
func Centered(projection *mat.Dense, mean []float64, normalizeRows bool) *Placer {
	p := &Placer{Mean: mean, NormalizeRows: normalizeRows}
	if projection != nil && !projection.IsEmpty() {
		_, d := projection.Dims()
		p.Projection, p.Offset = projection, make([]float64, d)
	}
	return p
}

// Project returns the coordinates of the rows of x, n × coordinates. Sparse rows stay sparse. Cost:
// 2·entries·coordinates flops; a sparse projection skips weights that are zero.
//
// Errors (fs.ErrInvalid): no projection, an empty matrix, another number of columns, values that
// are not finite (*sparse.NotFiniteError).
func (p *Placer) Project(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	var y *mat.Dense
	var err error
	switch w := p.Projection.(type) {
	case *sparse.CSR:
		y, err = p.projectSparse(ctx, x, w)
	case *mat.Dense:
		if y, err = svd.Project(ctx, x, mat.DenseCopyOf(w.T()), p.Mean); err == nil {
			p.move(y)
		}
	default:
		err = invalid.Errorf("the model has no directions: fit it first")
	}
	if err != nil {
		return nil, err
	}
	return rows.MaybeNormalized(y, p.NormalizeRows), nil
}

// move adds the offset to every row of y.
func (p *Placer) move(y *mat.Dense) {
	n, _ := y.Dims()
	for j, v := range p.Offset {
		if v == 0 {
			continue
		}
		for i := range n {
			y.RawRowView(i)[j] += v
		}
	}
}

// projectSparse multiplies by a sparse projection: each entry of x meets the weights of its column.
func (p *Placer) projectSparse(ctx context.Context, x mat.Matrix, w *sparse.CSR) (*mat.Dense, error) {
	if w.NumCols == 0 {
		return nil, invalid.Errorf("the model has no directions: fit it first")
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	a, ok := x.(*sparse.CSR)
	if !ok {
		y, err := svd.Project(ctx, x, mat.DenseCopyOf(w.T()), nil)
		if err == nil {
			p.move(y)
		}
		return y, err
	}
	n, columns := a.Dims()
	if n == 0 {
		return nil, invalid.Errorf("the matrix to project is empty (%d × %d)", n, columns)
	}
	if columns != w.NumRows {
		return nil, invalid.Errorf("the rows have %d columns, but the model was fitted on %d", columns, w.NumRows)
	}
	if err := a.CheckFinite(); err != nil {
		return nil, err
	}
	y := mat.NewDense(n, w.NumCols, nil)
	return y, parallel.For(ctx, n, 256, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			to := y.RawRowView(i)
			copy(to, p.Offset)
			cols, vals := a.Row(i)
			for k, j := range cols {
				at, weights := w.Row(int(j))
				for t, c := range at {
					to[c] += vals[k] * weights[t]
				}
			}
		}
		return nil
	})
}

// Width implements model.Part.
func (p *Placer) Width() int { return len(p.Offset) }

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	y, err := p.Project(ctx, x)
	if err != nil {
		return nil, err
	}
	return &method.Placement{Embedding: y, Isolated: rows.WithoutEntries(x)}, nil
}

// Fields implements model.Part. Files of earlier versions have no mean: it is part of their offset.
func (p *Placer) Fields(f *model.Fields) {
	f.Rows("projection", &p.Projection)
	f.Floats("mean", &p.Mean)
	f.Floats("offset", &p.Offset)
	f.Setting("normalize_rows", &p.NormalizeRows)
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	if p.Projection == nil {
		return invalid.Errorf("the model lacks its projection")
	}
	if r, cols := p.Projection.Dims(); r != of.Columns || cols != len(p.Offset) {
		return invalid.Errorf("the model has a %d × %d projection of %d columns to %d coordinates", r, cols, of.Columns, len(p.Offset))
	}
	if _, isSparse := p.Projection.(*sparse.CSR); p.Mean != nil && (isSparse || len(p.Mean) != of.Columns) {
		return invalid.Errorf("the model has a mean of %d columns that does not fit its projection", len(p.Mean))
	}
	return nil
}

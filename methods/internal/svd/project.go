package svd

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Project returns (X − 1·meanᵀ)·Cᵀ, n×k, for rows x (n×d) and components C (k×d); a nil mean is
// zero. The coordinates of a row have the same bits whatever the other rows are. Sparse rows remain
// sparse: 2·nnz·k flops and 512·d bytes. Errors are as for [New], and an error for a number of
// columns other than d.
func Project(ctx context.Context, x mat.Matrix, components *mat.Dense, mean []float64) (*mat.Dense, error) {
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to project")
	}
	if components == nil || components.IsEmpty() {
		return nil, invalid.Errorf("the model has no components: fit it first")
	}
	n, c := x.Dims()
	k, d := components.Dims()
	if n == 0 {
		return nil, invalid.Errorf("the matrix to project is empty (%d × %d)", n, c)
	}
	if c != d {
		return nil, invalid.Errorf("the rows have %d columns, but the model was fitted on %d", c, d)
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(n, k, nil)
	if s, ok := x.(*sparse.CSR); ok {
		if err := s.CheckFinite(); err != nil {
			return nil, err
		}
		return out, projectSparse(ctx, out.RawMatrix(), s, components.RawMatrix(), mean)
	}
	given := x.(*mat.Dense)
	if _, err := checkDense(given.RawMatrix()); err != nil {
		return nil, err
	}
	m := &Matrix{Rows: n, Cols: d, own: n, Scale: 1, x: given.RawMatrix(), shift: mean, offset: mean}
	return out, m.rowPanels(ctx, func(lo int, p blas64.General) {
		to := panel.Rows(out.RawMatrix(), lo, lo+p.Rows)
		// The products cannot fail, and the panels look at the context.
		_ = parallel.For(context.Background(), p.Rows, 4*panel.Together, func(_, at, end int) error {
			panel.MulRows(blas.Trans, 1, panel.Rows(p, at, end), components.RawMatrix(), 0, panel.Rows(to, at, end))
			return nil
		})
	})
}

func projectSparse(ctx context.Context, out blas64.General, x *sparse.CSR, c blas64.General, mean []float64) error {
	block := panel.New(c.Cols, min(wide, c.Rows))
	offset := make([]float64, c.Rows)
	for lo := 0; lo < c.Rows; lo += wide {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+wide, c.Rows)
		for j := lo; j < hi; j++ {
			row := c.Data[j*c.Stride:][:c.Cols]
			for t, v := range row {
				block.Data[t*block.Stride+j-lo] = v
			}
			if mean != nil {
				offset[j] = dot(row, mean)
			}
		}
		to := columns(out, lo, hi)
		x.MulBlock(to, columns(block, 0, hi-lo))
		for i := 0; mean != nil && i < to.Rows; i++ {
			y := to.Data[i*to.Stride:][:to.Cols]
			for j := range y {
				y[j] -= offset[lo+j]
			}
		}
	}
	return ctx.Err()
}

// Components returns Vᵀ, k×d, with one right singular vector per row.
func (f *Factors) Components() *mat.Dense {
	d, k := f.V.Rows, f.V.Cols
	memory.Ahead(memory.Bytes(8, d, k))
	c := mat.NewDense(k, d, nil)
	raw := c.RawMatrix()
	const tile = 64
	for lo := 0; lo < d; lo += tile {
		for j := range k {
			row := raw.Data[j*d:][:d]
			for i := lo; i < min(lo+tile, d); i++ {
				row[i] = f.V.Data[i*f.V.Stride+j]
			}
		}
	}
	return c
}

// Coordinates converts AV to n×k coordinates, with column j multiplied by factor(j), and reuses the
// memory of AV.
func (f *Factors) Coordinates(factor func(j int) float64) *mat.Dense {
	by, ones := make([]float64, f.AV.Cols), true
	for j := range by {
		by[j] = factor(j)
		ones = ones && by[j] == 1
	}
	y := asDense(f.AV)
	if !ones {
		panel.ScaleColumns(y.RawMatrix(), by)
	}
	return y
}

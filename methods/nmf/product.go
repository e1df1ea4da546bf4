package nmf

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// block is a row-major matrix of tall factors: rows × k, padded with zeros to a stride that suits
// the kernels.
type block = blas64.General

func newBlock(rows, cols, stride int) block {
	return block{Rows: rows, Cols: cols, Stride: stride, Data: make([]float64, rows*stride)}
}

// part returns rows [lo, hi) of b. The last row of a caller's matrix may end before its stride.
func part(b block, lo, hi int) block {
	b.Rows, b.Data = hi-lo, b.Data[lo*b.Stride:min(hi*b.Stride, len(b.Data))]
	return b
}

// operator is X or Xᵀ. mul sets dst = X·b, every row with the same bits for any loop.
type operator interface {
	mul(ctx context.Context, dst, b block, each parallel.Loop) error
}

// panels are the rows of a sparse matrix in pieces so small that sparse.CSR.MulBlock multiplies
// each on the calling goroutine; the loop here decides which run at the same time. Pieces share the
// entries; their row pointers take 8 bytes per row. 2·nnz·k flops; 12·nnz bytes of the matrix and
// 8·k·nnz bytes of b, scattered in pieces of 8·k (from cache if b fits).
type panels struct {
	piece []*sparse.CSR
	first []int // first row of each piece
}

const (
	// panelWork is the number of multiply-adds in a piece, and panelColumns the number of columns
	// of a block that are multiplied at once.
	panelWork, panelColumns = 1 << 14, 64
)

func newPanels(a *sparse.CSR, width int) *panels {
	piece, first := rows.Pieces(a, panelWork/min(width, panelColumns))
	return &panels{piece, first}
}

func (p *panels) mul(ctx context.Context, dst, b block, each parallel.Loop) error {
	return each(ctx, len(p.piece), 1, func(_, at, _ int) error {
		a := p.piece[at]
		to := part(dst, p.first[at], p.first[at]+a.NumRows)
		to.Cols = to.Stride // the padding's zeros too: tiles of 4 and 8 columns are the fast ones
		from := b
		from.Cols = from.Stride
		for c := 0; c < b.Stride; c += panelColumns {
			a.MulBlock(columns(to, c), columns(from, c))
		}
		return nil
	})
}

// columns returns at most panelColumns columns of b from c on.
func columns(b block, c int) block {
	b.Cols, b.Data = min(panelColumns, b.Cols-c), b.Data[c:]
	return b
}

func (s sparseRows) operator(width int, trans bool) operator {
	if trans {
		return newPanels(s.Transpose(), width)
	}
	return newPanels(s.CSR, width)
}

// dense is X or, if trans is set, Xᵀ; products go through gemm in bands of its rows, and a row of
// X·B has the same bits whatever the others are. 2·n·m·k flops.
type dense struct {
	x     block
	trans bool
}

const denseBand = 5 * panel.Together

func (d dense) mul(ctx context.Context, dst, b block, each parallel.Loop) error {
	return each(ctx, dst.Rows, denseBand, func(_, lo, hi int) error {
		if !d.trans {
			panel.MulRows(blas.NoTrans, 1, part(d.x, lo, hi), b, 0, part(dst, lo, hi))
			return nil
		}
		x := d.x
		if x.Rows == 0 { // a rank without rows that are kept
			clear(values(dst, lo, hi))
			return nil
		}
		x.Cols, x.Data = hi-lo, x.Data[lo:]
		native.Default().Gemm(blas.Trans, blas.NoTrans, 1, x, b, 0, part(dst, lo, hi))
		return nil
	})
}

func (d denseRows) operator(_ int, trans bool) operator { return dense{x: d.General, trans: trans} }

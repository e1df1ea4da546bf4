package eigen

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// ghosted is a matrix of which each rank has its rows and reads the rows of a block that these need
// (ghosts) from their owners. It is a [Divided].
//
// A product receives 8 bytes per ghost and column.
type ghosted struct {
	share  *ranks.Share
	part   slepc.Rows
	ghosts *ranks.Ghosts
	low    int         // ghosts before the own rows
	local  *sparse.CSR // own rows; columns are the ghosts before, the own rows, the ghosts after
	nnz    int         // of all ranks
}

// newGhosted makes a matrix of which every rank gives its rows. Columns ascend within a row.
func newGhosted(share *ranks.Share, p slepc.Rows) *ghosted {
	own := len(p.RowPtr) - 1
	first, last := int32(p.First), int32(p.First+own)
	ids := share.Others(p.Col)
	low, _ := slices.BinarySearch(ids, first)
	a := &ghosted{share: share, part: p, ghosts: ranks.NewGhosts(share, ids), low: low, nnz: ranks.Count(share, len(p.Col))}
	local := make([]int32, len(p.Col))
	for k, c := range p.Col {
		switch at, _ := slices.BinarySearch(ids, c); {
		case c < first:
			local[k] = int32(at)
		case c < last:
			local[k] = int32(low) + c - first
		default:
			local[k] = int32(own + at)
		}
	}
	a.local = &sparse.CSR{NumRows: own, NumCols: own + len(ids), RowPtr: p.RowPtr, Col: local, Val: p.Val}
	return a
}

// SharedMatrix is a square matrix of which w has the rows that are here, columns ascending, as an
// operator on blocks of these rows: a product reads the rows that it needs from the ranks that have
// them. All ranks make it and multiply together. In one process it is w itself.
func SharedMatrix(share *ranks.Share, w *sparse.CSR) Operator {
	if !share.Divided() {
		return w
	}
	a := newGhosted(share, slepc.Rows{N: share.Total(), First: share.First(), RowPtr: w.RowPtr, Col: w.Col, Val: w.Val})
	return dividedOperator{a, share.Total()}
}

// NNZ is the number of entries of all ranks' rows.
func (a *ghosted) NNZ() int { return a.nnz }

// extended is x with the ghosts' rows before and after the own ones.
func (a *ghosted) extended(x blas64.General) blas64.General {
	got := a.ghosts.Rows(x.Data, x.Cols, x.Stride)
	whole := space.NewBlock(a.local.NumCols, x.Cols)
	split := a.low * x.Cols
	copy(whole.Data, got[:split])
	space.CopyBlock(space.Rows(whole, a.low, a.low+x.Rows), x)
	copy(whole.Data[split+x.Rows*x.Cols:], got[split:])
	return whole
}

// ghostColumns is how many columns of the ghosts are here at a time.
const ghostColumns = 8

// MulBlock sets dst = A·x for the own rows.
func (a *ghosted) MulBlock(dst, x blas64.General) {
	for from := 0; from < x.Cols; from += ghostColumns {
		to := min(from+ghostColumns, x.Cols)
		a.local.MulBlock(space.Columns(dst, from, to), a.extended(space.Columns(x, from, to)))
	}
	if a.part.Sets == 0 {
		return
	}
	sums := a.setSums(x)
	for i, set := range a.part.Set {
		f := a.part.Scale[i]
		for j := 0; set >= 0 && j < x.Cols; j++ {
			dst.Data[i*dst.Stride+j] += a.part.Weight * f * (sums[int(set)*x.Cols+j] - f*x.Data[i*x.Stride+j])
		}
	}
}

// setSums are the scaled sums of the rows of each set, over all ranks.
func (a *ghosted) setSums(x blas64.General) []float64 {
	sums := make([]float64, a.part.Sets*x.Cols)
	for i, set := range a.part.Set {
		for j := 0; set >= 0 && j < x.Cols; j++ {
			sums[int(set)*x.Cols+j] += a.part.Scale[i] * x.Data[i*x.Stride+j]
		}
	}
	a.share.Sum(sums)
	return sums
}

// energy returns Σ w_ij·(y_i − y_j)² over all edges of all ranks, for every column of y; size is
// the number of points of each set.
func (a *ghosted) energy(y blas64.General, size []float64) []float64 {
	c := y.Cols
	if c > ghostColumns {
		return append(a.energy(space.Columns(y, 0, ghostColumns), size), a.energy(space.Columns(y, ghostColumns, c), size)...)
	}
	whole := a.extended(y)
	const grain = 4096
	partial := make([]float64, parallel.Chunks(a.local.NumRows, grain)*c)
	space.MustRun(parallel.For(context.Background(), a.local.NumRows, grain, func(_, lo, hi int) error {
		out := partial[lo/grain*c:][:c]
		for i := lo; i < hi; i++ {
			yi := y.Data[i*y.Stride:][:c]
			cols, vals := a.local.Row(i)
			for k, j := range cols {
				if int(j) >= a.low+i {
					break // columns ascend, and the matrix is symmetric
				}
				for l, v := range whole.Data[int(j)*whole.Stride:][:c] {
					d := yi[l] - v
					out[l] += vals[k] * d * d
				}
			}
		}
		return nil
	}))
	total := space.SumParts(append(partial, make([]float64, c)...), c)
	if a.part.Sets > 0 {
		mean := a.setSums(y)
		for s, n := range size {
			for l := range c {
				mean[s*c+l] /= max(1, n)
			}
		}
		for i, set := range a.part.Set {
			for l := 0; set >= 0 && l < c; l++ {
				d := y.Data[i*y.Stride+l] - mean[int(set)*c+l]
				total[l] += a.part.Weight * size[set] * d * d
			}
		}
	}
	a.share.Sum(total)
	return total
}

package plsa

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Between these totals of all counts neither sums nor quotients leave the range of float64.
const smallestTotal, largestTotal = 1e-200, 1e200

// shortest is the least length of a document that is not empty: its inverse is a number.
const shortest = 1e-290

// counts are checked term counts.
type counts struct {
	x      *sparse.CSR
	length []float64 // Σ_j n(i,j) of each document
	total  float64   // of the documents of all ranks, after join
	terms  int       // entries above 0 of all ranks, after join
}

// longest returns the number of entries of the document that has most.
func (c *counts) longest() int {
	most := 0
	for i := range c.x.NumRows {
		most = max(most, c.x.RowPtr[i+1]-c.x.RowPtr[i])
	}
	return most
}

// dims returns documents and terms, and refuses an empty matrix.
func dims(x mat.Matrix) (n, p int, err error) {
	if x == nil {
		return 0, 0, invalid.Errorf("there is no matrix of term counts")
	}
	if n, p = x.Dims(); n == 0 || p == 0 {
		return 0, 0, invalid.Errorf("the matrix of term counts is empty (%d × %d)", n, p)
	}
	return n, p, nil
}

// readCounts takes the counts of any matrix, a CSR without copying it, and refuses negative and
// infinite entries.
func readCounts(ctx context.Context, x mat.Matrix) (*counts, error) {
	n, _, err := dims(x)
	if err != nil {
		return nil, err
	}
	a, ok := x.(*sparse.CSR)
	if !ok {
		if a, err = sparse.FromMatrix(x); err != nil {
			return nil, err
		}
	}
	c := &counts{x: a, length: make([]float64, n)}
	seen := 0
	for i := range n {
		cols, vals := a.Row(i)
		if seen += len(vals) + 1; seen > 1<<20 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			seen = 0
		}
		s := 0.0
		for q, v := range vals {
			if !(v >= 0 && v <= math.MaxFloat64) {
				if v < 0 && !math.IsInf(v, -1) {
					return nil, invalid.At(i, int(cols[q]), "the entry in {} is %g: PLSA takes counts or weights of at least 0; leave such terms out or use a method that takes them", v)
				}
				return nil, &sparse.NotFiniteError{Row: i, Col: int(cols[q]), Value: v}
			}
			if v > 0 {
				c.terms++
			}
			s += v
		}
		if s > 0 && s < shortest {
			return nil, invalid.At(i, -1, "the counts of {} sum to %.3g, which is too small: multiply the data by a constant, or leave that row out", s)
		}
		c.length[i] = s
		c.total += s
	}
	return c, ctx.Err()
}

// join adds up the totals of all ranks, and refuses sums that are too large or too small.
func (c *counts) join(share *ranks.Share) error {
	both := []float64{c.total, float64(c.terms)}
	share.Sum(both)
	c.total, c.terms = both[0], int(both[1])
	if c.total > largestTotal {
		return invalid.Errorf("the counts sum to %.3g, which is too large: divide the data by a constant", c.total)
	}
	if c.total > 0 && c.total < smallestTotal {
		return invalid.Errorf("the counts sum to %.3g, which is too small: multiply the data by a constant", c.total)
	}
	return nil
}

// block is a row-major matrix of documents or terms × clusters, padded with zeros to a stride that
// suits the kernels.
type block = blas64.General

func newBlock(rows, k int) block {
	s := padded(k)
	return block{Rows: rows, Cols: s, Stride: s, Data: make([]float64, rows*s)}
}

// padded rounds k up to tiles of the products.
func padded(k int) int {
	if k <= 2 {
		return k
	}
	return (k + 3) &^ 3
}

// bandWork is the number of multiply-adds between two checks of the context.
const bandWork = 1 << 26

// bands are the rows of a matrix in pieces, each multiplied on all cores. Pieces share the entries.
type bands struct {
	piece []*sparse.CSR
	first []int // first row of each piece
}

func newBands(a *sparse.CSR, k int) bands { return cut(a, bandWork/padded(k)) }

// cut makes bands of at most so many entries and rows each, or of one row.
func cut(a *sparse.CSR, work int) bands {
	if a.NNZ()+a.NumRows <= work {
		return bands{[]*sparse.CSR{a}, []int{0}}
	}
	piece, first := rows.Pieces(a, work)
	return bands{piece, first}
}

// mul sets dst to the matrix times x. 2·entries·K flops; 12 bytes per entry, 8·K scattered ones of
// x, 8·K per row of dst.
func (b bands) mul(ctx context.Context, dst, x block) error {
	for at, a := range b.piece {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := dst
		to.Rows, to.Data = a.NumRows, dst.Data[b.first[at]*dst.Stride:]
		a.MulBlock(to, x)
	}
	return ctx.Err()
}

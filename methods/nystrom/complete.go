package nystrom

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Complete is the complete cosine graph that new rows are joined to, as part of a model's file. The
// affinities of a row x to the training rows f_i are x·f_i, so the sums of the extension need the
// terms alone, not the training rows:
//
//	y_j(x) = x·(Fᵀy_j) / ((1−λ_j)·x·(Fᵀ1))
//
// Training rows that come back are known by fingerprints, because their own affinity, which is none
// of the graph's, is in these sums.
//
// Bytes: 8·terms·(dimensions + 1) and 16 per training row.
type Complete struct {
	Terms *mat.Dense // Fᵀy, terms × dimensions
	Sums  []float64  // Fᵀ1 of the terms
	Known []int      // two numbers per training row; 0, 0 for one without entries
}

// newComplete keeps the complete graph g of the rows x with the coordinates y. isolated are the
// rows without coordinates, ascending, an affinity to which places nothing.
func newComplete(x mat.Matrix, g *graph.Graph, y *mat.Dense, isolated []int) *Complete {
	f := g.Rows
	if len(isolated) > 0 {
		keep := make([]bool, f.NumRows)
		for i := range keep {
			keep[i] = true
		}
		for _, i := range isolated {
			keep[i] = false
		}
		f = f.Filter(func(i, _ int, _ float64) bool { return keep[i] })
	}
	t := f.Transpose()
	_, d := y.Dims()
	c := &Complete{Terms: mat.NewDense(t.NumRows, d, nil), Sums: t.RowSums()}
	t.MulBlock(c.Terms.RawMatrix(), y.RawMatrix())
	rows, err := sparse.FromMatrix(x)
	if err != nil { // then the graph could not have been built
		rows = g.Rows
	}
	c.Known = fingerprints(rows)
	return c
}

// fingerprints are 128 bits of each row's columns and values; 0, 0 of a row without entries.
func fingerprints(x *sparse.CSR) []int {
	out := make([]int, 2*x.NumRows)
	// The loop cannot fail and is never cancelled.
	_ = parallel.For(context.Background(), x.NumRows, 256, func(_, lo, hi int) error {
		var bytes []byte
		for i := lo; i < hi; i++ {
			cols, vals := x.Row(i)
			if len(cols) == 0 {
				continue
			}
			bytes = bytes[:0]
			for k, j := range cols {
				bytes = binary.LittleEndian.AppendUint32(bytes, uint32(j))
				bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(vals[k]))
			}
			sum := sha256.Sum256(bytes)
			out[2*i] = int(binary.LittleEndian.Uint64(sum[:8]))
			out[2*i+1] = int(binary.LittleEndian.Uint64(sum[8:16]))
		}
		return nil
	})
	return out
}

// gathered is the graph of the rows of all ranks. All ranks call it.
func (c *Complete) gathered(g *method.Gathering) *Complete {
	known := g.Ints(c.Known)
	if g.Count { // the sums are as large as each rank's
		return nil
	}
	all := &Complete{Terms: mat.DenseCopyOf(c.Terms), Sums: slices.Clone(c.Sums), Known: known}
	g.Share.Sum(all.Terms.RawMatrix().Data)
	g.Share.Sum(all.Sums)
	return all
}

// sums are the sums of affinities and of weighted coordinates of new rows, and the training row
// that each one equals, −1 for none.
func (c *Complete) sums(ctx context.Context, x mat.Matrix) (y *mat.Dense, degrees []float64, same []int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, nil, err
	}
	if _, cols := x.Dims(); cols != len(c.Sums) {
		return nil, nil, nil, &sparse.ShapeError{Why: fmt.Sprintf("the new rows have %d columns, the training rows %d", cols, len(c.Sums))}
	}
	rows, err := sparse.FromMatrix(x)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := graph.CheckComplete(rows); err != nil {
		return nil, nil, nil, err
	}
	same = c.find(fingerprints(rows))
	rows = graph.UnitRows(rows)
	_, d := c.Terms.Dims()
	y, degrees = mat.NewDense(rows.NumRows, d, nil), make([]float64, rows.NumRows)
	rows.MulBlock(y.RawMatrix(), c.Terms.RawMatrix())
	if err := rows.MulVecCtx(ctx, degrees, c.Sums); err != nil {
		return nil, nil, nil, err
	}
	return y, degrees, same, nil
}

// find returns the lowest training row of each fingerprint, −1 for none.
func (c *Complete) find(prints []int) []int {
	lowest := make(map[[2]int]int, len(c.Known)/2)
	for i := len(c.Known)/2 - 1; i >= 0; i-- {
		lowest[[2]int{c.Known[2*i], c.Known[2*i+1]}] = i
	}
	delete(lowest, [2]int{})
	same := make([]int, len(prints)/2)
	for i := range same {
		at, ok := lowest[[2]int{prints[2*i], prints[2*i+1]}]
		if same[i] = at; !ok {
			same[i] = -1
		}
	}
	return same
}

// Fields implements model.Part.
func (c *Complete) Fields(f *model.Fields) {
	f.OfDocuments("known")
	f.Dense("terms", &c.Terms)
	f.Floats("term_sums", &c.Sums)
	f.Ints("known", &c.Known)
}

// check is Check of model.Part; width is the number of coordinates.
func (c *Complete) check(of model.Frame, width int) error {
	if c.Terms == nil {
		return invalid.Errorf("the model lacks the sums of its terms")
	}
	if r, d := c.Terms.Dims(); r != of.Columns || d != width || len(c.Sums) != of.Columns || len(c.Known) != 2*of.Documents {
		return invalid.Errorf("the model has %d × %d and %d sums of terms and %d fingerprints for %d documents of %d terms in %d dimensions",
			r, d, len(c.Sums), len(c.Known)/2, of.Documents, of.Columns, width)
	}
	return nil
}

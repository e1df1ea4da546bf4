package graph

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Kind says which pairs of documents are joined.
type Kind string

const (
	// KindNearest joins each document to its nearest neighbours, as Options describe. The default.
	KindNearest Kind = "knn"
	// KindComplete joins every two documents that share a term, by their cosine.
	KindComplete Kind = "complete"
)

// unitTol is the distance from 1 within which the length of a row counts as 1.
const unitTol = 1e-12

// BuildComplete makes the complete cosine graph of the rows of x: the weight of two documents is
// the dot product of their rows scaled to length 1 (rows that have it are used as they are), and a
// document has none to itself. Its n² weights are never formed: W is nil, and Factor has what
// products need (Zhang et al. 2024, SnapATAC2, Nature Methods 21).
//
// Time and memory: linear in the entries, at most 36 bytes each beside x. Errors: values that are
// negative or not finite, with their place.
func BuildComplete(ctx context.Context, x mat.Matrix) (*Graph, error) {
	return buildComplete(ctx, x, nil)
}

// buildComplete is BuildComplete of the rows that each rank has.
func buildComplete(ctx context.Context, x mat.Matrix, share *ranks.Share) (*Graph, error) {
	s, _, err := exact.Double(x)
	if err == nil && s == nil {
		s, err = sparse.FromMatrix(x)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err = ranks.Agree(share, rows.Raised(err, func(i int) int { return share.First() + i })); err != nil {
		return nil, err
	}
	unit := UnitRows(s)
	g, err := newComplete(share, unit, nil)
	if err != nil {
		return nil, err
	}
	scaled := 0
	if unit != s {
		scaled = 1
	}
	g.Scaled = ranks.Count(share, scaled) > 0
	return g, nil
}

// UnitRows scales the rows of x to length 1; x itself if they have it. Rows of length 1 and rows
// without entries stay.
func UnitRows(x *sparse.CSR) *sparse.CSR {
	factors, all := x.RowNorms(), true
	for i, length := range factors {
		if factors[i] = 1; length != 0 && math.Abs(length-1) > unitTol {
			factors[i], all = length, false
		}
	}
	if all {
		return x
	}
	out := x.Clone()
	for i, length := range factors {
		_, vals := out.Row(i)
		for k := range vals {
			vals[k] /= length
		}
	}
	return out
}

// newComplete returns the complete graph of rows of unit length. apart marks rows of this rank; two
// marked points have no edge between them.
func newComplete(share *ranks.Share, rows *sparse.CSR, apart []bool) (*Graph, error) {
	f, err := eigen.NewSharedFactor(ranks.NewShare(share, rows.NumRows), rows, apart)
	if err != nil {
		return nil, err
	}
	g := &Graph{Factor: f, Rows: rows, apart: apart, Degrees: f.Degrees(), Share: share}
	g.Component, g.Components = f.Components()
	for i, d := range g.Degrees {
		if d == 0 {
			g.Isolated = append(g.Isolated, i)
		}
	}
	g.isolated = ranks.Count(share, len(g.Isolated))
	return g, nil
}

// CheckComplete refuses a value of x that a complete graph cannot have. It is what BuildComplete
// refuses, with the way out for a user.
func CheckComplete(x mat.Matrix) error {
	bad := func(i, j int, v float64) error {
		return invalid.At(i, j, "{} is %v: the complete cosine graph needs values of at least 0: leave ‹graph-kind› out, or give non-negative data", v)
	}
	switch x := x.(type) {
	case *sparse.CSR:
		for i := range x.NumRows {
			cols, vals := x.Row(i)
			for k, v := range vals {
				if v < 0 {
					return bad(i, int(cols[k]), v)
				}
			}
		}
	case *mat.Dense:
		n, _ := x.Dims()
		for i := range n {
			for j, v := range x.RawRowView(i) {
				if v < 0 {
					return bad(i, j, v)
				}
			}
		}
	}
	return nil
}

// Build makes the graph of the kind, a neighbour graph as opt describes.
func (k Kind) Build(ctx context.Context, x mat.Matrix, opt Options) (*Graph, error) {
	if k == KindComplete {
		return buildComplete(ctx, x, opt.Share)
	}
	return Build(ctx, x, opt)
}

// Apart is the graph without the edges between marked points, of which marked has the own ones.
func (g *Graph) Apart(marked []bool) (*Graph, error) {
	if g.IsComplete() {
		return newComplete(g.Share, g.Rows, marked)
	}
	own := make([]int32, len(marked))
	for i, m := range marked {
		if m {
			own[i] = 1
		}
	}
	mark := g.numbersOf(own)
	return newGraph(g.Share, g.W.Filter(func(i, j int, _ float64) bool { return !marked[i] || mark(int32(j)) == 0 }))
}

// Among returns the weights among the given points, ascending: of a complete graph as a factor,
// else as a matrix; the other result is nil. Ranks give own points of a complete graph.
func (g *Graph) Among(points []int) (*sparse.CSR, *eigen.Factor, error) {
	all := ranks.Count(g.Share, len(points)) == g.Total()
	switch {
	case all:
		return g.W, g.Factor, nil
	case !g.IsComplete():
		return g.W.SelectRows(points).SelectCols(points), nil, nil
	}
	var apart []bool
	if g.apart != nil {
		apart = make([]bool, len(points))
		for at, i := range points {
			apart[at] = g.apart[i]
		}
	}
	f, err := eigen.NewSharedFactor(ranks.NewShare(g.Share, len(points)), g.Rows.SelectRows(points), apart)
	return nil, f, err
}

package lapgmm

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// near are the edges of the own points of a graph, and the rows of the points at their other ends,
// some of which other ranks may have. Rows of blocks are the own points. Columns of w are the
// points of lower ranks, the own ones, and the points of higher ranks, ascending.
type near struct {
	share  *ranks.Share
	w      *sparse.CSR
	low    int           // points of lower ranks
	ghosts *ranks.Ghosts // points of other ranks
}

func newNear(g *graph.Graph) near {
	v := near{share: g.Share, w: g.W}
	if !g.Share.Divided() {
		return v
	}
	first, own := int32(g.Share.First()), int32(g.W.NumRows)
	ids := g.Share.Others(g.W.Col)
	v.low, _ = slices.BinarySearch(ids, first)
	v.ghosts = ranks.NewGhosts(g.Share, ids)
	col := make([]int32, len(g.W.Col))
	for e, j := range g.W.Col {
		if at, ghost := slices.BinarySearch(ids, j); !ghost {
			col[e] = int32(v.low) + j - first
		} else if col[e] = int32(at); at >= v.low {
			col[e] += own
		}
	}
	v.w = &sparse.CSR{NumRows: g.W.NumRows, NumCols: g.W.NumRows + len(ids), RowPtr: g.W.RowPtr, Col: col, Val: g.W.Val}
	return v
}

// rows are the rows of all columns of w, of which x has the own ones; with one rank x itself. A
// rank receives 8 bytes per column of x and point of another rank. All ranks call it.
func (v near) rows(x blas64.General) blas64.General {
	if !v.share.Divided() {
		return x
	}
	others := v.ghosts.Rows(x.Data, x.Cols, x.Stride)
	split := v.low * x.Cols
	all := blas64.General{Rows: v.w.NumCols, Cols: x.Cols, Stride: x.Cols}
	all.Data = slices.Concat(others[:split], x.Data[:x.Rows*x.Cols], others[split:])
	return all
}

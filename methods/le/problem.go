package le

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"gonum.org/v1/gonum/mat"
)

// problem is the eigenproblem of the points of a graph that have a neighbour or a companion.
type problem struct {
	pencil         *eigen.Pencil
	kept, isolated []int // points that are here
	n              int   // points kept, of all ranks
	share          *ranks.Share
	whole          bool // of a shared graph: every rank has the whole problem
}

// fewPoints is the number of points from which on the ranks divide the eigenproblem of a shared
// graph, and ownPoints how many each of them must have. Every rank solves smaller problems whole,
// and so it does with solvers that need the whole matrix.
const (
	fewPoints = 4000
	ownPoints = 64
)

// newProblem makes the eigenproblem of a graph with joined sets. Every rank of a shared graph gives
// its own points of each set.
func newProblem(g *graph.Graph, sets [][]int32, weight float64, opt eigen.Options) (*problem, error) {
	kept, isolated, renumbered := withoutIsolated(g, sets)
	q := &problem{kept: kept, isolated: isolated, share: ranks.NewShare(g.Share, len(kept))}
	q.n = q.share.Total()
	least := []float64{-float64(len(kept))}
	ranks.Largest(q.share, least)
	var err error
	switch {
	case q.n == 0:
	case q.share.Divided() && (!opt.Divides() || q.n < fewPoints || -least[0] < ownPoints):
		q.whole = true
		q.pencil, err = wholePencil(g, sets, weight)
	default:
		q.pencil, err = pencil(g, kept, renumbered, weight)
	}
	return q, err
}

// own are the rows of the points that are here.
func (q *problem) own(y *mat.Dense) *mat.Dense {
	if !q.whole {
		return y
	}
	_, k := y.Dims()
	out := mat.NewDense(max(1, q.share.Own()), k, nil)
	for i := range q.share.Own() {
		out.SetRow(i, y.RawRowView(q.share.First()+i))
	}
	return out
}

// wholePencil is the pencil of the points of all ranks, on every rank.
func wholePencil(g *graph.Graph, sets [][]int32, weight float64) (*eigen.Pencil, error) {
	whole, err := g.Whole()
	if err != nil {
		return nil, err
	}
	all := make([][]int32, len(sets))
	for s, members := range sets {
		own := make([]int, len(members))
		for k, i := range members {
			own[k] = g.Share.First() + int(i)
		}
		for _, i := range ranks.GatherInts(g.Share, own) {
			all[s] = append(all[s], int32(i))
		}
	}
	kept, _, all := withoutIsolated(whole, all)
	return pencil(whole, kept, all, weight)
}

// pencil returns the pencil of the graph on the kept points, with the points of each set joined.
func pencil(g *graph.Graph, kept []int, sets [][]int32, weight float64) (*eigen.Pencil, error) {
	if g.Share.Divided() && !g.IsComplete() {
		s, err := g.Joined(kept, sets, weight)
		if err != nil {
			return nil, err
		}
		return eigen.NewSharedPencil(s)
	}
	w, f, err := g.Among(kept)
	switch {
	case err != nil:
		return nil, err
	case f != nil && len(sets) == 0:
		return eigen.NewFactoredPencil(f, nil)
	case f != nil:
		return eigen.NewFactoredCliquePencil(f, sets, weight)
	case len(sets) == 0:
		return eigen.NewPencil(w, nil)
	}
	return eigen.NewCliquePencil(w, sets, weight)
}

// withoutIsolated returns the numbers of the points that have neighbours or companions and of the
// others, and the sets of more than one point in the new numbers, in which the others are empty.
func withoutIsolated(g *graph.Graph, sets [][]int32) (kept, isolated []int, renumbered [][]int32) {
	size := make([]float64, len(sets))
	for s, set := range sets {
		size[s] = float64(len(set))
	}
	g.Share.Sum(size)
	joined := map[int]bool{}
	for s, set := range sets {
		for _, i := range set {
			joined[int(i)] = size[s] > 1
		}
	}
	for _, i := range g.Isolated {
		if !joined[i] {
			isolated = append(isolated, i)
		}
	}
	kept = rows.Others(g.Len(), isolated)
	place := make([]int32, g.Len())
	for at, i := range kept {
		place[i] = int32(at)
	}
	for s, set := range sets {
		var at []int32
		for _, i := range set {
			if size[s] > 1 {
				at = append(at, place[i])
			}
		}
		renumbered = append(renumbered, at)
	}
	return kept, isolated, renumbered
}

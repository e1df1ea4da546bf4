package le

import (
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
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

// newProblem makes the eigenproblem of a graph with joined sets. Every rank of a shared graph gives
// its own points of each set.
func newProblem(g *graph.Graph, sets [][]int32, weight float64, opt eigen.Options) (*problem, error) {
	if g.Share.Divided() {
		return newSharedProblem(g, sets, weight, opt)
	}
	kept, isolated, sets := withoutIsolated(g, sets)
	q := &problem{kept: kept, isolated: isolated, n: len(kept)}
	var err error
	if q.n > 0 {
		q.pencil, err = pencil(g, kept, sets, weight)
	}
	return q, err
}

// own are the rows of the points that are here.
func (q *problem) own(y *mat.Dense) *mat.Dense {
	if !q.whole {
		return y
	}
	_, k := y.Dims()
	return mat.DenseCopyOf(y.Slice(q.share.First(), q.share.First()+q.share.Own(), 0, k))
}

// fewPoints is the number of points from which on the ranks divide the eigenproblem of a shared
// graph, and ownPoints how many each of them must have. Every rank solves smaller problems whole,
// and those of solvers that need the whole matrix.
const (
	fewPoints = 4000
	ownPoints = 64
)

func newSharedProblem(g *graph.Graph, sets [][]int32, weight float64, opt eigen.Options) (*problem, error) {
	size := make([]float64, len(sets))
	for s, members := range sets {
		size[s] = float64(len(members))
	}
	g.Share.Sum(size)
	set, joined := slices.Repeat([]int32{-1}, g.Len()), 0
	for s, members := range sets {
		if size[s] < 2 {
			continue
		}
		for _, i := range members {
			set[i] = int32(joined)
		}
		joined++
	}
	q := new(problem)
	for i := range g.Len() {
		if g.W.RowPtr[i+1] > g.W.RowPtr[i] || set[i] >= 0 {
			q.kept = append(q.kept, i)
		} else {
			q.isolated = append(q.isolated, i)
		}
	}
	s, err := g.Joined(q.kept, set, joined, weight)
	if err != nil {
		return nil, err
	}
	q.share, q.n = s.Share, s.Share.Total()
	if q.n == 0 {
		return q, nil
	}
	least := []float64{-float64(len(q.kept))}
	if ranks.Largest(s.Share, least); opt.Divides() && q.n >= fewPoints && -least[0] >= ownPoints {
		q.pencil, err = eigen.NewSharedPencil(s)
		return q, err
	}
	q.whole = true
	w, members := s.Gather()
	if len(members) > 0 {
		q.pencil, err = eigen.NewCliquePencil(w, members, weight)
	} else {
		q.pencil, err = eigen.NewPencil(w, nil)
	}
	return q, err
}

package lle

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	n := in.Len()
	used = used.withDefaults(n)
	k, l, entries := used.Neighbors, used.LandmarksOf(n), float64(at.Entries)/float64(n)
	search := method.Stage{Bytes: graph.NearestBytes(n, k, at.Entries, in.Sparse()), Keeps: graph.ListBytes(n, k),
		Seconds: at.Pairs(float64(n)*float64(n)/2, n), Helps: []string{"‹neighbors›"}}
	weights := method.Stage{Bytes: memory.Bytes(12, n, k), Keeps: memory.Bytes(12, n, k), Seconds: at.Passes(entries*float64(n), float64(k*k))}
	return []method.Stage{method.AsOne("pieces", memory.Bytes(8, n, used.Dims), search, weights, used.plannedSolve(n, l, at))}, nil
}

// plannedSolve is the eigenproblem of n points, of l landmarks if they are fewer.
func (o Options) plannedSolve(n, l int, at method.Rates) method.Stage {
	if l >= n {
		e := o.Eigen
		if e.Solver == "" || e.Solver == eigen.Auto {
			e.Solver = eigen.Dense
		}
		bytes := memory.Sum(eigen.Bytes(n, o.Dims, e), memory.Bytes(12, n, o.Neighbors))
		if n > fewPoints { // M, row by row and as one
			bytes = memory.Sum(bytes, memory.Bytes(2*12, n, o.Neighbors, o.Neighbors+1))
		}
		solve := method.Stage{Bytes: bytes, Helps: []string{"‹landmarks›"},
			Seconds: at.Blocks(math.Pow(float64(n), 3))}
		if e.Solver != eigen.Dense {
			solve.Seconds = at.Passes(2*float64(n)*float64(o.Neighbors), float64(500*o.Dims))
		}
		return solve
	}
	k := o.LandmarkNeighbors
	residual := min(l, 2*k) // entries of a row: neighbours have most of their landmarks in common
	among := graph.NearestBytes(n, k, at.Entries, !at.Dense)
	pencil := memory.Sum(memory.Bytes(2*12, n, residual), pencilBytes(l))
	return method.Stage{Bytes: max(among, pencil), Helps: []string{"‹landmarks›", "‹landmark-neighbors›"},
		Seconds: at.Passes(float64(n), float64(residual*residual)) + at.Blocks(7*math.Pow(float64(l), 3)) + at.Pairs(float64(n)*float64(l), n)}
}

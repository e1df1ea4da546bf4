package scple

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// candidateBytes is the memory of a candidate: in lists that grow, and in the two graphs.
const candidateBytes = 16 * 3 / 2

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	dims, err := used.LE.DimsFor(in)
	if err != nil {
		return nil, err
	}
	n, l := in.Len(), in.Labelled()
	k, entries := in.FewNeighbors(used.LE.Graph.Neighbors, graph.DefaultNeighbors), at.Of(l, n).Entries
	entry := int64(8)
	if in.Sparse() {
		entry = 12
	}
	// The rows of a class and of all others are copied. A document is joined to about half of its
	// candidates of either kind.
	search := method.Stage{Name: "graph", Keeps: graph.KeptBytes(l, k), Helps: []string{"‹neighbors›"},
		Bytes:   memory.Sum(memory.Bytes(entry, entries), graph.NearestBytes(l/max(1, in.Clusters), k, entries, in.Sparse()), memory.Bytes(2*(candidateBytes+2*24), l, k)),
		Seconds: at.Pairs(float64(l)*float64(l), n)}
	places := memory.Bytes(8, n, dims)
	solve := method.Stage{Name: "eigen", Keeps: places, Helps: []string{"‹dims›"}, Seconds: at.Passes(4*float64(l)*float64(k), float64(100*dims)),
		Bytes: memory.Sum(eigen.Bytes(l, dims, used.eigen()), memory.Bytes(2*12, 2*l, k), places)}
	// All rows are copied, in two parts, to find the labelled ones that are near the others.
	place := method.Stage{Bytes: memory.Sum(places, memory.Bytes(entry, at.Entries), graph.NearestBytes(n, placingNeighbours, at.Entries, in.Sparse())),
		Seconds: at.Pairs(float64(n)*float64(l), n)}
	return []method.Stage{search, method.AsOne("eigen", places, solve, place)}, nil
}

package graphssl

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/methods/method"
)

// edgeBytes is the memory of an edge: in a list that grows, and in both directions in the graph.
const edgeBytes = 72

// solveBytes is the memory of a graph of some number of edges, and of the scores of n documents.
func solveBytes(n, classes int, edges float64) int64 {
	return memory.Whole(edgeBytes*edges + cg.Bytes(n, classes) + 3*8*float64(n)*float64(classes))
}

// Plan implements method.Planner.
func (o *MethodOptions) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const products = 50
	n, l, classes := in.Len(), in.Labelled(), len(in.Given.Names)
	open := n - l
	opt := o.Graph.withDefaults(in.Sparse(), l, open)
	entry := int64(8)
	if in.Sparse() {
		entry = 12
	}
	copied := memory.Bytes(entry, at.Entries)
	search := method.Stage{Bytes: memory.Sum(copied, graph.NearestBytes(open, max(opt.LabeledNeighbors, opt.Neighbors), at.Entries, in.Sparse())), Keeps: copied,
		Seconds: at.Pairs(float64(open)*(float64(l)+float64(open)/2), n)}
	edges := float64(open) * float64(opt.LabeledNeighbors+opt.Neighbors)
	solve := method.Stage{Bytes: solveBytes(n, classes, edges), Seconds: at.Passes(2*edges, float64(products*classes)), Helps: []string{"‹neighbors›"}}
	return []method.Stage{o.SVM.Planned("svm", in, at, l, classes, 1), method.AsOne("graph", memory.Bytes(8, n, classes), search, solve)}, nil
}

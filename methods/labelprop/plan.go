package labelprop

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Bytes estimates the memory that [FitGraph] takes besides a graph of a number of entries: the
// scores, those of conjugate gradients, and the entries between free documents, twice while the
// graph's are scaled.
func Bytes(n, classes, entries int) int64 {
	return memory.Whole(cg.Bytes(n, classes) + 8*float64(n)*float64(classes) + 20*float64(entries))
}

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const products = 100 // at most
	// 0.04 s of the 12 classes of Debian's descriptions, 0.14 of the 10 of USPS, 0.39 of the 30 of
	// TDT2.
	const usual = 15
	classes := max(1, in.Clusters)
	joined := nystrom.Planned{Problem: nystrom.Problem{Graph: o.GraphOptions(in)}, Dims: 1}
	both, err := joined.Stages(in, at)
	if err != nil {
		return nil, err
	}
	n := in.Len()
	own, _ := in.X.Dims()
	neighbors := in.CompleteGraph(in.X, joined.Graph).Neighbors
	entries := 3 * own * neighbors / 2 // about half of the neighbours are mutual
	solve := method.Stage{Name: "propagation", Bytes: Bytes(own, classes, entries), Keeps: memory.Bytes(8, own, classes),
		Seconds: at.Passes(float64(2*n*neighbors), float64(usual*classes))}
	if in.Share.Divided() { // labels, scales and places of all documents, and scores of other ranks' neighbours
		ghosts := graph.Ghosts(n, in.Share.Size(), neighbors)
		solve.Bytes = memory.Sum(solve.Bytes, memory.Bytes(33, n), memory.Bytes(8, ghosts, classes))
		solve.Received = memory.Sum(memory.Bytes(24, n), memory.Bytes(8, ghosts, products*classes))
	}
	return []method.Stage{both[0], solve}, nil
}

package nystrom

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// vectorsPerPair is how many vectors are multiplied per eigenpair: 24 for 30 pairs of TDT2, 37 for
// 40 of 100,000 abstracts, 52 of 200,000.
const vectorsPerPair = 50

// shared are the stages of one rank that has a part of the rows. opt has its defaults, and k pairs
// are solved for.
func (p Planned) shared(share *ranks.Share, opt graph.Options, k int, at method.Rates) []method.Stage {
	n, own, size := share.Total(), share.Own(), share.Size()
	search := method.Stage{Name: "graph", Bytes: opt.SharedBytes(at.Entries, at.Dense), Keeps: graph.KeptBytes(own, opt.Neighbors),
		Received: opt.SharedReceived(at.Entries, at.Dense), Seconds: at.Pairs(float64(n)*float64(n)/2, n), Helps: []string{"‹ranks›", "‹neighbors-method› approx", "‹neighbors›"}}
	if opt.Approximate(n, float64(at.Entries)/float64(n), at.Dense) {
		search.Seconds, search.Helps = at.Approximate(n), []string{"‹ranks›", "‹neighbors›"}
	}
	ghosts := graph.Ghosts(n, size, opt.Neighbors)
	const entry = 12 // of the graph: column and weight
	solve := method.Stage{Name: "eigen", Keeps: memory.Bytes(8, own, p.Dims), Helps: []string{"‹ranks›", "‹dims›"},
		Bytes:    eigen.SharedBytes(own, int(graph.KeptBytes(own, opt.Neighbors)/entry), ghosts, k, p.Eigen),
		Received: memory.Bytes(8, ghosts, vectorsPerPair*k),
		Seconds:  solving(n, opt.Neighbors, k, at)}
	if p.Whole {
		whole := graph.KeptBytes(n, opt.Neighbors)
		solve.Helps = []string{"‹dims›"}
		solve.Bytes = memory.Sum(whole, whole, eigen.WholeBytes(n, k, size, p.Eigen))
		solve.Received = memory.Sum(solve.Received, graph.KeptBytes(n-own, opt.Neighbors), memory.Bytes(8, n-own, k))
	}
	return []method.Stage{search, solve}
}

package nystrom

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/manifold"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Planned is an embedding by eigenvectors of a graph whose work is planned.
type Planned struct {
	Problem
	Dims int
	// Solved is how many eigenpairs the solver looks for at a time; 0: Dims.
	Solved int
	// Whole says that every rank has the whole graph and all vectors when the eigenproblem is solved.
	Whole bool
}

// productsPerPair is how many products with the graph an eigenpair takes, roughly, the work on the
// basis included.
const productsPerPair = 100

// placingPairs is how many times as long a pair of a placed row and a landmark takes as one of two
// rows of a graph: it is computed in float64 (1,000,000 abstracts by 100,000 landmarks: 3 ns).
const placingPairs = 3

// Stages are those of the embedding.
func (p Planned) Stages(in *method.Input, at method.Rates) ([]method.Stage, error) {
	n, k := in.Len(), p.Dims
	if p.Solved > 0 {
		k = p.Solved
	}
	opt := in.CompleteGraph(in.X, p.Graph)
	switch {
	case p.Kind == graph.KindComplete:
		return []method.Stage{
			{Name: "graph", Bytes: graph.CompleteBytes(at.Entries), Keeps: graph.CompleteBytes(at.Entries), Seconds: at.Passes(float64(at.Entries), 10)},
			{Name: "eigen", Bytes: eigen.Bytes(n, k, p.Eigen), Keeps: memory.Bytes(8, n, p.Dims), Helps: []string{"‹dims›"},
				Seconds: at.Passes(2*float64(at.Entries), float64(productsPerPair*k))},
		}, nil
	case opt.Epsilon > 0:
		return nil, invalid.Errorf("the number of edges of ‹epsilon› %v is not known before the search: plan the run with ‹neighbors› in its place", opt.Epsilon)
	case opt.Neighbors >= n:
		return nil, invalid.Errorf("‹neighbors› %d is as many as its %d documents or more: give fewer", opt.Neighbors, n)
	}
	if in.Share.Divided() {
		return p.shared(in.Share, opt, k, at), nil
	}
	m, copied := n, int64(0)
	if p.Landmarks > 0 && p.Landmarks != n {
		if err := manifold.CheckLandmarks(in, p.Landmarks, p.Dims); err != nil {
			return nil, err
		}
		m, copied = p.Landmarks, memory.Bytes(12, int(float64(at.Entries)/float64(n)*float64(p.Landmarks)))
	}
	mine := int(float64(at.Entries) / float64(n) * float64(m))
	search := method.Stage{Name: "graph", Keeps: memory.Sum(copied, graph.KeptBytes(m, opt.Neighbors)),
		Bytes:   memory.Sum(copied, graph.Bytes(m, opt.Neighbors), graph.IndexBytes(mine, in.Sparse())),
		Seconds: at.Pairs(float64(m)*float64(m)/2, n), Helps: []string{"‹neighbors-method› approx", "‹graph-kind› complete", "‹neighbors›"}}
	if opt.Approximate(m, float64(at.Entries)/float64(n), at.Dense) {
		search.Seconds, search.Helps = at.Approximate(m), search.Helps[1:]
	}
	solve := method.Stage{Name: "eigen", Bytes: eigen.Bytes(m, k, p.Eigen), Keeps: memory.Bytes(8, m, p.Dims),
		Seconds: at.Passes(2*float64(m)*float64(opt.Neighbors), float64(productsPerPair*k)), Helps: []string{"‹dims›"}}
	if p.Landmarks == 0 {
		search.Helps = append(search.Helps, "‹landmarks›")
	}
	if m == n {
		return []method.Stage{search, solve}, nil
	}
	block := int(float64(at.Entries) / float64(n) * float64(min(n-m, blockRows)+m))
	return []method.Stage{search, solve, {Name: "placing", Keeps: memory.Bytes(8, n, p.Dims), Seconds: placingPairs * at.Pairs(float64(n-m)*float64(m), n),
		Bytes: memory.Sum(PlacingBytes(n, p.Dims), graph.Bytes(min(n-m, blockRows), opt.Neighbors), graph.IndexBytes(block, in.Sparse()), memory.Bytes(12, block)),
		Helps: []string{"‹landmarks›"}}}, nil
}

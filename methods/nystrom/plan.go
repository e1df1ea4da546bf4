package nystrom

import (
	"math"

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

// productsPerPair is how many products with a complete graph an eigenpair takes, roughly, the work
// on the basis included.
const productsPerPair = 100

// products is how many products with a graph of neighbours k eigenpairs take, roughly, the work on
// the basis included: 230 to 280 for 10 to 30 pairs of texts, 500 for 40 of 100,000 abstracts, and
// 1,400 for 30 of 200,000 points in the plane.
// Graphs of dense rows, of points on surfaces, have eigenvalues nearer to each other: 1.7 times as
// many for 18 pairs of five corpora of images and tables.
func products(k int, dense bool) float64 {
	if dense {
		return 1.7 * (200 + 5*float64(k))
	}
	return 200 + 5*float64(k)
}

// searches is how many searches for neighbours a graph takes, about, in which groups of nearly
// equal documents count as one node: a second one where there are such groups, as in 5 of 31
// corpora, most of them large.
const searches = 1.3

// solving are the seconds of k eigenpairs of a graph of neighbours of n rows.
func solving(n, neighbours, k int, at method.Rates) float64 {
	return at.Passes(2*float64(n)*float64(neighbours), products(k, at.Dense)) * method.Far(graph.KeptBytes(n, neighbours))
}

// placingPairs is how many times as long a pair of a placed row and a landmark takes as one of two
// rows of a graph: it is computed in float64 (1,000,000 abstracts by 100,000 landmarks: 3 ns).
const placingPairs = 3

// complete returns the stages of a complete graph. With ranks they are one rank's, which has a part
// of the rows and receives the sums of the terms in every product.
func (p Planned) complete(in *method.Input, k int, at method.Rates) []method.Stage {
	n := in.Len()
	own, terms := in.X.Dims()
	mine := int(math.Round(float64(at.Entries) * (float64(own) / float64(n))))
	build := method.Stage{Name: "graph", Bytes: graph.CompleteBytes(mine, in.Sparse()), Keeps: graph.CompleteKept(mine, in.Sparse()), Seconds: at.Passes(float64(at.Entries), 10)}
	solve := method.Stage{Name: "eigen", Bytes: eigen.Bytes(n, k, p.Eigen), Keeps: memory.Bytes(8, own, p.Dims), Helps: []string{"‹dims›"},
		Seconds: at.Passes(2*float64(at.Entries), float64(productsPerPair*k))}
	if !in.Share.Divided() {
		return []method.Stage{build, solve}
	}
	build.Helps, solve.Helps = []string{"‹ranks›"}, []string{"‹ranks›", "‹dims›"}
	build.Bytes = memory.Sum(build.Bytes, memory.Bytes(4, n), memory.Bytes(4, terms, in.Share.Size()))
	build.Received = memory.Bytes(4, terms, in.Share.Size())
	solve.Bytes = eigen.SharedBytes(own, 0, 0, k, p.Eigen)
	solve.Received = memory.Bytes(16, terms, vectorsPerPair*k)
	if p.Whole {
		rows := memory.Bytes(12, at.Entries)
		solve.Helps = solve.Helps[1:]
		solve.Bytes = memory.Sum(rows, graph.CompleteBytes(at.Entries, in.Sparse()), eigen.WholeBytes(n, k, in.Share.Size(), p.Eigen))
		solve.Received = memory.Sum(solve.Received, rows)
	}
	return []method.Stage{build, solve}
}

// Stages returns the stages of the embedding.
func (p Planned) Stages(in *method.Input, at method.Rates) ([]method.Stage, error) {
	n, k := in.Len(), p.Dims
	if p.Solved > 0 {
		k = p.Solved
	}
	opt := in.CompleteGraph(in.X, p.Graph)
	switch {
	case p.Kind == graph.KindComplete:
		return p.complete(in, k, at), nil
	case opt.Epsilon > 0:
		return nil, invalid.Errorf("the number of edges of ‹epsilon› %v is not known before the search: plan the run with ‹neighbors› in its place", opt.Epsilon)
	case opt.Neighbors >= n:
		return nil, invalid.Errorf("‹neighbors› %d is as many as its %d documents or more: give at most %d", opt.Neighbors, n, n-1)
	}
	landmarks := p.Landmarks > 0 && p.Landmarks != n
	if in.Share.Divided() && !landmarks {
		return p.shared(in.Share, opt, k, at), nil
	}
	// Every rank fits the landmarks, and places its own documents.
	all := at
	at.Threads = max(1, at.Threads/in.Share.Size())
	m, copied := n, int64(0)
	if landmarks {
		if err := manifold.CheckLandmarks(in, p.Landmarks, p.Dims); err != nil {
			return nil, err
		}
		m, copied = p.Landmarks, memory.Bytes(12, int(float64(at.Entries)/float64(n)*float64(p.Landmarks)))
	}
	mine := int(float64(at.Entries) / float64(n) * float64(m))
	search := method.Stage{Name: "graph", Keeps: memory.Sum(copied, opt.Kept(m)),
		Bytes:   memory.Sum(copied, opt.BuildBytes(m, mine, in.Sparse())),
		Seconds: at.Pairs(float64(m)*float64(m)/2, n) + at.Rows(m), Helps: []string{"‹neighbors-method› approx", "‹graph-kind› complete", "‹neighbors›"}}
	if opt.Approximate(m, float64(at.Entries)/float64(n), at.Dense) {
		search.Seconds, search.Helps = at.Approximate(m), search.Helps[1:]
	}
	if in.Together && in.Sparse() && !landmarks {
		search.Seconds *= searches
	}
	if at.Again {
		search.Seconds = 0
	}
	solve := method.Stage{Name: "eigen", Bytes: eigen.Bytes(m, k, p.Eigen), Keeps: memory.Bytes(8, m, p.Dims),
		Seconds: solving(m, opt.Neighbors, k, at), Helps: []string{"‹dims›"}}
	if p.Landmarks == 0 {
		search.Helps = append(search.Helps, "‹landmarks›")
	}
	if m == n {
		return []method.Stage{search, solve}, nil
	}
	here, _ := in.X.Dims()
	if in.Share.Divided() {
		search.Received = copied
	}
	placed := min(here, n-m, blockRows) // at a time
	exact := graph.Options{Neighbors: opt.Neighbors, Search: graph.ExactSearch}
	block := int(float64(at.Entries) / float64(n) * float64(placed+m))
	return []method.Stage{search, solve, {Name: "placing", Keeps: memory.Bytes(8, here, p.Dims), Seconds: placingPairs * all.Pairs(float64(n-m)*float64(m), n),
		Bytes: memory.Sum(PlacingBytes(here, p.Dims), exact.BuildBytes(placed, block, in.Sparse()), memory.Bytes(12, block)),
		Helps: []string{"‹landmarks›"}}}, nil
}

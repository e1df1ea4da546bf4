package method

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// leastPart is the least share of the documents of a part of a graph that counts.
const leastPart = 0.01

// parts returns the number of components of a graph, of all ranks, that have leastPart of the
// documents, or of all components if these hold less than half of the documents. which names the
// components that were counted, for messages.
func parts(g *graph.Graph) (large int, which string) {
	sizes := make([]float64, g.Components)
	for _, c := range g.Component {
		sizes[c]++
	}
	g.Share.Sum(sizes)
	held, all := 0.0, float64(g.Total())
	for _, size := range sizes {
		if size >= leastPart*all {
			large, held = large+1, held+size
		}
	}
	if 2*held < all {
		return g.Components, ""
	}
	return large, " of a hundredth of the documents or more"
}

// Wider returns the graph g of X, or one with twice as many neighbours, and its options. opt are
// the options of g, with HeatWidth as it was asked for. If g has more parts than there are
// clusters, some clusters would be whole parts put together by chance. Dense rows then get twice as
// many neighbours, if these leave no more parts than clusters; a note says so, or that the parts
// stay. All ranks call it. Cost: a second graph of such data, and O(documents) otherwise.
func (in *Input) Wider(ctx context.Context, g *graph.Graph, opt graph.Options) (*graph.Graph, graph.Options, error) {
	if in.Clusters < 2 || in.Graph != nil || in.Sparse() || opt.Epsilon > 0 || g.IsComplete() || g.Components <= in.Clusters {
		return g, opt, nil
	}
	found, which := parts(g)
	if found <= in.Clusters {
		return g, opt, nil
	}
	more := opt
	more.Neighbors = min(2*opt.Neighbors, in.Len()-1)
	if here, _ := in.X.Dims(); ranks.Least(in.Share, memory.Left(ctx)) >= amongBytes(in.X, here, more) {
		wide, used, err := in.Affinity(ctx, more)
		if err != nil {
			return nil, opt, err
		}
		if left, of := parts(wide); left <= in.Clusters {
			if of == which {
				of = ""
			}
			in.Notef("With %d neighbours the graph falls into %d parts%s, and with %d into %d parts%s: these are taken, for %d clusters", opt.Neighbors, found, which, more.Neighbors, left, of, in.Clusters)
			return wide, used, nil
		}
	}
	in.Notef("The graph falls into %d parts%s, so that some of %d clusters are several of them; more ‹neighbors› join parts", found, which, in.Clusters)
	return g, opt, nil
}

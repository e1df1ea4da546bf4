package leiden

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
)

// passes are the passes over the edges that a partition takes, roughly.
const passes = 100

// Search says which partition to find.
type Search struct {
	Clusters   int     // how many groups; 0: as many as the resolution gives
	Resolution float64 // γ, or where the search for it begins; 0 = 1
	Seed       uint64
	Observer   progress.Observer // receives the stage "communities"
}

// Partition are groups of the nodes of a graph.
type Partition struct {
	// Labels are the group of each node that is here. Groups are numbered by falling size, of equal
	// ones the one with the first node first. Isolated nodes are in group 0, unless more groups were
	// asked for than there are other nodes.
	Labels []int
	Sizes  []int // of all ranks' nodes
	// Confidence is the share of each node's edges, by weight, that lead into its group; 0 of isolated
	// ones.
	Confidence []float64
	// Modularity is Q at the Resolution. No move of a node and no merger of two groups raises it,
	// unless groups were Merged.
	Modularity float64
	Resolution float64
	Merged     int // mergers that brought groups to the number that was asked for
}

// findBytes estimates the memory that Find takes beside a graph of n nodes of all ranks and a
// number of entries, in bytes: networks of groups, their sums and what earlier rounds leave behind,
// and of ranks the whole graph.
func findBytes(n, entries int, share *ranks.Share) int64 {
	need := memory.Sum(memory.Bytes(16, entries), memory.Bytes(300, n))
	if share.Divided() {
		need = memory.Sum(need, wholeBytes(n, entries))
	}
	return need
}

// wholeBytes is the memory of the graph of all ranks.
func wholeBytes(n, entries int) int64 {
	return memory.Sum(memory.Bytes(2*12, entries), memory.Bytes(64, n))
}

// keptBytes is the memory of a partition.
func keptBytes(n int) int64 { return memory.Bytes(16, n) }

// Find partitions a graph. It refuses complete graphs. One seed gives the same partition at any
// number of threads and ranks. The ranks of a shared graph search together, each in the whole
// graph.
//
// Cost: some tens of passes over the edges for each resolution that is tried, one without a number
// of groups and at most 24 with one. Errors: fs.ErrInvalid for more groups than nodes and for a
// resolution that is no number above 0, memory.ErrLimit, and the context's.
func Find(ctx context.Context, g *graph.Graph, s Search) (*Partition, error) {
	var p *Partition
	err := onWhole(ctx, g, s, func(whole *graph.Graph) (err error) {
		p, err = find(ctx, whole, s.withDefaults())
		return err
	})
	if err != nil {
		return nil, err
	}
	p.own(g.Share)
	return p, nil
}

func (s Search) withDefaults() Search {
	if s.Resolution == 0 {
		s.Resolution = 1
	}
	return s
}

// onWhole checks a search and calls work with the graph of all ranks.
func onWhole(ctx context.Context, g *graph.Graph, s Search, work func(whole *graph.Graph) error) error {
	err := check(g, s.withDefaults())
	if err == nil {
		err = memory.Need(ctx, findBytes(g.Total(), ranks.Count(g.Share, entries(g)), g.Share), "choose fewer ‹neighbors›", "communities of %s", words.Counted(g.Total(), "document"))
	}
	if err = ranks.Agree(g.Share, err); err != nil {
		return err
	}
	whole := g
	if g.Share.Divided() {
		if whole, err = g.Whole(); err != nil {
			return err
		}
	}
	return ranks.Agree(g.Share, work(whole))
}

// own leaves a rank the nodes that it has.
func (p *Partition) own(share *ranks.Share) {
	p.Labels, p.Confidence = ranks.Own(share, p.Labels), ranks.Own(share, p.Confidence)
}

func check(g *graph.Graph, s Search) error {
	switch {
	case g.IsComplete():
		return invalid.Errorf("communities are of a graph whose edges are listed, and this one is complete: build a neighbour graph")
	case !(s.Resolution > 0) || s.Resolution > 1e300:
		return invalid.Errorf("‹resolution› must be a number above 0, not %v", s.Resolution)
	case s.Clusters < 0 || s.Clusters > g.Total():
		return invalid.Errorf("%s give from 1 to %d clusters, not %d", words.Counted(g.Total(), "document"), g.Total(), s.Clusters)
	}
	return nil
}

func entries(g *graph.Graph) int {
	if g.IsComplete() {
		return 0
	}
	return g.W.NNZ()
}

// find partitions a graph that is here as a whole.
func find(ctx context.Context, g *graph.Graph, s Search) (*Partition, error) {
	joined := make([]int, 0, g.Len()) // nodes with an edge
	for i, d := range g.Degrees {
		if d > 0 {
			joined = append(joined, i)
		}
	}
	w := g.W
	if len(joined) < g.Len() {
		w = w.SelectRows(joined).SelectCols(joined)
	}
	part := &found{gamma: s.Resolution}
	mergers := 0
	if len(joined) > 0 {
		f := newFinder(newNetwork(w), s.Seed, s.Observer)
		var err error
		if s.Clusters == 0 {
			part, err = f.at(ctx, s.Resolution)
		} else {
			k := min(s.Clusters, len(joined))
			if part, err = f.into(ctx, min(k+smallComponents(g, s.Clusters), len(joined)), s.Resolution); err == nil {
				mergers, err = f.merge(ctx, part, k)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	p := &Partition{Resolution: part.gamma, Merged: mergers}
	p.Labels, p.Sizes = ordered(spread(part, joined, g.Len(), s.Clusters))
	p.Modularity = Modularity(g.W, p.Labels, p.Resolution)
	p.Confidence = inside(g.W, g.Degrees, p.Labels)
	return p, nil
}

// smallComponents counts the components that are too small to be one of k groups, but for isolated
// nodes.
func smallComponents(g *graph.Graph, k int) int {
	sizes := make([]int, g.Components)
	for _, c := range g.Component {
		sizes[c]++
	}
	few := 0
	for _, size := range sizes {
		if size > 1 && size*smallPart*k < g.Len() {
			few++
		}
	}
	return few
}

// spread lists the groups of all n nodes. Isolated nodes go into the largest group; if fewer than k
// groups were found, as many of them as are missing become groups of their own.
func spread(p *found, joined []int, n, k int) ([]int32, int) {
	of := make([]int32, n)
	for v := range of {
		of[v] = -1
	}
	size := make([]int, p.k+1)
	for at, v := range joined {
		of[v] = p.of[at]
		size[p.of[at]]++
	}
	largest := 0
	for c, s := range size[:p.k] {
		if s > size[largest] {
			largest = c
		}
	}
	groups := p.k
	for v := range of {
		if of[v] >= 0 {
			continue
		}
		if of[v] = int32(largest); groups < max(1, k) {
			of[v] = int32(groups)
			groups++
		}
	}
	return of, groups
}

// inside is the share of the weight of each node's edges that leads into its group.
func inside(w *sparse.CSR, degrees []float64, labels []int) []float64 {
	share := make([]float64, len(labels))
	for i, c := range labels {
		cols, vals := w.Row(i)
		for e, j := range cols {
			if labels[j] == c {
				share[i] += vals[e]
			}
		}
		if share[i] > 0 {
			share[i] = min(1, share[i]/degrees[i])
		}
	}
	return share
}

// Package summary describes graphs and the solutions of eigenproblems in a few numbers, for people
// and for JSON.
package summary

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// Graph describes an affinity graph.
type Graph struct {
	// Kind is "complete" of the complete cosine graph, whose edges are not counted: that would form
	// it. Edges, Degree and their JSON are then left out. Else it is empty.
	Kind       string     `json:"kind,omitempty"`
	Nodes      int        `json:"nodes"`
	Edges      int        `json:"edges"`
	Degree     [3]int     `json:"neighbors_min_median_max"` // edges of a node
	Weight     [3]float64 `json:"degree_min_median_max"`    // sum of weights of a node
	Components int        `json:"components"`
	Sizes      []int      `json:"component_sizes"` // largest first, at most 20
	Isolated   int        `json:"isolated"`        // nodes without an edge; equal documents are one node
}

// OfShared describes a graph of which each rank has the rows of its own documents. All ranks
// call it; 12 bytes per document go to each.
func OfShared(share *ranks.Share, g *graph.Graph) *Graph {
	n := nodesOf(g)
	n.edges, n.weights = ranks.GatherInts(share, n.edges), ranks.GatherFloats(share, n.weights)
	sizes := make([]float64, len(n.sizes))
	for c, size := range n.sizes {
		sizes[c] = float64(size)
	}
	share.Sum(sizes)
	for c, size := range sizes {
		n.sizes[c] = int(size)
	}
	s := n.summary()
	s.Components, s.Isolated = g.Components, g.AllIsolated()
	return &s
}

// OfGraph describes a graph.
func OfGraph(g *graph.Graph) Graph {
	s := nodesOf(g).summary()
	s.Components, s.Isolated = g.Components, g.AllIsolated()
	return s
}

// nodes are the edges of each node of a graph (nil of a complete one), the sum of their weights,
// and the sizes of the components.
type nodes struct {
	edges   []int
	weights []float64
	sizes   []int
}

func nodesOf(g *graph.Graph) nodes {
	n := nodes{weights: slices.Clone(g.Degrees), sizes: make([]int, g.Components)}
	if !g.IsComplete() {
		n.edges = make([]int, g.Len())
		for i := range n.edges {
			n.edges[i] = g.W.RowPtr[i+1] - g.W.RowPtr[i]
		}
	}
	for _, c := range g.Component {
		n.sizes[c]++
	}
	return n
}

// summary describes the nodes, but for the numbers of components and isolated nodes. It sorts them.
func (n nodes) summary() Graph {
	count := len(n.weights)
	s := Graph{Nodes: count}
	if count == 0 {
		return s
	}
	if n.edges == nil {
		s.Kind = string(graph.KindComplete)
	} else {
		for _, edges := range n.edges {
			s.Edges += edges
		}
		slices.Sort(n.edges)
		s.Edges, s.Degree = s.Edges/2, [3]int{n.edges[0], n.edges[count/2], n.edges[count-1]}
	}
	slices.Sort(n.weights)
	s.Weight = [3]float64{n.weights[0], n.weights[count/2], n.weights[count-1]}
	slices.SortFunc(n.sizes, func(a, b int) int { return b - a })
	s.Sizes = n.sizes[:min(20, len(n.sizes))]
	return s
}

// MarshalJSON leaves out what a complete graph does not have.
func (s Graph) MarshalJSON() ([]byte, error) {
	type plain Graph
	if s.Kind == "" {
		return json.Marshal(plain(s))
	}
	return json.Marshal(struct {
		plain
		Edges  bool `json:"edges,omitempty"`
		Degree bool `json:"neighbors_min_median_max,omitempty"`
	}{plain: plain(s)})
}

// String is the graph in one line.
func (s Graph) String() string {
	text := words.Counted(s.Nodes, "node") + ", "
	if s.Kind == "" {
		text += words.Counted(s.Edges, "edge")
	} else {
		text += "all pairs joined by their cosine"
	}
	if s.Components == 1 {
		text += ", connected"
	} else {
		text += fmt.Sprintf(", %d components (the largest %s)", s.Components, words.Thousands(s.Sizes[0]))
	}
	return text
}

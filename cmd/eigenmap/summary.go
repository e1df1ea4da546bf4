package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
)

// graphSummary is what a person or a script wants to know about an affinity graph.
type graphSummary struct {
	Nodes      int        `json:"nodes"`
	Edges      int        `json:"edges"`
	Degree     [3]int     `json:"neighbors_min_median_max"` // edges a node
	Weight     [3]float64 `json:"degree_min_median_max"`    // sum of weights a node
	Components int        `json:"components"`
	Sizes      []int      `json:"component_sizes"` // largest first, at most 20
	Isolated   int        `json:"isolated"`
}

func summarizeGraph(g *graph.Graph) graphSummary {
	n := g.W.NumRows
	s := graphSummary{Nodes: n, Edges: g.W.NNZ() / 2, Components: g.Components, Isolated: len(g.Isolated)}
	if n == 0 {
		return s
	}
	counts := make([]int, n)
	for i := range counts {
		counts[i] = g.W.RowPtr[i+1] - g.W.RowPtr[i]
	}
	slices.Sort(counts)
	weights := slices.Clone(g.Degrees)
	slices.Sort(weights)
	s.Degree = [3]int{counts[0], counts[n/2], counts[n-1]}
	s.Weight = [3]float64{weights[0], weights[n/2], weights[n-1]}
	sizes := make([]int, g.Components)
	for _, c := range g.Component {
		sizes[c]++
	}
	slices.SortFunc(sizes, func(a, b int) int { return b - a })
	s.Sizes = sizes[:min(20, len(sizes))]
	return s
}

func (s graphSummary) String() string {
	text := counted(s.Nodes, "node") + ", " + counted(s.Edges, "edge")
	if s.Components == 1 {
		text += ", connected"
	} else {
		text += fmt.Sprintf(", %d components (the largest %s)", s.Components, report.Thousands(s.Sizes[0]))
	}
	if s.Isolated > 0 {
		text += fmt.Sprintf(", %d isolated", s.Isolated)
	}
	return text
}

// graphRows is the summary as a table.
func graphRows(s graphSummary) [][]string {
	sizes := make([]string, len(s.Sizes))
	for i, n := range s.Sizes {
		sizes[i] = report.Thousands(n)
	}
	if s.Components > len(sizes) {
		sizes = append(sizes, "...")
	}
	return [][]string{
		{"nodes", report.Thousands(s.Nodes)},
		{"edges", report.Thousands(s.Edges)},
		{"neighbours", fmt.Sprintf("%d, %d, %d (smallest, median, largest)", s.Degree[0], s.Degree[1], s.Degree[2])},
		{"degree", fmt.Sprintf("%.4g, %.4g, %.4g (sum of weights: smallest, median, largest)", s.Weight[0], s.Weight[1], s.Weight[2])},
		{"components", fmt.Sprintf("%d, of sizes %s", s.Components, strings.Join(sizes, ", "))},
		{"isolated", report.Thousands(s.Isolated)},
	}
}

// eigenSummary is how the eigenproblem was solved.
type eigenSummary struct {
	Solver      string  `json:"solver"`
	Why         string  `json:"why,omitempty"`
	Products    int     `json:"products"`
	Restarts    int     `json:"restarts"`
	Deflated    int     `json:"deflated"`
	MaxResidual float64 `json:"max_residual"`
}

func summarizeEigen(m *spectrum) *eigenSummary {
	if m == nil || m.stats == nil {
		return nil
	}
	return &eigenSummary{Solver: string(m.stats.Solver), Why: m.stats.Why, Products: m.stats.Products,
		Restarts: m.stats.Restarts, Deflated: m.stats.Deflated, MaxResidual: m.worst()}
}

// notes are the sentences to tell; the choice of the solver stands with the solver already.
func (j *job) notes(e *eigenSummary) []string {
	told := j.ui.told()
	if e == nil || e.Why == "" {
		return told
	}
	return slices.DeleteFunc(told, func(n string) bool { return strings.Contains(n, e.Why) })
}

func (s *eigenSummary) String() string {
	text := ""
	if s.Solver != "" { // else there was nothing to solve
		text = s.Solver
		if s.Why != "" {
			text += " (" + s.Why + ")"
		}
		text += ", "
	}
	text += fmt.Sprintf("largest residual %.1e", s.MaxResidual)
	if s.Products > 0 {
		text += ", " + counted(s.Products, "product")
	}
	if s.Deflated > 0 {
		text += fmt.Sprintf(", %s known from the components", plural(s.Deflated, "null vector", "null vectors"))
	}
	return text
}

// counted is "1 term" or "6,012 terms".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return report.Thousands(n) + " " + what
}

// corpusText is "6,012 documents, 14,203 terms, 400,123 entries, 12 classes".
func (j *job) corpusText() string {
	c := j.corpus
	r, cols := c.X.Dims()
	if j.graph != nil {
		return "affinity of " + counted(r, "document")
	}
	parts := []string{counted(r, "document"), counted(cols, "term")}
	if s, ok := c.X.(*sparse.CSR); ok {
		entries := " entries"
		if s.NNZ() == 1 {
			entries = " entry"
		}
		parts = append(parts, report.Thousands(s.NNZ())+entries)
	}
	if c.Labels != nil {
		parts = append(parts, plural(len(c.ClassNames), "class", "classes"))
	}
	return strings.Join(parts, ", ")
}

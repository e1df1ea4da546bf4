package eigenmap

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
)

// SummarizeGraph describes a graph.
func SummarizeGraph(g *graph.Graph) GraphSummary {
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
func (n nodes) summary() GraphSummary {
	count := len(n.weights)
	s := GraphSummary{Nodes: count}
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
func (s GraphSummary) MarshalJSON() ([]byte, error) {
	type plain GraphSummary
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
func (s GraphSummary) String() string {
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
	if s.Isolated > 0 {
		text += fmt.Sprintf(", %d isolated", s.Isolated)
	}
	return text
}

func summarizeEigen(v *method.Values) *EigenSummary {
	if v == nil || v.Stats == nil {
		return nil
	}
	return &EigenSummary{Solver: string(v.Stats.Solver), Why: v.Stats.Why, Products: v.Stats.Products,
		Restarts: v.Stats.Restarts, Deflated: v.Stats.Deflated, MaxResidual: v.Worst(), Inertia: v.Stats.Inertia}
}

// String is the solution in one line.
func (s *EigenSummary) String() string {
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
		text += ", " + words.Counted(s.Products, "product")
	}
	if s.Deflated > 0 {
		text += fmt.Sprintf(", %s known from the components", words.Plural(s.Deflated, "null vector", "null vectors"))
	}
	if s.Inertia != nil {
		text += ", " + s.Inertia.String()
	}
	return text
}

// valuesRow says how the values of the coordinates were found; nil if there are none.
func valuesRow(v *method.Values) []string {
	switch {
	case v == nil || v.Stats == nil && v.How == "":
		return nil
	case v.Stats == nil:
		return []string{"fit", v.How}
	}
	name := "svd"
	if v.Kind == method.Eigenvalue {
		name = "eigen"
	}
	how := summarizeEigen(v).String()
	if v.How != "" {
		how = v.How + ", " + how
	}
	return []string{name, how}
}

// corpusText is "6,012 documents, 14,203 terms, 400,123 entries, 12 classes".
func (j *job) corpusText() string {
	c := j.corpus
	r := c.Len()
	_, cols := c.X.Dims()
	if j.Source.Precomputed {
		return "affinity of " + words.Counted(r, "document")
	}
	parts := []string{words.Counted(r, "document"), words.Counted(cols, "term")}
	if s, ok := c.X.(sparse.Rows); ok {
		entries := " entries"
		n := s.Pattern().NNZ()
		if j.share.Divided() {
			n = j.entries
		}
		if n == 1 {
			entries = " entry"
		}
		parts = append(parts, words.Thousands(n)+entries)
	}
	if c.Labels != nil {
		parts = append(parts, words.Plural(len(c.ClassNames), "class", "classes"))
	}
	return strings.Join(parts, ", ")
}

// inputRows are the lines about what was read.
func (j *job) inputRows() [][]string {
	rows := [][]string{{"read", j.file + ": " + j.corpusText()}}
	if row := j.vectorsRow(); row != nil {
		rows = append(rows, row)
	}
	if j.x != nil && (j.vectors == nil || j.joinsViews()) {
		rows = append(rows, []string{"weights", j.Weighting + ", normalize " + j.Normalize})
	}
	if row := j.known.row(j.corpus.Len()); row != nil {
		rows = append(rows, row)
	}
	return rows
}

// Rows says how the result was made: heading and text of one line per stage.
func (r *Run) Rows() [][]string {
	rows := r.j.inputRows()
	f := r.Fitted
	if c := r.Choice; c != nil {
		rows = append(rows, []string{"method", c.Method + ": " + c.Why})
	}
	if s := r.graphSummary(); s != nil {
		rows = append(rows, []string{"graph", s.String()})
	}
	for _, fact := range f.Facts {
		if fact.Line != "" {
			rows = append(rows, []string{fact.Line, plainNames(fact.Words)})
		}
	}
	if row := valuesRow(f.Values); row != nil {
		rows = append(rows, row)
	}
	if r.Search != nil {
		rows = append(rows, []string{"k", fmt.Sprintf("%d %s", r.Search.Clusters, r.Search.sentence())})
		if others := r.Search.others(); others != "" {
			rows = append(rows, []string{"other k", others})
		}
	}
	if r.Levels != nil {
		rows = append(rows, []string{"levels", r.levelsText()})
	}
	if r.clusters != nil {
		rows = append(rows, []string{r.clusters.By, r.clusters.How})
		if row := r.uncertainRow(); row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// Rows says what was read.
func (r *GraphRun) Rows() [][]string { return r.j.inputRows() }

// found are the facts for programs, by ID; nil if there are none.
func found(facts []method.Fact) map[string]any {
	m := map[string]any{}
	for _, f := range facts {
		if f.ID == "" {
			continue
		}
		m[f.ID] = f.Value
		if v, ok := f.Value.([]float64); ok {
			m[f.ID] = Numbers(v)
		}
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// valuesOf are the values of the coordinates if they are of a kind, else an empty list.
func (r *Run) valuesOf(kind string) Numbers {
	if v := r.Fitted.Values; v != nil && v.Kind == kind {
		return Numbers(v.Values)
	}
	return Numbers{}
}

func (r *Run) graphSummary() *GraphSummary {
	if r.Fitted.Graph == nil {
		return nil
	}
	if r.shared != nil {
		return r.shared
	}
	s := SummarizeGraph(r.Fitted.Graph)
	return &s
}

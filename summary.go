package eigenmap

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

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
	how := summary.OfValues(v).String()
	if v.How != "" {
		how = v.How + ", " + how
	}
	return []string{name, how}
}

// Rows says how the result was made: heading and text of one line per stage.
func (r *Run) Rows() [][]string {
	rows := r.j.InputRows()
	f := r.Fitted
	if c := r.Choice; c != nil {
		rows = append(rows, []string{"method", c.Method + ": " + c.Why})
	}
	if s := r.graphSummary(); s != nil {
		rows = append(rows, []string{"graph", s.String()})
	}
	for _, fact := range f.Facts {
		if fact.Line != "" {
			rows = append(rows, []string{fact.Line, words.Plain(fact.Words)})
		}
	}
	if row := valuesRow(f.Values); row != nil {
		rows = append(rows, row)
	}
	if r.Search != nil {
		rows = append(rows, []string{"k", fmt.Sprintf("%d %s", r.Search.Clusters, sentence(r.Search))})
		if others := others(r.Search); others != "" {
			rows = append(rows, []string{"other k", others})
		}
	}
	if r.Levels != nil {
		rows = append(rows, []string{"levels", r.levelsText()})
	}
	if r.Found != nil {
		rows = append(rows, []string{r.Found.By, r.Found.How})
		if row := r.uncertainRow(); row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// Rows says what was read.
func (r *GraphRun) Rows() [][]string { return r.j.InputRows() }

// found are the facts for programs, by ID; nil if there are none.
func found(facts []method.Fact) map[string]any {
	m := map[string]any{}
	for _, f := range facts {
		if f.ID == "" {
			continue
		}
		m[f.ID] = f.Value
		if v, ok := f.Value.([]float64); ok {
			m[f.ID] = summary.Numbers(v)
		}
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// valuesOf are the values of the coordinates if they are of a kind, else an empty list.
func (r *Run) valuesOf(kind string) summary.Numbers {
	if v := r.Fitted.Values; v != nil && v.Kind == kind {
		return summary.Numbers(v.Values)
	}
	return summary.Numbers{}
}

func (r *Run) graphSummary() *summary.Graph {
	if r.Fitted.Graph == nil {
		return nil
	}
	if r.shared != nil {
		return r.shared
	}
	s := summary.OfGraph(r.Fitted.Graph)
	return &s
}

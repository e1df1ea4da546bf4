package view

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// uncertainRow counts the uncertain documents in a table; nil of a hard clustering, and of a method
// whose probabilities are low nearly everywhere.
func uncertainRow(r *result.Run) []string {
	u := r.Uncertain()
	if u == nil || r.Found.Spread {
		return nil
	}
	return []string{"uncertain", fmt.Sprintf("%s with a probability below %g for their cluster", words.Counted(u.Count, "document"), result.Certain)}
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
	how := summary.OfValues(v).String()
	if v.How != "" {
		how = v.How + ", " + how
	}
	return []string{name, how}
}

// Rows says how the result was made: heading and text of one line per stage.
func Rows(r *result.Run) [][]string {
	rows := r.J.InputRows()
	f := r.Fitted
	if c := r.Choice; c != nil {
		rows = append(rows, []string{"method", c.Method + ": " + c.Why})
	}
	if s := GraphOf(r); s != nil {
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
		rows = append(rows, []string{"levels", levelsText(r)})
	}
	if r.Found != nil {
		rows = append(rows, []string{r.Found.By, r.Found.How})
		if row := uncertainRow(r); row != nil {
			rows = append(rows, row)
		}
	}
	if v := r.RunnerUp; v != nil {
		rows = append(rows, []string{"runner-up", runnerUpText(v, r.Corpus.Len())})
	}
	return rows
}

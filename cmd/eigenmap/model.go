package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/words"
)

// printModel describes a model.
func (a *app) printModel(m *eigenmap.Model) error {
	a.ui.stop()
	s, rowsOf := m.Summary, m.Rows()
	if a.own.JSON {
		return a.printJSON(struct {
			Kind     string `json:"kind"`
			File     string `json:"file"`
			Predicts bool   `json:"predicts"` // it takes new documents
			eigenmap.ModelSummary
		}{"model", m.File, m.Closed() == "", s})
	}
	rows := [][]string{
		{"file", m.File},
		{"model", fmt.Sprintf("%s, of %s and %s", m.Method(), words.Counted(m.Documents(), "document"), words.Counted(rowsOf.Columns, "term"))},
		{"made by", fmt.Sprintf("eigenmap %s, %s, %s", s.Versions.Version, s.Versions.Go, s.Versions.Library)},
	}
	if rowsOf.Columns > 0 {
		rows = append(rows, []string{"weights", rowsOf.Weighting + ", normalize " + rowsOf.Normalize})
	}
	if rowsOf.Terms != nil {
		rows = append(rows, []string{"vocabulary", words.Clip(strings.Join(rowsOf.Terms[:min(10, len(rowsOf.Terms))], " "), 60) + " ..."})
	}
	if s.Dims > 0 {
		rows = append(rows, []string{"embedding", words.Plural(s.Dims, "dimension", "dimensions")})
	}
	if sizes := m.Sizes(); sizes != nil {
		rows = append(rows, []string{"clusters", fmt.Sprintf("%d, of %s to %s", len(sizes), words.Thousands(slices.Min(sizes)), words.Counted(slices.Max(sizes), "document"))})
	}
	if s.Graph != nil {
		rows = append(rows, []string{"graph", s.Graph.String()})
	}
	if len(s.Eigenvalues) > 0 {
		text := ""
		for _, v := range s.Eigenvalues[:min(8, len(s.Eigenvalues))] {
			text += fmt.Sprintf("%.6g ", v)
		}
		if len(s.Eigenvalues) > 8 {
			text += "..."
		}
		rows = append(rows, []string{"eigenvalues", strings.TrimSpace(text)})
	}
	takes := "yes: eigenmap predict " + m.File + " FILE"
	if why := m.Closed(); why != "" {
		takes = "none: " + why
	}
	a.table(append(rows, []string{"new documents", takes}))
	return nil
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/model"
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
			Columns []modelColumn `json:"view_columns,omitempty"` // by which documents are compared beside their texts
		}{"model", m.File, m.Closed() == "", s, columnsOf(&rowsOf)})
	}
	rows := [][]string{
		{"file", m.File},
		{"model", fmt.Sprintf("%s, of %s and %s", m.Method(), words.Counted(m.Documents(), "document"), words.Counted(rowsOf.Columns, "term"))},
		{"made by", fmt.Sprintf("eigenmap %s, %s, %s", s.Versions.Version, s.Versions.Go, s.Versions.Library)},
	}
	if by := comparedBy(&rowsOf); by != "" {
		rows = append(rows, []string{"compared by", by})
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

// modelColumn is a column by which a model compares documents beside their texts.
type modelColumn struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Values []string `json:"values,omitempty"` // of a category
	Weight float64  `json:"weight"`
}

func columnsOf(r *model.Rows) (list []modelColumn) {
	for _, v := range r.View {
		list = append(list, modelColumn{v.Name, v.Kind, v.Values, v.Weight})
	}
	return list
}

// comparedBy says by what a model compares documents, if not by their terms alone.
func comparedBy(r *model.Rows) string {
	by := ""
	switch {
	case r.Beside > 0:
		by = "terms and vectors of " + words.Counted(r.Beside, "number")
	case r.Vectors:
		by = "vectors of " + words.Counted(r.Columns, "number")
	case r.View != nil:
		by = "terms"
	}
	for _, v := range r.View {
		kind := v.Kind
		if len(v.Values) > 0 {
			kind = words.Counted(len(v.Values), "value")
		}
		by += fmt.Sprintf(", column %s (%s, weight %.2f)", words.Name(v.Name), kind, v.Weight)
	}
	return by
}

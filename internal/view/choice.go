package view

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/words"
)

// part is the table for the report; nil if there is none.
func part(c *choosing.Choice) *report.Methods {
	if c == nil || c.Table == nil {
		return nil
	}
	dealt := fmt.Sprintf("into %d folds, of which %d were held out in turn", c.Folds, c.HeldOut)
	if c.HeldOut > c.Folds {
		dealt = fmt.Sprintf("into %d folds, again and again, and %d folds were held out in turn", c.Folds, c.HeldOut)
	}
	m := &report.Methods{How: fmt.Sprintf("The known labels were dealt %s. Each method learned from the other labels; accuracy and macro-F1 are of the documents held out. %s was chosen.", dealt, c.Method)}
	for _, row := range c.Table {
		r := report.MethodRow{Name: row.Method, Note: row.Note}
		if row.Documents > 0 {
			r.Accuracy, r.MacroF1, r.Documents = fmt.Sprintf("%.3f ± %.3f", row.Accuracy, row.Error), fmt.Sprintf("%.3f", row.MacroF1), words.Thousands(row.Documents)
		}
		m.Rows = append(m.Rows, r)
	}
	return m
}

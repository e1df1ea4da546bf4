package artefact

import (
	"strconv"

	"github.com/eigenmap/eigenmap/internal/result"
)

// certaintyCells are the last columns of a document in clusters.csv. What is not known is empty.
func certaintyCells(r *result.Run, i int) []string {
	cell := func(values []float64) string {
		if values == nil {
			return ""
		}
		return strconv.FormatFloat(values[i], 'g', 6, 64)
	}
	cells := []string{cell(r.Distance), cell(r.Confidence), r.Placed(i)}
	if r.Second != nil {
		second := ""
		if k := r.Second[i]; k >= 0 {
			second = strconv.Itoa(k)
		}
		cells = append(cells, second)
	}
	if r.Novelty != nil {
		cells = append(cells, cell(r.Novelty))
	}
	if r.J.RejectAuto {
		cells = append(cells, cell(r.Unlike))
	}
	return cells
}

// certaintyHead are the names of the columns of certaintyCells.
func certaintyHead(r *result.Run) []string {
	head := []string{"distance", "confidence", "placed"}
	if r.Second != nil {
		head = append(head, "second")
	}
	if r.Novelty != nil {
		head = append(head, "novelty")
	}
	if r.J.RejectAuto { // what they are rejected by
		head = append(head, "unlike")
	}
	return head
}

package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// directionTerms is how many terms of a direction a person is shown; directions.csv has all.
const directionTerms = 8

// sides returns the heaviest terms of a direction, with positive weights and with negative ones,
// each word once.
func sides(r *result.Run, weights []method.Weight) (plus, minus []string) {
	for _, w := range weights[:min(directionTerms, len(weights))] {
		side := &plus
		if w.Weight < 0 {
			side = &minus
		}
		if c := r.J.Corpus; c != nil && w.Column < len(c.Stems) && w.Term == c.Terms[w.Column] { // else of vectors
			w.Term = c.Word(w.Column)
		}
		if !slices.Contains(*side, w.Term) {
			*side = append(*side, w.Term)
		}
	}
	return plus, minus
}

// shownTerms are the two sides on one line.
func shownTerms(r *result.Run, weights []method.Weight) string {
	plus, minus := sides(r, weights)
	text := strings.Join(plus, " ")
	if len(minus) > 0 {
		text = strings.TrimSpace(text + " − " + strings.Join(minus, " "))
	}
	return text
}

// DirectionRows is the directions or topics as a table for a person; nil if there are none.
func DirectionRows(r *result.Run) [][]string {
	if r.Directions() == nil {
		return nil
	}
	if r.Topics() {
		rows := [][]string{{"topic", "terms that set it apart"}}
		for i, d := range r.Directions() {
			name := fmt.Sprintf("%5d", i)
			if c := r.Found; c != nil && c.Classes != nil && c.Classes[i] != "" {
				name += " " + words.Clip(c.Classes[i], 24)
			}
			rows = append(rows, []string{name, shownTerms(r, d)})
		}
		return rows
	}
	rows := [][]string{{"direction", "terms", "heaviest"}}
	for i, d := range r.Directions() {
		rows = append(rows, []string{fmt.Sprintf("%9d", i+1), fmt.Sprintf("%5d", len(d)), shownTerms(r, d)})
	}
	return rows
}

package missing

import (
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
)

// Error says that there are missing cells, and what may be done.
type Error struct {
	Why string
	// At is the place of the first one in a matrix; nil where First of the request says it.
	At *sparse.NotFiniteError
}

// Unwrap returns At.
func (e *Error) Unwrap() error {
	if e.At == nil {
		return nil
	}
	return e.At
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Why }

// refuse is the error of missing cells, with a way out.
func (s *settling) refuse(way string) error {
	first := ""
	var at *sparse.NotFiniteError
	if s.First != "" {
		first = "; the first, " + s.First
	} else if !s.Table {
		at = s.firstNaN()
		first = fmt.Sprintf("; the first, row %d, column %s, is NaN", at.Row+1, s.named([]int{at.Col})[0])
	}
	return &Error{At: at, Why: fmt.Sprintf("%s missing in %s%s; %s", words.Plural(s.cells, "cell is", "cells are"), s.where(), first, way)}
}

// firstNaN is the place of the first missing cell in a column that is not left out.
func (s *settling) firstNaN() *sparse.NotFiniteError {
	at := &sparse.NotFiniteError{Row: -1, Value: math.NaN()}
	for i := 0; at.Row < 0; i++ {
		if s.inRow[i] == 0 {
			continue
		}
		entries(s.x, i, func(j int, v float64) {
			if v != v && !s.out[j] && at.Row < 0 {
				at.Row, at.Col = i, j
			}
		})
	}
	return at
}

func (s *settling) fail(why string) error { return &Error{Why: why} }

package main

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/report"
)

// fromZero is a place in a matrix as the library names it.
var fromZero = regexp.MustCompile(`\brow (\d+)(?:, column (\d+))? \(counted from 0\)`)

// inDocuments names the documents and terms that an error of the library counts from 0: the rows of a file are counted otherwise,
// and may not all be at work.
func (j *job) inDocuments(err error) error {
	if err == nil || j.corpus == nil || j.opt.method == nameTSVM || j.opt.method == nameGraphSSL { // whose machines may have rows of their own
		return err
	}
	said := err.Error()
	text := fromZero.ReplaceAllStringFunc(said, func(place string) string {
		at := fromZero.FindStringSubmatch(place)
		i, err := strconv.Atoi(at[1])
		if err != nil || i >= j.corpus.Len() {
			return place
		}
		name := "document " + report.Clip(j.corpus.ID(i), 40)
		if at[2] == "" {
			return name
		}
		t, err := strconv.Atoi(at[2])
		if _, terms := j.corpus.X.Dims(); err != nil || t >= terms {
			return place
		}
		return name + ", " + j.term(t)
	})
	if text == said {
		return err
	}
	return &flagError{text, err}
}

// term is a column's name, or its number among the terms from 1.
func (j *job) term(t int) string {
	if j.corpus.Terms != nil {
		return report.Clip(j.corpus.Terms[t], 40)
	}
	return fmt.Sprintf("term %d", t+1)
}

package artefact

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/result"
)

// DoubtsName is the table of uncertain documents in a folder of results.
const DoubtsName = "uncertain.csv"

// DoubtHead are the columns of uncertain.csv.
var DoubtHead = []string{"id", "cluster", "probability", "second", "second_probability"}

// writeDoubts writes the uncertain documents, the least certain first.
func writeDoubts(r *result.Run, w io.Writer) error {
	list := result.Doubts(r.Posterior)
	return WriteTable(w, DoubtHead, len(list), func(i int, record []string) []string { return doubtRecord(r, list[i], record) })
}

// doubtRecord appends the record of an uncertain document.
func doubtRecord(r *result.Run, d result.Doubt, record []string) []string {
	return append(record, Cell(r, r.Corpus.ID(d.Document)), strconv.Itoa(d.First), probability(d.P1), strconv.Itoa(d.Second), probability(d.P2))
}

func probability(p float64) string { return strconv.FormatFloat(p, 'g', 6, 64) }

// DoubtLine is a line of uncertain.csv, and the probability by which the lines are ordered.
type DoubtLine struct {
	Probability float64
	ID          string // of the document
	Line        []byte
}

// DoubtLines are the lines of uncertain.csv of a run, in their order.
func DoubtLines(r *result.Run) ([]DoubtLine, error) {
	var lines []DoubtLine
	for _, d := range result.Doubts(r.Posterior) {
		var line bytes.Buffer
		w := csv.NewWriter(&line)
		if err := w.Write(doubtRecord(r, d, nil)); err != nil {
			return nil, err
		}
		if w.Flush(); w.Error() != nil {
			return nil, w.Error()
		}
		lines = append(lines, DoubtLine{d.P1, r.Corpus.ID(d.Document), line.Bytes()})
	}
	return lines, nil
}

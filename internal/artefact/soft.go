package artefact

import (
	"io"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/result"
)

// writeDoubts writes the uncertain documents as id,cluster,probability,second,second_probability.
func writeDoubts(r *result.Run, w io.Writer) error {
	list := result.Doubts(r.Posterior)
	return WriteTable(w, []string{"id", "cluster", "probability", "second", "second_probability"}, len(list), func(i int, record []string) []string {
		d := list[i]
		return append(record, Cell(r, r.Corpus.ID(d.Document)), strconv.Itoa(d.First), probability(d.P1), strconv.Itoa(d.Second), probability(d.P2))
	})
}

func probability(p float64) string { return strconv.FormatFloat(p, 'g', 6, 64) }

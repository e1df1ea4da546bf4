package artefact

import (
	"io"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/result"
)

// writeRunnerUp writes id,cluster: the cluster of each document in the runner-up; "escaped id" in
// place of id if one is escaped for spreadsheets.
func writeRunnerUp(r *result.Run, w io.Writer) error {
	return WriteTable(w, []string{idHead(r), "cluster"}, len(r.Labels), func(i int, record []string) []string {
		return append(record, Cell(r, r.Corpus.ID(i)), strconv.Itoa(r.RunnerUp.Labels[i]))
	})
}

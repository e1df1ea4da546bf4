package artefact

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/result"
)

// writeLevels writes id and the cluster of each level: k2, k3, ...; "escaped id" in place of id if
// one is escaped for spreadsheets.
func writeLevels(r *result.Run, w io.Writer) error {
	head := []string{idHead(r)}
	for _, l := range r.Levels {
		head = append(head, "k"+strconv.Itoa(l.K))
	}
	return WriteTable(w, head, len(r.Labels), func(i int, record []string) []string {
		record = append(record, Cell(r, r.Corpus.ID(i)))
		for at := range r.Levels {
			record = append(record, strconv.Itoa(r.AtLevel(r.LeavesAt(at), i)))
		}
		return record
	})
}

// writeLevelClusters writes k,cluster,size,within,inside,terms.
func writeLevelClusters(r *result.Run, w io.Writer) error {
	t := csv.NewWriter(w)
	if err := t.Write([]string{"k", "cluster", "size", "within", "inside", "terms"}); err != nil {
		return err
	}
	for _, l := range r.Levels {
		for c, of := range l.Clusters {
			within := ""
			if of.Within >= 0 {
				within = strconv.Itoa(of.Within)
			}
			if err := t.Write([]string{strconv.Itoa(l.K), strconv.Itoa(c), strconv.Itoa(of.Size), within, strconv.FormatFloat(of.Inside, 'f', 4, 64), Cell(r, of.Said())}); err != nil {
				return err
			}
		}
	}
	t.Flush()
	return t.Error()
}

package eigenmap

import (
	"encoding/csv"
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/internal/spreadsheet"
)

// clusterHead are the first columns of a clusters.csv.
var clusterHead = []string{"id", "cluster"}

// RawTexts makes Save write ids, classes and terms into CSV files as they are. Without it those
// that a spreadsheet would run as formulas get an apostrophe in front; clusters.csv then has the
// column escaped, and embedding.csv the column "escaped id" in place of id, by which what reads
// them takes the apostrophes off again.
func (r *Run) RawTexts() { r.Raw = true }

// cell is a text as a cell of a CSV file.
func (r *Run) cell(text string) string {
	if r.Raw {
		return text
	}
	return spreadsheet.Escape(text)
}

// escapes reports whether an id or the name of a class is changed as it is written.
func (r *Run) escapes() bool {
	return !r.Raw && (spreadsheet.Changes(r.Corpus.IDs...) || spreadsheet.Changes(r.Corpus.ClassNames...) ||
		spreadsheet.Changes(r.Classes...) || spreadsheet.Changes(r.j.Prior.Names...) ||
		slices.ContainsFunc(r.Clusters, func(k Group) bool { return spreadsheet.Changes(k.Terms...) }))
}

// className is the class of the known labels that a cluster is, "" for none.
func (r *Run) className(cluster int) string {
	if cluster < 0 {
		return ""
	}
	return r.Classes[cluster]
}

// writeTable writes a head and n records as CSV; row appends record i to an empty slice.
func writeTable(w io.Writer, head []string, n int, row func(i int, record []string) []string) error {
	t := csv.NewWriter(w)
	if err := t.Write(head); err != nil {
		return err
	}
	var record []string
	for i := range n {
		record = row(i, record[:0])
		if err := t.Write(record); err != nil {
			return err
		}
	}
	t.Flush()
	return t.Error()
}

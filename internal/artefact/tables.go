package artefact

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
	"gonum.org/v1/gonum/mat"
)

// writeClusters writes id,cluster; class if clusters are classes of the known labels; label if
// the corpus has labels; given if the method was given labels, empty for documents without one;
// distance,confidence,placed, and second if a second cluster is known; duplicate_of if documents
// equal others, which is the first equal one, empty for others; terms, the best three of the
// cluster, if clusters have terms; and escaped if a text is escaped
// for spreadsheets. The file depends on the result alone: one seed gives the same bytes on any
// number of threads.
func writeClusters(r *result.Run, w io.Writer) error {
	head, row := ClusterTable(r, Escapes(r))
	return WriteTable(w, head, len(r.Labels), row)
}

// ClusterTable is the head of clusters.csv and what appends the record of a document; marked says
// that some record of the table has an escaped text.
func ClusterTable(r *result.Run, marked bool) (head []string, row func(i int, record []string) []string) {
	given, terms := r.J.Prior.Labels != nil, r.HasTerms()
	head = slices.Clone(ClusterHead)
	for _, column := range []struct {
		name string
		has  bool
	}{{"class", r.Classes != nil}, {"label", r.Corpus.Labels != nil}, {"given", given}} {
		if column.has {
			head = append(head, column.name)
		}
	}
	head = append(head, certaintyHead(r)...)
	if r.HasCopies() {
		head = append(head, "duplicate_of")
	}
	if terms {
		head = append(head, "terms")
	}
	if marked {
		head = append(head, spreadsheet.Mark)
	}
	return head, func(i int, record []string) []string {
		k := r.Labels[i]
		escaped := ""
		add := func(text string) {
			cell := Cell(r, text)
			if cell != text {
				escaped = spreadsheet.Changed
			}
			record = append(record, cell)
		}
		add(r.Corpus.ID(i))
		record = append(record, strconv.Itoa(k))
		if r.Classes != nil {
			add(r.ClassName(k))
		}
		if r.Corpus.Labels != nil {
			label := ""
			if l := r.Corpus.Labels[i]; l >= 0 {
				label = r.Corpus.ClassNames[l]
			}
			add(label)
		}
		if given {
			add(r.J.Prior.Name(i))
		}
		record = append(record, certaintyCells(r, i)...)
		if r.HasCopies() {
			add(r.CopyOf(i))
		}
		if terms {
			add(r.ClusterTerms(k))
		}
		if marked {
			record = append(record, escaped)
		}
		return record
	}
}

// writeCoordinates writes id,x1,x2,... with all digits; "escaped id" in place of id if one is
// escaped for spreadsheets.
// m has the rows of the documents from first on.
func writeCoordinates(r *result.Run, m *mat.Dense, first int) func(io.Writer) error {
	return func(w io.Writer) error {
		n, dims := m.Dims()
		head := []string{idHead(r)}
		for d := range dims {
			head = append(head, "x"+strconv.Itoa(d+1))
		}
		return WriteTable(w, head, n, func(i int, record []string) []string {
			record = append(record, Cell(r, r.Corpus.ID(first+i)))
			for _, v := range m.RawRowView(i) {
				record = append(record, strconv.FormatFloat(v, 'g', -1, 64))
			}
			return record
		})
	}
}

// idHead is the head of a column of ids.
func idHead(r *result.Run) string {
	if !r.Raw && spreadsheet.Changes(r.Corpus.IDs...) {
		return spreadsheet.MarkedID
	}
	return "id"
}

// writeDirections writes direction,term,weight, the heaviest first.
func writeDirections(r *result.Run, w io.Writer) error {
	t := csv.NewWriter(w)
	if err := t.Write([]string{"direction", "term", "weight"}); err != nil {
		return err
	}
	for i, d := range r.Directions() {
		for _, v := range d {
			if err := t.Write([]string{strconv.Itoa(i + 1), Cell(r, v.Term), strconv.FormatFloat(v.Weight, 'g', 9, 64)}); err != nil {
				return err
			}
		}
	}
	t.Flush()
	return t.Error()
}

func npy(m mat.Matrix) func(io.Writer) error {
	return func(w io.Writer) error { return corpus.WriteMatrix(w, "npy", m) }
}

// ClusterHead are the first columns of a clusters.csv.
var ClusterHead = []string{"id", "cluster"}

// Cell is a text as a cell of a CSV file.
func Cell(r *result.Run, text string) string {
	if r.Raw {
		return text
	}
	return spreadsheet.Escape(text)
}

// Escapes reports whether an id or the name of a class is changed as it is written.
func Escapes(r *result.Run) bool {
	return !r.Raw && (spreadsheet.Changes(r.Corpus.IDs...) || spreadsheet.Changes(r.Corpus.ClassNames...) ||
		spreadsheet.Changes(r.Classes...) || spreadsheet.Changes(r.J.Prior.Names...) ||
		slices.ContainsFunc(r.Clusters, func(k result.Group) bool { return spreadsheet.Changes(k.Terms...) }))
}

// WriteTable writes a head and n records as CSV; row appends record i to an empty slice.
func WriteTable(w io.Writer, head []string, n int, row func(i int, record []string) []string) error {
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

package suggesting

import (
	"io"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
)

// WriteCSV writes id,label,cluster,confidence,why,text, a line for each document to label, with an
// empty label, and then for each one whose label is known. Filled in, it is a file that
// Options.Labels takes. Without raw, texts that a spreadsheet would run as formulas get an
// apostrophe in front, and the column escaped says so.
func (s *Suggestions) WriteCSV(w io.Writer, raw bool) error {
	all := slices.Concat(s.Next, s.Known)
	head := []string{"id", "label", "cluster", "confidence", "why", "text"}
	marked := !raw && slices.ContainsFunc(all, func(v Suggestion) bool { return spreadsheet.Changes(v.ID, v.Label, v.Text) })
	if marked {
		head = append(head, spreadsheet.Mark)
	}
	return artefact.WriteTable(w, head, len(all), func(i int, record []string) []string {
		v, changed := &all[i], ""
		text := func(cell string) string {
			if raw || !spreadsheet.Changes(cell) {
				return cell
			}
			changed = spreadsheet.Changed
			return spreadsheet.Escape(cell)
		}
		sure := ""
		if v.Confidence != nil {
			sure = strconv.FormatFloat(*v.Confidence, 'g', 6, 64)
		}
		record = append(record, text(v.ID), text(v.Label), strconv.Itoa(v.Cluster), sure, v.Why, text(v.Text))
		if marked {
			record = append(record, changed)
		}
		return record
	})
}

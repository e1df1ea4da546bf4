package comparing

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// SaveIn writes compare.csv (a line per run), aligned.csv (the clusters of all runs, numbered
// alike), compare.json, compare.html and compare.tex into an open folder, and returns the paths of
// the files.
func (c *Comparison) SaveIn(ctx context.Context, out *folder.Folder) ([]string, error) {
	err := out.AddAll(ctx, folder.Content{Name: "compare.csv", Write: c.writeRuns}, folder.Content{Name: "aligned.csv", Write: c.writeAligned},
		folder.Content{Name: "compare.json", Write: func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", " ")
			return e.Encode(c)
		}}, folder.Content{Name: "compare.html", Write: func(w io.Writer) error { return report.WriteComparison(w, c.page()) }},
		folder.Content{Name: "compare.tex", Write: c.writeLaTeX})
	if err != nil {
		return nil, fault.Wrap(err)
	}
	out.Origin = folder.Origin{Command: "compare", Version: version.Current().Version}
	saved, err := out.Commit(c.File)
	return saved, fault.Wrap(err)
}

// writeRuns writes one line per run; the scores over the documents without a known label, if there
// are any, come last.
func (c *Comparison) writeRuns(w io.Writer) error {
	table := csv.NewWriter(w)
	head := []string{"method", "seed", "clusters"}
	for _, s := range scoreValues(new(metrics.Scores)) {
		head = append(head, s.name)
	}
	head = append(head, "seconds", "peak_bytes", "failed")
	unlabeled := c.HasUnlabeled()
	for _, s := range scoreValues(new(metrics.Scores)) {
		if unlabeled {
			head = append(head, s.name+"_unlabeled")
		}
	}
	table.Write(head)
	for _, r := range c.Runs {
		row := []string{r.Method, strconv.FormatUint(r.Seed, 10), strconv.Itoa(r.Clusters)}
		row = append(row, scoreCells(r.Metrics)...)
		row = append(row, fmt.Sprintf("%.3f", r.Seconds), strconv.FormatInt(r.Peak, 10), c.cell(r.Failed))
		if unlabeled {
			row = append(row, scoreCells(r.Unlabeled)...)
		}
		table.Write(row)
	}
	table.Flush()
	return table.Error()
}

// scoreCells are the scores as cells, empty ones of nil.
func scoreCells(s *metrics.Scores) []string {
	cells := make([]string, len(scoreValues(new(metrics.Scores))))
	for i, v := range scoreValues(s) {
		cells[i] = strconv.FormatFloat(v.value, 'g', -1, 64)
	}
	return cells
}

// RawTexts makes SaveIn write texts into CSV files as they are, as RawTexts of a run does.
func (c *Comparison) RawTexts() { c.rawTexts = true }

// cell is a text as a cell of a CSV file.
func (c *Comparison) cell(text string) string {
	if c.rawTexts {
		return text
	}
	return spreadsheet.Escape(text)
}

// writeAligned writes id, label if there is one, the cluster of the document in every run, and
// escaped if a text is escaped for spreadsheets.
func (c *Comparison) writeAligned(w io.Writer) error {
	table := csv.NewWriter(w)
	head := []string{"id"}
	if c.corpus.Labels != nil {
		head = append(head, "label")
	}
	for _, r := range c.Runs {
		if r.Labels != nil {
			head = append(head, fmt.Sprintf("%s-%d", r.Method, r.Seed))
		}
	}
	marked := !c.rawTexts && (spreadsheet.Changes(c.corpus.IDs...) || spreadsheet.Changes(c.corpus.ClassNames...))
	if marked {
		head = append(head, spreadsheet.Mark)
	}
	table.Write(head)
	for i := range c.Documents {
		texts := []string{c.corpus.ID(i)}
		if c.corpus.Labels != nil {
			name := ""
			if l := c.corpus.Labels[i]; l >= 0 {
				name = c.corpus.ClassNames[l]
			}
			texts = append(texts, name)
		}
		var row []string
		for _, text := range texts {
			row = append(row, c.cell(text))
		}
		for _, r := range c.Runs {
			if r.Labels != nil {
				row = append(row, strconv.Itoa(r.Labels[i]))
			}
		}
		if marked {
			value := ""
			if spreadsheet.Changes(texts...) {
				value = spreadsheet.Changed
			}
			row = append(row, value)
		}
		table.Write(row)
	}
	table.Flush()
	return table.Error()
}

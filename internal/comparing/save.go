package comparing

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/view"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// SaveIn writes compare.csv (a line per run), aligned.csv (the clusters of all runs, numbered
// alike), compare.json and compare.html into an open folder, and returns the paths of the files.
func (c *Comparison) SaveIn(ctx context.Context, out *folder.Folder) ([]string, error) {
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{{"compare.csv", c.writeRuns}, {"aligned.csv", c.writeAligned}, {"compare.json", func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(c)
	}}, {"compare.html", func(w io.Writer) error { return report.WriteComparison(w, c.page()) }}} {
		if err := out.Add(ctx, f.name, f.write); err != nil {
			return nil, fault.Wrap(err)
		}
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

// RawTexts makes SaveIn write texts into CSV files as they are, as [Run.RawTexts] does.
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

// String is the mean with its error: "0.719 ± 0.004".
func (m MeanOf) String() string { return m.text("%.3f") }

func (m MeanOf) text(format string) string {
	text := fmt.Sprintf(format, m.Mean)
	if m.Error > 0 {
		text += " ± " + fmt.Sprintf(format, m.Error)
	}
	return text
}

// Table is the comparison of the methods, a heading and a line per method.
func (c *Comparison) Table() [][]string {
	scored := false
	for _, m := range c.Methods {
		scored = scored || m.Metrics != nil
	}
	head := []string{"method", "runs", "clusters"}
	unlabeled := c.HasUnlabeled()
	if unlabeled {
		head = append(head, "accuracy of unlabeled", "NMI of unlabeled", "ARI of unlabeled")
	}
	if scored {
		head = append(head, "accuracy", "NMI", "ARI")
	}
	rows := [][]string{append(head, "time (s)", "peak memory", "NMI of seeds", "ARI of seeds")}
	for _, m := range c.Methods {
		runs := strconv.Itoa(m.Runs)
		if m.Failed > 0 {
			runs += fmt.Sprintf(" (%d failed)", m.Failed)
		}
		row := []string{m.Method, runs}
		if m.Runs == 0 {
			for len(row) < len(rows[0]) {
				row = append(row, "")
			}
			rows = append(rows, row)
			continue
		}
		clusters := strconv.Itoa(int(m.Clusters.Mean))
		if m.Clusters.Error > 0 {
			clusters = m.Clusters.text("%.1f")
		}
		row = append(row, clusters)
		if unlabeled {
			row = append(row, meanCells(m.Unlabeled)...)
		}
		if scored {
			row = append(row, meanCells(m.Metrics)...)
		}
		row = append(row, m.Seconds.text("%.2f"), "", "", "")
		if m.Peak > 0 {
			row[len(row)-3] = fmt.Sprintf("%s MiB", words.Thousands(int(m.Peak>>20)))
		}
		if m.Seeds != nil {
			row[len(row)-2], row[len(row)-1] = fmt.Sprintf("%.3f", m.Seeds.NMI), fmt.Sprintf("%.3f", m.Seeds.ARI)
		}
		rows = append(rows, row)
	}
	return rows
}

// meanCells are the means that a table shows, empty where there is none.
func meanCells(means map[string]MeanOf) []string {
	cells := make([]string, 3)
	for i, key := range []string{"accuracy", "nmi", "ari"} {
		if v, ok := means[key]; ok {
			cells[i] = v.String()
		}
	}
	return cells
}

// UnlabeledNote says what ranks the methods; "" if no labels are known.
func (c *Comparison) UnlabeledNote() string {
	if !c.HasUnlabeled() {
		return ""
	}
	return "Labels of a part of the documents are known to some methods: the scores of unlabeled documents are over the others, the same for all methods of a seed, and rank the methods by their accuracy."
}

// BetweenTable is the agreement of the methods' clusters: NMI above the diagonal, ARI below it, and
// of two seeds of one method their NMI on it.
func (c *Comparison) BetweenTable() [][]string {
	head := []string{""}
	for _, m := range c.Methods {
		head = append(head, m.Method)
	}
	rows := [][]string{head}
	for a, m := range c.Methods {
		row := []string{m.Method}
		for b := range c.Methods {
			text := ""
			if v := c.Between[a][b]; v != nil && a > b {
				text = fmt.Sprintf("%.3f", v.ARI)
			} else if v != nil {
				text = fmt.Sprintf("%.3f", v.NMI)
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return rows
}

// Failures are the runs without a result, a sentence each.
func (c *Comparison) Failures() []string {
	var list []string
	for _, r := range c.Runs {
		if r.Failed != "" {
			list = append(list, fmt.Sprintf("%s, seed %d: %s.", r.Method, r.Seed, r.Failed))
		}
	}
	return list
}

// page gathers what compare.html shows.
func (c *Comparison) page() *report.Comparison {
	p := &report.Comparison{Title: "Methods compared on " + view.BaseName(c.File), Date: time.Now().Format("2 January 2006, 15:04"),
		Subtitle: fmt.Sprintf("%s: %s, %s of each method.", c.File, words.Counted(c.Documents, "document"), words.Plural(len(c.Seeds), "run", "runs")),
		Table:    c.Table(), Notes: c.Failures(), Versions: fmt.Sprintf("eigenmap %s, %s", c.Versions.Version, c.Versions.Go)}
	if note := c.UnlabeledNote(); note != "" {
		p.Notes = append(p.Notes, note)
	}
	if c.Stopped {
		p.Notes = append(p.Notes, "The comparison was stopped before all runs were made.")
	}
	for a, m := range c.Methods {
		row := report.CompareRow{Name: m.Method}
		for b := range c.Methods {
			cell := report.CompareCell{}
			if v := c.Between[a][b]; v != nil {
				cell = report.CompareCell{Has: true, NMI: v.NMI, ARI: v.ARI}
			}
			row.Cells = append(row.Cells, cell)
		}
		p.Between = append(p.Between, row)
	}
	if c.Reference >= 0 {
		r := c.Runs[c.Reference]
		p.Reference = fmt.Sprintf("%s, seed %d", r.Method, r.Seed)
	}
	for _, r := range c.Runs {
		if r.Labels == nil {
			continue
		}
		run := report.CompareRun{Name: fmt.Sprintf("%s, seed %d", r.Method, r.Seed)}
		for _, l := range r.Labels {
			for l >= len(run.Sizes) {
				run.Sizes = append(run.Sizes, 0)
			}
			if l >= 0 {
				run.Sizes[l]++
			}
		}
		run.Of = len(r.Labels)
		p.Runs = append(p.Runs, run)
	}
	return p
}

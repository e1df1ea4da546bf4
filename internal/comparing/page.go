package comparing

import (
	"fmt"
	"time"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/view"
	"github.com/eigenmap/eigenmap/internal/words"
)

// page gathers what compare.html shows.
func (c *Comparison) page() *report.Comparison {
	p := &report.Comparison{Title: "Methods compared on " + view.BaseName(c.File), Date: time.Now().Format("2 January 2006, 15:04"),
		Subtitle: fmt.Sprintf("%s: %s, %s of each method.", c.File, words.Counted(c.Documents, "document"), words.Plural(len(c.Seeds), "run", "runs")),
		Table:    c.Table(), Notes: append(c.NotesAs(func(name string) string { return "--" + name }), c.Failures()...), Versions: fmt.Sprintf("eigenmap %s, %s", c.Versions.Version, c.Versions.Go)}
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

package comparing

import (
	"fmt"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/words"
)

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
	if c.heldOut != nil {
		head = append(head, "accuracy, labels held out", "macro-F1")
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
		if c.heldOut != nil {
			cells := []string{"", ""}
			if h := m.HeldOut; h != nil {
				cells = []string{MeanOf{h.Accuracy, h.Error}.String(), fmt.Sprintf("%.3f", h.MacroF1)}
			}
			row = append(row, cells...)
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
	switch {
	case len(c.ranked) > 0:
		return fmt.Sprintf("Each of %s was held out once, and placed by a run that did not know it: their accuracy ranks the methods.", words.Plural(c.heldOut[c.ranked[0]].Documents, "known label", "known labels"))
	case !c.HasUnlabeled():
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

// NotesAs are the notes on how the file was read, with the names of options as the function writes
// them.
func (c *Comparison) NotesAs(name func(string) string) []string {
	list := make([]string, len(c.named))
	for i, note := range c.named {
		list[i] = words.Rename(note, name)
	}
	return list
}

// Failures are the runs without a result, a sentence each.
func (c *Comparison) Failures() []string {
	var list []string
	for _, r := range c.Runs {
		if r.Failed != "" {
			list = append(list, fmt.Sprintf("%s, seed %d: %s.", r.Method, r.Seed, r.Failed))
		}
	}
	return append(list, c.unjudged...)
}

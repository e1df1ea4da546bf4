package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/report"
	"gonum.org/v1/gonum/mat"
)

// certain is the probability of its cluster from which on a document does not count as uncertain.
const certain = 0.9

// uncertainShown is how many uncertain documents the report and the JSON list; uncertain.csv has all.
const uncertainShown = 20

// doubtful is a document that a soft clustering is not certain of: its two most probable clusters.
type doubtful struct {
	document      int
	first, second int
	p1, p2        float64
}

// doubts lists the documents whose cluster has a probability below certain, the least certain first, ties by number.
func doubts(posterior *mat.Dense) []doubtful {
	n, k := posterior.Dims()
	var list []doubtful
	for i := range n {
		d := doubtful{document: i, second: -1}
		row := posterior.RawRowView(i)
		for c := 1; c < k; c++ {
			switch {
			case row[c] > row[d.first]:
				d.first, d.second = c, d.first
			case d.second < 0 || row[c] > row[d.second]:
				d.second = c
			}
		}
		if d.p1 = row[d.first]; d.p1 < certain && d.second >= 0 {
			d.p2 = row[d.second]
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b doubtful) int {
		switch {
		case a.p1 < b.p1:
			return -1
		case a.p1 > b.p1:
			return 1
		}
		return 0
	})
	return list
}

// writeDoubts writes the uncertain documents as id,cluster,probability,second,second_probability.
func (c *clustering) writeDoubts(w io.Writer) error {
	t := csv.NewWriter(w)
	if err := t.Write([]string{"id", "cluster", "probability", "second", "second_probability"}); err != nil {
		return err
	}
	for _, d := range doubts(c.partition.posterior) {
		if err := t.Write([]string{c.corpus.ID(d.document), strconv.Itoa(d.first), probability(d.p1), strconv.Itoa(d.second), probability(d.p2)}); err != nil {
			return err
		}
	}
	t.Flush()
	return t.Error()
}

func probability(p float64) string { return strconv.FormatFloat(p, 'g', 6, 64) }

// uncertainJSON tells of the uncertain documents: how many, and who the least certain are.
type uncertainJSON struct {
	Below     float64  `json:"below"`
	Count     int      `json:"count"`
	Documents []string `json:"documents"` // ids, the least certain first, at most 20
}

func (c *clustering) uncertain() *uncertainJSON {
	if c.partition.posterior == nil {
		return nil
	}
	list := doubts(c.partition.posterior)
	u := &uncertainJSON{Below: certain, Count: len(list), Documents: []string{}}
	for _, d := range list[:min(uncertainShown, len(list))] {
		u.Documents = append(u.Documents, c.corpus.ID(d.document))
	}
	return u
}

// uncertainRow tells a person how many documents are uncertain; nil for a hard clustering, and for label propagation, whose shares of spread scores are low
// nearly everywhere.
func (c *clustering) uncertainRow() []string {
	u := c.uncertain()
	if u == nil || c.method.name == nameLabelPropagation {
		return nil
	}
	return []string{"uncertain", fmt.Sprintf("%s with a probability below %g for their cluster", counted(u.Count, "document"), certain)}
}

// uncertainPart is the report's list of them.
func (c *clustering) uncertainPart(p *report.Page) {
	if c.partition.posterior == nil {
		return
	}
	list := doubts(c.partition.posterior)
	p.UncertainNote = fmt.Sprintf("%s of %s have a probability below %g for their cluster", report.Thousands(len(list)), counted(c.corpus.Len(), "document"), certain)
	if len(list) > uncertainShown {
		p.UncertainNote += fmt.Sprintf("; here are the %d least certain, uncertain.csv has all", uncertainShown)
	}
	p.UncertainNote += "."
	for _, d := range list[:min(uncertainShown, len(list))] {
		p.Uncertain = append(p.Uncertain, report.Uncertain{ID: report.Clip(c.corpus.ID(d.document), 60), First: d.first, Second: d.second,
			P1: fmt.Sprintf("%.3f", d.p1), P2: fmt.Sprintf("%.3f", d.p2)})
	}
}

package eigenmap

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/gonum/mat"
)

// certain is the probability of its cluster from which on a document does not count as uncertain.
const certain = 0.9

// uncertainShown is how many uncertain documents the report and the JSON list; uncertain.csv has
// all.
const uncertainShown = 20

// doubt is a document that a soft clustering is not certain of: its two most probable clusters.
type doubt struct {
	document      int
	first, second int
	p1, p2        float64
}

// doubts lists the documents whose cluster has a probability below certain, the least certain
// first, ties by number.
func doubts(posterior *mat.Dense) []doubt {
	n, k := posterior.Dims()
	var list []doubt
	for i := range n {
		d := doubt{document: i, second: -1}
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
	slices.SortStableFunc(list, func(a, b doubt) int { return cmp.Compare(a.p1, b.p1) })
	return list
}

// writeDoubts writes the uncertain documents as id,cluster,probability,second,second_probability.
func (r *Run) writeDoubts(w io.Writer) error {
	list := doubts(r.Posterior)
	return writeTable(w, []string{"id", "cluster", "probability", "second", "second_probability"}, len(list), func(i int, record []string) []string {
		d := list[i]
		return append(record, r.cell(r.Corpus.ID(d.document)), strconv.Itoa(d.first), probability(d.p1), strconv.Itoa(d.second), probability(d.p2))
	})
}

func probability(p float64) string { return strconv.FormatFloat(p, 'g', 6, 64) }

// Uncertain counts the uncertain documents and lists the least certain.
type Uncertain struct {
	Below     float64  `json:"below"`
	Count     int      `json:"count"`
	Documents []string `json:"documents"` // ids, the least certain first, at most 20
}

// Uncertain returns the uncertain documents; nil of a hard clustering.
func (r *Run) Uncertain() *Uncertain {
	if r.Posterior == nil {
		return nil
	}
	list := doubts(r.Posterior)
	u := &Uncertain{Below: certain, Count: len(list), Documents: []string{}}
	for _, d := range list[:min(uncertainShown, len(list))] {
		u.Documents = append(u.Documents, r.Corpus.ID(d.document))
	}
	return u
}

// uncertainRow counts the uncertain documents in a table; nil of a hard clustering, and of a method
// whose probabilities are low nearly everywhere.
func (r *Run) uncertainRow() []string {
	u := r.Uncertain()
	if u == nil || r.Found.Spread {
		return nil
	}
	return []string{"uncertain", fmt.Sprintf("%s with a probability below %g for their cluster", words.Counted(u.Count, "document"), certain)}
}

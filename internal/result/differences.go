package result

import (
	"cmp"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/overtime"
)

// Difference is a column of measurements in which a cluster differs from all other documents.
type Difference struct {
	Column string `json:"column"` // its name; "column 5" without one
	// Mean is the mean over the documents of the cluster and Others that over all others, of those
	// whose value was given, in the unit of the file, to six digits.
	Mean   float64 `json:"mean"`
	Others float64 `json:"others"`
	// Deviations is Mean − Others in standard deviations of the column over all such documents, to six
	// decimals.
	Deviations float64 `json:"deviations"`
}

// differences are the columns of measurements of a list; nil of one of terms.
func differences(list []corpus.TermWeight) (out []Difference) {
	for _, t := range list {
		if t.Means != nil {
			out = append(out, Difference{t.Term, t.Means.Cluster, t.Means.Others, overtime.SixDecimals(t.Weight)})
		}
	}
	return out
}

// DifferencesOf are the columns in which each cluster differs; nil if none is known.
func DifferencesOf(clusters []Group) [][]Difference {
	if !slices.ContainsFunc(clusters, func(k Group) bool { return k.Differences != nil }) {
		return nil
	}
	all := make([][]Difference, len(clusters))
	for i, k := range clusters {
		all[i] = append([]Difference{}, k.Differences...) // [] in JSON
	}
	return all
}

// Said are the first n terms of a list in one text. Commas part those of measurements, as
// [Difference] has them, and those of which one is several words.
func Said(terms []string, of []Difference, n int) string {
	terms = terms[:min(n, len(terms))]
	if of != nil || slices.ContainsFunc(terms, func(term string) bool { return strings.Contains(term, " ") }) {
		return strings.Join(terms, ", ")
	}
	return strings.Join(terms, " ")
}

// Said are the first n terms of the cluster in one text, "" without terms: "java swing", and of
// measurements "petal width low, sepal width high". A cluster of documents without terms says so.
func (g Group) Said(n int) string { return cmp.Or(g.Without, Said(g.Terms, g.Differences, n)) }

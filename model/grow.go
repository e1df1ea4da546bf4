package model

import (
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
)

// Unknown are the columns of a new corpus that the model does not have, ascending; nil where
// columns are matched by their order.
func (r *Rows) Unknown(c *corpus.Corpus) ([]int, error) {
	source, _, err := r.sources(c)
	if err != nil || source == nil {
		return nil, err
	}
	known := make([]bool, len(c.Terms))
	for _, k := range source {
		if k >= 0 {
			known[k] = true
		}
	}
	var list []int
	for j, k := range known {
		if !k {
			list = append(list, j)
		}
	}
	return list, nil
}

// Grown are the rows with further columns at the end: columns of a new corpus that the model does
// not have ([Rows.Unknown]), with their idf where the weighting takes it, else nil. Columns whose
// name a column of the model has are left out. ok is false if the model's columns are not
// terms, or if the texts of the new corpus are of several languages and the model's are of one.
func (r *Rows) Grown(c *corpus.Corpus, columns []int, idf []float64) (grown Rows, ok bool) {
	grown = *r
	if r.Terms == nil || c.Terms == nil || !r.Sparse || r.Weighting == corpus.WeightStandard || r.TermsFirst() || (r.Stems == nil) != (c.Stems == nil) {
		return grown, false
	}
	grown.Terms, grown.Stems, grown.IDF = slices.Clip(r.Terms), slices.Clip(r.Stems), slices.Clip(r.IDF)
	named := make(map[string]bool, len(r.Terms))
	for _, t := range r.Terms {
		named[t] = true
	}
	for k, j := range columns {
		if named[c.Terms[j]] {
			continue
		}
		grown.Columns++
		grown.Terms = append(grown.Terms, c.Terms[j])
		if r.Stems != nil {
			grown.Stems = append(grown.Stems, c.Stems[j])
		}
		if idf != nil {
			grown.IDF = append(grown.IDF, idf[k])
		}
	}
	return grown, true
}

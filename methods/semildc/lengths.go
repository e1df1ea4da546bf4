package semildc

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// LengthBound is the largest length of a document for the PLSA of [Fit], in units of the median
// length. The topics are sums of words (equation 6), and a post with a file in it has as many words
// as hundreds of others. On the available corpora of the paper the bounds 3, 5 and 10 differ by
// less than a point of macro-F1 with 3 % of the labels and more (eigenmap reproduce
// semildc/lengths).
const LengthBound = 5

// BoundLengths scales documents that are longer than bound times the median length of the documents
// that are not empty down to that length. bound is above 0. It does not refuse negative entries:
// package plsa does. counts is not written, and is the result if it is a sparse matrix without such
// documents.
func BoundLengths(counts mat.Matrix, bound float64) (*sparse.CSR, error) {
	if !(bound > 0) {
		return nil, invalid.Errorf("the bound of documents' lengths must be above 0, but is %v", bound)
	}
	a, ok := counts.(*sparse.CSR)
	if !ok {
		var err error
		if a, err = sparse.FromMatrix(counts); err != nil {
			return nil, err
		}
	}
	factor := a.RowSums()
	var lengths []float64
	for _, s := range factor {
		if s > 0 && !math.IsInf(s, 0) {
			lengths = append(lengths, s)
		}
	}
	if len(lengths) == 0 {
		return a, nil
	}
	slices.Sort(lengths)
	most := bound * lengths[len(lengths)/2]
	long := false
	for i, s := range factor {
		if factor[i] = 1; s > most && !math.IsInf(s, 0) {
			factor[i], long = most/s, true
		}
	}
	if !long {
		return a, nil
	}
	return a.ScaleRows(factor), nil
}

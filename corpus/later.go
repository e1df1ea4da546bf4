package corpus

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Functions for documents that are weighted later by the corpus that a model was made from.

// IDF returns idf_j = ln(n / df_j) of every column, as [Corpus.Weighted] uses it; 0 for a column
// without entries. Cost O(entries).
func (c *Corpus) IDF() ([]float64, error) {
	switch x := c.X.(type) {
	case *sparse.CSR:
		return idf(c.sumInts(x.ColCounts()), c.Documents()), nil
	case *sparse.Counts:
		return idf(x.ColCounts(), c.Documents()), nil
	case *mat.Dense:
		return idf(c.sumInts(denseCounts(x)), c.Documents()), nil
	case *sparse.Single:
		return idf(x.ColCounts(), c.Documents()), nil
	case *sparse.SingleDense:
		return idf(singleCounts(x), c.Documents()), nil
	}
	return nil, c.typeError()
}

// ColumnWeights returns the weight of every column that a weighting takes ([NeedsColumnWeights]):
// idf ([Corpus.IDF]), or for "standard" 1 over the standard deviation ([Corpus.Deviations]), 0 for
// a column of one value. The columns of a category ([Corpus].Categories) have one deviation, the
// root of the sum of their variances, so that the category weighs as a number does. It is nil for a
// weighting that takes none. Cost and errors as theirs.
func (c *Corpus) ColumnWeights(weighting string) ([]float64, error) {
	if NeedsIDF(weighting) {
		return c.IDF()
	}
	if weighting != WeightStandard {
		return nil, nil
	}
	deviations, err := c.Deviations()
	if err != nil {
		return nil, err
	}
	return c.StandardWeights(deviations), nil
}

// StandardWeights returns the weights of columns for "standard" from their standard deviations
// ([Corpus.Deviations]), as [Corpus.ColumnWeights] does. The list stays as it is. Cost O(columns).
func (c *Corpus) StandardWeights(deviations []float64) []float64 {
	weights := slices.Clone(deviations)
	first := len(weights)
	for k := len(c.Categories) - 1; k >= 0; k-- {
		part := weights[first-c.Categories[k].Values : first]
		first -= len(part)
		whole := floats.Norm(part, 2)
		for at := range part {
			part[at] = whole
		}
	}
	for j, v := range weights {
		if v > 0 {
			weights[j] = 1 / v
		}
	}
	return weights
}

// WeightedLike is [Corpus.Weighted] with the weights of the columns of another corpus
// ([Corpus.ColumnWeights]), one per column of this one, in place of its own. Weightings that take
// none ([NeedsColumnWeights]) ignore them.
func (c *Corpus) WeightedLike(weighting, normalize string, columns []float64) (mat.Matrix, error) {
	if err := checkWeighting(weighting, normalize); err != nil {
		return nil, err
	}
	if c.X == nil {
		return nil, c.typeError()
	}
	if _, cols := c.X.Dims(); NeedsColumnWeights(weighting) && len(columns) != cols {
		return nil, &sparse.ShapeError{Why: fmt.Sprintf("%d weights of terms for %d columns", len(columns), cols)}
	}
	return c.weighted(weighting, normalize, columns)
}

package corpus

import (
	"fmt"

	"github.com/eigenmap/eigenmap/sparse"
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

// WeightedLike is [Corpus.Weighted] with the idf of another corpus, one per column of this one, in
// place of its own. Weightings that take no idf ([NeedsIDF]) ignore it.
func (c *Corpus) WeightedLike(weighting, normalize string, idf []float64) (mat.Matrix, error) {
	if err := checkWeighting(weighting, normalize); err != nil {
		return nil, err
	}
	if c.X == nil {
		return nil, c.typeError()
	}
	if _, cols := c.X.Dims(); NeedsIDF(weighting) && len(idf) != cols {
		return nil, &sparse.ShapeError{Why: fmt.Sprintf("%d weights of terms for %d columns", len(idf), cols)}
	}
	return c.weighted(weighting, normalize, idf)
}

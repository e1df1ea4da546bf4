package metrics

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// NPMI is the coherence of a list of terms: the mean over its pairs of the normalised pointwise
// mutual information (Bouma 2009; Lau, Newman and Baldwin 2014)
//
//	log(p_ij / (p_i p_j)) / −log p_ij,
//
// where p_ij is the share of the documents that hold terms i and j. It is 1 if the terms occur
// together or not at all, 0 if they are independent, −1 if no document holds two of them.
//
// together are the numbers of documents that hold i and j, on the diagonal those that hold i, such
// as corpus.Together counts; documents is the number of all. ok is false if there are fewer than
// two terms, or no documents.
func NPMI(together mat.Symmetric, documents int) (value float64, ok bool) {
	n := together.SymmetricDim()
	if n < 2 || documents < 1 {
		return 0, false
	}
	sum := 0.0
	for i := range n {
		for j := range i {
			sum += npmi(together.At(i, j), together.At(i, i), together.At(j, j), float64(documents))
		}
	}
	return sum / float64(n*(n-1)/2), true
}

// npmi is the normalised mutual information of two terms that a and b of all documents hold, both
// of them both: −1 of terms that never meet, 1 of terms that all documents hold.
func npmi(both, a, b, all float64) float64 {
	switch both {
	case 0:
		return -1
	case all:
		return 1
	}
	return math.Log(both*all/(a*b)) / math.Log(all/both)
}

// CV is the coherence C_v of a list of terms (Röder, Both and Hinneburg 2015): each term is the
// vector of its NPMI with all terms of the list, the list is the sum of these vectors, and C_v the
// mean cosine of a term and the list. It is 1 if all terms occur in the same documents. The paper
// counts in windows of 110 words; here a window is a document.
//
// together, documents and ok are as of [NPMI].
func CV(together mat.Symmetric, documents int) (value float64, ok bool) {
	n := together.SymmetricDim()
	if n < 2 || documents < 1 {
		return 0, false
	}
	vectors, list := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		for j := range n {
			vectors.Set(i, j, npmi(together.At(i, j), together.At(i, i), together.At(j, j), float64(documents)))
		}
		list.AddVec(list, vectors.RowView(i))
	}
	length := mat.Norm(list, 2)
	if length == 0 {
		return 0, true
	}
	for i := range n {
		row := vectors.RowView(i)
		value += mat.Dot(row, list) / (mat.Norm(row, 2) * length)
	}
	return value / float64(n), true
}

// Diversity is the number of different terms in lists of terms over the number of all: 1 if no term
// is in two lists. Terms are given by their columns. It is 1 of no terms.
func Diversity(lists [][]int) float64 {
	seen, all := map[int]bool{}, 0
	for _, list := range lists {
		for _, j := range list {
			seen[j] = true
			all++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(len(seen)) / float64(all)
}

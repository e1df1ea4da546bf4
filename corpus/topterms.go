package corpus

import (
	"cmp"
	"slices"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// TermWeight is a term and its weight in a cluster, in (0, 1].
type TermWeight struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"`
}

// TopTerms returns, for each cluster, the n terms that distinguish it best from the rest, best
// first.
//
// labels[i] is the cluster of document i; documents outside [0, clusters) are in none. The weight
// of term j in cluster c is the difference of centroids
//
//	mean over c of w_ij − mean over all documents of w_ij,
//
// where w are the unit-length tf-idf rows of [Corpus.Weighted]. It is large for terms that are
// common in the cluster and rare elsewhere, and unit length keeps single long documents from
// dominating. Only positive weights are listed, so a cluster may have fewer than n terms, and an
// empty one has none. Equal weights are in the order of the terms' bytes.
//
// If documents are divided among ranks, labels has the documents of this rank, the weights cover
// all documents up to rounding, and the call is collective.
//
// The result is nil if the corpus has no vocabulary, or if an entry is negative and so not a count.
// TopTerms panics if labels does not have the length of the corpus. Cost O(entries + clusters ·
// terms), memory O(entries).
func (c *Corpus) TopTerms(labels []int, clusters, n int) [][]TermWeight {
	if len(labels) != c.Len() {
		panic("corpus: TopTerms needs one label for each document")
	}
	if c.Terms == nil || clusters < 0 {
		return nil
	}
	x, err := c.Weighted(WeightTFIDF, NormL2)
	if err != nil {
		return nil
	}
	members := make([][]int, clusters)
	all := make([]float64, len(c.Terms))
	for i, l := range labels {
		addRow(all, x, i)
		if l >= 0 && l < clusters {
			members[l] = append(members[l], i)
		}
	}
	sum := make([]float64, len(c.Terms))
	c.sum(all)
	top := make([][]TermWeight, clusters)
	for k, rows := range members {
		clear(sum)
		for _, i := range rows {
			addRow(sum, x, i)
		}
		size := []float64{float64(len(rows))}
		c.sum(sum)
		c.sum(size)
		top[k] = c.heaviest(sum, max(1, size[0]), all, float64(c.Documents()), n)
	}
	return top
}

// heaviest lists the n terms with the largest sum/size − all/total.
func (c *Corpus) heaviest(sum []float64, size float64, all []float64, total float64, n int) []TermWeight {
	better := func(a, b TermWeight) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Term, b.Term))
	}
	list := []TermWeight{}
	for j, s := range sum {
		w := TermWeight{c.Terms[j], s/size - all[j]/total}
		// Rounding alone must not list a term of a cluster that is the whole corpus.
		if w.Weight <= 1e-12 || n <= 0 || len(list) == n && better(w, list[n-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, w, better)
		if len(list) == n {
			list = list[:n-1]
		}
		list = slices.Insert(list, at, w)
	}
	return list
}

// addRow adds row i of x to sum.
func addRow(sum []float64, x mat.Matrix, i int) {
	switch x := x.(type) {
	case *sparse.CSR:
		cols, vals := x.Row(i)
		for k, j := range cols {
			sum[j] += vals[k]
		}
	case *mat.Dense:
		for j, v := range x.RawRowView(i) {
			sum[j] += v
		}
	case *sparse.Single:
		p := x.Pattern()
		cols := p.Col[p.RowPtr[i]:p.RowPtr[i+1]]
		for k, v := range x.Values(i, nil) {
			sum[cols[k]] += v
		}
	case *sparse.SingleDense:
		for j, v := range x.Row(i) {
			sum[j] += float64(v)
		}
	}
}

package reading

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/copies"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
)

// Survey is what a person asks of sparse documents before a run.
type Survey struct {
	// Lengths are the least, the quartiles and the largest of the sums of the documents' entries:
	// the words of a text that are counted.
	Lengths [5]float64 `json:"lengths"`
	// Telling are the terms with the largest sum of tf-idf weights in documents of unit length.
	Telling []string `json:"telling_terms"`
	// Weighed says that these terms were looked for: there was memory for it.
	Weighed bool `json:"telling_searched"`
	// Copies are the documents whose entries equal an earlier document's, one by one.
	Copies int `json:"copies"`
	// Near are the documents that share nine tenths of their terms with an earlier one, copies
	// among them, of those that hashing finds: nearly all. Pairs are some of them with that one, by
	// their ids.
	Near  int         `json:"near_duplicates"`
	Pairs [][2]string `json:"near_pairs"`
	// Searched says that copies and near duplicates were looked for: there was memory for it.
	Searched bool `json:"near_searched"`
}

// Bounds of a survey.
const (
	tellingTerms = 12
	shownPairs   = 5
)

// Survey looks at the documents; nil if they are dense or a graph. What the memory of the context
// does not allow is left out. Cost: O(entries) and n log n of n documents for each of eight bands
// of hashes. Memory: 36 bytes a document, then 20 bytes an entry and 32 a term.
func (r *Reading) Survey(ctx context.Context) (*Survey, error) {
	if r.Corpus == nil {
		return nil, nil
	}
	x, ok := r.Corpus.X.(*sparse.CSR)
	if !ok || x.NumRows == 0 {
		return nil, nil
	}
	if err := memory.Need(ctx, memory.Bytes(8, x.NumRows), "read fewer documents", "the lengths of %d documents", x.NumRows); err != nil {
		return nil, err
	}
	v := &Survey{Lengths: lengthsOf(x), Telling: []string{}, Pairs: [][2]string{}}
	if need := memory.Sum(memory.Bytes(20, x.NNZ()), memory.Bytes(32, x.NumCols)); need <= memory.Left(ctx) {
		v.Weighed, v.Telling = true, words.NotNil(r.telling())
	}
	if need := max(copies.Bytes(x.NumRows), copies.NearBytes(x.NumRows, x.NumCols)); need <= memory.Left(ctx) {
		v.Searched = true
		equal, err := copies.Find(ctx, x, nil, x.EmptyRows(), nil)
		if err != nil {
			return nil, err
		}
		if equal != nil {
			v.Copies = equal.Copies()
		}
		if err := copies.Near(ctx, x, func(row, earlier int) {
			if v.Near++; len(v.Pairs) < shownPairs {
				v.Pairs = append(v.Pairs, [2]string{r.Corpus.ID(earlier), r.Corpus.ID(row)})
			}
		}); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// lengthsOf are the quartiles of the sums of the rows.
func lengthsOf(x *sparse.CSR) (q [5]float64) {
	sums := make([]float64, x.NumRows)
	for i := range sums {
		_, vals := x.Row(i)
		for _, v := range vals {
			sums[i] += v
		}
	}
	slices.Sort(sums)
	for k := range q {
		q[k] = sums[(len(sums)-1)*k/4]
	}
	return q
}

// telling are the terms with the largest sums of weights; nil without names or of entries that are
// no counts.
func (r *Reading) telling() []string {
	c := r.Corpus
	if c.Terms == nil {
		return nil
	}
	w, err := c.Weighted("tfidf", "l2")
	if err != nil {
		return nil
	}
	x, ok := w.(*sparse.CSR)
	if !ok {
		return nil
	}
	sum := make([]float64, x.NumCols)
	for k, j := range x.Col {
		sum[j] += x.Val[k]
	}
	order := indices.Falling(sum)
	var list []string
	for _, j := range order[:min(tellingTerms, len(order))] {
		if sum[j] > 0 && !slices.Contains(list, c.Word(j)) {
			list = append(list, c.Word(j))
		}
	}
	return list
}

// Fitting are methods that fit the documents, in the order in which to try them, and why.
func (r *Reading) Fitting() [][2]string {
	c := r.Corpus
	list := [][2]string{{request.DefaultMethod, "by a graph of neighbours, and the method of a run that names none"}, {"kmeans", "fast, a line to compare with"}}
	learns := "semi-ldc"
	if x, ok := c.X.(*sparse.CSR); ok && !slices.ContainsFunc(x.Val, func(v float64) bool { return v < 0 }) {
		list = append(list, [2]string{"nmf", "topics of counts, each document a mixture"})
	} else {
		list = append(list, [2]string{"gmm", "clusters of several shapes"})
		learns = "label-propagation"
	}
	if c.Labels != nil {
		list = append(list, [2]string{learns, "learns from labels of a part (‹labeled-fraction›); without a method these choose one"})
	}
	return list
}

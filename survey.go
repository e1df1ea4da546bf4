package eigenmap

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
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
	// Near are the documents that share nine tenths of their terms with an earlier one, of those
	// that hashing finds: nearly all. Pairs are some of them with that one, by their ids.
	Near  int         `json:"near_duplicates"`
	Pairs [][2]string `json:"near_pairs"`
	// Searched says that near duplicates were looked for: there was memory for it.
	Searched bool `json:"near_searched"`
}

// Bounds of a survey.
const (
	tellingTerms = 12
	shownPairs   = 5
	nearShare    = 0.9 // of the terms of two documents together
	bands        = 8   // of hashes: two documents are compared if all hashes of a band agree
	bandHashes   = 4
)

// Survey looks at the documents; nil if they are dense or a graph. What the memory of the context
// does not allow is left out. Cost: O(entries) and n log n of n documents for each of eight bands
// of hashes. Memory: 32 bytes a document, then 20 bytes an entry and 32 a term.
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
		v.Weighed, v.Telling = true, nonNil(r.telling())
	}
	if need := memory.Bytes(32, x.NumRows); need <= memory.Left(ctx) {
		v.Searched = true
		if err := v.near(ctx, x, r.Corpus.ID); err != nil {
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
	order := make([]int, len(sum))
	for j := range order {
		order[j] = j
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(sum[b], sum[a]), cmp.Compare(a, b)) })
	var list []string
	for _, j := range order[:min(tellingTerms, len(order))] {
		if sum[j] > 0 {
			list = append(list, c.Terms[j])
		}
	}
	return list
}

// hashed is a document and the hash of its terms in a band.
type hashed struct {
	key uint64
	row int32
}

// near finds near duplicates. Of the documents that have one hash each is compared with the first
// and with the one before it, so equal documents without number cost no squares.
func (v *Survey) near(ctx context.Context, x *sparse.CSR, id func(int) string) error {
	list := make([]hashed, 0, x.NumRows)
	found := make([]bool, x.NumRows)
	for band := range bands {
		list = list[:0]
		for i := range x.NumRows {
			if i%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if cols, _ := x.Row(i); len(cols) > 0 {
				list = append(list, hashed{bandKey(cols, uint64(band)), int32(i)})
			}
		}
		slices.SortFunc(list, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.row, b.row)) })
		first := 0
		for k := 1; k < len(list); k++ {
			if list[k].key != list[first].key {
				first = k
				continue
			}
			row := int(list[k].row)
			for _, other := range []int{int(list[first].row), int(list[k-1].row)} {
				if !found[row] && sharedTerms(x, row, other) >= nearShare {
					found[row] = true
					if v.Near++; len(v.Pairs) < shownPairs {
						v.Pairs = append(v.Pairs, [2]string{id(other), id(row)})
					}
				}
			}
		}
	}
	return nil
}

// bandKey joins the least hashes of the columns under the functions of a band.
func bandKey(cols []int32, band uint64) (key uint64) {
	for k := range uint64(bandHashes) {
		least := uint64(math.MaxUint64)
		for _, j := range cols {
			least = min(least, mixed(uint64(j)<<8|band<<3|k))
		}
		key = mixed(key ^ least)
	}
	return key
}

// mixed spreads the bits of a number (the finalizer of splitmix64).
func mixed(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// sharedTerms is the share of the columns of two rows together that both have.
func sharedTerms(x *sparse.CSR, a, b int) float64 {
	left, _ := x.Row(a)
	right, _ := x.Row(b)
	both, i, j := 0, 0, 0
	for i < len(left) && j < len(right) {
		switch {
		case left[i] == right[j]:
			both++
			i++
			j++
		case left[i] < right[j]:
			i++
		default:
			j++
		}
	}
	return float64(both) / float64(len(left)+len(right)-both)
}

// Fitting are methods that fit the documents, in the order in which to try them, and why.
func (r *Reading) Fitting() [][2]string {
	c := r.Corpus
	list := [][2]string{{DefaultMethod, "by a graph of neighbours, and the method of a run that names none"}, {"kmeans", "fast, a line to compare with"}}
	if x, ok := c.X.(*sparse.CSR); ok && !slices.ContainsFunc(x.Val, func(v float64) bool { return v < 0 }) {
		list = append(list, [2]string{"nmf", "topics of counts, each document a mixture"})
	} else {
		list = append(list, [2]string{"gmm", "clusters of several shapes"})
	}
	if c.Labels != nil {
		list = append(list, [2]string{"cle", "learns from labels of a part (‹labeled-fraction›)"})
	}
	return list
}

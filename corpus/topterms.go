package corpus

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// TermWeight is a term, or a column of measurements, and its weight in a cluster.
type TermWeight struct {
	Term   string  `json:"term"`
	Column int     `json:"column"` // of X
	Weight float64 `json:"weight"` // in (0, 1]; of measurements the difference in standard deviations
	// Means are those of a column of measurements; nil for a term.
	Means *ColumnMeans `json:"means,omitempty"`
}

// String is the term; of measurements it says too whether the cluster is high or low in the
// column: "petal width low". Of a category it is the value that is more frequent in the cluster,
// "sex=f", or one that is rarer: "fewer sex=m".
func (w TermWeight) String() string {
	switch {
	case w.Means == nil, w.Means.Category && w.Weight >= 0:
		return w.Term
	case w.Means.Category:
		return "fewer " + w.Term
	case w.Weight < 0:
		return w.Term + " low"
	}
	return w.Term + " high"
}

// Word returns the name of column j without the stem that tells it from another column of the same
// word, which texts of several languages may have ([TextOptions]). The corpus must have Terms.
func (c *Corpus) Word(j int) string {
	if len(c.Stems) != len(c.Terms) {
		return c.Terms[j]
	}
	return strings.TrimSuffix(c.Terms[j], "/"+strings.ReplaceAll(c.Stems[j], " ", "+"))
}

// TopTerms returns, for each cluster, the n terms that say best what its documents are about, the
// best first.
//
// labels[i] is the cluster of document i; documents outside [0, clusters) are in none. The weight
// of term t in cluster c is its class-based tf-idf (Grootendorst 2022, eq. 4) of documents instead
// of words, times the square of the share of its frequency that is the cluster's own:
//
//	p log(1 + A/f) / log(1 + A) · (1 − q/p)²,
//
// where p is the share of the documents of c that hold t, q the share of all others that do, f the
// number of all documents that hold t, and A the sum of f over all terms divided by the number of
// clusters. A term counts once in a document, so that one long document decides nothing. A term
// that is no more frequent in c than elsewhere, such as a stop word, is not listed: the list may be
// shorter than n, and a cluster that has no document, or all of them, has no term. Equal weights
// are in the order of the terms' bytes.
//
// Terms that repeat a better one come after all others of at least a quarter of their weight: those
// in nearly the same documents of the cluster (as the words of a signature), and forms of one word
// that occur together ("armenia", "armenian"). So the terms of a text that every document repeats
// come before the few words that only some add. Of runs of words ([TextOptions]) one that holds a
// listed word takes its place if half of the documents with the word or more have the run; else it
// repeats the word.
//
// Of columns of one word ([Corpus.Word]) the best alone is listed, under the word.
//
// Of measurements ([Corpus.Measured]) it returns the columns in which the cluster differs most from
// the rest, high or low. The weight of a column is
//
//	(mean in the cluster − mean of all other documents) / standard deviation over all documents,
//
// over the values that were given where others were filled ([ReadOptions].Missing), with its sign;
// the largest magnitude is first, and equal ones are in the order of the columns.
// Differences below a fifth of a standard deviation are not listed, and of a category
// ([Corpus.Categories]) no value that is rarer in the cluster where another one is more frequent.
// Sums are exact to 2⁻⁴⁸ of the range of a column, so that the result has the same bits on any
// number of threads and ranks. Columns without names are "column 1", "column 2" and so on.
//
// If more than half of the entries of texts or of counts are above 0, that a document holds a term
// says nothing. p and q are then means of entries, and the weight is (1 − q/p)².
//
// If documents are divided among ranks, labels has the documents of this rank, the weights cover
// all documents, and the call is collective: all ranks have the same result.
//
// The result is nil if the corpus has neither a vocabulary nor measurements, and if an entry of
// measurements is not finite. TopTerms panics if labels does not have the length of the corpus.
// Cost O(entries + clusters · terms), memory O(terms + documents + n²), of measurements O(columns ·
// threads + documents).
func (c *Corpus) TopTerms(labels []int, clusters, n int) [][]TermWeight {
	if len(labels) != c.Len() {
		panic("corpus: TopTerms needs one label for each document")
	}
	if c.X == nil || clusters < 0 {
		return nil
	}
	members := make([][]int, clusters)
	for i, l := range labels {
		if l >= 0 && l < clusters {
			members[l] = append(members[l], i)
		}
	}
	if c.Measured() {
		return c.topColumns(members, n)
	}
	if c.Terms == nil {
		return nil
	}
	h := c.holdings()
	in := make([]float64, len(c.Terms))
	top := make([][]TermWeight, clusters)
	for k, rows := range members {
		clear(in)
		for _, i := range rows {
			h.add(in, i)
		}
		size := []float64{float64(len(rows))}
		c.sum(in)
		c.sum(size)
		candidates := h.heaviest(in, size[0], clusters, max(0, min(2*n, n+spareTerms)))
		top[k] = h.distinct(c.wordsOf(candidates), rows, n)
	}
	return top
}

// wordsOf names terms by their words, each once: as the first of them.
func (c *Corpus) wordsOf(list []TermWeight) (out []TermWeight) {
	if c.Stems == nil {
		return list
	}
	met := make(map[string]bool, len(list))
	for _, t := range list {
		if t.Term = c.Word(t.Column); !met[t.Term] {
			met[t.Term] = true
			out = append(out, t)
		}
	}
	return out
}

// spareTerms is how many terms at most take the place of those that repeat others.
const spareTerms = 50

// holdings are which documents hold which terms.
type holdings struct {
	c    *Corpus
	read *rowReader
	// held are the numbers of documents that hold each term, of all ranks, and words their sum; if
	// values is true, the sums of the entries.
	held   []float64
	words  float64
	values bool
}

// holdings counts the terms of all documents. No entry may be negative.
func (c *Corpus) holdings() *holdings {
	rows, terms := c.X.Dims()
	h := &holdings{c: c, read: &rowReader{x: c.X}, held: make([]float64, terms)}
	_, h.values = c.signs()
	for i := range rows {
		h.add(h.held, i)
	}
	c.sum(h.held)
	for _, f := range h.held {
		h.words += f
	}
	return h
}

// rowReader reads the rows of a matrix one after the other, those in single precision into memory
// that the next one takes.
type rowReader struct {
	x   mat.Matrix
	buf []float64
}

// entries are the entries of row i, until the next call; without columns they are all of the row.
func (r *rowReader) entries(i int) (cols []int32, vals []float64) {
	switch x := r.x.(type) {
	case *sparse.CSR:
		return x.Row(i)
	case *mat.Dense:
		return nil, x.RawRowView(i)
	case *sparse.Single:
		p := x.Pattern()
		r.buf = x.Values(i, r.buf)
		return p.Col[p.RowPtr[i]:p.RowPtr[i+1]], r.buf
	case *sparse.SingleDense:
		row := x.Row(i)
		r.buf = slices.Grow(r.buf[:0], len(row))[:len(row)]
		for j, v := range row {
			r.buf[j] = float64(v)
		}
	}
	return nil, r.buf
}

// column is the column of the k-th entry of [rowReader.entries].
func column(cols []int32, k int) int {
	if cols == nil {
		return k
	}
	return int(cols[k])
}

// add adds document i to the sums of its terms.
func (h *holdings) add(sum []float64, i int) {
	cols, vals := h.read.entries(i)
	for k, v := range vals {
		switch {
		case v <= 0:
		case h.values:
			sum[column(cols, k)] += v
		default:
			sum[column(cols, k)]++
		}
	}
}

// heaviest lists the n terms of the largest weights in a cluster of size documents, whose sums are
// in.
func (h *holdings) heaviest(in []float64, size float64, clusters, n int) []TermWeight {
	others := float64(h.c.Documents()) - size
	if size == 0 || others == 0 || n == 0 {
		return []TermWeight{}
	}
	better := func(a, b TermWeight) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Term, b.Term))
	}
	mean := h.words / float64(clusters)
	list := make([]TermWeight, 0, n)
	for j, s := range in {
		p, q := s/size, (h.held[j]-s)/others
		own := 1 - q/p
		// Rounding alone must not list a term that is everywhere the same.
		if s == 0 || own <= 1e-12 {
			continue
		}
		w := TermWeight{Term: h.c.Terms[j], Column: j, Weight: own * own}
		if !h.values {
			w.Weight *= p * math.Log1p(mean/h.held[j]) / math.Log1p(mean)
		}
		if len(list) == n && better(w, list[n-1]) > 0 {
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

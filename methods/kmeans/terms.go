package kmeans

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// termWeight is how often the squared distance of terms counts beside that of coordinates
// (docs/studies/default.md has the figures of 1 to 4).
const termWeight = 3

// HasTerms reports whether documents can move by their terms ([ByTerms]): the rows x are sparse,
// and not nearly all columns are empty. Rows of all ranks count, and all ranks call it.
func HasTerms(x mat.Matrix, share *ranks.Share) bool {
	rows, ok := x.(sparse.Rows)
	return ok && checkTerms(rows.Pattern(), share) == nil
}

// checkTerms refuses a matrix of all ranks nearly all of whose columns are empty.
func checkTerms(pattern *sparse.CSR, share *ranks.Share) error {
	all := ranks.Counts(share, []int{pattern.NumRows, pattern.NNZ()})
	if !sparse.MostlyEmpty(pattern.NumCols, all[0], all[1]) {
		return nil
	}
	return invalid.Errorf("the matrix has %s, and nearly all of them are empty: leave the empty columns out, or give ‹nearest-by› coordinates", words.Counted(pattern.NumCols, "column"))
}

// ByTerms moves every document once to the cluster that is nearest in coordinates and in terms:
// with the document's coordinates z and terms x, and of each cluster the centre c and the sum of
// the terms of its documents u, where
//
//	‖z − c‖² + 3·‖x/‖x‖ − u/‖u‖‖²
//
// is least; of equally near ones where it was. The second square is 2 − 2·cos(x, u), and 2 where x
// or u has no entries. Coordinates of a neighbour graph place a document by its neighbours alone,
// of which a short text has few good ones. found are the clusters of a k-means on the coordinates
// at, which stay as they are, and x the documents' rows of the same order. A cluster that all its
// documents would leave keeps them; as new documents they would be in other clusters. Clusters are
// numbered by falling size again, equal ones in the order that they had. The result has the same
// Centers, and u/‖u‖ as Terms, by which [Nearest] and [Certain] measure distances.
//
// It takes k·entries operations, again for the documents that move, and [TermsMemory]. With share
// every rank has its own documents in found.Labels, at and x. Errors: the context's, a
// [*memory.Error], and fs.ErrInvalid for a matrix nearly all of whose columns are empty; of any
// rank, on all of them.
func ByTerms(ctx context.Context, found *method.Clusters, at *mat.Dense, x sparse.Rows, share *ranks.Share) (*method.Clusters, error) {
	k, pattern := len(found.Sizes), x.Pattern()
	if err := checkTerms(pattern, share); err != nil {
		return nil, err
	}
	need := TermsMemory(pattern.NumRows, pattern.NumCols, ranks.Count(share, pattern.NNZ()), k)
	err := memory.Need(ctx, need, "give ‹nearest-by› coordinates", "the terms of %s", words.Counted(k, "cluster"))
	if err = ranks.Agree(share, err); err != nil { // before any rank waits for the sums of another
		return nil, err
	}
	memory.Ahead(need)
	by := *found
	if by.Terms, err = unitTerms(ctx, x, found.Labels, k, share); err != nil {
		return nil, err
	}
	labels := slices.Clone(found.Labels)
	own, next, other, err := distances(ctx, at, x, &by)
	if err = ranks.Agree(share, err); err != nil {
		return nil, err
	}
	nearer(labels, own, next, other)
	sizes := keepEmptied(labels, found, share)
	var moved []int
	for i, c := range labels {
		if c != found.Labels[i] {
			moved = append(moved, i)
		}
	}
	// The others' distances are the final ones.
	if err = ranks.Agree(share, again(ctx, at, x, &by, labels, moved, own, next, other)); err != nil {
		return nil, err
	}
	by.Certainty = method.Certainty{Distance: own, Confidence: separations(own, next), Second: other}
	by.How += fmt.Sprintf("; %s moved to a cluster nearer by terms", words.Plural(ranks.Count(share, len(moved)), "document", "documents"))
	renumber(&by, labels, sizes)
	return &by, nil
}

// again measures the distances of the documents that moved, with their labels.
func again(ctx context.Context, at *mat.Dense, x sparse.Rows, by *method.Clusters, labels, moved []int, own, next []float64, other []int) error {
	if len(moved) == 0 {
		return nil
	}
	_, d := at.Dims()
	some, of := mat.NewDense(len(moved), d, nil), make([]int, len(moved))
	for q, i := range moved {
		of[q] = labels[i]
		some.SetRow(q, at.RawRowView(i))
	}
	a, b, c, err := margins(ctx, some, by.Centers, by.Sizes, of, &nearTerms{x, by.Terms, moved})
	if err != nil {
		return err
	}
	for q, i := range moved {
		own[i], next[i], other[i] = a[q], b[q], c[q]
	}
	return nil
}

// TermsMemory is what [ByTerms] takes at most for documents of this rank with so many terms, and
// entries of all ranks, in k clusters: 48 bytes for each document, 8 for each term and thread, and
// 24 for each entry of the clusters' terms, of which 12 stay.
func TermsMemory(documents, terms, entries, k int) int64 {
	each := min(memory.Bytes(24, entries), memory.Bytes(24, terms, k))
	return memory.Sum(memory.Bytes(48, documents), memory.Bytes(8, terms, 2+parallel.Workers(k, 1)), each)
}

// unitTerms are terms × clusters: in each of k columns the sum of the unit rows of x in a cluster,
// of all ranks, divided by its length; of a sum of zeros no entry.
func unitTerms(ctx context.Context, x sparse.Rows, labels []int, k int, share *ranks.Share) (*sparse.CSR, error) {
	_, terms := x.Dims()
	members := make([][]int32, k)
	for i, c := range labels {
		members[c] = append(members[c], int32(i))
	}
	sums, pattern := make([]termSum, k), x.Pattern()
	one := func(c int, sum, buf []float64) []float64 {
		clear(sum)
		for _, i := range members[c] {
			cols := columns(pattern, int(i))
			buf = x.Values(int(i), buf)
			if length := math.Sqrt(square(buf)); length > 0 {
				for p, t := range cols {
					sum[t] += buf[p] / length
				}
			}
		}
		if share.Divided() {
			share.Sum(sum)
		}
		sums[c] = entriesOf(sum)
		return buf
	}
	if share.Divided() { // the ranks add up one cluster after the other
		var buf []float64
		for c, sum := 0, make([]float64, terms); c < k; c++ {
			buf = one(c, sum, buf)
		}
		return unitColumns(sums, terms), nil
	}
	type room struct{ sum, buf []float64 }
	rooms := make([]room, parallel.Workers(k, 1))
	err := parallel.For(ctx, k, 1, func(w, lo, hi int) error {
		r := &rooms[w]
		if r.sum == nil {
			r.sum = make([]float64, terms)
		}
		for c := lo; c < hi; c++ {
			r.buf = one(c, r.sum, r.buf)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return unitColumns(sums, terms), nil
}

// termSum is a sum of rows without its zeros.
type termSum struct {
	cols []int32
	vals []float64
}

// entriesOf returns the entries of a sum that are not zero.
func entriesOf(sum []float64) (s termSum) {
	entries := 0
	for _, v := range sum {
		if v != 0 {
			entries++
		}
	}
	s.cols, s.vals = make([]int32, 0, entries), make([]float64, 0, entries)
	for t, v := range sum {
		if v != 0 {
			s.cols, s.vals = append(s.cols, int32(t)), append(s.vals, v)
		}
	}
	return s
}

// unitColumns returns the terms × clusters matrix whose columns are the sums, of unit length.
func unitColumns(sums []termSum, terms int) *sparse.CSR {
	out := &sparse.CSR{NumRows: terms, NumCols: len(sums), RowPtr: make([]int, terms+1)}
	for _, s := range sums {
		for _, t := range s.cols {
			out.RowPtr[t+1]++
		}
	}
	for t := range terms {
		out.RowPtr[t+1] += out.RowPtr[t]
	}
	next := slices.Clone(out.RowPtr[:terms])
	out.Col, out.Val = make([]int32, out.RowPtr[terms]), make([]float64, out.RowPtr[terms])
	for c, s := range sums {
		length := math.Sqrt(square(s.vals))
		if length == 0 { // the squares are below the smallest number
			length = 1
		}
		for p, t := range s.cols {
			out.Col[next[t]], out.Val[next[t]] = int32(c), s.vals[p]/length
			next[t]++
		}
	}
	return out
}

// columns are the columns of row i of a pattern.
func columns(pattern *sparse.CSR, i int) []int32 {
	return pattern.Col[pattern.RowPtr[i]:pattern.RowPtr[i+1]]
}

// square is ‖x‖².
func square(x []float64) (s float64) {
	for _, v := range x {
		s += v * v
	}
	return s
}

// nearTerms measures how far the terms of documents are from those of clusters.
type nearTerms struct {
	x     sparse.Rows
	means *sparse.CSR // method.Clusters.Terms
	rows  []int       // of x, of the documents; nil: all, in their order
}

// squares sets out to the squared distances of the terms of document i and of the clusters, times
// [termWeight]; buf is for its values. A term that the clusters do not have counts in the length
// of the document alone.
func (t *nearTerms) squares(i int, out, buf []float64) []float64 {
	clear(out)
	if t.rows != nil {
		i = t.rows[i]
	}
	vals := t.x.Values(i, buf)
	for p, term := range columns(t.x.Pattern(), i) {
		if int(term) >= t.means.NumRows {
			continue
		}
		clusters, of := t.means.Row(int(term))
		if len(clusters) == len(out) { // all of them, as of most terms of long documents
			floats.AddScaled(out, vals[p], of)
			continue
		}
		for q, c := range clusters {
			out[c] += vals[p] * of[q]
		}
	}
	length := math.Sqrt(square(vals))
	for c, v := range out {
		cos := 0.0
		if length > 0 {
			cos = v / length
		}
		out[c] = termWeight * (2 - 2*min(1, cos))
	}
	return vals
}

// distances are the [margins] of documents with the coordinates at and the rows x by the clusters
// c, and c.Terms if it has them.
func distances(ctx context.Context, at, x mat.Matrix, c *method.Clusters) (own, next []float64, other []int, err error) {
	var terms *nearTerms
	if rows, ok := x.(sparse.Rows); ok && c.Terms != nil {
		terms = &nearTerms{rows, c.Terms, nil}
	}
	return margins(ctx, at, c.Centers, c.Sizes, c.Labels, terms)
}

// Nearest returns the cluster of every document, new ones as those of the fit: the one of c with
// the nearest centre in the coordinates at, and with c.Terms in those and the terms of the rows x,
// as [ByTerms] says. Errors are as for [Model.Predict].
func Nearest(ctx context.Context, c *method.Clusters, at, x mat.Matrix) ([]int, error) {
	labels, err := (&Model{Centers: c.Centers}).Predict(ctx, at)
	if err != nil || c.Terms == nil {
		return labels, err
	}
	from := *c
	from.Labels = labels
	own, next, other, err := distances(ctx, at, x, &from)
	if err != nil {
		return nil, err
	}
	nearer(labels, own, next, other)
	return labels, nil
}

// nearer sets the labels of documents to the cluster of another centre that is nearer than their
// own.
func nearer(labels []int, own, next []float64, other []int) {
	for i := range labels {
		if next[i] < own[i] {
			labels[i] = other[i]
		}
	}
}

// keepEmptied puts documents back into clusters of found that the labels leave without any, and
// returns the sizes, over all ranks.
func keepEmptied(labels []int, found *method.Clusters, share *ranks.Share) []int {
	for {
		sizes, back := ranks.Counts(share, method.SizesOf(labels, len(found.Sizes))), 0
		for i, c := range found.Labels {
			if sizes[c] == 0 {
				labels[i] = c
				back++
			}
		}
		if ranks.Count(share, back) == 0 {
			return sizes
		}
	}
}

// renumber numbers the clusters by falling size, equal ones as before. labels and sizes become
// theirs.
func renumber(c *method.Clusters, labels, sizes []int) {
	order, number := indices.Falling(sizes), make([]int32, len(sizes))
	centers := mat.NewDense(len(sizes), c.Centers.RawMatrix().Cols, nil)
	c.Sizes = make([]int, len(sizes))
	for to, from := range order {
		number[from], c.Sizes[to] = int32(to), sizes[from]
		centers.SetRow(to, c.Centers.RawRowView(from))
	}
	c.Centers, c.Labels = centers, labels
	for i, from := range labels {
		labels[i] = int(number[from])
		if second := &c.Certainty.Second[i]; *second >= 0 {
			*second = int(number[*second])
		}
	}
	c.Terms = c.Terms.SelectCols(order)
}

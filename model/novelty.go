package model

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const (
	// noveltyTerms is the largest number of columns that are kept of the mean of a cluster.
	noveltyTerms = 512
	// noveltySteps is the largest number of distances that are kept.
	noveltySteps = 1000
	// noveltyRows is how many rows one step of a parallel loop measures.
	noveltyRows = 512
	// noveltyMemory is the most bytes that the sums of all threads take together.
	noveltyMemory = 256 << 20
	// unitSlack is the distance from 1 within which a length is 1.
	unitSlack = 1e-12
)

// Novelty measures how far a document is from what a model was made from, in the weighted rows and
// not in the model's coordinates, where a document unlike all others has a place like any: the
// distance to the mean row of its cluster, as the share of training documents that are nearer to
// the mean of the others of their own cluster. Sparse rows count by their directions.
//
// A mean keeps the 512 columns of the largest absolute values, and the distances are at most 1,001
// quantiles: about 12·512 bytes per cluster and 8 kB.
type Novelty struct {
	Means     *sparse.CSR // clusters × columns
	Distances []float64   // of training documents, ascending
	// Unlike are quantiles, ascending, of how unlike the others each training document is by its
	// distance and by its terms that no other document has; nil: the documents have no terms, and the
	// distance alone says it.
	Unlike []float64
	// Own are quantiles, ascending, of the number of such terms by its standard deviation, and
	// OwnShare is their share in all documents.
	Own      []float64
	OwnShare float64
	// Columns is how many of the first columns count, where the model has got more since: rows are
	// of length 1 without the others. 0: all.
	Columns int
}

// NewNovelty is the novelty of the rows x of labelled clusters; nil without two documents in any
// cluster. Labels below 0 are left out. rarities are of each row's terms; nil if the rows are of no
// documents with terms. O(entries + clusters·columns) time; memory: 12 bytes for each row, and 13
// for each column and thread, for dense rows 33, of as many threads as take 256 MB together, or of
// one. Where sparse rows have more columns than entries, those with an entry count alone.
//
// Where the ranks of a team divide the rows, x, labels and rarities are of this rank's, and rank 0
// alone gets the novelty of all. It receives 24 bytes for each row of the others, and every rank
// receives the sums of the clusters' columns.
func NewNovelty(team ranks.Team, x mat.Matrix, labels []int, clusters int, rarities []corpus.Rarity) *Novelty {
	means := meansOf(team, x, membersOf(labels, clusters))
	_, d := x.Dims()
	v := &Novelty{Means: &sparse.CSR{NumRows: clusters, NumCols: d, RowPtr: make([]int, clusters+1)}}
	for c, m := range means {
		v.Means.Col, v.Means.Val = append(v.Means.Col, m.cols...), append(v.Means.Val, m.vals...)
		v.Means.RowPtr[c+1] = len(v.Means.Col)
	}
	distances := v.distances(x, labels, means)
	if team.Size() > 1 {
		distances, rarities = joined(team, distances, rarities)
	}
	if v.Distances = quantiles(distances, distances); v.Distances == nil {
		return nil
	}
	v.compare(rarities, distances)
	return v
}

// joined gives rank 0 the distances and rarities of all ranks, and the others none.
func joined(team ranks.Team, distances []float64, rarities []corpus.Rarity) (allDistances []float64, all []corpus.Rarity) {
	own := distances
	for _, r := range rarities {
		own = append(own, float64(r.Terms), float64(r.Own))
	}
	parts := make([][]byte, team.Size())
	parts[0] = ranks.Bytes(own)
	for _, part := range team.Exchange(parts) {
		got, n := ranks.Floats(part), 0
		if n = len(got); rarities != nil {
			n /= 3
		}
		allDistances = append(allDistances, got[:n]...)
		for terms := got[n:]; len(terms) > 0; terms = terms[2:] {
			all = append(all, corpus.Rarity{Terms: int32(terms[0]), Own: int32(terms[1])})
		}
	}
	return allDistances, all
}

// meansOf are the means of the clusters of which members are the rows.
func meansOf(team ranks.Team, x mat.Matrix, members [][]int32) []mean {
	met := columnsMet(team, x)
	_, d := x.Dims()
	d = met.width(d)
	if team.Size() > 1 {
		return sharedMeans(team, x, members, met, d)
	}
	clusters, means := len(members), make([]mean, len(members))
	grain := sumGrain(d, clusters, sparse.Is(x))
	workers := make([]meanSum, parallel.Workers(clusters, grain))
	_ = parallel.For(context.Background(), clusters, grain, func(worker, lo, hi int) error {
		w := &workers[worker]
		if w.sum == nil {
			*w = meanSum{rows: newRowReader(x), places: met, sum: make([]float64, d)}
		}
		for c := lo; c < hi; c++ {
			means[c] = w.of(members[c])
		}
		return nil
	})
	return means
}

// sharedMeans is meansOf where ranks divide the rows: their sums are added up, of as many clusters
// at a time as take noveltyMemory. Columns have d places.
func sharedMeans(team ranks.Team, x mat.Matrix, members [][]int32, places metColumns, d int) []mean {
	var means []mean
	w := &meanSum{rows: newRowReader(x), places: places, sum: make([]float64, d)}
	w.met = make([]int32, w.few()) // columns are found by a look at all
	step := max(1, noveltyMemory/(8*max(1, d)))
	for lo := 0; lo < len(members); lo += step {
		some := members[lo:min(lo+step, len(members))]
		sums, sizes := make([]float64, len(some)*d), make([]float64, len(some))
		for c, rows := range some {
			for _, i := range rows {
				cols, vals := w.rows.row(int(i))
				if len(cols) > 0 {
					sizes[c]++
				}
				for k, j := range cols {
					sums[c*d+int(places.place(j))] += vals[k]
				}
			}
		}
		team.Sum(sums)
		team.Sum(sizes)
		for c := range some {
			w.sum = sums[c*d : (c+1)*d]
			means = append(means, w.mean(int(sizes[c])))
		}
	}
	return means
}

// distances are those of the rows to the means of the others of their clusters, -1 without others.
func (v *Novelty) distances(x mat.Matrix, labels []int, means []mean) []float64 {
	n, _ := x.Dims()
	distances := make([]float64, n)
	readers := make([]*rowReader, parallel.Workers(n, noveltyRows))
	_ = parallel.For(context.Background(), n, noveltyRows, func(worker, lo, hi int) error {
		if readers[worker] == nil {
			readers[worker] = newRowReader(x)
		}
		for i := lo; i < hi; i++ {
			distances[i] = -1
			if c := labels[i]; c >= 0 && means[c].size > 1 {
				if cols, vals := readers[worker].row(i); len(cols) > 0 {
					distances[i] = v.distance(cols, vals, c, means[c].size)
				}
			}
		}
		return nil
	})
	return distances
}

// sumGrain is how many clusters one step of a parallel loop sums: one, or so many that the threads
// take no more than noveltyMemory.
func sumGrain(d, clusters int, sparseRows bool) int {
	column := int64(13) // of meanSum: 8 of sum, 4 of cols, a quarter of met
	if !sparseRows {
		column += 20 // of rowReader
	}
	most := max(1, noveltyMemory/(column*int64(max(1, d))))
	if int64(parallel.Workers(clusters, 1)) <= most {
		return 1
	}
	return parallel.Chunks(clusters, int(most))
}

// membersOf are the rows of each cluster, ascending.
func membersOf(labels []int, clusters int) [][]int32 {
	end := make([]int, clusters+1)
	for _, c := range labels {
		if c >= 0 {
			end[c+1]++
		}
	}
	for c := range clusters {
		end[c+1] += end[c]
	}
	all, out := make([]int32, end[clusters]), make([][]int32, clusters)
	for c := range out {
		out[c] = all[end[c]:end[c]:end[c+1]]
	}
	for i, c := range labels {
		if c >= 0 {
			out[c] = append(out[c], int32(i))
		}
	}
	return out
}

// mean is the mean of a cluster's rows in the columns that are kept, ascending, and the number of
// rows that have an entry.
type mean struct {
	cols []int32
	vals []float64
	size int
}

// meanSum adds the rows of one cluster after the other.
type meanSum struct {
	rows   *rowReader
	places metColumns
	sum    []float64 // of the column of each place; zero between clusters
	met    []int32   // places met, some of them twice, at most as many as few
	cols   []int32
	top    []float64
}

// of is the mean of some rows.
func (w *meanSum) of(rows []int32) mean {
	size := 0
	w.met = w.met[:0]
	for _, i := range rows {
		cols, vals := w.rows.row(int(i))
		if len(cols) > 0 {
			size++
		}
		for k, j := range cols {
			j = w.places.place(j)
			if w.sum[j] == 0 && len(w.met) < w.few() {
				w.met = append(w.met, j)
			}
			w.sum[j] += vals[k]
		}
	}
	m := w.mean(size)
	if len(w.met) == w.few() {
		clear(w.sum)
		return m
	}
	for _, j := range w.met {
		w.sum[j] = 0
	}
	return m
}

// mean is the mean of so many rows, of which sum is the sum.
func (w *meanSum) mean(size int) mean {
	m := mean{size: size}
	m.cols = slices.Clone(w.largest())
	m.vals = make([]float64, len(m.cols))
	for k, j := range m.cols {
		m.vals[k] = w.sum[j] / float64(m.size)
		m.cols[k] = w.places.column(j)
	}
	return m
}

// few is from how many columns met on a look at all is no slower.
func (w *meanSum) few() int { return len(w.sum) / 16 }

// columns are the places of those in which the sum is not 0, ascending: by their list if they are
// few, else by a look at all.
func (w *meanSum) columns() []int32 {
	if len(w.met) < w.few() {
		slices.Sort(w.met) // a sum that came back to 0 in between is met twice
		w.cols = append(w.cols[:0], slices.Compact(w.met)...)
		return slices.DeleteFunc(w.cols, func(j int32) bool { return w.sum[j] == 0 })
	}
	w.cols = slices.Grow(w.cols[:0], len(w.sum))
	for j, v := range w.sum {
		if v != 0 {
			w.cols = append(w.cols, int32(j))
		}
	}
	return w.cols
}

// largest are the places of the columns of the largest absolute sums, ascending; of equal ones the
// lower column.
func (w *meanSum) largest() []int32 {
	cols := w.columns()
	if len(cols) <= noveltyTerms {
		return cols
	}
	top := w.top[:0] // a heap, the smallest first
	for _, j := range cols {
		size := math.Abs(w.sum[j])
		if len(top) < noveltyTerms {
			if top = append(top, size); len(top) == noveltyTerms {
				slices.Sort(top)
			}
		} else if size > top[0] {
			top[0] = size
			sink(top)
		}
	}
	w.top = top
	least := top[0]
	equal := 0 // columns of the least size that are kept
	for _, size := range top {
		if size == least {
			equal++
		}
	}
	return slices.DeleteFunc(cols, func(j int32) bool {
		size := math.Abs(w.sum[j])
		if size == least {
			equal--
			return equal < 0
		}
		return size < least
	})
}

// sink restores a heap whose first value grew.
func sink(heap []float64) {
	for i, v := 0, heap[0]; ; {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1] < heap[child] {
			child++
		}
		if heap[child] >= v {
			return
		}
		heap[i], heap[child] = heap[child], v
		i = child
	}
}

// distance is the distance of a row to the mean of cluster c; if without is above 0, to the mean of
// the other rows of that many, of which the row is one.
func (v *Novelty) distance(cols []int32, vals []float64, c, without int) float64 {
	at, mean := v.Means.Row(c)
	own, dot, kept, length := 0.0, 0.0, 0.0, 0.0
	for _, m := range mean {
		length += m * m
	}
	k := 0
	for p, j := range cols {
		own += vals[p] * vals[p]
		for k < len(at) && at[k] < j {
			k++
		}
		if k < len(at) && at[k] == j {
			dot += vals[p] * mean[k]
			kept += vals[p] * vals[p]
		}
	}
	if without > 0 {
		n := float64(without)
		length = (n*n*length - 2*n*dot + kept) / ((n - 1) * (n - 1))
		dot = (n*dot - kept) / (n - 1)
	}
	return math.Sqrt(max(0, own+length-2*dot))
}

// Of returns the novelty of each row of x in its cluster: the share of the training documents that
// are nearer, between 0 and 1; 1 of a row without entries. What it says of a row has the same bits
// whatever the other rows are.
func (v *Novelty) Of(x mat.Matrix, labels []int) []float64 {
	rows := newRowReader(x)
	rows.columns = int32(v.Columns)
	out := make([]float64, len(labels))
	for i, c := range labels {
		cols, vals := rows.row(i)
		if out[i] = 1; len(cols) == 0 {
			continue
		}
		nearer, _ := slices.BinarySearch(v.Distances, v.distance(cols, vals, c, 0))
		out[i] = float64(nearer) / float64(len(v.Distances))
	}
	return out
}

// Apart says which columns speak for cluster a against cluster b in row i of x: each column of the
// row times the difference of the two means there, the largest first, those above 0; b below 0: the
// means of a alone. Columns beyond those that the means keep say nothing.
func (v *Novelty) Apart(x mat.Matrix, i, a, b int) (columns []int, parts []float64) {
	cols, vals := newRowReader(x).row(i)
	mean := func(c int, j int32) float64 {
		if c < 0 {
			return 0
		}
		at, m := v.Means.Row(c)
		if k, found := slices.BinarySearch(at, j); found {
			return m[k]
		}
		return 0
	}
	part := map[int]float64{}
	for k, j := range cols {
		if p := vals[k] * (mean(a, j) - mean(b, j)); p > 0 {
			columns, part[int(j)] = append(columns, int(j)), p
		}
	}
	slices.SortFunc(columns, func(p, q int) int { return cmp.Or(cmp.Compare(part[q], part[p]), cmp.Compare(p, q)) })
	for _, j := range columns {
		parts = append(parts, part[j])
	}
	return columns, parts
}

// Measure is a column of measurements in a row: its value there, its mean in the row's cluster and
// in another one, and how much nearer the first mean is, as half the difference of the squared
// distances from the two.
type Measure struct {
	Column            int
	Value, Mean, Next float64
	Part              float64
}

// Measures are the columns of row i of x that speak for cluster a against cluster b, the strongest
// first; b below 0: against the mean of all other clusters, of the given sizes. Unlike
// [Novelty.Apart] it is for rows whose zero means nothing.
func (v *Novelty) Measures(x mat.Matrix, i, a, b int, sizes []int) (list []Measure) {
	_, cols := x.Dims()
	if v.Columns > 0 {
		cols = min(cols, v.Columns)
	}
	mean, next := make([]float64, cols), make([]float64, cols)
	add := func(to []float64, c int, share float64) {
		at, m := v.Means.Row(c)
		for k, j := range at {
			if int(j) < cols {
				to[j] += share * m[k]
			}
		}
	}
	add(mean, a, 1)
	others := 0
	for c, size := range sizes {
		if c != a {
			others += size
		}
	}
	switch {
	case b >= 0:
		add(next, b, 1)
	case others == 0:
		return nil
	default:
		for c, size := range sizes {
			if c != a && size > 0 {
				add(next, c, float64(size)/float64(others))
			}
		}
	}
	for j := range cols {
		m := Measure{Column: j, Value: x.At(i, j), Mean: mean[j], Next: next[j]}
		if m.Part = (m.Mean - m.Next) * (m.Value - (m.Mean+m.Next)/2); m.Part > 0 {
			list = append(list, m)
		}
	}
	slices.SortStableFunc(list, func(p, q Measure) int { return cmp.Compare(q.Part, p.Part) })
	return list
}

// fields visits what is kept. A file of an earlier version has none of it.
func (v *Novelty) fields(f *Fields) {
	f.Ints("novelty_rows", &v.Means.RowPtr)
	f.columns("novelty_terms", &v.Means.Col)
	f.Floats("novelty_means", &v.Means.Val)
	f.Floats("novelty_distances", &v.Distances)
	if f.Writing() && v.Unlike != nil || f.Has("novelty_unlike") {
		f.Floats("novelty_unlike", &v.Unlike)
		f.Floats("novelty_own", &v.Own)
		f.Setting("novelty_own_share", &v.OwnShare)
	}
	if f.Writing() && v.Columns > 0 || f.Has("novelty_columns") {
		f.Setting("novelty_columns", &v.Columns)
	}
}

// check refuses a novelty that does not fit the model.
func (v *Novelty) check(clusters, columns int) error {
	if len(v.Means.RowPtr) != clusters+1 {
		return invalid.Errorf("the model's mean rows of clusters are not as many as its clusters")
	}
	if _, err := sparse.NewCSR(clusters, columns, v.Means.RowPtr, v.Means.Col, v.Means.Val); err != nil {
		return invalid.Errorf("the model's mean rows of clusters are damaged: %w", err)
	}
	if v.Columns < 0 || v.Columns > columns {
		return invalid.Errorf("the model measures novelty by %d of its %d columns", v.Columns, columns)
	}
	if len(v.Distances) == 0 || !slices.IsSorted(v.Distances) || !(v.Distances[0] >= 0) {
		return invalid.Errorf("the model's distances of training documents are damaged")
	}
	return v.checkUnlike()
}

// rowReader reads the entries of rows that are not zero; sparse rows are scaled to length 1.
type rowReader struct {
	x    mat.Matrix
	cols []int32
	vals []float64
	buf  []float64
	// columns is how many of the first columns of sparse rows are read; 0: all.
	columns int32
}

func newRowReader(x mat.Matrix) *rowReader {
	if kept, err := sparse.Kept(x); err == nil {
		x = kept
	}
	_, d := x.Dims()
	r := &rowReader{x: x}
	if !sparse.Is(x) {
		r.buf = make([]float64, d)
	}
	return r
}

// row returns the entries of row i, valid until the next call.
func (r *rowReader) row(i int) ([]int32, []float64) {
	r.cols, r.vals = r.cols[:0], r.vals[:0]
	if s, ok := r.x.(sparse.Rows); ok {
		p := s.Pattern()
		r.buf = s.Values(i, r.buf[:0])
		sum := 0.0
		for k, j := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
			if v := r.buf[k]; v != 0 && (r.columns == 0 || j < r.columns) {
				r.cols, r.vals = append(r.cols, j), append(r.vals, v)
				sum += v * v
			}
		}
		if length := math.Sqrt(sum); math.Abs(length-1) > unitSlack {
			for k := range r.vals {
				r.vals[k] /= length
			}
		}
		return r.cols, r.vals
	}
	mat.Row(r.buf, i, r.x)
	for j, v := range r.buf {
		if v != 0 {
			r.cols, r.vals = append(r.cols, int32(j)), append(r.vals, v)
		}
	}
	return r.cols, r.vals
}

package exact

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas32"
)

// sparseScreen finds shortlists of neighbours of sparse rows of length 1, by dot products in
// float32.
//
// Rows are searched in blocks of lanes, four blocks together (see [group]). The frequent terms of a
// block are a dense tile of terms × lanes, which each later row multiplies by its own frequent
// terms, 64 products at a time. Other terms go through an inverted index of the later rows, in
// chunks whose accumulators stay in cache. Columns that nearly all rows have are multiplied as
// matrices of a block and a chunk.
//
// A float32 dot product of m common terms has an error below (m+4)·2⁻²⁴·Σ|a·b| in any order of
// summation: relative to it without negative entries, and else to the lengths of the rows, which
// are 1. So the shortlists decide which pairs are computed again in float64 (sparseRows.choose),
// not the result. Without negative entries pairs with a product of 0 are not listed.
type sparseScreen struct {
	n     int
	split int // > 0: only pairs of a row from split on with one before it
	// The entries of each row: of frequent, of rare and of the rarest terms. Terms of a single row
	// are left out. Terms are numbered in each class by falling number of rows.
	class [3]LaneRows
	// dense are the columns that nearly all rows have, if they are many, such as vectors beside
	// terms.
	dense blas32.General
}

// The classes of terms. Frequent terms are multiplied as dense tiles, rare ones by an index of
// chunks. The rarest have too few rows in a chunk to be looked up there; their index spans several.
const (
	frequent = iota
	rare
	rarest
	full // of sparseScreen.dense
)

const (
	// frequentShare is the share of the rows from which a term is frequent, and mostFrequent the
	// largest number of frequent terms: their tile, 256 bytes each, stays in the second cache. Terms
	// in less than rarestShare of the rows are the rarest: about two rows of a chunk. Half and twice
	// of each changed the time by less than a tenth.
	frequentShare = 0.03
	mostFrequent  = 768
	rarestShare   = 0.002
	// leastFull is the number of columns from which those that fullShare of the rows have are a
	// dense matrix. A row of zeros in some of them, such as a new document without a known term,
	// does not change the way of all others.
	leastFull = 16
	fullShare = 0.9
	// chunkRows is the number of rows of a chunk of the index. Their products with a block take 256
	// KiB.
	chunkRows = 1024
	// spanChunks is the number of chunks that are indexed at a time.
	spanChunks = 8
	spanRows   = spanChunks * chunkRows
	// chunkStride keeps the rows of accumulators from sharing places in the cache.
	chunkStride = chunkRows + 16
	// leastRest is the least number of rows for each place of a shortlist.
	leastRest = 4
	// leastWork is the number of common terms of a pair, on average, from which the screen pays.
	leastWork = 2
	// leastNew is the number of new rows of terms alone from which the screen pays, and leastOthers
	// the number of rows that they are compared with: of TDT2's, 2,000 took 54 ms among 2,000 and
	// 168 ms among 7,394 without it, and 63 and 138 ms by it.
	leastNew    = 512
	leastOthers = 4096
	// leastValue is the smallest entry whose products are normal float32 numbers.
	leastValue = 0x1p-60
	// fillRows is the number of rows whose entries are put into classes at a time.
	fillRows = 512
)

// newSparseScreen splits the rows of x into frequent and rare terms, in O(nnz + columns·log). 8
// bytes per entry, and 4 per row of columns that nearly all rows have.
func newSparseScreen(rows sparse.Rows, loop parallel.Loop) *sparseScreen {
	x := rows.Pattern()
	n := x.NumRows
	count := termRows(x.Col, x.NumCols, loop)
	order, all := make([]int32, 0, x.NumCols), 0 // columns of several rows, and of nearly all
	for c, k := range count {
		if k > 1 {
			order = append(order, int32(c))
		}
		if nearlyAll(k, n) {
			all++
		}
	}
	if all < leastFull {
		all = 0
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(count[b], count[a]) })
	s := &sparseScreen{n: n, dense: blas32.General{Rows: n, Cols: all, Stride: max(1, all), Data: make([]float32, n*all)}}
	class, number := make([]int8, x.NumCols), make([]int32, x.NumCols)
	for c := range class {
		class[c] = -1
	}
	for at, c := range order {
		share, k := float64(count[c])/float64(n), frequent
		switch {
		case at < all:
			class[c], number[c] = full, int32(at)
			continue
		case share < rarestShare:
			k = rarest
		case share < frequentShare || s.class[frequent].terms == mostFrequent:
			k = rare
		}
		class[c], number[c] = int8(k), int32(s.class[k].terms)
		s.class[k].terms++
	}
	s.fill(rows, class, number, loop)
	return s
}

// fill sets the entries of each class of terms. class[c] is the class of column c, -1 for none, and
// number[c] the number of its term in that class.
func (s *sparseScreen) fill(rows sparse.Rows, class []int8, number []int32, loop parallel.Loop) {
	x := rows.Pattern()
	for k := range s.class {
		s.class[k].Ptr = make([]int, s.n+1)
	}
	// The background context never ends, and bodies return no errors.
	_ = loop(context.Background(), s.n, fillRows, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			for _, c := range x.Col[x.RowPtr[i]:x.RowPtr[i+1]] {
				if class[c] >= 0 && class[c] < full {
					s.class[class[c]].Ptr[i+1]++
				}
			}
		}
		return nil
	})
	for k := range s.class {
		a := &s.class[k]
		for i := range s.n {
			a.Ptr[i+1] += a.Ptr[i]
		}
		a.Index, a.Val = make([]int32, a.Ptr[s.n]), make([]float32, a.Ptr[s.n])
	}
	_ = loop(context.Background(), s.n, fillRows, func(_, lo, hi int) error {
		buf := make([]float64, 0, 256)
		var next [3]int
		for k := range next {
			next[k] = s.class[k].Ptr[lo]
		}
		for i := lo; i < hi; i++ {
			vals := rows.Values(i, buf)
			for p, c := range x.Col[x.RowPtr[i]:x.RowPtr[i+1]] {
				if k := class[c]; k == full {
					s.dense.Data[i*s.dense.Stride+int(number[c])] = float32(vals[p])
				} else if k >= 0 {
					a, at := &s.class[k], next[k]
					a.Index[at], a.Val[at] = number[c], float32(vals[p])
					next[k]++
				}
			}
		}
		return nil
	})
}

// screenable reports whether the screen applies to a search for k neighbours, and pays: rows of
// length 1, enough of them and of common terms, and lists that are a part of all pairs, for what
// they hold is computed again in float64.
func (m *sparseRows) screenable(k int) bool {
	return m.unit && m.indexed() >= max(2*Lanes, leastRest*(k+spareCandidates(k))) && m.common()
}

// keyError bounds the error of a key of float32 near a dot product, for a row with some number of
// entries, of either of the two rows (see sparseScreen).
func (m *sparseRows) keyError(product float64, entries int) float64 {
	e := float64(entries+8) * 0x1p-24
	if m.signed {
		return e
	}
	return e * product
}

// termRows counts the entries of each of some columns in cols.
func termRows(cols []int32, columns int, loop parallel.Loop) []int32 {
	const parts = 4
	var counts [parts][]int32
	nnz := len(cols)
	// The background context never ends, and bodies return no errors.
	_ = loop(context.Background(), parts, 1, func(_, part, _ int) error {
		counts[part] = make([]int32, columns)
		for _, c := range cols[part*nnz/parts : (part+1)*nnz/parts] {
			counts[part][c]++
		}
		return nil
	})
	for _, part := range counts[1:] {
		for c, n := range part {
			counts[0][c] += n
		}
	}
	return counts[0]
}

// common reports whether pairs have so many common terms that a screen pays. New rows that are few,
// or have few others to be compared with, take it for columns that nearly all rows have alone.
func (m *sparseRows) common() bool {
	x, n := m.x, m.x.NumRows
	among := termRows(x.Col[:x.RowPtr[m.indexed()]], x.NumCols, parallel.For)
	searching, rows := among, n
	if m.split > 0 {
		searching, rows = termRows(x.Col[x.RowPtr[m.split]:], x.NumCols, parallel.For), n-m.split
	}
	common, all := 0.0, 0
	for c, k := range among {
		common += float64(k) * float64(searching[c])
		if m.split > 0 && nearlyAll(k+searching[c], n) {
			all++
		}
	}
	enough := m.split == 0 || all >= leastFull || m.split >= leastOthers && rows >= leastNew
	return enough && common >= leastWork*float64(m.indexed())*float64(rows)
}

// nearlyAll reports whether a column of so many entries is one that nearly all of n rows have.
func nearlyAll(entries int32, n int) bool { return float64(entries) >= fullShare*float64(n) }

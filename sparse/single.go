package sparse

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"sort"
	"unsafe"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// Rows are sparse rows that are read one by one: a *[CSR], or a *[Single], whose values are
// converted when they are read.
type Rows interface {
	mat.Matrix
	// Pattern has the columns of every row; of a Single it has no values.
	Pattern() *CSR
	// Values are the values of row i: a view that is not to be written to, or buf, which is made
	// longer if it is short.
	Values(i int, buf []float64) []float64
	// Dot is the inner product of row i with a dense vector, summed in the order of the columns.
	Dot(i int, dense []float64) float64
	// Select copies rows, as [CSR.SelectRows], in double precision.
	Select(rows []int) *CSR
	// Narrow is [CSR.Compact].
	Narrow() Rows
	// EmptyRows are the rows without a non-zero entry, ascending; nil if there are none.
	EmptyRows() []int
}

var _, _ Rows = (*CSR)(nil), (*Single)(nil)

// Pattern implements Rows: it is the matrix itself.
func (a *CSR) Pattern() *CSR { return a }

// Values implements Rows.
func (a *CSR) Values(i int, _ []float64) []float64 {
	_, vals := a.Row(i)
	return vals
}

// Dot implements Rows.
func (a *CSR) Dot(i int, dense []float64) float64 {
	s := 0.0
	cols, vals := a.Row(i)
	for p, c := range cols {
		s += dense[c] * vals[p]
	}
	return s
}

// Select implements Rows.
func (a *CSR) Select(rows []int) *CSR { return a.SelectRows(rows) }

// Narrow implements Rows.
func (a *CSR) Narrow() Rows { return a.Compact() }

// Single is a sparse matrix whose values are stored in single precision: 8 bytes per entry and 8
// per row, or 5 per entry of counts that are at most 255 ([SingleCounts]). Weights of columns and
// lengths of rows are kept in double precision and applied when a value is read
// ([Single.Weighted]), so a value is rounded once, when it is stored, and whole numbers up to 2²⁴
// are exact. Everything that is computed of it has the bits that [Single.Double] gives.
//
// It is immutable, and no kernel multiplies it: code that does not read it row by row takes Double.
type Single struct {
	pattern *CSR // without values
	val     []float32
	small   []uint8 // the values, where each is a whole number up to 255; val is nil then
	take    Take
	terms   []float64 // weight of each column; nil: 1
	lengths []float64 // of each row, which divides it; nil: 1
}

// NewSingle stores the values of a in single precision; the structure is shared. Values that single
// precision cannot hold are a *[PrecisionError], and those that are not finite a *NotFiniteError.
func NewSingle(a *CSR) (*Single, error) {
	s := &Single{pattern: &CSR{NumRows: a.NumRows, NumCols: a.NumCols, RowPtr: a.RowPtr, Col: a.Col}, val: make([]float32, len(a.Val))}
	for i := range a.NumRows {
		for k := a.RowPtr[i]; k < a.RowPtr[i+1]; k++ {
			var err error
			if s.val[k], err = Narrowed(a.Val[k], i, int(a.Col[k])); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// SingleCounts stores a in single precision if its values are whole numbers from 0 to 2²⁴, which
// that holds as they are; else it returns nil. Where none is above 255 a value takes one byte in
// place of 4. The structure is shared. O(nnz).
func SingleCounts(a *CSR) *Single {
	out := &Single{pattern: &CSR{NumRows: a.NumRows, NumCols: a.NumCols, RowPtr: a.RowPtr, Col: a.Col}}
	const bound = uint64(0x4170000000000000) // the bits of 2²⁴; those of -0 and NaN are above it
	whole, small := true, true
	kinds := make([][2]bool, parallel.Chunks(len(a.Val), valueGrain))
	each := func(body func(lo, hi int)) {
		// The background context never ends, and bodies return no errors.
		_ = parallel.For(context.Background(), len(a.Val), valueGrain, func(_, lo, hi int) error {
			body(lo, hi)
			return nil
		})
	}
	each(func(lo, hi int) {
		whole, most := true, 0.0
		for _, v := range a.Val[lo:hi] {
			if math.Float64bits(v) > bound || v != math.Trunc(v) {
				whole = false
				break
			}
			most = max(most, v)
		}
		kinds[lo/valueGrain] = [2]bool{whole, most <= math.MaxUint8}
	})
	for _, k := range kinds {
		whole, small = whole && k[0], small && k[1]
	}
	switch {
	case !whole:
		return nil
	case small:
		out.small = make([]uint8, len(a.Val))
		each(func(lo, hi int) {
			for k, v := range a.Val[lo:hi] {
				out.small[lo+k] = uint8(v)
			}
		})
	default:
		out.val = make([]float32, len(a.Val))
		each(func(lo, hi int) {
			for k, v := range a.Val[lo:hi] {
				out.val[lo+k] = float32(v)
			}
		})
	}
	return out
}

// valueGrain is the number of values that are looked at by one thread at a time.
const valueGrain = 1 << 16

// SharesEntries reports whether s and b are the same entries, whatever their weights.
func (s *Single) SharesEntries(b *Single) bool {
	return s.NNZ() > 0 && s.NNZ() == b.NNZ() && unsafe.SliceData(s.val) == unsafe.SliceData(b.val) && unsafe.SliceData(s.small) == unsafe.SliceData(b.small) && &s.pattern.Col[0] == &b.pattern.Col[0] &&
		len(s.pattern.RowPtr) == len(b.pattern.RowPtr) && &s.pattern.RowPtr[0] == &b.pattern.RowPtr[0]
}

// WeightedAs returns the entries of s with the weights of x, whose row at(i) is row i of s before
// weights. 8 bytes per row.
func (s *Single) WeightedAs(x *Single, at func(i int) int) *Single {
	out := s.Weighted(x.take, x.terms, nil)
	if x.lengths != nil {
		out.lengths = make([]float64, s.pattern.NumRows)
		for i := range out.lengths {
			out.lengths[i] = x.lengths[at(i)]
		}
	}
	return out
}

// Narrowed is v rounded to single precision, with a relative error of at most 2⁻²⁴. Larger values
// than single precision has, and ones so small that they would lose digits or become 0, are a
// *[PrecisionError] at row i and column j; values that are not finite are a *NotFiniteError. Values
// that are float32 numbers are never refused, however small.
func Narrowed(v float64, i, j int) (float32, error) {
	const least = 0x1p-126 // the smallest number with all digits
	w := float32(v)
	switch a := math.Abs(v); {
	case !finite(v):
		return w, &NotFiniteError{Row: i, Col: j, Value: v}
	case math.IsInf(float64(w), 0) || a < least && float64(w) != v:
		return w, &PrecisionError{Row: i, Col: j, Value: v}
	}
	return w, nil
}

// PrecisionError is the error of a value that single precision cannot hold to its usual digits. Row
// and Col count from 0.
type PrecisionError struct {
	Row, Col int
	Value    float64
}

func (e *PrecisionError) Error() string {
	return fmt.Sprintf("matrix entry (%d, %d) (counted from 0) is %v, outside of the range of single precision: store it in double precision, or scale the data", e.Row, e.Col, e.Value)
}
func (e *PrecisionError) Is(target error) bool { return target == fs.ErrInvalid }

// Take is what [Single.Weighted] takes of each stored value before it multiplies.
type Take int

// The kinds of Take.
const (
	TakeValue Take = iota // the value
	TakeOne               // 1 for a value that is not 0
	TakeRoot              // its square root; values are not negative
)

// of returns what is taken of v.
func (t Take) of(v float64) float64 {
	switch {
	case t == TakeRoot:
		return math.Sqrt(v)
	case t == TakeOne && v != 0:
		return 1
	}
	return v
}

// tables has, by kind, what is taken of each whole number up to 255.
var tables = func() (of [3][math.MaxUint8 + 1]float64) {
	for take := range of {
		for v := range of[take] {
			of[take][v] = Take(take).of(float64(v))
		}
	}
	return of
}()

// Weighted returns the rows of s with other weights; the entries are shared. take says what is
// taken of each value; terms then multiplies column j by terms[j], nil by nothing; lengths then
// divides row i by lengths[i], nil by nothing. Weights of s itself are replaced.
func (s *Single) Weighted(take Take, terms, lengths []float64) *Single {
	if terms != nil && len(terms) != s.pattern.NumCols || lengths != nil && len(lengths) != s.pattern.NumRows {
		panic(mat.ErrShape)
	}
	return &Single{s.pattern, s.val, s.small, take, terms, lengths}
}

// HasWeights says whether values are computed from the entries when they are read.
func (s *Single) HasWeights() bool { return s.take != TakeValue || s.terms != nil || s.lengths != nil }

// Dims returns the numbers of rows and columns.
func (s *Single) Dims() (r, c int) { return s.pattern.Dims() }

// NNZ returns the number of stored entries.
func (s *Single) NNZ() int { return len(s.pattern.Col) }

// EntryBytes is what an entry takes in memory, its column with it: 8 bytes, or 5 where the value
// takes one ([SingleCounts]). Weights that are computed take none.
func (s *Single) EntryBytes() int64 {
	if s.small != nil {
		return 4 + 1
	}
	return 4 + 4
}

// T returns the transpose as a view, for mat.Matrix.
func (s *Single) T() mat.Matrix { return mat.Transpose{Matrix: s} }

// At returns the entry (i, j) by binary search in row i.
func (s *Single) At(i, j int) float64 {
	if uint(i) >= uint(s.pattern.NumRows) || uint(j) >= uint(s.pattern.NumCols) {
		panic(mat.ErrIndexOutOfRange)
	}
	lo, hi := s.pattern.RowPtr[i], s.pattern.RowPtr[i+1]
	k := lo + sort.Search(hi-lo, func(k int) bool { return s.pattern.Col[lo+k] >= int32(j) })
	if k == hi || s.pattern.Col[k] != int32(j) {
		return 0
	}
	return s.value(i, k)
}

// value is the value of entry k, which is in row i.
func (s *Single) value(i, k int) float64 {
	v := 0.0
	if s.small != nil {
		v = tables[s.take][s.small[k]]
	} else {
		v = s.take.of(float64(s.val[k]))
	}
	if s.terms != nil {
		v *= s.terms[s.pattern.Col[k]]
	}
	if s.lengths != nil {
		v /= s.lengths[i]
	}
	return v
}

// Pattern implements Rows.
func (s *Single) Pattern() *CSR { return s.pattern }

// Values implements Rows.
func (s *Single) Values(i int, buf []float64) []float64 {
	lo, hi := s.pattern.RowPtr[i], s.pattern.RowPtr[i+1]
	if cap(buf) < hi-lo {
		buf = make([]float64, hi-lo, 2*(hi-lo))
	}
	buf = buf[:hi-lo]
	if s.small != nil {
		s.smallValues(i, buf)
		return buf
	}
	val := s.val[lo:hi]
	if s.terms != nil && s.lengths != nil && s.take != TakeOne { // the usual weights of texts, in one pass
		cols, length := s.pattern.Col[lo:hi], s.lengths[i]
		cols, val = cols[:len(buf)], val[:len(buf)]
		if s.take == TakeRoot {
			for k := range buf {
				buf[k] = math.Sqrt(float64(val[k])) * s.terms[cols[k]] / length
			}
			return buf
		}
		for k := range buf {
			buf[k] = float64(val[k]) * s.terms[cols[k]] / length
		}
		return buf
	}
	for k, v := range val[:len(buf)] {
		buf[k] = s.take.of(float64(v))
	}
	if s.terms != nil {
		cols := s.pattern.Col[lo:hi]
		for k, c := range cols[:len(buf)] {
			buf[k] *= s.terms[c]
		}
	}
	if s.lengths != nil {
		length := s.lengths[i]
		for k := range buf {
			buf[k] /= length
		}
	}
	return buf
}

// smallValues is Values of values of one byte.
func (s *Single) smallValues(i int, buf []float64) {
	lo, hi := s.pattern.RowPtr[i], s.pattern.RowPtr[i+1]
	cols, val, of := s.pattern.Col[lo:hi], s.small[lo:hi], &tables[s.take]
	cols, val = cols[:len(buf)], val[:len(buf)]
	switch {
	case s.terms != nil && s.lengths != nil: // the usual weights of texts
		length := s.lengths[i]
		for k := range buf {
			buf[k] = of[val[k]] * s.terms[cols[k]] / length
		}
	case s.terms != nil:
		for k := range buf {
			buf[k] = of[val[k]] * s.terms[cols[k]]
		}
	case s.lengths != nil:
		length := s.lengths[i]
		for k := range buf {
			buf[k] = of[val[k]] / length
		}
	default:
		for k := range buf {
			buf[k] = of[val[k]]
		}
	}
}

// Dot implements Rows.
func (s *Single) Dot(i int, dense []float64) float64 {
	lo, hi := s.pattern.RowPtr[i], s.pattern.RowPtr[i+1]
	cols := s.pattern.Col[lo:hi]
	sum := 0.0
	if s.small != nil && s.terms != nil && s.lengths != nil {
		val, of, length := s.small[lo:hi][:len(cols)], &tables[s.take], s.lengths[i]
		for k, c := range cols {
			sum += dense[c] * (of[val[k]] * s.terms[c] / length)
		}
		return sum
	}
	if s.small != nil || s.take == TakeOne || s.terms == nil || s.lengths == nil {
		for k, c := range cols {
			sum += dense[c] * s.value(i, lo+k)
		}
		return sum
	}
	val, length := s.val[lo:hi][:len(cols)], s.lengths[i]
	if s.take == TakeRoot {
		for k, c := range cols {
			sum += dense[c] * (math.Sqrt(float64(val[k])) * s.terms[c] / length)
		}
		return sum
	}
	for k, c := range cols {
		sum += dense[c] * (float64(val[k]) * s.terms[c] / length)
	}
	return sum
}

// Select implements Rows.
func (s *Single) Select(rows []int) *CSR {
	b := &CSR{NumRows: len(rows), NumCols: s.pattern.NumCols, RowPtr: make([]int, len(rows)+1)}
	for r, i := range rows {
		b.RowPtr[r+1] = b.RowPtr[r] + s.pattern.RowPtr[i+1] - s.pattern.RowPtr[i]
	}
	b.Col, b.Val = make([]int32, b.RowPtr[len(rows)]), make([]float64, b.RowPtr[len(rows)])
	for r, i := range rows {
		lo, hi := b.RowPtr[r], b.RowPtr[r+1]
		copy(b.Col[lo:hi], s.pattern.Col[s.pattern.RowPtr[i]:])
		s.Values(i, b.Val[lo:hi:hi])
	}
	return b
}

// SelectRows returns the given rows in the given order, in single precision, with their weights.
func (s *Single) SelectRows(rows []int) *Single {
	p, entries := s.pattern, 0
	for _, i := range rows {
		entries += p.RowPtr[i+1] - p.RowPtr[i]
	}
	q := &CSR{NumRows: len(rows), NumCols: p.NumCols, RowPtr: make([]int, 1, len(rows)+1), Col: make([]int32, 0, entries)}
	b := &Single{pattern: q, take: s.take, terms: s.terms}
	if s.small != nil {
		b.small = make([]uint8, 0, entries)
	} else {
		b.val = make([]float32, 0, entries)
	}
	for _, i := range rows {
		lo, hi := p.RowPtr[i], p.RowPtr[i+1]
		q.Col = append(q.Col, p.Col[lo:hi]...)
		b.appendStored(s, lo, hi)
		q.RowPtr = append(q.RowPtr, len(q.Col))
		if s.lengths != nil {
			b.lengths = append(b.lengths, s.lengths[i])
		}
	}
	return b
}

// appendStored appends the stored values of entries [lo, hi) of a matrix of the same kind.
func (s *Single) appendStored(of *Single, lo, hi int) {
	if of.small != nil {
		s.small = append(s.small, of.small[lo:hi]...)
	} else {
		s.val = append(s.val, of.val[lo:hi]...)
	}
}

// Double returns the rows in double precision: new values, 8 bytes per entry, shared structure.
func (s *Single) Double() *CSR {
	p := s.pattern
	a := &CSR{NumRows: p.NumRows, NumCols: p.NumCols, RowPtr: p.RowPtr, Col: p.Col, Val: make([]float64, s.NNZ())}
	for i := range p.NumRows {
		s.Values(i, a.Val[p.RowPtr[i]:p.RowPtr[i+1]:p.RowPtr[i+1]])
	}
	return a
}

// Narrow implements Rows.
func (s *Single) Narrow() Rows {
	if !s.pattern.sparseColumns() {
		return s
	}
	out := *s
	out.pattern = s.pattern.Compact()
	if s.terms != nil {
		out.terms = make([]float64, out.pattern.NumCols)
		for k, c := range s.pattern.Col {
			out.terms[out.pattern.Col[k]] = s.terms[c]
		}
	}
	return &out
}

// WithoutZeros returns the entries whose values are not 0, or s itself if all are.
func (s *Single) WithoutZeros() *Single {
	kept := 0
	for i := range s.pattern.NumRows {
		for k := s.pattern.RowPtr[i]; k < s.pattern.RowPtr[i+1]; k++ {
			if s.value(i, k) != 0 {
				kept++
			}
		}
	}
	if kept == s.NNZ() {
		return s
	}
	out := *s
	p := &CSR{NumRows: s.pattern.NumRows, NumCols: s.pattern.NumCols, RowPtr: make([]int, s.pattern.NumRows+1), Col: make([]int32, 0, kept)}
	if out.pattern = p; s.small != nil {
		out.small = make([]uint8, 0, kept)
	} else {
		out.val = make([]float32, 0, kept)
	}
	for i := range p.NumRows {
		for k := s.pattern.RowPtr[i]; k < s.pattern.RowPtr[i+1]; k++ {
			if s.value(i, k) != 0 {
				p.Col = append(p.Col, s.pattern.Col[k])
				out.appendStored(s, k, k+1)
			}
		}
		p.RowPtr[i+1] = len(p.Col)
	}
	return &out
}

// EmptyRows implements Rows.
func (s *Single) EmptyRows() []int {
	var empty []int
rows:
	for i := range s.pattern.NumRows {
		for k := s.pattern.RowPtr[i]; k < s.pattern.RowPtr[i+1]; k++ {
			if s.value(i, k) != 0 {
				continue rows
			}
		}
		empty = append(empty, i)
	}
	return empty
}

// ColCounts is [CSR.ColCounts].
func (s *Single) ColCounts() []int {
	const parts = 2 // 16 bytes per column
	var counts [parts][]int
	rows := s.pattern.NumRows
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), parts, 1, func(_, part, _ int) error {
		n := make([]int, s.pattern.NumCols)
		for i := part * rows / parts; i < (part+1)*rows/parts; i++ {
			for k := s.pattern.RowPtr[i]; k < s.pattern.RowPtr[i+1]; k++ {
				if s.value(i, k) != 0 {
					n[s.pattern.Col[k]]++
				}
			}
		}
		counts[part] = n
		return nil
	})
	for _, part := range counts[1:] {
		for c, n := range part {
			counts[0][c] += n
		}
	}
	return counts[0]
}

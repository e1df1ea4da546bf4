package sparse

import "slices"

// Builder collects the entries of a matrix in any order. Entries at the same place are summed in
// the order in which they were added; a sum of zero is not stored. Memory: 16 bytes per entry until
// Build, which needs 12 more.
//
// Add does not report an entry outside the matrix or not finite. Build returns the first such
// error. A Builder is not safe for concurrent use.
type Builder struct {
	rows, cols int
	row, col   []int32
	val        []float64
	err        error
}

// NewBuilder starts a rows × cols matrix.
func NewBuilder(rows, cols int) *Builder {
	return &Builder{rows: rows, cols: cols, err: checkDims(rows, cols)}
}

// Add adds v to the entry (i, j).
func (b *Builder) Add(i, j int, v float64) {
	if b.err != nil {
		return
	}
	if uint(i) >= uint(b.rows) || uint(j) >= uint(b.cols) {
		b.err = &IndexError{Row: i, Col: j, Rows: b.rows, Cols: b.cols}
		return
	}
	if !finite(v) {
		b.err = &NotFiniteError{Row: i, Col: j, Value: v}
		return
	}
	b.row = append(b.row, int32(i))
	b.col = append(b.col, int32(j))
	b.val = append(b.val, v)
}

// Grow reserves memory for n more entries.
func (b *Builder) Grow(n int) {
	if b.err == nil && n > 0 {
		b.row = slices.Grow(b.row, n)
		b.col = slices.Grow(b.col, n)
		b.val = slices.Grow(b.val, n)
	}
}

// Build returns the matrix and leaves the Builder empty, ready for another matrix of the same
// shape. Errors: the first that Add found (*IndexError, *NotFiniteError), wrong dimensions
// (*ShapeError), a sum that overflows (*NotFiniteError). Cost: O(nnz + rows), and O(m log m) for
// each row with m unsorted entries.
func (b *Builder) Build() (*CSR, error) {
	row, col, val, err := b.row, b.col, b.val, b.err
	b.row, b.col, b.val, b.err = nil, nil, nil, checkDims(b.rows, b.cols)
	if err != nil {
		return nil, err
	}
	a := &CSR{
		NumRows: b.rows, NumCols: b.cols,
		RowPtr: make([]int, b.rows+1), Col: make([]int32, len(col)), Val: make([]float64, len(val)),
	}
	// Counting sort by row. The pointers serve as cursors, so there is no second array.
	ptr := a.RowPtr
	for _, i := range row {
		ptr[i+1]++
	}
	for i := range b.rows {
		ptr[i+1] += ptr[i]
	}
	// Backwards: ptr[i+1] falls to the start of row i, and entries keep their order.
	for k := len(row) - 1; k >= 0; k-- {
		i := row[k] + 1
		ptr[i]--
		a.Col[ptr[i]], a.Val[ptr[i]] = col[k], val[k]
	}
	return a, a.compact(len(row))
}

// compact sorts the rows, sums duplicates and closes the gaps. At the start row i begins at
// RowPtr[i+1], because the scatter of Build shifts the pointers by one, and ends where row i+1
// begins. At the end RowPtr is correct.
func (a *CSR) compact(nnz int) error {
	var keys []uint64
	var tmp []float64
	w := 0
	for i := range a.NumRows {
		lo, hi := a.RowPtr[i+1], nnz
		if i+2 <= a.NumRows {
			hi = a.RowPtr[i+2]
		}
		a.RowPtr[i] = w
		cols, vals := a.Col[lo:hi], a.Val[lo:hi]
		if !slices.IsSorted(cols) {
			// The column is in the high bits and the place in the row in the low bits. The keys are
			// distinct, so duplicates keep their order.
			keys, tmp = keys[:0], append(tmp[:0], vals...)
			for k, c := range cols {
				keys = append(keys, uint64(c)<<32|uint64(k))
			}
			slices.Sort(keys)
			for k, key := range keys {
				cols[k], vals[k] = int32(key>>32), tmp[uint32(key)]
			}
		}
		for k := 0; k < len(cols); {
			c, sum := cols[k], vals[k]
			for k++; k < len(cols) && cols[k] == c; k++ {
				sum += vals[k]
			}
			if !finite(sum) {
				return &NotFiniteError{Row: i, Col: int(c), Value: sum}
			}
			if sum != 0 {
				a.Col[w], a.Val[w] = c, sum
				w++
			}
		}
	}
	a.RowPtr[a.NumRows] = w
	a.Col, a.Val = a.Col[:w:w], a.Val[:w:w]
	return nil
}

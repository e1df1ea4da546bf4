package sparse

import (
	"slices"

	jb "github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/mat"
)

// FromMatrix copies any matrix into a CSR without its zeros. Sparse types (those that implement
// mat.NonZeroDoer) cost O(nnz), all others O(rows·cols) calls. Values that are not finite give
// *NotFiniteError.
func FromMatrix(m mat.Matrix) (*CSR, error) {
	switch m := m.(type) {
	case *CSR:
		return m.withoutZeros()
	case *Counts:
		return m.CSR(), nil
	case *Single:
		return m.Double().withoutZeros()
	case *jb.CSR:
		return FromBowman(m)
	case mat.Transpose:
		if a, ok := m.Matrix.(*CSR); ok {
			return a.Transpose().withoutZeros()
		}
	}
	rows, cols := m.Dims()
	if nz, ok := m.(mat.NonZeroDoer); ok {
		b := NewBuilder(rows, cols)
		nz.DoNonZero(b.Add)
		return b.Build()
	}
	if err := checkDims(rows, cols); err != nil {
		return nil, err
	}
	var at func(i int) []float64
	if raw, ok := m.(mat.RawRowViewer); ok {
		at = raw.RawRowView
	} else {
		buf := make([]float64, cols)
		at = func(i int) []float64 {
			for j := range buf {
				buf[j] = m.At(i, j)
			}
			return buf
		}
	}
	// Two passes, so that the arrays are allocated once with their final size.
	a := &CSR{NumRows: rows, NumCols: cols, RowPtr: make([]int, rows+1)}
	for i := range rows {
		n := a.RowPtr[i]
		for j, v := range at(i) {
			if !finite(v) {
				return nil, &NotFiniteError{Row: i, Col: j, Value: v}
			}
			if v != 0 {
				n++
			}
		}
		a.RowPtr[i+1] = n
	}
	a.Col = make([]int32, 0, a.RowPtr[rows])
	a.Val = make([]float64, 0, a.RowPtr[rows])
	for i := range rows {
		for j, v := range at(i) {
			if v != 0 {
				a.Col, a.Val = append(a.Col, int32(j)), append(a.Val, v)
			}
		}
	}
	return a, nil
}

// withoutZeros returns a checked copy without stored zeros.
func (a *CSR) withoutZeros() (*CSR, error) {
	if err := a.CheckFinite(); err != nil {
		return nil, err
	}
	return a.Filter(func(i, j int, v float64) bool { return v != 0 }), nil
}

// Filter returns the entries for which keep is true, in a matrix of the same shape. O(nnz).
func (a *CSR) Filter(keep func(i, j int, v float64) bool) *CSR {
	c := &CSR{NumRows: a.NumRows, NumCols: a.NumCols, RowPtr: make([]int, a.NumRows+1),
		Col: make([]int32, 0, len(a.Col)), Val: make([]float64, 0, len(a.Val))}
	for i := range a.NumRows {
		cols, vals := a.Row(i)
		for k, v := range vals {
			if keep(i, int(cols[k]), v) {
				c.Col, c.Val = append(c.Col, cols[k]), append(c.Val, v)
			}
		}
		c.RowPtr[i+1] = len(c.Val)
	}
	return c
}

// FromBowman copies a CSR of github.com/james-bowman/sparse, whose rows may be unsorted and may
// hold duplicates. It sorts the rows, sums duplicates in their order, leaves out zeros and checks
// everything.
func FromBowman(m *jb.CSR) (*CSR, error) {
	raw := m.RawMatrix()
	if err := checkDims(raw.I, raw.J); err != nil {
		return nil, err
	}
	nnz := len(raw.Data)
	switch {
	case len(raw.Indptr) != raw.I+1:
		return nil, shapef("%d rows need %d row pointers, there are %d", raw.I, raw.I+1, len(raw.Indptr))
	case len(raw.Ind) != nnz:
		return nil, shapef("%d column indices and %d values", len(raw.Ind), nnz)
	case raw.Indptr[0] != 0 || raw.Indptr[raw.I] != nnz || !slices.IsSorted(raw.Indptr):
		return nil, shapef("row pointers must rise from 0 to the %d entries", nnz)
	}
	b := NewBuilder(raw.I, raw.J)
	b.Grow(nnz)
	for i := range raw.I {
		for k := raw.Indptr[i]; k < raw.Indptr[i+1]; k++ {
			b.Add(i, raw.Ind[k], raw.Data[k])
		}
	}
	return b.Build()
}

// ToBowman copies a into a CSR of github.com/james-bowman/sparse.
func (a *CSR) ToBowman() *jb.CSR {
	ind := make([]int, len(a.Col))
	for k, c := range a.Col {
		ind[k] = int(c)
	}
	return jb.NewCSR(a.NumRows, a.NumCols, slices.Clone(a.RowPtr), ind, slices.Clone(a.Val))
}

// ToDense copies a into a dense matrix of rows·cols·8 bytes. A matrix without rows or columns gives
// the empty mat.Dense, because gonum has no other empty matrix.
func (a *CSR) ToDense() *mat.Dense {
	if a.NumRows == 0 || a.NumCols == 0 {
		return &mat.Dense{}
	}
	d := mat.NewDense(a.NumRows, a.NumCols, nil)
	for i := range a.NumRows {
		row := d.RawRowView(i)
		cols, vals := a.Row(i)
		for k, c := range cols {
			row[c] = vals[k]
		}
	}
	return d
}

// Clone returns a deep copy.
func (a *CSR) Clone() *CSR {
	return &CSR{NumRows: a.NumRows, NumCols: a.NumCols,
		RowPtr: slices.Clone(a.RowPtr), Col: slices.Clone(a.Col), Val: slices.Clone(a.Val)}
}

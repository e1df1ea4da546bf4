package matrix

import (
	"errors"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/sparse"
)

// triplets collects entries in the order of the file. Two values for one entry are an error (unlike
// sparse.Builder, which sums them). Memory: 16 bytes per entry.
type triplets struct {
	in       *source
	row, col []int32
	val      []float64
}

func (t *triplets) add(i, j int32, v float64) (err error) {
	if t.row, err = input.Push(t.in.Mem, t.row, 4, i); err != nil {
		return err
	}
	if t.col, err = input.Push(t.in.Mem, t.col, 4, j); err != nil {
		return err
	}
	t.val, err = input.Push(t.in.Mem, t.val, 8, v)
	return err
}

// duplicate is the error of two values for one entry.
type duplicate struct{ row, col int32 }

func (d *duplicate) Error() string { return "two values for one entry" }

// csr sorts the entries into a matrix and drops zeros. The error is a *duplicate, the budget's or
// the context's.
func (t *triplets) csr(rows, cols int) (*sparse.CSR, error) {
	if err := t.in.Mem.Take(12*int64(len(t.row))+8*int64(rows+1), 1); err != nil {
		return nil, err
	}
	ptr := make([]int, rows+1)
	for _, i := range t.row {
		ptr[i+1]++
	}
	for i := range rows {
		ptr[i+1] += ptr[i]
	}
	col, val := make([]int32, len(t.col)), make([]float64, len(t.val))
	for k := len(t.row) - 1; k >= 0; k-- { // backwards, so that ptr[i+1] ends at the start of row i
		if k%input.Step == 0 && t.in.Ctx.Err() != nil {
			return nil, t.in.Ctx.Err()
		}
		at := &ptr[t.row[k]+1]
		*at--
		col[*at], val[*at] = t.col[k], t.val[k]
	}
	var keys []uint64
	var old []float64
	w := 0
	for i := range rows {
		if i%4096 == 0 && t.in.Ctx.Err() != nil {
			return nil, t.in.Ctx.Err()
		}
		lo, hi := ptr[i+1], len(col)
		if i+2 <= rows {
			hi = ptr[i+2]
		}
		ptr[i] = w
		cols, vals := col[lo:hi], val[lo:hi]
		if !slices.IsSorted(cols) {
			keys, old = keys[:0], append(old[:0], vals...)
			for k, c := range cols {
				keys = append(keys, uint64(c)<<32|uint64(k))
			}
			slices.Sort(keys)
			for k, key := range keys {
				cols[k], vals[k] = int32(key>>32), old[uint32(key)]
			}
		}
		for k, c := range cols {
			if k > 0 && cols[k-1] == c {
				return nil, &duplicate{int32(i), c}
			}
		}
		for k, c := range cols { // w is at most lo+k
			if v := vals[k]; v != 0 {
				col[w], val[w] = c, v
				w++
			}
		}
	}
	ptr[rows] = w
	return sparse.NewCSR(rows, cols, ptr, col[:w:w], val[:w:w])
}

// compressedArrays are the three arrays that MATLAB, SciPy and others store a sparse matrix in.
type compressedArrays struct {
	what         string
	major, minor int // rows and columns, if the arrays are by row
	byColumn     bool
	sum          bool // an index that occurs twice in a row is a sum, as in SciPy; else an error
	ptr          []int
	idx          []int32 // matrix checks it
	val          []float64
}

// matrix checks the arrays and makes the matrix of major rows from them. The arrays must not be
// used afterwards. Stored zeros are dropped.
func (a *compressedArrays) matrix(in *source) (*sparse.CSR, error) {
	if len(a.ptr) != a.major+1 || a.ptr[0] != 0 {
		return nil, in.Fail(a.what, "its pointers do not match its size %d×%d, the file is damaged; write it again", a.major, a.minor)
	}
	sorted := true
	for i := range a.major {
		lo, hi := a.ptr[i], a.ptr[i+1]
		if hi < lo || hi > min(len(a.idx), len(a.val)) {
			return nil, in.Fail(a.what, "pointer %d is out of order or beyond the entries, the file is damaged; write it again", i+2)
		}
		for k := lo + 1; k < hi; k++ {
			sorted = sorted && a.idx[k-1] < a.idx[k]
		}
	}
	var m *sparse.CSR
	var err error
	if sorted {
		a.dropZeros()
		n := a.ptr[a.major]
		m, err = sparse.NewCSR(a.major, a.minor, a.ptr, a.idx[:n:n], a.val[:n:n])
	} else {
		m, err = a.rebuild(in)
	}
	var notFinite *sparse.NotFiniteError
	var twice *duplicate
	var outside *sparse.IndexError
	switch {
	case errors.As(err, &outside):
		return nil, in.Fail(a.what, "an index is outside its size %d×%d, the file is damaged; write it again", a.major, a.minor)
	case errors.As(err, &notFinite):
		i, j := a.place(notFinite.Row, notFinite.Col)
		return nil, in.Fail(a.what, "row %d, column %d is %v; replace entries that are not finite numbers", i, j, notFinite.Value)
	case errors.As(err, &twice):
		i, j := a.place(int(twice.row), int(twice.col))
		return nil, in.Fail(a.what, "row %d, column %d has two values; write the matrix again with one", i, j)
	case err != nil:
		return nil, in.Wrap(a.what, err)
	}
	return m, nil
}

// place returns row and column of the file, from 1.
func (a *compressedArrays) place(major, minor int) (row, col int) {
	if a.byColumn {
		major, minor = minor, major
	}
	return major + 1, minor + 1
}

func (a *compressedArrays) dropZeros() {
	w := 0
	for i := range a.major {
		lo, hi := a.ptr[i], a.ptr[i+1]
		a.ptr[i] = w
		for k := lo; k < hi; k++ {
			if a.val[k] != 0 {
				a.idx[w], a.val[w] = a.idx[k], a.val[k]
				w++
			}
		}
	}
	a.ptr[a.major] = w
}

// rebuild sorts arrays that are out of order.
func (a *compressedArrays) rebuild(in *source) (*sparse.CSR, error) {
	n := a.ptr[a.major]
	if err := in.Mem.Take(16*int64(n)+12*int64(n), 1); err != nil {
		return nil, err
	}
	if a.sum {
		b := sparse.NewBuilder(a.major, a.minor)
		b.Grow(n)
		for i := range a.major {
			for k := a.ptr[i]; k < a.ptr[i+1]; k++ {
				b.Add(i, int(a.idx[k]), a.val[k])
			}
		}
		return b.Build()
	}
	rows := make([]int32, n)
	for i := range a.major {
		for k := a.ptr[i]; k < a.ptr[i+1]; k++ {
			rows[k] = int32(i)
		}
	}
	t := triplets{in: in, row: rows, col: a.idx[:n], val: a.val[:n]}
	return t.csr(a.major, a.minor)
}

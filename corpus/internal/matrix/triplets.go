package matrix

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
)

// triplets collects entries in the order of the file. Two values for one entry are an error, unless
// they are to be summed. Memory: 16 bytes per entry.
type triplets struct {
	in       *source
	sum      bool // values of one entry are summed, in the order of the file
	summed   int  // entries that were added to one before them
	row, col []int32
	val      []float64
	gaps     bool   // numbers may be missing, NaN
	firstGap string // the first of them, with its line; "" if that is not known
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

// csr sorts the entries into a matrix and drops zeros; t must not be used after it succeeded. The
// error is a *duplicate, the budget's or the context's. Memory: 12 bytes per entry more, and none
// if the file has them row by row in order.
func (t *triplets) csr(rows, cols int) (*sparse.CSR, error) {
	if t.inOrder() {
		return t.inPlace(rows, cols)
	}
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
		cols, vals, err := t.single(i, cols, vals)
		if err != nil {
			return nil, err
		}
		for k, c := range cols { // w is at most lo+k
			if v := vals[k]; v != 0 {
				col[w], val[w] = c, v
				w++
			}
		}
	}
	ptr[rows] = w
	return t.made(rows, cols, ptr, col[:w:w], val[:w:w])
}

// single sums the values of each entry of a sorted row, or refuses the first entry with two.
func (t *triplets) single(row int, cols []int32, vals []float64) ([]int32, []float64, error) {
	n := 0
	for k, c := range cols {
		switch {
		case n == 0 || cols[n-1] != c:
			cols[n], vals[n] = c, vals[k]
			n++
		case !t.sum:
			return nil, nil, &duplicate{int32(row), c}
		default:
			vals[n-1] += vals[k]
			t.summed++
		}
	}
	return cols[:n], vals[:n], nil
}

// inOrder reports whether every entry comes after the one before it, by row and then by column.
func (t *triplets) inOrder() bool {
	for k := 1; k < len(t.row); k++ {
		if t.row[k] < t.row[k-1] || t.row[k] == t.row[k-1] && t.col[k] <= t.col[k-1] {
			return false
		}
	}
	return true
}

// inPlace makes the matrix of entries that are in order from their own columns and values.
func (t *triplets) inPlace(rows, cols int) (*sparse.CSR, error) {
	if err := t.in.Mem.Take(int64(rows+1), 8); err != nil {
		return nil, err
	}
	ptr := make([]int, rows+1)
	n := 0
	for k, v := range t.val {
		if v != 0 {
			ptr[t.row[k]+1]++
			t.col[n], t.val[n] = t.col[k], v
			n++
		}
	}
	for i := range rows {
		ptr[i+1] += ptr[i]
	}
	t.in.Mem.Give(int64(cap(t.row)), 4)
	t.row = nil
	return t.made(rows, cols, ptr, t.col[:n:n], t.val[:n:n])
}

// made is sparse.NewCSR, which refuses numbers that are missing, or withGaps.
func (t *triplets) made(rows, cols int, ptr []int, col []int32, val []float64) (*sparse.CSR, error) {
	if t.gaps {
		return withGaps(rows, cols, ptr, col, val)
	}
	return sparse.NewCSR(rows, cols, ptr, col, val)
}

// withGaps is sparse.NewCSR of values some of which may be missing, NaN. The draft counts them.
func withGaps(rows, cols int, ptr []int, col []int32, val []float64) (*sparse.CSR, error) {
	var gaps []int
	for k, v := range val {
		if v != v {
			gaps = append(gaps, k)
			val[k] = 1
		}
	}
	x, err := sparse.NewCSR(rows, cols, ptr, col, val)
	for _, k := range gaps {
		val[k] = math.NaN()
	}
	return x, err
}

// missed takes note of a missing number in a line.
func (t *triplets) missed(place, what string) {
	if t.firstGap == "" {
		t.firstGap = place + ", " + what + ", is NaN"
	}
}

// compressedArrays are the three arrays that MATLAB, SciPy and others store a sparse matrix in.
type compressedArrays struct {
	what         string
	major, minor int // rows and columns, if the arrays are by row
	byColumn     bool
	repair       string // how to write a matrix without two values for one entry
	ptr          []int
	idx          []int32 // matrix checks it
	val          []float64
}

// twice returns the numbers, from 1, of the first two values for an entry.
func (t *triplets) twice(row, col int32) (first, second int64) {
	for k := range t.row {
		if t.row[k] != row || t.col[k] != col {
			continue
		}
		if first > 0 {
			return first, int64(k) + 1
		}
		first = int64(k) + 1
	}
	return first, 0
}

// matrix checks the arrays and makes the matrix of major rows from them. The arrays must not be
// used afterwards. Stored zeros are dropped.
func (a *compressedArrays) matrix(in *source) (*sparse.CSR, error) {
	if len(a.ptr) != a.major+1 || a.ptr[0] != 0 {
		return nil, in.Fail(a.what, "its pointers do not match its size %d×%d, the file is damaged; write it again", a.major, a.minor)
	}
	for i := range a.major {
		lo, hi := a.ptr[i], a.ptr[i+1]
		if hi < lo || hi > min(len(a.idx), len(a.val)) {
			return nil, in.Fail(a.what, "pointer %d is out of order or beyond the entries, the file is damaged; write it again", i+2)
		}
	}
	var m *sparse.CSR
	var err error
	if sorted, zeros := a.look(); sorted {
		if zeros {
			a.dropZeros()
		}
		n := a.ptr[a.major]
		m, err = withGaps(a.major, a.minor, a.ptr, a.idx[:n:n], a.val[:n:n])
	} else {
		m, err = a.rebuild(in)
	}
	return m, a.explain(in, err, a.twice)
}

// look reports whether the indices of each row ascend, and whether a value is zero. The pointers
// must be in order.
func (a *compressedArrays) look() (sorted, zeros bool) {
	var disorder, zero atomic.Bool
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), a.major, max(1<<10, a.major/256), func(_, from, to int) error {
		for i := from; i < to; i++ {
			last := int32(math.MinInt32)
			for k := a.ptr[i]; k < a.ptr[i+1]; k++ {
				if a.idx[k] <= last {
					disorder.Store(true)
				}
				if last = a.idx[k]; a.val[k] == 0 {
					zero.Store(true)
				}
			}
		}
		return nil
	})
	return !disorder.Load(), zero.Load()
}

// sparseWay says what to do with numbers in a sparse file that are infinite.
const sparseWay = "leave such entries out, which makes them 0, or write NaN for them, which ‹missing› median fills"

// explain says in the file's terms what is wrong with the entries. twice returns the numbers, from
// 1, of the two values of an entry that has two.
func (a *compressedArrays) explain(in *source, err error, twice func(major, minor int) (first, second int64)) error {
	var notFinite *sparse.NotFiniteError
	var double *duplicate
	var outside *sparse.IndexError
	switch {
	case errors.As(err, &outside):
		return a.outside(in)
	case errors.As(err, &notFinite):
		i, j := a.place(notFinite.Row, notFinite.Col)
		return in.Fail(a.what, "row %d, column %d is %v; %s", i, j, notFinite.Value, sparseWay)
	case errors.As(err, &double):
		i, j := a.place(int(double.row), int(double.col))
		first, second := twice(int(double.row), int(double.col))
		return in.Fail(a.what, "row %d, column %d has two values (entries %d and %d of the file); %s", i, j, first, second, a.repair)
	}
	return in.Wrap(a.what, err)
}

func (a *compressedArrays) outside(in *source) error {
	return in.Fail(a.what, "an index is outside its size %d×%d, the file is damaged; write it again", a.major, a.minor)
}

// twice returns the numbers of the first two values of an entry, from 1.
func (a *compressedArrays) twice(major, minor int) (first, second int64) {
	for k := a.ptr[major]; k < a.ptr[major+1]; k++ {
		if int(a.idx[k]) == minor {
			if first > 0 {
				return first, int64(k) + 1
			}
			first = int64(k) + 1
		}
	}
	return first, 0
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
	rows := make([]int32, n)
	for i := range a.major {
		for k := a.ptr[i]; k < a.ptr[i+1]; k++ {
			rows[k] = int32(i)
		}
	}
	t := triplets{in: in, row: rows, col: a.idx[:n], val: a.val[:n], gaps: true}
	return t.csr(a.major, a.minor)
}

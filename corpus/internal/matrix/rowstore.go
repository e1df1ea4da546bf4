package matrix

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/storage"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// rowStore collects rows of numbers before it is known how many of them are zero. It keeps them in
// parts, each dense or sparse, whichever is smaller.
type rowStore struct {
	mem   *input.Budget
	cols  int
	rows  int
	nnz   int
	parts []rowPart
	open  []float64 // rows that are in no part yet
	// expected is about how many cells all rows will have; 0: unknown. A dense part gets room for
	// them, and is the matrix if no other part precedes or follows.
	expected int64
	roomy    bool // that part was begun
	// ahead is the array of that part while it is the only one, for rows that others write there; see
	// place.
	ahead atomic.Pointer[[]float64]
}

// rowPart is a few rows: dense, or sparse as in a CSR matrix.
type rowPart struct {
	rows  int
	dense []float64
	ptr   []int // of the rows' ends
	col   []int32
	val   []float64
}

// openCells is about how many numbers rows that come one by one have in a part.
const openCells = 32 << 10

// sparser reports whether rows are stored sparse: if fewer than two fifths of the cells are
// entries, and it takes less memory, 12 bytes an entry and 8 a row, and not 8 a cell.
func sparser(n, rows int, cells int64) bool {
	return 5*int64(n) < 2*cells && 12*int64(n)+8*int64(rows) < 8*cells
}

// bytes is the memory of a part.
func (p *rowPart) bytes() int64 {
	return 8*int64(len(p.dense)+len(p.ptr)+len(p.val)) + 4*int64(len(p.col))
}

// room returns cells for one more row, all zero.
func (s *rowStore) room() ([]float64, error) {
	if len(s.open)+s.cols > cap(s.open) {
		if err := s.flush(); err != nil {
			return nil, err
		}
		rows := max(1, openCells/max(1, s.cols))
		if err := s.mem.Take(int64(rows)*int64(s.cols), 8); err != nil {
			return nil, err
		}
		s.open = make([]float64, 0, rows*s.cols)
	}
	s.open = s.open[:len(s.open)+s.cols]
	s.rows++
	return s.open[len(s.open)-s.cols:], nil
}

// flush makes a part of the rows that are in none.
func (s *rowStore) flush() error {
	if len(s.open) == 0 {
		return nil
	}
	cells := s.open
	s.mem.Give(int64(cap(cells)), 8)
	s.rows -= len(cells) / s.cols
	s.open = nil
	return s.add(cells)
}

// add adds copies of rows.
func (s *rowStore) add(cells []float64) error {
	entries := 0
	for _, v := range cells {
		if v != 0 {
			entries++
		}
	}
	return s.addCounted(cells, entries)
}

// place returns the cells of rows that are not added yet, which a caller may write to and then add:
// if these rows then follow the ones before, they are there already, and nothing is copied. It is
// nil if rows have no such place. It may be called while another goroutine adds rows.
func (s *rowStore) place(first, rows int) []float64 {
	room := s.ahead.Load()
	if room == nil || (first+rows)*s.cols > len(*room) {
		return nil
	}
	return (*room)[first*s.cols : (first+rows)*s.cols]
}

// addCounted is add of rows with so many entries that are not zero.
func (s *rowStore) addCounted(cells []float64, entries int) error {
	if err := s.flush(); err != nil || len(cells) == 0 {
		return err
	}
	rows := len(cells) / s.cols
	var err error
	if sparser(entries, rows, int64(len(cells))) {
		err = s.addSparse(cells, rows, entries)
	} else {
		err = s.addDense(cells, rows)
	}
	if err != nil {
		return err
	}
	s.rows += rows
	s.nnz += entries
	return nil
}

// addSparse adds rows as a sparse part.
func (s *rowStore) addSparse(cells []float64, rows, entries int) error {
	if err := s.mem.Take(12*int64(entries)+8*int64(rows), 1); err != nil {
		return err
	}
	part := rowPart{rows: rows, ptr: make([]int, 0, rows), col: make([]int32, 0, entries), val: make([]float64, 0, entries)}
	for i := range rows {
		for j, v := range cells[i*s.cols : (i+1)*s.cols] {
			if v != 0 {
				part.col, part.val = append(part.col, int32(j)), append(part.val, v)
			}
		}
		part.ptr = append(part.ptr, len(part.val))
	}
	s.append(part)
	return nil
}

// append adds a part behind all others, so that none has a place for rows to come.
func (s *rowStore) append(part rowPart) {
	s.ahead.Store(nil)
	s.parts = append(s.parts, part)
}

// addDense adds rows to the last part if it is dense and has room, and else as a part.
func (s *rowStore) addDense(cells []float64, rows int) error {
	if err := s.mem.Take(int64(len(cells)), 8); err != nil {
		return err
	}
	if n := len(s.parts); n == 0 || cap(s.parts[n-1].dense)-len(s.parts[n-1].dense) < len(cells) {
		if !s.makeRoom(int64(len(cells))) {
			s.append(rowPart{dense: memory.Large(make([]float64, len(cells)))[:0]})
		}
	}
	part := &s.parts[len(s.parts)-1]
	n := len(part.dense)
	if part.dense = part.dense[:n+len(cells)]; &part.dense[n] != &cells[0] { // else they are there
		copy(part.dense[n:], cells)
	}
	part.rows += rows
	return nil
}

// makeRoom makes one part of all, which must be dense, with room for the cells that are expected,
// where so many more, or the copy, are within the budget. Room is reserved only when rows come:
// pages that nothing was written to take no memory, and the number is a guess, which may be high.
func (s *rowStore) makeRoom(more int64) bool {
	held := int64(s.rows) * int64(s.cols)
	if s.roomy || s.expected < held+more || s.expected > math.MaxInt/16 || s.expected-held > (s.mem.Limit-s.mem.Used())/8 {
		return false
	}
	if slices.ContainsFunc(s.parts, func(p rowPart) bool { return p.dense == nil }) || s.mem.Take(held, 8) != nil {
		return false
	}
	s.roomy = true
	room := memory.Large(make([]float64, s.expected))
	all := rowPart{dense: room[:0]}
	for _, p := range s.parts {
		all.dense = append(all.dense, p.dense...)
		all.rows += p.rows
	}
	s.parts = append(s.parts[:0], all)
	s.ahead.Store(&room)
	s.mem.Give(held, 8)
	return true
}

// contains reports whether a number of the rows is of a kind.
func (s *rowStore) contains(kind func(v float64) bool) bool {
	for _, p := range s.parts {
		if slices.ContainsFunc(p.dense, kind) || slices.ContainsFunc(p.val, kind) {
			return true
		}
	}
	return slices.ContainsFunc(s.open, kind)
}

// matrix makes the matrix of all rows, sparse if that takes less memory and they are taken as
// sparse, and drops the parts. missing says that there are missing numbers among them, which are
// NaN.
func (s *rowStore) matrix(missing bool) (mat.Matrix, error) {
	if err := s.flush(); err != nil {
		return nil, err
	}
	cells := int64(s.rows) * int64(s.cols)
	if sparser(s.nnz, s.rows, cells) && (cells > storage.MostDense || s.tally().Sparse(float64(cells), s.cols)) {
		return s.sparse(missing)
	}
	if len(s.parts) == 1 && s.parts[0].dense != nil {
		if data := s.parts[0].dense; cap(data)-len(data) <= len(data)/8 {
			s.parts = nil
			return mat.NewDense(s.rows, s.cols, data), nil
		}
	}
	if err := s.mem.Take(cells, 8); err != nil && sparser(s.nnz, s.rows, cells) {
		return nil, &tooDense{s.rows, s.cols, s.nnz}
	} else if err != nil {
		return nil, err
	}
	x := mat.NewDense(s.rows, s.cols, nil)
	rest := x.RawMatrix().Data
	for i, p := range s.parts {
		copy(rest, p.dense)
		from := 0
		for r, end := range p.ptr {
			for k := from; k < end; k++ {
				rest[r*s.cols+int(p.col[k])] = p.val[k]
			}
			from = end
		}
		rest = rest[p.rows*s.cols:]
		s.drop(i)
	}
	return x, nil
}

// tally counts the entries.
func (s *rowStore) tally() (t storage.Tally) {
	for _, p := range s.parts {
		t.Add(p.dense)
		t.Add(p.val)
	}
	return t
}

// drop frees a part.
func (s *rowStore) drop(i int) {
	s.mem.Give(s.parts[i].bytes(), 1)
	s.parts[i] = rowPart{}
}

// sparse makes the CSR matrix of all rows.
func (s *rowStore) sparse(missing bool) (mat.Matrix, error) {
	if err := s.mem.Take(12*int64(s.nnz)+8*int64(s.rows+1), 1); err != nil {
		return nil, err
	}
	ptr := make([]int, 1, s.rows+1)
	col, val := make([]int32, 0, s.nnz), make([]float64, 0, s.nnz)
	for i, p := range s.parts {
		at := len(val)
		col, val = append(col, p.col...), append(val, p.val...)
		for _, end := range p.ptr {
			ptr = append(ptr, at+end)
		}
		for r := 0; p.dense != nil && r < p.rows; r++ {
			for j, v := range p.dense[r*s.cols : (r+1)*s.cols] {
				if v != 0 {
					col, val = append(col, int32(j)), append(val, v)
				}
			}
			ptr = append(ptr, len(val))
		}
		s.drop(i)
	}
	if missing { // which NewCSR refuses
		return &sparse.CSR{NumRows: s.rows, NumCols: s.cols, RowPtr: ptr, Col: col, Val: val}, nil
	}
	return sparse.NewCSR(s.rows, s.cols, ptr, col, val)
}

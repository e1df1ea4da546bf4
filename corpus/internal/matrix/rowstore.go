package matrix

import (
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
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
	return 8*int64(cap(p.dense)+len(p.ptr)+len(p.val)) + 4*int64(len(p.col))
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

// add takes rows, whose memory is the store's from now on.
func (s *rowStore) add(cells []float64) error {
	if err := s.flush(); err != nil || len(cells) == 0 {
		return err
	}
	entries := 0
	for _, v := range cells {
		if v != 0 {
			entries++
		}
	}
	part := rowPart{rows: len(cells) / s.cols, dense: cells}
	if sparser(entries, part.rows, int64(len(cells))) {
		part = rowPart{rows: part.rows, ptr: make([]int, 0, part.rows), col: make([]int32, 0, entries), val: make([]float64, 0, entries)}
		for i := range part.rows {
			for j, v := range cells[i*s.cols : (i+1)*s.cols] {
				if v != 0 {
					part.col, part.val = append(part.col, int32(j)), append(part.val, v)
				}
			}
			part.ptr = append(part.ptr, len(part.val))
		}
	}
	if err := s.mem.Take(part.bytes(), 1); err != nil {
		return err
	}
	s.parts = append(s.parts, part)
	s.rows += part.rows
	s.nnz += entries
	return nil
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

// matrix makes the matrix of all rows, sparse if that takes less memory, and drops the parts.
func (s *rowStore) matrix() (mat.Matrix, error) {
	if err := s.flush(); err != nil {
		return nil, err
	}
	if sparser(s.nnz, s.rows, int64(s.rows)*int64(s.cols)) {
		return s.sparse()
	}
	if err := s.mem.Take(int64(s.rows)*int64(s.cols), 8); err != nil {
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

// drop frees a part.
func (s *rowStore) drop(i int) {
	s.mem.Give(s.parts[i].bytes(), 1)
	s.parts[i] = rowPart{}
}

// sparse makes the CSR matrix of all rows.
func (s *rowStore) sparse() (mat.Matrix, error) {
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
	return sparse.NewCSR(s.rows, s.cols, ptr, col, val)
}

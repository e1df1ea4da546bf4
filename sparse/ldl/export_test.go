package ldl

import "github.com/eigenmap/eigenmap/sparse"

// Order returns the order of elimination.
func (s *Analysis) Order() []int32 { return s.order }

// Exact returns the entries of L without the zeros that merging adds.
func (s *Analysis) Exact() int64 { return s.exact }

// Pivots returns D.
func (f *Factor) Pivots() []float64 { return f.d }

// StoredBytes counts the panels, row numbers and pivots.
func (f *Factor) StoredBytes() int64 {
	total := int64(8 * len(f.d))
	for p := range f.panel {
		total += 8 * int64(len(f.panel[p]))
		if p == 0 || f.ends[p] != f.ends[p-1] {
			total += 4 * int64(len(f.rows[p]))
		}
	}
	return total
}

// EntriesByElimination counts the entries of L by eliminating one row after the other.
func EntriesByElimination(a *sparse.CSR, order []int32) int64 {
	n := a.NumRows
	adjacent := make([]map[int32]bool, n)
	for i := range n {
		adjacent[i] = map[int32]bool{}
		cols, _ := a.Row(i)
		for _, j := range cols {
			if int(j) != i {
				adjacent[i][j] = true
			}
		}
	}
	total := int64(0)
	for _, p := range order {
		total += int64(len(adjacent[p])) + 1
		for i := range adjacent[p] {
			delete(adjacent[i], p)
			for j := range adjacent[p] {
				if i != j {
					adjacent[i][j] = true
				}
			}
		}
		adjacent[p] = nil
	}
	return total
}

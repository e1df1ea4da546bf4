package approx

import (
	"cmp"
	"slices"

	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
)

// schedule says which rank searches each cell, and when.
type schedule struct {
	rank   []int     // of each cell
	rounds [][]int32 // cells of all ranks, ascending
	rows   []int     // of the cells of each rank
}

// scheduled gives the largest cells that are left to the ranks with the least work. The cells of a
// rank and a round have at most most rows, or there is one.
func scheduled(cells []rowSet, size, most int) schedule {
	order := exact.InOrder(len(cells))
	slices.SortStableFunc(order, func(c, d int32) int { return cmp.Compare(cells[d].total, cells[c].total) })
	s := schedule{rank: make([]int, len(cells)), rows: make([]int, size)}
	work := make([]float64, size)
	for _, c := range order {
		r, n := 0, float64(cells[c].total)
		for q := range work {
			if work[q] < work[r] {
				r = q
			}
		}
		s.rank[c] = r
		s.rows[r] += cells[c].total
		work[r] += n * n
	}
	round, rows := make([]int, size), make([]int, size)
	for c, cell := range cells {
		r := s.rank[c]
		if rows[r] > 0 && rows[r]+cell.total > most {
			round[r]++
			rows[r] = 0
		}
		rows[r] += cell.total
		for len(s.rounds) <= round[r] {
			s.rounds = append(s.rounds, nil)
		}
		s.rounds[round[r]] = append(s.rounds[round[r]], int32(c))
	}
	return s
}

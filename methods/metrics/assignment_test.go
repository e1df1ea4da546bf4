package metrics

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

// bestByTrying returns the largest total weight over all assignments, row by row.
func bestByTrying(w [][]int, row int, used []bool, spare int) int {
	if row == len(w) {
		return 0
	}
	best := -1 << 60
	if spare > 0 { // more rows than columns: this row may have no column
		best = bestByTrying(w, row+1, used, spare-1)
	}
	for j := range used {
		if !used[j] {
			used[j] = true
			best = max(best, w[row][j]+bestByTrying(w, row+1, used, spare))
			used[j] = false
		}
	}
	return best
}

func TestMaxAssignmentIsOptimal(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		r, c := rapid.IntRange(1, 6).Draw(t, "rows"), rapid.IntRange(1, 6).Draw(t, "cols")
		w := make([][]int, r)
		for i := range w {
			w[i] = rapid.SliceOfN(rapid.IntRange(-3, 9), c, c).Draw(t, "weights")
		}
		got, used := 0, make([]bool, c)
		pairs := 0
		for i, j := range maxAssignment(r, c, func(i, j int) int { return w[i][j] }) {
			if j < 0 {
				continue
			}
			if used[j] {
				t.Fatalf("column %d assigned twice", j)
			}
			used[j] = true
			got += w[i][j]
			pairs++
		}
		if pairs != min(r, c) {
			t.Fatalf("%d pairs in a %d×%d table", pairs, r, c)
		}
		if want := bestByTrying(w, 0, make([]bool, c), max(0, r-c)); got != want {
			t.Fatalf("total %d, best by trying all %d", got, want)
		}
	})
}

func TestAssignmentIsOneToOne(t *testing.T) {
	tab := &Table{Counts: [][]int{{4, 3, 0, 0}, {0, 2, 0, 0}}}
	if got := tab.Assignment(); got[0] != 0 || got[1] != 1 || got[2] != -1 || got[3] != -1 {
		t.Errorf("assignment %v, want [0 1 -1 -1]", got)
	}
	// The second cluster has no row in common with the remaining class, so it gets no class.
	tab = &Table{Counts: [][]int{{4, 3}, {0, 0}}}
	if got := tab.Assignment(); got[0] != 0 || got[1] != -1 {
		t.Errorf("assignment %v, want [0 -1]", got)
	}
}

func BenchmarkAssignment1000(b *testing.B) {
	for b.Loop() {
		maxAssignment(1000, 1000, func(i, j int) int { return (i*7919 + j*104729 + i*j) % 1009 })
	}
}

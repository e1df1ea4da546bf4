package ranks

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestShare: numbers that are looked up among the rows of all ranks are the rows, also where ranks
// have no rows.
func TestShare(t *testing.T) {
	for _, rows := range [][]int{{5}, {3, 4}, {0, 7, 0}, {2, 0, 0, 3}, {4, 1, 6, 2, 5}} {
		Together(len(rows), func(team Team) {
			s := NewShare(team, rows[team.Rank()])
			if s.Own() != rows[team.Rank()] {
				t.Errorf("%d rows of its own, not %d", s.Own(), rows[team.Rank()])
			}
			for i := range s.Total() {
				r := s.Owner(i)
				if i < s.Bounds[r] || i >= s.Bounds[r+1] {
					t.Errorf("row %d has the owner %d of %v", i, r, s.Bounds)
				}
			}
			own := make([]int32, s.Own())
			values := make([]float64, 3*s.Own())
			for i := range own {
				own[i] = int32(100 + s.First() + i)
				for c := range 2 {
					values[3*i+c] = float64(10*(s.First()+i) + c)
				}
			}
			rng := rand.New(rand.NewPCG(1, uint64(team.Rank())))
			ids := make([]int32, 20)
			for k := range ids {
				ids[k] = int32(rng.IntN(s.Total()))
			}
			for k, v := range s.Look(ids, own) {
				if v != 100+ids[k] {
					t.Errorf("row %d has the number %d", ids[k], v)
				}
			}
			var others []int32
			for i := range s.Total() {
				if s.Owner(i) != team.Rank() && i%2 == team.Rank()%2 {
					others = append(others, int32(i))
				}
			}
			g := NewGhosts(s, others)
			want := []float64{}
			for _, i := range others {
				want = append(want, float64(10*i), float64(10*i+1))
			}
			if got := g.Rows(values, 2, 3); !slices.Equal(got, want) {
				t.Errorf("the rows %v are %v", others, got)
			}
			if n := Count(team, team.Rank()); n != len(rows)*(len(rows)-1)/2 {
				t.Errorf("the ranks sum to %d", n)
			}
			x := []float64{float64(team.Rank()), -float64(team.Rank())}
			if Largest(team, x); x[0] != float64(len(rows)-1) || x[1] != 0 {
				t.Errorf("the largest are %v", x)
			}
		})
	}
}

// TestBefore: sums over the lower ranks and over all, also of fewer counts than ranks.
func TestBefore(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		for _, counts := range []int{0, 1, 3, 20} {
			Together(size, func(team Team) {
				own := make([]int, counts)
				for c := range own {
					own[c] = c * (team.Rank() + 1)
				}
				before, total := Before(team, own)
				if len(before) != counts || len(total) != counts {
					t.Errorf("%d ranks, %d counts: %v, %v", size, counts, before, total)
					return
				}
				for c := range own {
					r := team.Rank()
					if before[c] != c*r*(r+1)/2 || total[c] != c*size*(size+1)/2 {
						t.Errorf("%d ranks, rank %d, count %d: %d before, %d in all", size, r, c, before[c], total[c])
					}
				}
			})
		}
	}
}

// TestEvenly: the division of a planned team follows ranks.Part, and its ranks cannot be called.
func TestEvenly(t *testing.T) {
	s := Evenly(Planned(3), 10)
	for r := range 3 {
		if lo, hi := Part(s, r, 10); s.Bounds[r] != lo || s.Bounds[r+1] != hi {
			t.Errorf("rank %d has the rows from %d to %d, not %d to %d", r, s.Bounds[r], s.Bounds[r+1], lo, hi)
		}
	}
	if s.Own() != 3 || s.Total() != 10 || s.Size() != 3 {
		t.Errorf("%d of %d rows, %d ranks", s.Own(), s.Total(), s.Size())
	}
	for name, call := range map[string]func(){"Sum": func() { s.Sum(nil) }, "Share": func() { s.Team.Share(nil) }, "Exchange": func() { s.Exchange(nil) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a planned team does not panic", name)
				}
			}()
			call()
		}()
	}
}

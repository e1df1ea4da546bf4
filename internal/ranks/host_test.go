package ranks

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestHost: the members of a team meet and sum to the same bits on any number of processes.
func TestHost(t *testing.T) {
	const parts = 5
	numbers := func(r, n int) []float64 {
		rng := rand.New(rand.NewPCG(uint64(r), uint64(n)))
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	lengths := []int{0, 1, 3, 100, longSum + 1}
	var want [][]float64
	for processes := parts; processes >= 1; processes-- {
		var mu sync.Mutex
		seen := make([]int, parts)
		Together(processes, func(outer Team) {
			Host(outer, parts, func(m *Hosted) {
				mu.Lock()
				seen[m.Rank()]++
				mu.Unlock()
				if m.Size() != parts || m.Here() < parts/processes || m.Here() > parts/processes+1 || m.Outer() != outer {
					t.Errorf("member %d of %d, %d here", m.Rank(), m.Size(), m.Here())
				}
				for round := range 50 {
					say := make([][]byte, parts)
					for to := range say {
						say[to] = fmt.Appendf(nil, "%d to %d: %s", m.Rank(), to, bytes.Repeat([]byte("x"), round*to))
					}
					for from, heard := range m.Exchange(say) {
						if want := fmt.Sprintf("%d to %d: %s", from, m.Rank(), bytes.Repeat([]byte("x"), round*m.Rank())); string(heard) != want {
							t.Errorf("%q, not %q", heard, want)
						}
					}
				}
				var sums [][]float64
				for _, n := range lengths {
					x := numbers(m.Rank(), n)
					m.Sum(x)
					sums = append(sums, x)
				}
				x := []float64{float64(m.Rank()) + 7}
				if m.Share(x); x[0] != 7 {
					t.Errorf("%v was shared", x)
				}
				mu.Lock()
				defer mu.Unlock()
				if want == nil {
					want = sums
				}
				for k, n := range lengths {
					if !slices.Equal(sums[k], want[k]) {
						t.Errorf("%d processes: the sums of %d numbers differ", processes, n)
					}
				}
			})
		})
		if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
			t.Errorf("%d processes: members %v", processes, seen)
		}
	}
	for k, n := range lengths { // in the order of the ranks
		x := numbers(0, n)
		for r := 1; r < parts; r++ {
			for i, v := range numbers(r, n) {
				x[i] += v
			}
		}
		if !slices.Equal(x, want[k]) {
			t.Errorf("the sums of %d numbers are added up in another order", n)
		}
	}
}

package eigen

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/eigen/eigentest"
)

func TestStagExplore(t *testing.T) {
	if os.Getenv("STAG") == "" {
		t.Skip()
	}
	for _, s := range []struct {
		a, b int
		c    float64
	}{{16, 8, 1.6e-5}, {16, 8, 1e-4}, {16, 8, 1e-3}, {16, 8, 1e-6}, {16, 8, 1e-7}, {16, 8, 1e-8}, {32, 4, 1e-5}} {
		for _, k := range []int{9, 10, 11} {
			for _, solver := range []Solver{Lanczos, ARPACK} {
				fails, wrong, worst, restarts := 0, 0, 0.0, 0
				began := time.Now()
				seeds := 20
				if s.a*s.b > 1000 {
					seeds = 1
				}
				for seed := range seeds {
					p, err := eigentest.NearTorus(s.a, s.b, s.c, k)
					if err != nil {
						t.Fatal(err)
					}
					pencil, _ := NewPencil(p.W, nil)
					r, err := pencil.Solve(context.Background(), Options{K: k, Solver: solver, Seed: uint64(seed)})
					if err != nil {
						fails++
						if seed == -1 {
							t.Log(err)
						}
						continue
					}
					restarts += r.Stats.Restarts
					off := p.Misfit(r.Values, 0)
					worst = max(worst, off)
					if off > 2e-8 {
						wrong++
					}
				}
				t.Logf("%v k=%d %s: fails %d wrong %d worst %.2g restarts %d time %v", s, k, solver, fails, wrong, worst, restarts, time.Since(began))
			}
		}
	}
}

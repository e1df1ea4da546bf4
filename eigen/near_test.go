package eigen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/eigen/eigentest"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/progress"
)

func TestNearExplore(t *testing.T) {
	size, _ := strconv.Atoi(os.Getenv("NEAR"))
	if size == 0 {
		t.Skip()
	}
	type tally struct {
		solves, stopped, failed, wrong, tiny int
		worst                                float64
		time                                 time.Duration
	}
	var mu sync.Mutex
	tallies := map[string]*tally{}
	kinds := append(pencilSolvers(), Auto)
	_ = parallel.For(context.Background(), size, 1, func(_, i, _ int) error {
		p, err := eigentest.DrawNear(uint64(i))
		if err != nil {
			return err
		}
		pencil, err := NewPencil(p.W, p.Mass)
		if err != nil {
			return err
		}
		for at, solver := range kinds {
			for _, verify := range []bool{false, true} {
				if only := os.Getenv("ONLY"); only != "" && only != fmt.Sprintf("%s-%v", solver, verify) {
					continue
				}
				if verify && (solver == ShiftInvert || solver == Auto) {
					continue
				}
				name := fmt.Sprintf("%s-%v", solver, verify)
				began := time.Now()
				r, err := pencil.Solve(context.Background(), Options{K: p.K, SkipNull: true, Solver: solver, Seed: uint64(i + at), Verify: verify})
				took := time.Since(began)
				mu.Lock()
				c := tallies[name]
				if c == nil {
					c = &tally{}
					tallies[name] = c
				}
				c.solves++
				c.time += took
				var unmet *NotConvergedError
				switch {
				case errors.As(err, &unmet):
					c.stopped++
					t.Logf("%s %s k=%d: %v %v", name, p.Name, p.K, took, err)
				case err != nil:
					c.failed++
					t.Logf("%s %s k=%d: %v %v", name, p.Name, p.K, took, err)
				default:
					off := p.Misfit(r.Values, p.Zeros)
					c.worst = max(c.worst, off)
					if off > 2e-8 {
						c.wrong++
						t.Logf("%s %s k=%d: off %g %v", name, p.Name, p.K, off, r.Stats.Inertia)
					} else if off > 1e-9 {
						c.tiny++
					}
				}
				if took > 500*time.Millisecond {
					t.Logf("%s %s k=%d: slow %v", name, p.Name, p.K, took)
				}
				mu.Unlock()
			}
		}
		return nil
	})
	for name, c := range tallies {
		t.Logf("%s: %+v mean %v", name, *c, c.time/time.Duration(c.solves))
	}
	_ = math.Pi
}

func TestNearOne(t *testing.T) {
	i, _ := strconv.Atoi(os.Getenv("ONE"))
	p, _ := eigentest.DrawNear(uint64(i))
	pencil, _ := NewPencil(p.W, p.Mass)
	at := 0
	for j, s := range pencilSolvers() {
		if string(s) == os.Getenv("SOLVER") {
			at = j
		}
	}
	r, err := pencil.Solve(context.Background(), Options{K: p.K, SkipNull: true, Solver: Solver(os.Getenv("SOLVER")), Seed: uint64(i + at), Verify: os.Getenv("VERIFY") != "", Observer: show})
	t.Log(err)
	t.Logf("%+v %v", r.Stats, r.Stats.Inertia)
	for j := range min(len(r.Values), 60) {
		t.Log(p.Values[p.Zeros+j], r.Values[j], r.Residuals[j])
	}
	t.Log(p.Values[p.Zeros+len(r.Values) : min(len(p.Values), p.Zeros+len(r.Values)+20)])
}

func show(e progress.Event) {
	if e.Message != "" {
		fmt.Println(e.Message)
	}
}

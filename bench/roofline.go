package bench

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// machineSection measures the two ceilings under which every kernel works: arithmetic by a large
// square gemm, memory by the triad a = b + 3c over arrays larger than every cache. A ceiling is the
// best run.
func machineSection(ctx context.Context, s *session) ([]Group, error) {
	n, words := 2048, 1<<24
	if s.Quick {
		n, words = 512, 1<<21
	}
	group := Group{Title: fmt.Sprintf("ceilings: gemm %d×%d×%d; triad over 3 arrays of %d MB", n, n, n, words*8>>20)}
	for _, engine := range native.Engines() {
		if engine.Name() == "go" && n > 1024 && len(native.Engines()) > 1 {
			continue // slow, and part of the dense section
		}
		rows, err := Alternate(ctx, s.Plan, []Contestant{gemmContestant(engine, n)})
		if err != nil {
			return nil, err
		}
		rate := 2 * float64(n) * float64(n) * float64(n) / rows[0].Min
		rows[0].Note = fmt.Sprintf("at best %.1f GF/s", rate/1e9)
		s.peak = max(s.peak, rate)
		group.Rows = append(group.Rows, rows...)
	}
	rows, err := Alternate(ctx, s.Plan, []Contestant{triadContestant(words)})
	if err != nil {
		return nil, err
	}
	s.triad = 24 * float64(words) / rows[0].Min
	rows[0].Note = fmt.Sprintf("at best %.1f GB/s", s.triad/1e9)
	group.Rows = append(group.Rows, rows...)
	return []Group{group}, nil
}

func gemmContestant(engine native.Engine, n int) Contestant {
	a, b, c := randomGeneral(n, n, 1), randomGeneral(n, n, 2), randomGeneral(n, n, 3)
	return Contestant{Name: "gemm, " + engine.Name(), Side: side(engine.Name()), Run: func(context.Context) (Outcome, error) {
		engine.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c)
		return Outcome{}, nil
	}}
}

func triadContestant(words int) Contestant {
	a, b, c := make([]float64, words), make([]float64, words), make([]float64, words)
	for i := range b {
		b[i], c[i] = float64(i), 1
	}
	return Contestant{Name: "triad", Side: Native, Run: func(ctx context.Context) (Outcome, error) {
		clock := startStopwatch()
		err := parallel.For(ctx, words, 1<<16, func(_, lo, hi int) error {
			x, y, z := a[lo:hi], b[lo:hi], c[lo:hi]
			for i := range x {
				x[i] = y[i] + 3*z[i]
			}
			return nil
		})
		return clock.outcome(1, ""), err
	}}
}

// rate writes a rate of arithmetic, and its share of the ceiling if that was measured.
func (s *session) rate(flops, seconds float64) string {
	text := fmt.Sprintf("%.1f GF/s", flops/seconds/1e9)
	if s.peak > 0 {
		text += fmt.Sprintf(", %.0f %% of the ceiling", 100*flops/seconds/s.peak)
	}
	return text
}

// bandwidth writes a rate of memory traffic, and its share of the ceiling if that was measured.
func (s *session) bandwidth(bytes, seconds float64) string {
	text := fmt.Sprintf("%.1f GB/s", bytes/seconds/1e9)
	if s.triad > 0 {
		text += fmt.Sprintf(", %.0f %% of the triad", 100*bytes/seconds/s.triad)
	}
	return text
}

func cloneGeneral(a blas64.General) blas64.General {
	a.Data = append([]float64(nil), a.Data...)
	return a
}

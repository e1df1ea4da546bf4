package kmeans

import (
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// overlapping draws rows whose clusters take many moves to settle.
func overlapping(n, d int) *mat.Dense {
	rng := rand.New(rand.NewPCG(5, 6))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(i, _ int, _ float64) float64 { return 3 + rng.NormFloat64() + float64(i%5)/2 }, x)
	return x
}

// Most moves of this run add the rows that changed to sums, in which rounding gathers. The centres
// of a settled result have the bits of means of all their rows, at any number of threads.
func TestCentresAreMeansOfAllRows(t *testing.T) {
	defer native.SetThreads(0)
	x := overlapping(3000, 11)
	p := must.Get(newDensePoints(ctx, x))(t)
	for _, threads := range []int{1, 2, 3} {
		native.SetThreads(threads)
		m := must.Get(Fit(ctx, x, Options{K: 9, Restarts: 1, Seed: 2}))(t)
		if !m.Converged || m.Iterations < 20 {
			t.Fatalf("%d moves, converged: %v", m.Iterations, m.Converged)
		}
		c := p.newCenters(9)
		for j := range 9 {
			var rows []int32
			for i, l := range m.Labels {
				if l == j {
					rows = append(rows, int32(i))
				}
			}
			if _, err := c.mean(ctx, j, rows, make([]float64, 11)); err != nil {
				t.Fatal(err)
			}
			got, want := m.Centers.RawRowView(j), make([]float64, 11)
			c.row(j, want)
			for at := range want {
				if got[at] != want[at] {
					t.Fatalf("%d threads: centre %d has %v in column %d, its rows %v", threads, j, got[at], at, want[at])
				}
			}
		}
	}
}

// A run that MaxIter ends has the centres that sums over all rows give: one move more from a run of
// one move less.
func TestLastMoveSumsAllRows(t *testing.T) {
	x := overlapping(3000, 11)
	before := must.Get(Fit(ctx, x, Options{K: 9, Restarts: 1, MaxIter: 6, Seed: 2}))(t)
	after := must.Get(Fit(ctx, x, Options{K: 9, MaxIter: 1, Start: before.Centers}))(t)
	seven := must.Get(Fit(ctx, x, Options{K: 9, Restarts: 1, MaxIter: 7, Seed: 2}))(t)
	if !mat.Equal(after.Centers, seven.Centers) || after.Objective != seven.Objective {
		t.Fatalf("objective %v, %v from the centres before the last move", seven.Objective, after.Objective)
	}
}

// The sums with changes added agree with the sums of all rows, up to rounding.
func TestChangesAddUp(t *testing.T) {
	x := overlapping(500, 4)
	p := must.Get(newDensePoints(ctx, x))(t)
	s := newSums(p, 3)
	label := make([]int32, 500)
	members := func(j int32) (rows []int32) {
		for i, l := range label {
			if l == j {
				rows = append(rows, int32(i))
			}
		}
		return rows
	}
	for i := range label {
		label[i] = int32(i % 3)
	}
	for j := range 3 {
		must.Do(t, s.total(ctx, j, members(int32(j))))
	}
	logs := make([]scratch, 2)
	for _, i := range []int{0, 3, 40, 41, 123, 499} {
		to := (label[i] + 1) % 3
		logs[i%2].log = append(logs[i%2].log, change{int32(i), label[i], to})
		label[i] = to
	}
	s.list(logs)
	for j := range 3 {
		s.apply(j)
		origin := p.row(int(s.origin[j]), nil)
		want := make([]float64, 4)
		p.addRows(want, members(int32(j)), origin)
		for at, v := range s.at(j) {
			if d := v - want[at]; d > 1e-11 || d < -1e-11 {
				t.Fatalf("sum %d is %v in column %d, %v from all rows", j, v, at, want[at])
			}
		}
	}
}

package eigen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/eigentest"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/blas/blas64"
)

// bridged is a graph of strong parts that bridges join.
type bridged struct {
	name  string
	n     int
	edges []edge
	mass  []float64 // nil: the degrees
}

// drawBlobs draws two to seven blobs, joined as a path, a star, a ring or at random by bridges
// whose weights lie between 10^low and 10^high.
func drawBlobs(seed uint64, low, high float64) bridged {
	rng := rand.New(rand.NewPCG(seed, 0xb1ad6e))
	var g bridged
	var first []int
	count := 2 + rng.IntN(6)
	for range count {
		first = append(first, g.n)
		size := 6 + rng.IntN(20)
		for i := range size {
			for j := range i {
				if seed%2 == 0 || j == i-1 || rng.IntN(3) == 0 {
					weight := 1.0
					if seed%3 > 0 {
						weight = 0.1 + rng.Float64()
					}
					g.edges = append(g.edges, edge{g.n + i, g.n + j, weight})
				}
			}
		}
		g.n += size
	}
	first = append(first, g.n)
	join := func(a, b int) {
		in := func(c int) int { return first[c] + rng.IntN(first[c+1]-first[c]) }
		g.edges = append(g.edges, edge{in(a), in(b), math.Pow(10, low+(high-low)*rng.Float64())})
	}
	shape := []string{"path", "star", "ring", "random"}[seed/2%4]
	for c := 1; c < count; c++ {
		switch shape {
		case "star":
			join(0, c)
		case "random":
			join(rng.IntN(c), c)
		default:
			join(c-1, c)
		}
	}
	switch {
	case shape == "ring" && count > 2:
		join(0, count-1)
	case shape == "random":
		join(0, count-1)
		join(rng.IntN(count-1), count-1)
	}
	g.name = fmt.Sprintf("%s of %d blobs, %d points, seed %d", shape, count, g.n, seed)
	return g
}

// dense is the matrix of the weights.
func (g bridged) dense() blas64.General {
	w := space.NewBlock(g.n, g.n)
	for _, e := range g.edges {
		w.Data[e.i*g.n+e.j] += e.w
		w.Data[e.j*g.n+e.i] += e.w
	}
	return w
}

// smallValues are the eigenvalues above zero and below 1e-4 to 12 digits, from a factorisation of
// the whole Laplacian without a subtraction; TestSpectrumOf compares it with exact arithmetic.
func smallValues(g bridged, mass []float64) []float64 {
	values, _ := spectrumOf(g.dense(), mass)
	for j, v := range values {
		if v >= 1e-4 {
			return values[:j]
		}
	}
	return values
}

// worstDigit is the largest relative error of the values.
func worstDigit(values, want []float64) float64 {
	worst := 0.0
	for j := range min(len(values), len(want)) {
		worst = max(worst, math.Abs(values[j]/want[j]-1))
	}
	return worst
}

// digits is the relative error that bridges may have.
const digits = 1e-6

// Several weak bridges keep the digits of their values, with any solver, be all of them wanted, a
// part of them, or more pairs. Residuals and orthonormality hold as for every pair.
func TestBridgesKeepTheirDigits(t *testing.T) {
	seeds := uint64(48)
	if testing.Short() {
		seeds = 12
	}
	errs := map[Solver][]float64{}
	for _, orders := range [][2]float64{{-14, -8}, {-20, -16}, {-14, -3}, {-9, -4}} {
		for seed := range seeds {
			g := drawBlobs(seed, orders[0], orders[1])
			w := fromEdges(t, g.n, g.edges)
			p := must.Get(NewPencil(w, nil))(t)
			want := smallValues(g, p.mass)
			k := []int{len(want), max(1, len(want)/2), len(want) + 3}[seed%3]
			for _, solver := range pencilSolvers() {
				r, err := p.Solve(context.Background(), Options{K: k, SkipNull: true, Solver: solver, Seed: seed})
				if err != nil {
					t.Errorf("%s, %s: %v", g.name, solver, err)
					continue
				}
				worst := worstDigit(r.Values, want)
				if !(worst < digits) {
					t.Errorf("%s, bridges of 1e%g to 1e%g, %s, k = %d: a value is off by %.1e of itself", g.name, orders[0], orders[1], solver, k, worst)
				}
				errs[solver] = append(errs[solver], worst)
				checkPencilResult(t, w, p, r, DefaultTol)
			}
		}
	}
	for _, solver := range pencilSolvers() {
		list := errs[solver]
		slices.Sort(list)
		t.Logf("%s: %d solves, relative errors: median %.1e, worst %.1e", solver, len(list), list[len(list)/2], list[len(list)-1])
	}
}

// Cliques joined by equal bridges: λ is the value of the path, star or ring of the cliques, times
// the weight over the volume of a clique, up to a relative error of about the weight.
func TestEqualBridges(t *testing.T) {
	const count, size = 6, 12
	shapes := map[string]struct {
		edges  [][2]int
		values []float64
	}{}
	line, round, spokes := shapes["path"], shapes["ring"], shapes["star"]
	for c := range count {
		next := (c + 1) % count
		round.edges = append(round.edges, [2]int{c, next})
		round.values = append(round.values, 2-2*math.Cos(2*math.Pi*float64((c+1)/2)/count))
		line.values = append(line.values, 2-2*math.Cos(math.Pi*float64(c)/count))
		if c > 0 {
			line.edges = append(line.edges, [2]int{c - 1, c})
			spokes.edges = append(spokes.edges, [2]int{0, c})
			spokes.values = append(spokes.values, 1)
		}
	}
	spokes.values = append([]float64{0}, spokes.values...)
	spokes.values[count-1] = count
	shapes["path"], shapes["ring"], shapes["star"] = line, round, spokes
	for name, shape := range shapes {
		for _, weight := range []float64{1e-8, 1e-10, 1e-12, 1e-14, 1e-17, 1e-20} {
			g := bridged{n: count * size}
			for i := range g.n {
				for j := i + 1; j%size > 0; j++ {
					g.edges = append(g.edges, edge{i, j, 1})
				}
			}
			for at, e := range shape.edges {
				g.edges = append(g.edges, edge{e[0]*size + at, e[1]*size + (at+1)%size, weight})
			}
			p := must.Get(NewPencil(fromEdges(t, g.n, g.edges), nil))(t)
			for _, solver := range pencilSolvers() {
				r, err := p.Solve(context.Background(), Options{K: count + 2, Solver: solver})
				if err != nil {
					t.Errorf("%s of %g, %s: %v", name, weight, solver, err)
					continue
				}
				if r.Values[0] != 0 {
					t.Errorf("%s of %g, %s: the constant has λ = %g", name, weight, solver, r.Values[0])
				}
				for j := 1; j < count; j++ {
					want := shape.values[j] * weight / (size * (size - 1))
					if !(math.Abs(r.Values[j]/want-1) < digits) {
						t.Errorf("%s of %g, %s: λ_%d = %.9g, closed form %.9g", name, weight, solver, j, r.Values[j], want)
					}
				}
			}
		}
	}
}

// The suite's own clusters with bridges of 1 to 1e-14, other strong parts (rings, whose gap is
// small), bridges over 19 orders, masses of their own, and more clusters than pairs.
func TestHardBridges(t *testing.T) {
	seeds := uint64(2)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		for _, g := range hardBridges(seed) {
			p := must.Get(NewPencil(fromEdges(t, g.n, g.edges), g.mass))(t)
			want := smallValues(g, p.mass)
			for _, k := range []int{1, 3, 8} {
				for _, solver := range pencilSolvers() {
					r, err := p.Solve(context.Background(), Options{K: k, SkipNull: true, Solver: solver, Seed: seed})
					var unmet *NotConvergedError
					if errors.As(err, &unmet) && solver == ARPACK {
						continue // its restarts ran out
					}
					if err != nil {
						t.Errorf("%s, %s: %v", g.name, solver, err)
						continue
					}
					if worst := worstDigit(r.Values, want); !(worst < digits) {
						t.Errorf("%s, seed %d, %s, k = %d: a value is off by %.1e of itself", g.name, seed, solver, k, worst)
					}
					checkOrthonormal(t, g.name, p, r)
				}
			}
		}
	}
}

// hardBridges are graphs of rings, whose points have extra edges if there are any.
func hardBridges(seed uint64) []bridged {
	rng := rand.New(rand.NewPCG(seed, 77))
	var list []bridged
	for _, kind := range []struct {
		name               string
		count, size, extra int
		low, high, masses  float64
	}{
		{"rings, weak bridges", 5, 60, 0, -12, -8, 0},
		{"rings, bridges near the tolerance", 5, 60, 0, -9, -4, 0},
		{"bridges over many orders", 8, 30, 0, -20, -1, 0},
		{"more clusters than pairs", 40, 8, 1, -11, -10.7, 0},
		{"long rings", 2, 140, 0, -9, -4, 0},
		{"masses of their own", 5, 40, 2, -14, -4, 2},
	} {
		g := bridged{name: kind.name}
		for c := range kind.count {
			for i := range kind.size {
				g.edges = append(g.edges, edge{g.n + i, g.n + (i+1)%kind.size, 1})
				for range kind.extra {
					if j := rng.IntN(kind.size); j != i {
						g.edges = append(g.edges, edge{g.n + i, g.n + j, 0.1 + rng.Float64()})
					}
				}
			}
			if c > 0 {
				g.edges = append(g.edges, edge{rng.IntN(g.n), g.n + rng.IntN(kind.size), math.Pow(10, kind.low+(kind.high-kind.low)*rng.Float64())})
			}
			g.n += kind.size
		}
		if kind.masses > 0 {
			for range g.n {
				g.mass = append(g.mass, math.Pow(10, kind.masses*(rng.Float64()-0.5)))
			}
		}
		list = append(list, g)
	}
	return list
}

// The clusters with weak bridges of the suite, to relative accuracy.
func TestSuiteBridges(t *testing.T) {
	const kind = 3 // of eigentest's families
	rounds := uint64(30)
	if testing.Short() {
		rounds = 8
	}
	for round := range rounds {
		problem := must.Get(eigentest.Draw(kind + round*uint64(eigentest.Families())))(t)
		if !strings.Contains(problem.Name, "weak bridges") {
			t.Fatalf("%s is no problem of weak bridges", problem.Name)
		}
		p := must.Get(NewPencil(problem.W, nil))(t)
		g := bridged{n: problem.W.NumRows}
		for i := range g.n {
			cols, vals := problem.W.Row(i)
			for k, j := range cols {
				if int(j) < i {
					g.edges = append(g.edges, edge{i, int(j), vals[k]})
				}
			}
		}
		want := smallValues(g, p.mass)
		for _, solver := range pencilSolvers() {
			r, err := p.Solve(context.Background(), Options{K: max(1, len(want)), SkipNull: true, Solver: solver})
			var unmet *NotConvergedError
			if errors.As(err, &unmet) && solver == ARPACK {
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", problem.Name, solver, err)
				continue
			}
			if worst := worstDigit(r.Values, want); !(worst < digits) {
				t.Errorf("%s, %s: a value is off by %.1e of itself", problem.Name, solver, worst)
			}
		}
	}
}

// Zeros are exact and one for each component, beside values of 1e-20 and less.
func TestBridgesBesideZeros(t *testing.T) {
	var edges []edge
	const size, count = 9, 8
	for i := range size * count {
		for j := i + 1; j%size > 0; j++ {
			edges = append(edges, edge{i, j, 1})
		}
	}
	// Cliques 0-1, 2-3 and 4-5 are joined; 6 and 7 are components.
	weights := []float64{1e-14, 3e-18, 5e-22}
	var want []float64
	for at, v := range weights {
		edges = append(edges, edge{2 * at * size, (2*at + 1) * size, v})
		want = append([]float64{2 * v / (size * (size - 1))}, want...)
	}
	p := must.Get(NewPencil(fromEdges(t, size*count, edges), nil))(t)
	for _, solver := range pencilSolvers() {
		r, err := p.Solve(context.Background(), Options{K: 9, Solver: solver})
		if err != nil {
			t.Errorf("%s: %v", solver, err)
			continue
		}
		for j, v := range r.Values[:8] {
			if j < 5 && v != 0 || j >= 5 && !(math.Abs(v/want[j-5]-1) < digits) {
				t.Errorf("%s: λ_%d = %g; want 5 zeros and %g", solver, j, v, want)
			}
		}
	}
}

// Sets of joined points are parts like any other, of which the edges between points are not formed.
func TestBridgesBetweenSets(t *testing.T) {
	for seed := range uint64(8) {
		g := drawBlobs(2*seed, -14, -6)
		rng := rand.New(rand.NewPCG(seed, 3))
		// One set across all blobs, by weak edges; its points are joined to one another by these only.
		var set []int32
		for at := 0; at < g.n; at += 5 + rng.IntN(5) {
			set = append(set, int32(at))
		}
		const weight = 1e-10
		w := fromEdges(t, g.n, g.edges)
		p := must.Get(NewCliquePencil(w, [][]int32{set}, weight))(t)
		for a, i := range set {
			for _, j := range set[:a] {
				g.edges = append(g.edges, edge{int(i), int(j), weight})
			}
		}
		want := smallValues(g, p.mass)
		for _, solver := range pencilSolvers() {
			r, err := p.Solve(context.Background(), Options{K: len(want), SkipNull: true, Solver: solver})
			if err != nil {
				t.Errorf("%s, %s: %v", g.name, solver, err)
				continue
			}
			if worst := worstDigit(r.Values, want); !(worst < digits) {
				t.Errorf("%s, %s: a value is off by %.1e of itself", g.name, solver, worst)
			}
		}
	}
}

// Ranks keep the digits too, be the pencil whole on each or divided among them.
func TestBridgesOnRanks(t *testing.T) {
	for seed := range uint64(8) {
		g := drawBlobs(seed, []float64{-14, -20}[seed%2], []float64{-8, -16}[seed%2])
		p := must.Get(NewPencil(fromEdges(t, g.n, g.edges), nil))(t)
		want := smallValues(g, p.mass)
		ranks.Together(2, func(team ranks.Team) {
			shared, err := NewSharedPencil(sharedOf(p, ranks.NewShare(team, g.n/3+team.Rank()*(g.n-2*(g.n/3)))))
			if err != nil {
				t.Error(err)
				return
			}
			checkRank(t, "whole", p, team, want)
			checkRank(t, "divided", shared, team, want)
		})
	}
}

func checkRank(t *testing.T, name string, p *Pencil, team ranks.Team, want []float64) {
	r, err := p.Solve(ranks.With(context.Background(), team), Options{K: len(want), SkipNull: true, Solver: Lanczos})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if worst := worstDigit(r.Values, want); !(worst < digits) {
		t.Errorf("%s, rank %d: a value is off by %.1e of itself", name, team.Rank(), worst)
	}
}

// spectrumOf against exact arithmetic on weights over 20 orders, with masses of their own.
func TestSpectrumOf(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n := 12 + rng.IntN(12)
		g := bridged{n: n}
		for i := 1; i < n; i++ {
			g.edges = append(g.edges, edge{i, rng.IntN(i), math.Pow(10, -20*rng.Float64())}, edge{i, rng.IntN(i), math.Pow(10, -20*rng.Float64())})
		}
		mass := make([]float64, n)
		for i := range mass {
			mass[i] = 0.1 + rng.Float64()
		}
		values, vectors := spectrumOf(g.dense(), slices.Clone(mass))
		if len(values) != n-1 {
			t.Fatalf("seed %d: %d values of %d points", seed, len(values), n)
		}
		const step = 1e-10
		for j, v := range values {
			// The value is between the shifts a little below and above it (Sylvester's law of inertia).
			if below, above := countBelow(g, mass, v*(1-step)), countBelow(g, mass, v*(1+step)); below != j+1 || above != j+2 {
				t.Errorf("seed %d: %d and %d values are below %.12g·(1 ± 1e-10), which is number %d", seed, below, above, v, j+1)
			}
		}
		for a, x := range vectors {
			for b, y := range vectors[:a+1] {
				product := 0.0
				for i, m := range mass {
					product += m * x[i] * y[i]
				}
				if a == b {
					product--
				}
				if math.Abs(product) > 1e-12 {
					t.Errorf("seed %d: yᵀMy of vectors %d and %d is off by %g", seed, a, b, product)
				}
			}
		}
	}
}

// countBelow counts the eigenvalues below x, zero among them, by the pivots of L − x·M in 400 bits.
func countBelow(g bridged, mass []float64, x float64) int {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	a := make([][]*big.Float, g.n)
	for i := range a {
		a[i] = make([]*big.Float, g.n)
		for j := range a[i] {
			a[i][j] = number(0)
		}
		a[i][i].Sub(a[i][i], number(0).Mul(number(x), number(mass[i])))
	}
	for _, e := range g.edges {
		w := number(e.w)
		a[e.i][e.i].Add(a[e.i][e.i], w)
		a[e.j][e.j].Add(a[e.j][e.j], w)
		a[e.i][e.j].Sub(a[e.i][e.j], w)
		a[e.j][e.i].Sub(a[e.j][e.i], w)
	}
	negative := 0
	for k := range a {
		if a[k][k].Sign() < 0 {
			negative++
		}
		for i := k + 1; i < g.n; i++ {
			f := number(0).Quo(a[i][k], a[k][k])
			for j := k; j < g.n; j++ {
				a[i][j].Sub(a[i][j], number(0).Mul(f, a[k][j]))
			}
		}
	}
	return negative
}

package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// clusterRow is three clusters in a row. A cluster of the given size is a number of random
// Hamiltonian cycles with log-normal weights (σ = 1.2). A perfect matching with 2 % of the weight
// joins neighbouring clusters.
func clusterRow(size, cycles int, seed uint64) (edges []edge) {
	rng := rand.New(rand.NewPCG(seed, 23))
	weight := func() float64 { return math.Exp(1.2 * rng.NormFloat64()) }
	for c := range 3 {
		for range cycles {
			order := rng.Perm(size)
			for i, v := range order {
				edges = append(edges, edge{c*size + v, c*size + order[(i+1)%size], weight()})
			}
		}
	}
	for c := range 2 {
		for i, j := range rng.Perm(size) {
			edges = append(edges, edge{c*size + i, (c+1)*size + j, 0.02 * 2 * float64(cycles) * weight()})
		}
	}
	return edges
}

// copiesOf joins identical copies of a graph of the given size without edges between them.
func copiesOf(t testing.TB, copies, size int, part []edge) *sparse.CSR {
	var all []edge
	for c := range copies {
		for _, e := range part {
			all = append(all, edge{c*size + e.i, c*size + e.j, e.w})
		}
	}
	return fromEdges(t, copies*size, all)
}

// Identical components: as many copies of a value as components, in a component that is large
// enough for a missed vector to have little weight in a random block.
func TestIdenticalComponents(t *testing.T) {
	for _, c := range []struct {
		solver               Solver
		copies, size, cycles int
		k                    int
	}{
		{Lanczos, 5, 600, 75, 6},
		{Lanczos, 5, 600, 12, 6},
		{ARPACK, 2, 600, 12, 3},
	} {
		if c.solver == ARPACK && len(solvers()) < 3 {
			continue
		}
		w := copiesOf(t, c.copies, 3*c.size, clusterRow(c.size, c.cycles, 1))
		p := must.Get(NewPencil(w, nil))(t)
		one := must.Get(NewPencil(copiesOf(t, 1, 3*c.size, clusterRow(c.size, c.cycles, 1)), nil))(t)
		want := must.Get(one.Solve(context.Background(), Options{K: 2, SkipNull: true, Solver: Lanczos, Seed: 77}))(t)
		for seed := range uint64(3) {
			r := must.Get(p.Solve(context.Background(), Options{K: c.k, SkipNull: true, Solver: c.solver, Seed: seed}))(t)
			for j, v := range r.Values {
				if math.Abs(v-want.Values[j/c.copies]) > 1e-8 {
					t.Errorf("%s, %d copies, seed %d: λ_%d = %.6f, one copy alone has %.6f", c.solver, c.copies, seed, j, v, want.Values[j/c.copies])
				}
			}
			if r.Stats.Missed <= 0 || r.Stats.Missed > 1e-6 {
				t.Errorf("probability of a missed value: %g", r.Stats.Missed)
			}
		}
	}
}

// The zeros of I − S are found as a multiple eigenvalue of an operator about which nothing else is
// known.
func TestSymmetricCountsComponents(t *testing.T) {
	w := copiesOf(t, 5, 1800, clusterRow(600, 75, 1))
	p := must.Get(NewPencil(w, nil))(t)
	op := OperatorFunc{N: p.Size(), Mul: func(dst, x blas64.General) {
		p.s.MulBlock(dst, x)
		for i := range x.Rows {
			row := dst.Data[i*dst.Stride:][:x.Cols]
			for j, v := range x.Data[i*x.Stride:][:x.Cols] {
				row[j] = v - row[j]
			}
		}
	}}
	for seed := range uint64(3) {
		r := must.Get(Symmetric(context.Background(), op, Options{K: 6, Which: Smallest, Seed: seed}))(t)
		zeros := 0
		for _, v := range r.Values {
			if math.Abs(v) < 1e-9 {
				zeros++
			}
		}
		if zeros != 5 {
			t.Errorf("seed %d: %d zeros for 5 components: %v", seed, zeros, r.Values)
		}
	}
}

// Start vectors that span the wanted eigenvectors and their neighbours but one, in a simple
// spectrum.
func TestStartWithAHole(t *testing.T) {
	const parts, size = 5, 1200
	var edges []edge
	for c := range parts {
		for _, e := range clusterRow(size/3, 70, uint64(c)) { // too dense for a filter
			edges = append(edges, edge{c*size + e.i, c*size + e.j, e.w})
		}
	}
	w := fromEdges(t, parts*size, edges)
	p := must.Get(NewPencil(w, nil))(t)
	const k = 6
	want := must.Get(p.Solve(context.Background(), Options{K: k + 4, SkipNull: true, Solver: Lanczos}))(t)
	for hole := range 3 {
		for _, block := range []int{0, 1} {
			var kept []int
			for j := range k + 4 {
				if j != hole {
					kept = append(kept, j)
				}
			}
			start := mat.NewDense(p.Size(), len(kept), nil)
			for to, from := range kept {
				start.SetCol(to, mat.Col(nil, from, want.Vectors))
			}
			r := must.Get(p.Solve(context.Background(), Options{K: k, SkipNull: true, Solver: Lanczos, Start: start, Block: block, Seed: uint64(hole)}))(t)
			for j, v := range r.Values {
				if math.Abs(v-want.Values[j]) > 1e-8 {
					t.Errorf("without vector %d in the start, block %d: λ_%d = %.6f, want %.6f", hole, block, j, v, want.Values[j])
				}
			}
		}
	}
}

package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const eigenTol = 1e-8

// eigenSection measures the smallest eigenpairs of document graphs, by every solver that is
// practical at the size.
func eigenSection(ctx context.Context, s *session) ([]Group, error) {
	c, x, err := s.documents(ctx)
	if err != nil {
		return nil, err
	}
	large := 100000
	if s.Quick {
		large = 5000
	}
	cases := []struct {
		name  string
		rows  func() (mat.Matrix, error)
		k     int
		dense bool
		large bool
		more  []int // further numbers of pairs
	}{
		{"every nth document of " + c.Name, func() (mat.Matrix, error) { return everyNth(x, 1000) }, 30, true, false, nil},
		{c.Name, func() (mat.Matrix, error) { return x, nil }, 30, false, false, []int{100, 300}},
		{"made-up short documents", func() (mat.Matrix, error) {
			counts, _ := Abstracts(large, s.Seed).Counts()
			return counts.NormalizeRows(), nil
		}, 30, false, true, nil},
	}
	var groups []Group
	for _, task := range cases {
		rows, err := task.rows()
		if err != nil {
			return nil, err
		}
		start := time.Now()
		g, err := graph.Build(ctx, rows, graph.Options{Neighbors: neighbors})
		if err != nil {
			return nil, err
		}
		built := time.Since(start)
		group, err := s.eigenGroup(ctx, task.name, g, task.k, task.dense)
		if err != nil {
			return nil, err
		}
		group.Notes = append(group.Notes, fmt.Sprintf("the graph itself took %s", seconds(built.Seconds())))
		groups = append(groups, group)
		more := task.more
		if s.Quick {
			more = more[:min(1, len(more))]
		}
		for _, k := range more {
			group, err := s.morePairs(ctx, task.name, g.W, k)
			if err != nil {
				return nil, err
			}
			groups = append(groups, group)
		}
		if task.large {
			products, err := s.productGroup(ctx, "the graph of the short documents", g.W)
			if err != nil {
				return nil, err
			}
			groups = append(groups, products)
		}
	}
	side := 1000
	if s.Quick {
		side = 100
	}
	for _, random := range []bool{false, true} {
		name := "a lattice in its order"
		if random {
			name = "a lattice in random order"
		}
		products, err := s.productGroup(ctx, name, latticeGraph(side, random, s.Seed))
		if err != nil {
			return nil, err
		}
		groups = append(groups, products)
	}
	return groups, nil
}

// morePairs measures many pairs of a graph.
func (s *session) morePairs(ctx context.Context, name string, w *sparse.CSR, k int) (Group, error) {
	values := map[string][]float64{}
	peers, err := s.peersOf(w, k, values, "eigsh", "PRIMME")
	if err != nil {
		return Group{}, err
	}
	title := fmt.Sprintf("smallest %d of L y = λ D y, tol %.0e: %s", k, eigenTol, name)
	return s.solvers(ctx, title, append([]Contestant{s.solved(w, k, eigen.Lanczos, values)}, peers...), values)
}

// everyNth picks about n rows, evenly spread.
func everyNth(x mat.Matrix, n int) (mat.Matrix, error) {
	a, err := sparse.FromMatrix(x)
	if err != nil {
		return nil, err
	}
	step := max(1, a.NumRows/n)
	var rows []int
	for i := 0; i < a.NumRows; i += step {
		rows = append(rows, i)
	}
	return a.SelectRows(rows), nil
}

// eigenGroup has every contestant solve L y = λ D y of g. Our time includes making the pencil
// (components, degrees, normalisation); the peer gets the normalised operator ready.
func (s *session) eigenGroup(ctx context.Context, name string, g *graph.Graph, k int, dense bool) (Group, error) {
	values := map[string][]float64{}
	ours := func(solver eigen.Solver, engine string) Contestant {
		label := fmt.Sprintf("%s, %s", solver, engine)
		return Contestant{label, side(engine), func(ctx context.Context) (Outcome, error) {
			if err := native.Use(engine); err != nil {
				return Outcome{}, err
			}
			clock := startStopwatch()
			pencil, err := eigen.NewPencil(g.W, nil)
			if err != nil {
				return Outcome{}, err
			}
			result, err := pencil.Solve(ctx, eigen.Options{K: k, Tol: eigenTol, Solver: solver, Seed: s.Seed})
			o := clock.outcome(1, "")
			if err != nil {
				return Outcome{}, err
			}
			residual := pencilResidual(g.W, result.Values, result.Vectors)
			if !(residual <= eigenTol) {
				return Outcome{}, fmt.Errorf("residual %.1e is above the tolerance", residual)
			}
			values[label] = result.Values
			o.Note = fmt.Sprintf("%d products, residual %.0e", result.Stats.Products, residual)
			return o, nil
		}}
	}
	var all []Contestant
	for _, engine := range native.Engines() {
		name := engine.Name()
		all = append(all, ours(eigen.Lanczos, name))
		if name != "go" && native.HasARPACK() {
			all = append(all, ours(eigen.ARPACK, name))
		}
		if dense {
			all = append(all, ours(eigen.Dense, name))
		}
	}
	reference := all[0].Name
	peers, err := s.peersOf(g.W, k, values, "eigsh", "lobpcg", "PRIMME")
	if err != nil {
		return Group{}, err
	}
	all = append(all, peers...)
	title := fmt.Sprintf("smallest %d of L y = λ D y, tol %.0e: %s, %d-NN graph, %d nodes, %d edges, %d components",
		k, eigenTol, name, neighbors, g.W.NumRows, g.W.NNZ()/2, g.Components)
	group, err := s.compare(ctx, title, all)
	native.Use(s.backend)
	if err != nil {
		return group, err
	}
	for _, c := range all[1:] {
		if v := values[c.Name]; v != nil && values[reference] != nil {
			group.Notes = append(group.Notes, disagreement(c.Name, v, reference, values[reference]))
		}
	}
	return group, nil
}

// disagreement is the largest difference of two solvers' eigenvalues. A solver that misses copies
// of a multiple eigenvalue converges all the same; this finds it.
func disagreement(name string, v []float64, reference string, w []float64) string {
	var worst float64
	for i := range w {
		worst = max(worst, math.Abs(v[i]-w[i]))
	}
	if worst > 1e-7 {
		zeros := func(x []float64) (count int) {
			for _, l := range x {
				if math.Abs(l) < 1e-9 {
					count++
				}
			}
			return count
		}
		return fmt.Sprintf("%s MISSES eigenvalues that %s has: they differ by %.1e; zeros found %d and %d", name, reference, worst, zeros(v), zeros(w))
	}
	return fmt.Sprintf("eigenvalues of %s and %s agree to %.0e", name, reference, worst)
}

// pencilResidual is max ‖Ly − λDy‖/‖y‖ over the columns of y, computed from W and its row sums.
func pencilResidual(w *sparse.CSR, values []float64, y *mat.Dense) float64 {
	degrees := w.RowSums()
	n, k := y.Dims()
	sums := make([]float64, k)
	norms := make([]float64, k)
	wy := make([]float64, k)
	for i := range n {
		clear(wy)
		cols, vals := w.Row(i)
		for e, j := range cols {
			for c, v := range y.RawRowView(int(j)) {
				wy[c] += vals[e] * v
			}
		}
		for c, v := range y.RawRowView(i) {
			r := degrees[i]*v*(1-values[c]) - wy[c]
			sums[c] += r * r
			norms[c] += v * v
		}
	}
	var worst float64
	for c := range sums {
		worst = max(worst, math.Sqrt(sums[c]/norms[c]))
	}
	return worst
}

// productGroup measures the product that takes most of the solvers' time, with one vector and with
// blocks, against the memory ceiling: 12 bytes per entry and 8 per row once per product, 16 per row
// and column for the vectors.
func (s *session) productGroup(ctx context.Context, name string, w *sparse.CSR) (Group, error) {
	n := w.NumRows
	blocks := []int{1, 4, 8, 40}
	var all []Contestant
	var bytes []float64
	for _, b := range blocks {
		x, y := randomGeneral(n, b, s.Seed), randomGeneral(n, b, s.Seed)
		bytes = append(bytes, 12*float64(w.NNZ())+8*float64(n)+16*float64(n)*float64(b))
		all = append(all, Contestant{fmt.Sprintf("block of %d", b), Native, func(context.Context) (Outcome, error) {
			const repeats = 5
			clock := startStopwatch()
			for range repeats {
				w.MulBlock(y, x)
			}
			return clock.outcome(repeats, ""), nil
		}})
	}
	group, err := s.compare(ctx, fmt.Sprintf("sparse product, %s, %d nodes, %d entries", name, n, w.NNZ()), all)
	if err != nil {
		return group, err
	}
	for i, r := range group.Rows {
		b := float64(blocks[i])
		group.Rows[i].Note = fmt.Sprintf("%s; %s a column", s.bandwidth(bytes[i], r.Median), seconds(r.Median/b))
		if s.triad > 0 {
			group.Rows[i].Note += fmt.Sprintf(", bound %s", seconds(bytes[i]/s.triad/b))
		}
	}
	return group, nil
}

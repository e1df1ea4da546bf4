package eigen

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Solve finds the opt.K smallest eigenpairs, eigenvalues ascending, vectors with yᵀMy = 1.
//
// The first pairs (unless SkipNull leaves them out) are the null vectors with exact zeros, one per
// component: constant on the component and zero elsewhere, ordered by falling sum of mass. The
// solver finds the others. Every pair satisfies ‖Ly − λMy‖ ≤ Tol·‖y‖, recomputed here, or the error
// is *NotConvergedError.
func (p *Pencil) Solve(ctx context.Context, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	return stored(ctx, opt, p.hash, func(ctx context.Context) (*Result, error) { return p.solve(ctx, opt) })
}

// solve is Solve without a store.
func (p *Pencil) solve(ctx context.Context, opt Options) (*Result, error) {
	began := time.Now()
	n := p.Size()
	if err := opt.check(n, n); err != nil {
		return nil, err
	}
	if opt.Which == Largest {
		return nil, invalid.Errorf("a Laplacian pencil is solved for its smallest eigenvalues only; use Symmetric for the other end")
	}
	if opt.Verify && p.space.Divided() {
		return nil, invalid.Errorf("‹verify› needs the whole matrix, and its rows are divided among %d ranks: leave it out", p.space.Size())
	}
	zeros := min(opt.K, p.count)
	if opt.SkipNull {
		if zeros = 0; opt.K > n-p.count {
			return nil, invalid.Errorf("%d eigenpairs above zero were requested; a graph of %d points in %d components has %d", opt.K, n, p.count, n-p.count)
		}
	}
	found := problem.Pairs{Stats: problem.Stats{Solver: "none", Why: "the connected components say it all"}}
	if rest := opt.K - zeros; rest > 0 {
		t := newTask(p.s, len(p.mass), p.known, rest, opt)
		t.Space = p.space
		t.Tol, t.Scaled = p.tolerance(opt.Tol), false
		t.Measure, t.Measured = p.measure, opt.Tol
		t.Top, t.Pencil, t.Fixed = 1, true, p.massless
		if t.Start.Cols > 0 {
			t.Start = p.scaled(t.Start)
		}
		var err error
		if found, err = solve(ctx, t, opt); err != nil {
			return nil, err
		}
		if found, err = verified(ctx, t, found, opt); err != nil {
			return nil, err
		}
	} else if opt.Verify {
		t := problem.Task{Op: p.s, N: n, Known: p.known, Top: 1, Pencil: true, Fixed: p.massless, Observer: opt.Observer}
		if err := verify(ctx, t, &found, opt); err != nil {
			return nil, err
		}
	}
	found.Stats.Deflated = p.count
	if zeros+len(found.Values) == 0 {
		return (&Result{Vectors: new(mat.Dense), Stats: statsOf(found.Stats)}).finish(opt, began, found.Lack, nil)
	}
	memory.Ahead(memory.Bytes(8, len(p.mass), zeros+len(found.Values)))
	r := p.assemble(zeros, found, opt.Tol)
	found.Vectors = blas64.General{} // whose memory the residuals take
	r.Residuals = p.residuals(r)
	rounding := p.rounding(r)
	return r.finish(opt, began, found.Lack, func(j int) float64 {
		return max(opt.Tol, rounding[j])
	})
}

// tolerance returns the bound on ‖Su − μu‖, for unit u, that guarantees ‖Ly − λMy‖ ≤ tol·‖y‖ for y
// = M^-1/2 u: the residual grows by at most √(max M), and ‖y‖ is at least 1/√(max M). If all masses
// are small, that bound would guarantee nothing for u, so tol itself is used.
func (p *Pencil) tolerance(tol float64) float64 {
	return tol / max(1, p.largestMass)
}

// measure returns ‖Ly − λMy‖/‖y‖ for the columns u of M^1/2·y and r of S·u − μu. If all masses are
// below 1, it is in units of the largest mass. s says which rows these are.
func (p *Pencil) measure(s space.Space, u, r blas64.General) []float64 {
	sums := make([]float64, 2*u.Cols)
	residual, norm := sums[:u.Cols], sums[u.Cols:]
	unit := min(1, p.largestMass)
	for i := range u.Rows {
		at := s.Row(i) - p.space.First()
		m, inv := p.mass[at]/unit, p.invSqrt[at]
		inv = unit * inv * inv
		x := u.Data[i*u.Stride:][:u.Cols]
		for j, e := range r.Data[i*r.Stride:][:u.Cols] {
			residual[j] += m * e * e
			norm[j] += inv * x[j] * x[j]
		}
	}
	s.Summed(sums)
	for j := range residual {
		residual[j] = math.Sqrt(residual[j] / norm[j])
	}
	return residual
}

// rounding returns the residual that rounding allows for each pair: some units in the last place of
// ‖L‖, or of ‖S‖ carried from u to y. ‖S‖ ≤ 1 + 2·max(d/m) exceeds 1 where a point has less mass
// than degree, and ‖Ly − λMy‖/‖y‖ is at most √(max M)·‖Su − μu‖/‖y‖ for y = M^-1/2 u of unit
// M-norm.
func (p *Pencil) rounding(r *Result) []float64 {
	largest, ratio := 0.0, 1.0
	for i, d := range p.degree {
		largest = max(largest, d)
		if p.mass[i] > 0 {
			ratio = max(ratio, d/p.mass[i])
		}
	}
	largest, ratio = p.space.Largest(largest), p.space.Largest(ratio)
	limits := p.space.Norms(blas64.General{}, r.Vectors.RawMatrix())
	for j, length := range limits {
		limits[j] = 1e-13 * max(largest, 2*(ratio-1)*math.Sqrt(p.largestMass)/length)
	}
	return limits
}

// scaled maps vectors y to u = M^1/2 y.
func (p *Pencil) scaled(y blas64.General) blas64.General {
	u := space.NewBlock(y.Rows, y.Cols)
	p.eachRow(func(i int) {
		root := math.Sqrt(p.mass[i])
		for j, v := range y.Data[i*y.Stride:][:y.Cols] {
			u.Data[i*u.Stride+j] = root * v
		}
	})
	return u
}

// assemble combines the null vectors and the pairs of the solver, in terms of y and λ.
func (p *Pencil) assemble(zeros int, found problem.Pairs, tol float64) *Result {
	k := zeros + len(found.Values)
	y := space.NewBlock(len(p.mass), k)
	r := &Result{Values: make([]float64, k), Stats: statsOf(found.Stats)}
	place := make([]int, p.count)
	for c := range place {
		place[c] = -1
	}
	for at, c := range p.heaviest[:zeros] {
		place[c] = at
	}
	p.eachRow(func(i int) {
		row, c := y.Data[i*y.Stride:][:k], p.label[i]
		if at := place[c]; at >= 0 {
			row[at] = p.known.Height[c]
		}
		for j := range found.Values {
			row[zeros+j] = found.Vectors.Data[i*found.Vectors.Stride+j] * p.invSqrt[i]
		}
	})
	for j, mu := range found.Values {
		r.Values[zeros+j] = max(0, 1-mu)
	}
	r.Vectors = mat.NewDense(len(p.mass), k, y.Data)
	if !p.refine(r, zeros, tol) {
		p.sharpen(r, zeros)
	}
	p.space.CanonicalSigns(r.Vectors.RawMatrix())
	return r
}

// residuals computes ‖Ly − λMy‖/‖y‖ with the unscaled Laplacian, rows in parallel.
func (p *Pencil) residuals(r *Result) []float64 {
	y := r.Vectors.RawMatrix()
	memory.Ahead(memory.Bytes(8, y.Rows, y.Cols))
	ly := space.NewBlock(y.Rows, y.Cols)
	p.w.MulBlock(ly, y)
	p.eachRow(func(i int) {
		out := ly.Data[i*ly.Stride:][:y.Cols]
		for j, v := range y.Data[i*y.Stride:][:y.Cols] {
			out[j] = p.degree[i]*v - out[j]
		}
	})
	return space.Residuals(p.space, ly, y, p.mass, r.Values)
}

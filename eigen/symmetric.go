package eigen

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/dense"
	"github.com/eigenmap/eigenmap/eigen/internal/factor"
	"github.com/eigenmap/eigenmap/eigen/internal/krylov"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Symmetric finds opt.K eigenpairs at one end of the spectrum of a symmetric operator.
//
// The caller must make sure that the operator is symmetric and finite; products that are not finite
// give an error. Of an operator whose vectors ranks divide ([RowsDivided]) all ranks call it, block
// Lanczos solves, and Options.Start and Result.Vectors have the rows of this rank.
//
// Errors: a wrong request (errors.Is(err, fs.ErrInvalid)), the error of ctx, and
// *NotConvergedError with the partial Result.
func Symmetric(ctx context.Context, a Operator, opt Options) (*Result, error) {
	return stored(ctx, opt, func(h *store.Hasher) bool { return hashOperator(h, a) },
		func(ctx context.Context) (*Result, error) { return symmetric(ctx, a, opt) })
}

func symmetric(ctx context.Context, a Operator, opt Options) (*Result, error) {
	began := time.Now()
	n, c := a.Dims()
	if n != c {
		return nil, invalid.Errorf("the operator is %d×%d; it must be square", n, c)
	}
	opt = opt.withDefaults()
	rows := spaceOf(a)
	own := n
	if rows.Divided() {
		own = rows.Own()
	}
	if err := opt.check(n, own); err != nil {
		return nil, err
	}
	op := problem.Operator(a)
	if opt.Which == Smallest {
		op = problem.Negative(a)
	}
	t := newTask(op, own, nil, opt.K, opt)
	t.Space = rows
	t.Largest = opt.Which == Largest
	factored := t // the problem whose matrix is factored
	if d, ok := a.(Deflated); ok && opt.Which == Smallest && opt.K < n && (opt.Verify || opt.Solver == ShiftInvert) {
		factored.Op, factored.Known = problem.Negated{Operator: d.WithoutConstant()}, space.ConstantOf(n)
		if opt.Solver == ShiftInvert {
			t = factored
		}
	}
	p, err := solve(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	if p, err = verified(ctx, factored, p, opt); err != nil {
		return nil, err
	}
	if len(p.Values) == 0 {
		return (&Result{Vectors: new(mat.Dense), Stats: statsOf(p.Stats)}).finish(opt, began, p.Lack, nil)
	}
	r := &Result{Vectors: mat.NewDense(own, len(p.Values), p.Vectors.Data), Values: p.Values, Stats: statsOf(p.Stats)}
	if opt.Which == Smallest {
		for i := range r.Values {
			r.Values[i] = -r.Values[i]
		}
	} else {
		r.reverse()
	}
	rows.CanonicalSigns(r.Vectors.RawMatrix())
	product := space.NewBlock(own, len(r.Values))
	a.MulBlock(product, r.Vectors.RawMatrix())
	r.Residuals = space.Residuals(rows, product, r.Vectors.RawMatrix(), nil, r.Values)
	for _, v := range r.Values {
		p.Norm = max(p.Norm, math.Abs(v))
	}
	limit := max(opt.Tol, 1e-13) * p.Norm
	return r.finish(opt, began, p.Lack, func(int) float64 { return limit })
}

func newTask(op problem.Operator, n int, known *space.Nullspace, k int, opt Options) problem.Task {
	t := problem.Task{
		Op: op, N: n, Known: known, K: k, Tol: opt.Tol, Scaled: true,
		Subspace: opt.Subspace, Block: opt.Block, MaxIter: opt.MaxIter, Seed: opt.Seed, Observer: opt.Observer,
		Start: blas64.General{Rows: n},
	}
	if opt.Start != nil {
		t.Start = opt.Start.RawMatrix()
	}
	return t
}

// solve runs the solver that the options name, or chooses one.
func solve(ctx context.Context, t problem.Task, opt Options) (problem.Pairs, error) {
	name, why := opt.Solver, ""
	if t.Space.Divided() {
		if name == Auto {
			name, why = Lanczos, fmt.Sprintf("%d of %d eigenpairs of rows that %d ranks divide", t.K, t.Whole(), t.Space.Size())
			t.Observer.Detailf(problem.Stage, "solver %s: %s", name, why)
		}
		t.Ranks = 1 // n is the number of own rows
		if err := ranks.Agree(t.Space.Share, t.Fits(ctx, string(name))); err != nil {
			return problem.Pairs{}, err
		}
		p, err := solveShared(ctx, t, name)
		p.Stats.Why = why
		p.Stats.Deflated = t.Known.Size()
		return p, err
	}
	var analysis *factor.Spectrum // of the operator, if it is known to be easy to factor
	if name == Auto {
		size, reason := problem.Pick(t)
		name, why = Solver(size), reason
		if name == Lanczos {
			if easy, reason := factor.Easy(t); easy != nil {
				analysis, name, why = easy, ShiftInvert, reason
			}
		}
		t.Observer.Detailf(problem.Stage, "solver %s: %s", name, why)
	}
	if name == SLEPc {
		t.Ranks = ranks.From(ctx).Size()
	}
	team := ranks.From(ctx)
	if err := ranks.Agree(team, t.Fits(ctx, string(name))); err != nil {
		return problem.Pairs{}, err
	}
	run := map[Solver]problem.Solver{Dense: dense.Solve, ARPACK: krylov.ARPACK, Lanczos: krylov.Lanczos, ShiftInvert: factor.ShiftInvert, SLEPc: solveBySLEPc}[name]
	if analysis != nil {
		run = func(ctx context.Context, t problem.Task) (problem.Pairs, error) {
			return factor.InvertOver(ctx, t, analysis)
		}
	}
	if name != SLEPc { // every rank solves it by itself
		ctx = ranks.With(ctx, nil)
	}
	p, err := run(ctx, t)
	if opt.Solver == Auto && ctx.Err() == nil {
		p, why, err = rescue(ctx, t, name, p, why, err)
	}
	p.Stats.Why = why
	p.Stats.Deflated = t.Known.Size()
	// Ranks that each solve it by themselves stop in different places.
	if err = ranks.Agree(team, err); err == nil {
		p = sharedPairs(p, team)
	}
	return p, public(err)
}

// rescue solves a problem on which the solver that auto chose has failed or did not converge by the
// others: lanczos after shift-invert, shift-invert after lanczos where the factor has memory, and
// LAPACK at last. Up to MediumProblem rows LAPACK comes before shift-invert.
func rescue(ctx context.Context, t problem.Task, name Solver, p problem.Pairs, why string, err error) (problem.Pairs, string, error) {
	next := map[Solver][]Solver{ShiftInvert: {Lanczos, Dense}, Lanczos: {ShiftInvert, Dense}}[name]
	if name == Lanczos && t.N <= problem.MediumProblem {
		next = []Solver{Dense}
	}
	for _, other := range next {
		if err == nil && !p.Unsearched || name == Lanczos && err != nil || ctx.Err() != nil {
			break // a solver that needs products only has no failure of its own
		}
		run := prepared(ctx, t, other)
		if run == nil {
			continue
		}
		reason := fmt.Sprintf("%s did not converge in %s", name, words.Plural(p.Stats.Restarts, "restart", "restarts"))
		say := t.Observer.Detailf
		if err != nil {
			say, reason = t.Observer.Notef, fmt.Sprintf("%s failed (%v)", name, err)
		}
		say(problem.Stage, "%s; %s solves the problem", reason, other)
		why = fmt.Sprintf("%s; %s, so %s solved it", why, reason, other)
		q, failed := run(ctx)
		if failed != nil && err == nil && ctx.Err() == nil {
			continue // the pairs that there are are better than none
		}
		q.Stats.After(p.Stats)
		p, err, name = q, failed, other
	}
	return p, why, err
}

// prepared returns a solver of the task if it can solve it within the memory, else nil.
func prepared(ctx context.Context, t problem.Task, name Solver) func(ctx context.Context) (problem.Pairs, error) {
	switch name {
	case Dense:
		if t.N > problem.RescueProblem || t.Fits(ctx, problem.Dense) != nil {
			return nil
		}
		return func(ctx context.Context) (problem.Pairs, error) { return dense.Solve(ctx, t) }
	case ShiftInvert:
		s, err := factor.Analyse(t.Op, t.Fixed, t.Observer)
		if s == nil || err != nil || !s.Affordable(ctx) {
			return nil
		}
		return func(ctx context.Context) (problem.Pairs, error) { return factor.InvertOver(ctx, t, s) }
	}
	return func(ctx context.Context) (problem.Pairs, error) { return krylov.Lanczos(ctx, t) }
}

// reverse changes descending pairs to ascending order.
func (r *Result) reverse() {
	slices.Reverse(r.Values)
	raw := r.Vectors.RawMatrix()
	for i := 0; i < raw.Rows; i++ {
		slices.Reverse(raw.Data[i*raw.Stride:][:raw.Cols])
	}
}

// finish counts the pairs whose recomputed residual is within its limit and returns the typed error
// if one is not. It does not rely on the solver's own count.
func (r *Result) finish(opt Options, began time.Time, lacks problem.Lack, limit func(j int) float64) (*Result, error) {
	worst := 0.0
	for j, res := range r.Residuals {
		if math.IsNaN(res) || math.IsInf(res, 0) {
			return nil, problem.NotFinite(blas64.General{})
		}
		if res <= limit(j) {
			r.Converged++
		}
		worst = max(worst, res)
	}
	r.Stats.Total = time.Since(began)
	if r.Converged < opt.K || lacks.Unsearched {
		return r, &NotConvergedError{Result: r, Wanted: opt.K, Unsearched: lacks.Unsearched, Missing: lacks.Missing, Worst: worst, Tol: opt.Tol}
	}
	return r, nil
}

// EasyToFactor reports whether solver shift-invert takes less time than dense LAPACK for k
// eigenpairs of a: twice the operations of three factorisations and the solves are below
// 4/3·n³, of which LAPACK spends half outside of fast products. It analyses the pattern.
func EasyToFactor(a *sparse.CSR, k int) bool { return factor.BeatsDense(a, k) }

package eigen

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/factor"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
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

// EasyToFactor reports whether solver shift-invert takes less time than dense LAPACK for k
// eigenpairs of a, by the measured costs of an operation of each: of factorisations, solves, the
// basis and the count. It analyses the pattern.
func EasyToFactor(a *sparse.CSR, k int) bool { return factor.BeatsDense(a, k) }

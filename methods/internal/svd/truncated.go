package svd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// Stage is the progress stage of this package's notes; the solver reports with the stage of package
// eigen.
const Stage = "singular vectors"

// DefaultTol is Options.Tol if that is 0.
const DefaultTol = 1e-8

// gramMost is the size of the largest Gram matrix, with its vectors, for which LAPACK is chosen.
const gramMost = 1 << 30

// Options describe the wanted part of the decomposition and the solver.
type Options struct {
	// K is the number of singular values wanted; 0 if Share is set.
	K int
	// Share, in (0, 1], requests as many values as hold this share of the squared Frobenius norm.
	Share float64
	// Tol bounds the residuals relative to σ_1, below 1; 0 is DefaultTol. It and Solver are checked by
	// the packages that use this one, of which they are options.
	Tol float64
	// Solver is "" or auto (chosen automatically), dense for LAPACK on the Gram matrix, or one of
	// eigen's iterative solvers.
	Solver eigen.Solver
	// Seed starts the random vectors of the iterative solvers.
	Seed     uint64
	Observer progress.Observer

	most int64 // in place of gramMost, for tests
}

// Factors are the computed singular values, descending, with their vectors.
type Factors struct {
	// Singular holds the singular values in the units of the data, so divided by Matrix.Scale.
	Singular []float64
	// V is d×k with one right singular vector per column; AV is A·V, the own rows of n×k, in the
	// scaled units of [Matrix].
	V, AV blas64.General
	// Left is ‖Xv − σu‖ and Right ‖Xᵀu − σv‖ with u = Xv/‖Xv‖, in the units of the data.
	Left, Right []float64
	// Rank counts the values that are not zero up to rounding; those after it are zeros with zero
	// vectors.
	Rank  int
	Stats eigen.Stats
}

// work is the state of one decomposition.
type work struct {
	m     *Matrix
	opt   Options
	most  int64 // bytes that an automatic choice may take, on every rank
	stats eigen.Stats
}

// Truncated finds the largest singular values and vectors of m.
//
// Errors: a request that cannot be met (fs.ErrInvalid), the error of ctx, and
// *eigen.NotConvergedError with the partial factors.
func Truncated(ctx context.Context, m *Matrix, opt Options) (*Factors, error) {
	w, err := newWork(ctx, m, opt)
	if err != nil {
		return nil, err
	}
	return w.factors(ctx)
}

// newWork checks the request against the matrix.
func newWork(ctx context.Context, m *Matrix, opt Options) (*work, error) {
	opt.Tol = cmp.Or(opt.Tol, DefaultTol)
	p, _ := m.side()
	// No more than what there can be need of: then small work does not read the system each time.
	most := ranks.Least(m.share, memory.UpTo(ctx, cmp.Or(opt.most, min(gramMost, max(gramBytes(p, p), iterativeBytes(p, p))))))
	if opt.K > p {
		return nil, invalid.Errorf("%d dimensions were requested, but a %d × %d matrix has at most %d; request fewer", opt.K, m.Rows, m.Cols, p)
	}
	if m.Total == 0 && opt.K == 0 {
		return nil, invalid.Errorf("no share of the variance can be taken: the data do not vary, all rows are equal")
	}
	return &work{m: m, opt: opt, most: most}, nil
}

func (w *work) factors(ctx context.Context) (*Factors, error) {
	began := time.Now()
	if w.m.Total == 0 {
		if w.m.Mean != nil {
			w.opt.Observer.Warnf(Stage, "All rows are equal, so every dimension is zero.")
		} else {
			w.noteRank(0, w.opt.K)
		}
		zeros := make([]float64, w.opt.K)
		return &Factors{Singular: zeros, Left: zeros, Right: zeros, V: panel.New(w.m.Cols, w.opt.K), AV: panel.New(w.m.own, w.opt.K)}, ranks.Agree(w.m.share, ctx.Err())
	}
	if err := w.fits(ctx); err != nil {
		return nil, err
	}
	f, err := w.run(ctx)
	if f != nil {
		f.Stats = w.stats
		f.Stats.Total = time.Since(began)
		w.noteRank(f.Rank, len(f.Singular))
	}
	return f, err
}

// fits returns an error if the factors of k dimensions and their products with the matrix need more
// memory than is left. The solver of the eigenproblem asks for its own.
func (w *work) fits(ctx context.Context) error {
	k := max(1, w.opt.K)
	err := memory.Need(ctx, factorBytes(w.m.own, w.m.Cols, k), "ask for fewer dimensions (‹dims›), or drop empty columns",
		"%s of %s and %s", words.Counted(k, "dimension"), words.Counted(w.m.Rows, "document"), words.Counted(w.m.Cols, "term"))
	return ranks.Agree(w.m.share, err)
}

// factorBytes is the memory of k dimensions and their products with the matrix: V, AV, AᵀAV, and
// the eigenvectors of AAᵀ or AᵀA, whichever is smaller.
func factorBytes(rows, cols, k int) int64 {
	return memory.Sum(memory.Bytes(8, rows, k), memory.Bytes(16, cols, k), memory.Bytes(8, min(rows, cols), k))
}

// Bytes estimates the peak memory of k dimensions of a matrix by a solver, in bytes: factors and
// eigenproblem, of a rank that has own of the rows and its part of the columns. The matrix is not
// counted.
func Bytes(share *ranks.Share, own, cols, k int, isDense bool, solver eigen.Solver) int64 {
	rows := share.Among(own)
	p, here := cols, ranks.Evenly(share, cols).Own()
	if rows <= cols {
		p, here = rows, own
	}
	k = min(max(1, k), p)
	if whole, _ := explicit(p, k, k, isDense, solver, gramMost); whole {
		return max(gramBytes(p, k), memory.Sum(memory.Bytes(8, p, k), factorBytes(own, cols, k)))
	}
	problem := eigen.Bytes(max(here, min(p, k)), k, eigen.Options{Solver: solver})
	return memory.Sum(factorBytes(own, cols, k), problem)
}

func (w *work) noteRank(rank, k int) {
	if rank < k {
		w.opt.Observer.Warnf(Stage, "The matrix has rank %d, so %d of %d dimensions %s zero.", rank, k-rank, k, words.Verb(k-rank, "is", "are"))
	}
}

// run finds the eigenpairs of the Gram matrix and refines them.
func (w *work) run(ctx context.Context) (*Factors, error) {
	tol := w.firstTol()
	pairs, err := w.spectrum(ctx, tol)
	return w.refined(ctx, pairs, tol, err)
}

// firstTol is the first tolerance for the eigenpairs of the Gram matrix.
func (w *work) firstTol() float64 { return max(w.opt.Tol/64, tightest) }

// refined computes factors from the eigenpairs found within tol, or with err. If small singular
// values need a tighter tolerance, it solves again, starting from the vectors found.
func (w *work) refined(ctx context.Context, pairs eigenpairs, tol float64, err error) (*Factors, error) {
	for {
		var stopped *eigen.NotConvergedError
		if err != nil && (!errors.As(err, &stopped) || len(pairs.values) == 0) {
			return nil, err
		}
		f, refineErr := w.fromSquares(ctx, pairs)
		if f == nil && refineErr == nil {
			f, refineErr = w.m.refine(ctx, pairs)
		}
		if refineErr != nil {
			return nil, refineErr
		}
		if !f.finite() {
			return nil, errBeyond()
		}
		need := f.tolerance(w.opt.Tol)
		if err != nil || need >= tol || w.stats.Solver == eigen.Dense {
			return f, err
		}
		tol = need
		pairs, err = w.iterate(ctx, len(pairs.values), tol, pairs.vectors)
	}
}

func errBeyond() error {
	return invalid.Errorf("the singular values exceed the largest number (%.3g): divide the data by a constant", math.MaxFloat64)
}

// tightest is the smallest tolerance, relative to the largest eigenvalue, that is requested from
// the eigensolver.
const tightest = 1e-13

// tolerance returns the tolerance for the eigenpairs of the Gram matrix that the residuals still
// require; 1 if they are within tol·σ_1. A residual ρ of A is one of ρ·σ of the Gram matrix.
func (f *Factors) tolerance(tol float64) float64 {
	need := 1.0
	top := f.Singular[0]
	for j, right := range f.Right[:f.Rank] {
		if right > tol*top {
			need = min(need, max(tol*f.Singular[j]/top/2, tightest))
		}
	}
	return need
}

func (f *Factors) finite() bool {
	for j, s := range f.Singular {
		if math.IsInf(s, 0) || math.IsNaN(s+f.Right[j]) || math.IsInf(f.Right[j], 0) {
			return false
		}
	}
	return true
}

// Sizes that decide between LAPACK and the iterative solver, measured on samples of TDT2. LAPACK on
// one thread takes as long as Lanczos for any number of pairs of 600 documents, for an eighth of
// the pairs of 2,000 documents and for a third of more. The Gram matrix of dense data is cheap up
// to denseSide.
const (
	smallSide  = 600
	mediumSide = 2000
	denseSide  = 2000
)

// spectrum finds the wanted eigenpairs of the Gram matrix.
func (w *work) spectrum(ctx context.Context, tol float64) (eigenpairs, error) {
	if w.opt.K == 0 {
		return w.share(ctx, tol)
	}
	p, _ := w.m.side()
	if explicit, why := w.explicit(w.opt.K, w.opt.K); explicit {
		return w.dense(ctx, w.opt.K, why)
	}
	w.stats.Why = fmt.Sprintf("%d of %d dimensions", w.opt.K, p)
	return w.iterate(ctx, w.opt.K, tol, blas64.General{})
}

// explicit decides whether to use LAPACK on the Gram matrix for k pairs, given room for room of
// them, and returns the reason.
func (w *work) explicit(k, room int) (bool, string) {
	p, _ := w.m.side()
	return explicit(p, k, room, w.m.a == nil, w.opt.Solver, w.most)
}

// explicit is the decision for a smaller side p of a matrix, dense or sparse.
func explicit(p, k, room int, isDense bool, solver eigen.Solver, most int64) (bool, string) {
	switch solver {
	case eigen.Dense:
		return true, ""
	case eigen.ARPACK, eigen.Lanczos:
		return false, ""
	}
	switch {
	case gramBytes(p, room) > most:
		return false, ""
	case p <= smallSide || isDense && p <= denseSide:
		return true, fmt.Sprintf("the Gram matrix has only %d rows", p)
	case k > p/3 || p <= mediumSide && k > p/8:
		return true, fmt.Sprintf("%d of %d dimensions are a large share", k, p)
	}
	return false, ""
}

// gramBytes returns the memory of LAPACK for k of p eigenpairs: the matrix, two copies and the
// vectors twice. The solver in Go works in the matrix itself, and takes one copy for more than half
// of the pairs.
func gramBytes(p, k int) int64 {
	matrices := int64(3)
	if native.Default().Name() == "go" {
		if matrices = 1; 2*k > p {
			matrices = 2
		}
	}
	return 8 * int64(p) * (matrices*int64(p) + 2*int64(k))
}

// maxGram is the largest size for the dense solver if it is requested by name, as in package
// eigen: a limit of LAPACK's time and of its indices, whatever the memory.
const maxGram = 20000

func (w *work) dense(ctx context.Context, k int, why string) (eigenpairs, error) {
	began := time.Now()
	p, _ := w.m.side()
	if p > maxGram {
		return eigenpairs{}, invalid.Errorf("the dense solver would need %.0f GB for a Gram matrix of size %d; use the solver lanczos", float64(gramBytes(p, k))/1e9, p)
	}
	err := memory.Need(ctx, gramBytes(p, k), "use ‹solver› lanczos", "the Gram matrix of size %s with LAPACK", words.Thousands(p))
	if err = ranks.Agree(w.m.share, err); err != nil {
		return eigenpairs{}, err
	}
	w.opt.Observer.Detailf(Stage, "solver %s: %s", eigen.Dense, orElse(why, "it was asked for"))
	pairs, err := w.m.solveGram(ctx, k)
	w.stats.Solver, w.stats.Why = eigen.Dense, why
	w.stats.BasisTime += time.Since(began)
	return pairs, err
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// iterate solves for k pairs of the Gram operator with package eigen. start, if not empty, holds
// approximations.
func (w *work) iterate(ctx context.Context, k int, tol float64, start blas64.General) (eigenpairs, error) {
	solver := w.opt.Solver
	if solver == "" || solver == eigen.Auto {
		solver = eigen.Lanczos
		w.opt.Observer.Detailf(Stage, "solver %s: %s", solver, w.stats.Why)
	}
	p, _ := w.m.side()
	o := eigen.Options{
		K: k, Which: eigen.Largest, Tol: tol, Solver: solver, Seed: w.opt.Seed, Observer: w.opt.Observer, Start: asDense(start),
	}
	// Many pairs: with wide blocks most of the orthogonalisation is gemm (for 500 pairs of 9,394
	// documents 3.9 s instead of 6.9 s).
	if k >= 100 && 2*k <= p/2 {
		o.Block, o.Subspace = 16, 2*k
	}
	r, err := eigen.Symmetric(ctx, gramOperator{w.m}, o)
	var stopped *eigen.NotConvergedError
	if errors.As(err, &stopped) {
		r = stopped.Result
	} else if err != nil {
		return eigenpairs{}, err
	}
	w.add(r.Stats)
	if len(r.Values) == 0 {
		return eigenpairs{}, err
	}
	return eigenpairs{values: r.Values, vectors: r.Vectors.RawMatrix()}.reversed(len(r.Values)), err
}

// add adds the statistics of another solution.
func (w *work) add(s eigen.Stats) {
	w.stats.Solver, w.stats.Subspace, w.stats.Block = s.Solver, s.Subspace, s.Block
	w.stats.Products += s.Products
	w.stats.Restarts += s.Restarts
	w.stats.Recovered += s.Recovered
	w.stats.Missed += s.Missed
	w.stats.ProductTime += s.ProductTime
	w.stats.BasisTime += s.BasisTime
}

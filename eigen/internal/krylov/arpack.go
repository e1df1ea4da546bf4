package krylov

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/dense"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
)

// ARPACK solves with ARPACK's implicitly restarted Lanczos method, one vector at a time, and then
// searches the complement of its result, because a Krylov space grown from one vector holds only
// one copy of a multiple eigenvalue.
//
// If ARPACK drew random vectors, its result would not repeat its bits, and lanczos solves the
// problem from the start.
//
// Memory: (subspace + 5)·8n bytes, then what lanczos takes for the search. One call at a time per
// process, because ARPACK keeps static state.
func ARPACK(ctx context.Context, t problem.Task) (problem.Pairs, error) {
	if t.K >= t.Room() || t.Room() < 3 {
		return dense.Solve(ctx, t) // ARPACK cannot find all eigenpairs of a problem
	}
	began := time.Now()
	stats := problem.Stats{Solver: problem.ARPACK, Block: 1, Subspace: t.Subspace}
	if stats.Subspace == 0 {
		stats.Subspace = max(2*t.K+1, 20)
	}
	stats.Subspace = min(stats.Subspace, t.Room())
	norm := 0.0 // estimate of the operator's norm: ARPACK multiplies unit vectors
	product := func(dst, x []float64) error {
		at := time.Now()
		d := space.AsBlock(dst, t.N, 1)
		t.Op.MulBlock(d, space.AsBlock(x, t.N, 1))
		t.Known.Project(d)
		if norm = max(norm, blas64.Nrm2(space.Vector(d))); math.IsNaN(norm) || math.IsInf(norm, 0) {
			return problem.NotFinite(d)
		}
		stats.ProductTime += time.Since(at)
		if stats.Products++; stats.Products%stats.Subspace == 0 {
			t.Observer.Report(problem.Stage, int64(stats.Products), 0, "products")
		}
		return ctx.Err()
	}
	start := space.NewBasis(t.N, 1, t.Known, t.Seed)
	start.PushRandom(space.NewBlock(t.N, 1))
	found, err := native.SymARPACK(t.N, t.K, native.ARPACKOptions{
		Which: "LA", NCV: stats.Subspace, Tol: max(t.Tol, 4e-15), MaxIter: t.MaxIter,
		Start: start.V.Data, Check: ctx.Err,
	}, product)
	stats.Restarts = found.Iterations
	stats.Total = time.Since(began)
	stats.BasisTime = stats.Total - stats.ProductTime
	var failed *native.ARPACKError
	if err == nil || errors.As(err, &failed) {
		if found.Random > 0 { // not repeatable: lanczos starts afresh
			found = native.ARPACKResult{Iterations: found.Iterations}
			failed = &native.ARPACKError{}
		}
	}
	switch {
	case errors.As(err, &failed) && failed.Info == 1:
		p := descending(found, stats)
		p.Norm, p.Unsearched = norm, true
		return p, nil
	case failed != nil:
		found = native.ARPACKResult{} // breakdown: lanczos continues from there
	case err != nil:
		return problem.Pairs{}, err
	}
	if t.Scaled {
		t.Tol, t.Scaled = t.Tol*norm, false
	}
	p := sound(t, descending(found, stats))
	checked, err := completed(ctx, t, p, stats)
	checked.Norm = max(checked.Norm, norm)
	return checked, err
}

// completed continues with block Lanczos from the sound pairs p of another solver, whose work is
// stats, until no pair is missing.
func completed(ctx context.Context, t problem.Task, p problem.Pairs, stats problem.Stats) (problem.Pairs, error) {
	t.Observer.Report(problem.Stage, int64(p.Converged), int64(t.K), "pairs")
	// The start must differ from the other solver's, which has no component left in what it missed.
	t.Subspace, t.Block, t.Seed = 0, 0, t.Seed+1
	checked, err := continueLanczos(ctx, t, p.Vectors, p.Values)
	if err != nil {
		return problem.Pairs{}, err
	}
	stats.Recovered = checked.Stats.Recovered + t.K - p.Converged
	stats.Missed = checked.Stats.Missed
	stats.Restarts += checked.Stats.Restarts
	stats.Products += checked.Stats.Products
	stats.ProductTime += checked.Stats.ProductTime
	stats.BasisTime += checked.Stats.BasisTime
	checked.Stats = stats
	return checked, nil
}

// sound keeps the pairs that are orthonormal, orthogonal to the known vectors and within the
// tolerance. After a breakdown ARPACK continues with a random vector of the whole space. The known
// vectors have a component in it, with the eigenvalue 0 of the projected operator; such copies are
// not eigenvectors of S.
func sound(t problem.Task, p problem.Pairs) problem.Pairs {
	if len(p.Values) == 0 {
		return problem.Pairs{Vectors: blas64.General{Rows: t.N}, Stats: p.Stats}
	}
	t.Known.Project(p.Vectors)
	b := t.NewBasis(p.Vectors.Cols, 0)
	product, column := space.NewBlock(t.N, 1), space.NewBlock(t.N, 1)
	kept := problem.Pairs{Stats: p.Stats}
	for j, value := range p.Values {
		space.CopyBlock(column, space.Columns(p.Vectors, j, j+1))
		b.Orthogonalise(column, 0)
		norm := b.Space.Norm(column)
		if norm < 0.5 {
			continue
		}
		blas64.Scal(1/norm, space.Vector(column))
		t.Op.MulBlock(product, column)
		blas64.Axpy(-value, space.Vector(column), space.Vector(product))
		if b.Space.Norm(product) > max(t.Tol, 1e-14*math.Abs(value)) {
			continue
		}
		b.Push(column)
		kept.Values = append(kept.Values, value)
	}
	kept.Converged = b.Size
	kept.Vectors = space.Columns(b.V, 0, b.Size)
	return kept
}

// descending reverses ARPACK's ascending pairs.
func descending(found native.ARPACKResult, stats problem.Stats) problem.Pairs {
	slices.Reverse(found.Values)
	for i := 0; i < found.Vectors.Rows; i++ {
		slices.Reverse(found.Vectors.Data[i*found.Vectors.Stride:][:found.Vectors.Cols])
	}
	return problem.Pairs{Values: found.Values, Vectors: found.Vectors, Converged: found.Converged, Stats: stats}
}

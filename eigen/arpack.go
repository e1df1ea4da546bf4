package eigen

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
)

// arpack solves with ARPACK's implicitly restarted Lanczos method, one vector at a time, and then
// searches the complement of its result, because a Krylov space grown from one vector holds only
// one copy of a multiple eigenvalue.
//
// If ARPACK drew random vectors, its result would not repeat its bits, and lanczos solves the
// problem from the start.
//
// Memory: (subspace + 5)·8n bytes, then that of lanczos for the search. One call at a time per
// process, because ARPACK keeps static state.
func arpack(ctx context.Context, t task) (pairs, error) {
	if t.k >= t.room() || t.room() < 3 {
		return dense(ctx, t) // ARPACK cannot find all eigenpairs of a problem
	}
	began := time.Now()
	stats := work{Solver: arpackName, Block: 1, Subspace: t.subspace}
	if stats.Subspace == 0 {
		stats.Subspace = max(2*t.k+1, 20)
	}
	stats.Subspace = min(stats.Subspace, t.room())
	norm := 0.0 // estimate of the operator's norm: ARPACK multiplies unit vectors
	product := func(dst, x []float64) error {
		at := time.Now()
		d := space.AsBlock(dst, t.n, 1)
		t.op.MulBlock(d, space.AsBlock(x, t.n, 1))
		t.known.Project(d)
		if norm = max(norm, blas64.Nrm2(space.Vector(d))); math.IsNaN(norm) || math.IsInf(norm, 0) {
			return notFinite(d)
		}
		stats.ProductTime += time.Since(at)
		if stats.Products++; stats.Products%stats.Subspace == 0 {
			t.observer.Report(stage, int64(stats.Products), 0, "products")
		}
		return ctx.Err()
	}
	start := space.NewBasis(t.n, 1, t.known, t.seed)
	start.PushRandom(space.NewBlock(t.n, 1))
	found, err := native.SymARPACK(t.n, t.k, native.ARPACKOptions{
		Which: "LA", NCV: stats.Subspace, Tol: max(t.tol, 4e-15), MaxIter: t.maxIter,
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
		p.norm, p.unsearched = norm, true
		return p, nil
	case failed != nil:
		found = native.ARPACKResult{} // breakdown: lanczos continues from there
	case err != nil:
		return pairs{}, err
	}
	if t.scaled {
		t.tol, t.scaled = t.tol*norm, false
	}
	p := sound(t, descending(found, stats))
	t.observer.Report(stage, int64(p.converged), int64(t.k), "pairs")

	// The start must differ from ARPACK's, which has no component left in what ARPACK missed.
	t.subspace, t.block, t.seed = 0, 0, t.seed+1
	checked, err := continueLanczos(ctx, t, p.vectors, p.values)
	if err != nil {
		return pairs{}, err
	}
	stats.Recovered = checked.stats.Recovered + t.k - p.converged
	stats.Missed = checked.stats.Missed
	stats.Restarts += checked.stats.Restarts
	stats.Products += checked.stats.Products
	stats.ProductTime += checked.stats.ProductTime
	stats.BasisTime += checked.stats.BasisTime
	checked.stats, checked.norm = stats, max(checked.norm, norm)
	return checked, nil
}

// sound keeps the pairs that are orthonormal, orthogonal to the known vectors and within the
// tolerance. After a breakdown ARPACK continues with a random vector of the whole space. The known
// vectors have a component in it, with the eigenvalue 0 of the projected operator; such copies are
// not eigenvectors of S.
func sound(t task, p pairs) pairs {
	if len(p.values) == 0 {
		return pairs{vectors: blas64.General{Rows: t.n}, stats: p.stats}
	}
	t.known.Project(p.vectors)
	b := t.newBasis(p.vectors.Cols, 0)
	product, column := space.NewBlock(t.n, 1), space.NewBlock(t.n, 1)
	kept := pairs{stats: p.stats}
	for j, value := range p.values {
		space.CopyBlock(column, space.Columns(p.vectors, j, j+1))
		b.Orthogonalise(column, 0)
		norm := b.Space.Norm(column)
		if norm < 0.5 {
			continue
		}
		blas64.Scal(1/norm, space.Vector(column))
		t.op.MulBlock(product, column)
		blas64.Axpy(-value, space.Vector(column), space.Vector(product))
		if b.Space.Norm(product) > max(t.tol, 1e-14*math.Abs(value)) {
			continue
		}
		b.Push(column)
		kept.values = append(kept.values, value)
	}
	kept.converged = b.Size
	kept.vectors = space.Columns(b.V, 0, b.Size)
	return kept
}

// descending reverses ARPACK's ascending pairs.
func descending(found native.ARPACKResult, stats work) pairs {
	slices.Reverse(found.Values)
	for i := 0; i < found.Vectors.Rows; i++ {
		slices.Reverse(found.Vectors.Data[i*found.Vectors.Stride:][:found.Vectors.Cols])
	}
	return pairs{values: found.Values, vectors: found.Vectors, converged: found.Converged, stats: stats}
}

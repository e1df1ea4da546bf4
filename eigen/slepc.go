package eigen

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/native/slepc"
	"gonum.org/v1/gonum/blas/blas64"
)

// bySLEPc solves with SLEPc's Krylov-Schur method on the divided matrix, whose known eigenvectors
// are moved below the spectrum. A Krylov space grown from one vector holds one copy of a multiple
// eigenvalue, so SLEPc's pairs are checked one by one, and block Lanczos on the same matrix finds
// those that are missing and searches their complement until its certificate holds (see
// "Completeness" in the package comment).
func bySLEPc(ctx context.Context, t task) (pairs, error) {
	began := time.Now()
	share := (&krylov{task: t}).lockShare()
	request := slepc.Request{K: min(t.k, t.room()-1), Subspace: t.subspace, Tol: max(t.tol*share, 1e-14), Relative: t.scaled, MaxIter: t.maxIter}
	found := slepc.Found{Vectors: blas64.General{Rows: t.n}}
	if request.K > 0 && t.room() > 2 {
		start := t.newBasis(1, t.seed)
		start.PushRandom(space.NewBlock(t.n, 1))
		request.Start = start.V.Data
		var err error
		if found, err = t.matrix.Largest(request); err != nil {
			return pairs{}, err
		}
	}
	stats := work{Solver: slepcName, Products: found.Products, Restarts: found.Iterations, Subspace: found.Subspace, Block: 1, ProductTime: time.Since(began)}
	p := pairs{values: found.Values, vectors: found.Vectors, converged: len(found.Values), stats: stats}
	if len(p.values) == 0 {
		p.vectors = blas64.General{Rows: t.n}
	}
	if t.scaled {
		norm := 0.0
		for _, v := range p.values {
			norm = max(norm, math.Abs(v))
		}
		t.tol, t.scaled = t.tol*norm, norm == 0
	}
	p = sound(t, p)
	t.observer.Report(stage, int64(p.converged), int64(t.k), "pairs")

	// The start must differ from SLEPc's, which has no component left in what it missed.
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
	stats.BasisTime = checked.stats.BasisTime
	stats.Total = time.Since(began)
	checked.stats = stats
	return checked, nil
}

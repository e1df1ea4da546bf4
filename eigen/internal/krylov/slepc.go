package krylov

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/native/slepc"
	"gonum.org/v1/gonum/blas/blas64"
)

// BySLEPc solves with SLEPc's Krylov-Schur method on the divided matrix, whose known eigenvectors
// are moved below the spectrum. A Krylov space grown from one vector holds one copy of a multiple
// eigenvalue, so SLEPc's pairs are checked one by one, and block Lanczos on the same matrix finds
// those that are missing and searches their complement until its certificate holds (see
// "Completeness" in the package comment).
func BySLEPc(ctx context.Context, t problem.Task) (problem.Pairs, error) {
	began := time.Now()
	share := (&krylov{Task: t}).lockShare()
	request := slepc.Request{K: min(t.K, t.Room()-1), Subspace: t.Subspace, Tol: max(t.Tol*share, 1e-14), Relative: t.Scaled, MaxIter: t.MaxIter}
	found := slepc.Found{Vectors: blas64.General{Rows: t.N}}
	if request.K > 0 && t.Room() > 2 {
		start := t.NewBasis(1, t.Seed)
		start.PushRandom(space.NewBlock(t.N, 1))
		request.Start = start.V.Data
		var err error
		if found, err = t.Matrix.Largest(request); err != nil {
			return problem.Pairs{}, err
		}
	}
	stats := problem.Stats{Solver: problem.SLEPc, Products: found.Products, Restarts: found.Iterations, Subspace: found.Subspace, Block: 1, ProductTime: time.Since(began)}
	p := problem.Pairs{Values: found.Values, Vectors: found.Vectors, Converged: len(found.Values), Stats: stats}
	if len(p.Values) == 0 {
		p.Vectors = blas64.General{Rows: t.N}
	}
	if t.Scaled {
		norm := 0.0
		for _, v := range p.Values {
			norm = max(norm, math.Abs(v))
		}
		t.Tol, t.Scaled = t.Tol*norm, norm == 0
	}
	checked, err := completed(ctx, t, sound(t, p), stats)
	checked.Stats.Total = time.Since(began)
	return checked, err
}

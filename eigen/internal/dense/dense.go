// Package dense solves eigenproblems with LAPACK, and proves that no eigenvalue is missing.
package dense

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// maxDense is the largest size for the dense solver, whatever the memory: the work arrays of larger
// matrices outgrow the 32-bit indices of LAPACK, and the reduction takes hours.
const maxDense = 20000

// Solve finds the eigenpairs with LAPACK on the operator as a dense matrix: 8n² bytes (for a short
// time twice that), about 4/3·n³ flops for the reduction and n³/3 for the proof that nothing is
// missing. It shifts the known vectors below the spectrum, so that no returned vector mixes with
// them.
func Solve(ctx context.Context, t problem.Task) (problem.Pairs, error) {
	if t.N > maxDense {
		return problem.Pairs{}, invalid.Errorf("the dense solver would need %.0f GB for a problem of size %d; use the solver lanczos", 8*float64(t.N)*float64(t.N)/1e9, t.N)
	}
	began := time.Now()
	stats := problem.Stats{Solver: problem.Dense}
	var p problem.Pairs
	complete := false
	for _, part := range []native.EigRange{{First: t.N - t.K, Count: t.K}, {}} {
		a, norm, err := writeOut(ctx, t)
		if err != nil {
			return problem.Pairs{}, err
		}
		stats.Products += t.N
		stats.ProductTime = time.Since(began) - stats.BasisTime
		values, vectors, err := abandonable(ctx, func() ([]float64, blas64.General, error) {
			return native.Default().SymEig(a, part, true)
		})
		if err != nil {
			return problem.Pairs{}, err
		}
		p = largestPairs(t, values, vectors)
		p.Norm = norm
		if complete, err = nothingAbove(ctx, t, p, &stats); err != nil {
			return problem.Pairs{}, err
		}
		stats.BasisTime = time.Since(began) - stats.ProductTime
		if complete || part.Count == 0 || t.K == t.N {
			break
		}
	}
	p.Unsearched = !complete
	stats.Total = time.Since(began)
	p.Stats = stats
	t.Observer.Report(problem.Stage, int64(t.K), int64(t.K), "pairs")
	return p, ctx.Err()
}

// largestPairs returns the t.K largest of LAPACK's ascending pairs.
func largestPairs(t problem.Task, values []float64, vectors blas64.General) problem.Pairs {
	last := len(values) - 1
	p := problem.Pairs{Values: make([]float64, t.K), Vectors: space.NewBlock(t.N, t.K), Converged: t.K}
	for j := range t.K {
		p.Values[j] = values[last-j]
		space.CopyBlock(space.Columns(p.Vectors, j, j+1), space.Columns(vectors, last-j, last-j+1))
	}
	t.Known.Project(p.Vectors)
	return p
}

// nothingAbove proves that the operator has no other eigenvalue above the smallest of p: x − A is
// positive definite for x a little above it, after the vectors of p have been shifted out of the
// way. Cholesky's factorisation decides, with an error of rounding. A complete set of vectors needs
// no proof.
func nothingAbove(ctx context.Context, t problem.Task, p problem.Pairs, stats *problem.Stats) (bool, error) {
	if t.K == t.Room() || p.Norm == 0 {
		return true, nil
	}
	c, norm, err := writeOut(ctx, t)
	if err != nil {
		return false, err
	}
	stats.Products += t.N
	limit := t.Tol
	if t.Scaled {
		limit *= norm
	}
	x := p.Values[t.K-1] + max(problem.Slack*limit, problem.SlackRounding*norm)
	for i := range t.N {
		row := c.Data[i*t.N:][:t.N]
		for j := range row {
			row[j] = -row[j]
		}
		row[i] += x
	}
	shift := 2*norm + math.Abs(x)
	engine := native.Default()
	_, err = native.Abandonable(ctx, func() (struct{}, error) {
		defer native.Parallel()()
		engine.Syrk(blas.NoTrans, shift, p.Vectors, 1, c)
		return struct{}{}, engine.Cholesky(c)
	})
	var indefinite *native.NotPositiveDefiniteError
	if errors.As(err, &indefinite) {
		return false, nil
	}
	return err == nil, err
}

// abandonable is OneThread for long calls: see native.Abandonable.
func abandonable(ctx context.Context, solve func() ([]float64, blas64.General, error)) ([]float64, blas64.General, error) {
	type pairs struct {
		values  []float64
		vectors blas64.General
	}
	found, err := native.Abandonable(ctx, func() (p pairs, err error) {
		p.values, p.vectors, err = space.OneThread(solve)
		return p, err
	})
	return found.values, found.vectors, err
}

// writeOut makes the matrix of the operator from its products with the unit vectors, and moves the
// eigenvalues of the known vectors below all others. norm is the largest row sum of the operator
// before that.
func writeOut(ctx context.Context, t problem.Task) (matrix blas64.Symmetric, norm float64, err error) {
	const width = 32
	a := space.NewBlock(t.N, t.N)
	unit, product := space.NewBlock(t.N, width), space.NewBlock(t.N, width)
	for from := 0; from < t.N; from += width {
		if err := ctx.Err(); err != nil {
			return matrix, 0, err
		}
		c := min(width, t.N-from)
		clear(unit.Data)
		for j := range c {
			unit.Data[(from+j)*unit.Stride+j] = 1
		}
		t.Op.MulBlock(product, unit)
		if longest := space.LongestColumn(product); math.IsNaN(longest) || math.IsInf(longest, 0) {
			return matrix, 0, problem.NotFinite(product)
		}
		space.CopyBlock(space.Columns(a, from, from+c), space.Columns(product, 0, c))
	}
	for i := range t.N { // make it exactly symmetric, and bound its norm
		sum := 0.0
		for j := range t.N {
			if j > i {
				v := 0.5 * (a.Data[i*t.N+j] + a.Data[j*t.N+i])
				a.Data[i*t.N+j], a.Data[j*t.N+i] = v, v
			}
			sum += max(a.Data[i*t.N+j], -a.Data[i*t.N+j])
		}
		norm = max(norm, sum)
	}
	if t.Known.Size() > 0 {
		shift := 2*norm + 1
		members := make([][]int, t.Known.Count)
		for i, c := range t.Known.Label {
			members[c] = append(members[c], i)
		}
		for _, nodes := range members {
			for _, i := range nodes {
				for _, j := range nodes {
					a.Data[i*t.N+j] -= shift * t.Known.Weight[i] * t.Known.Weight[j]
				}
			}
		}
	}
	return blas64.Symmetric{N: t.N, Stride: t.N, Uplo: 'U', Data: a.Data}, norm, nil
}

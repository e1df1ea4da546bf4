package eigen

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// maxDense is the largest size for the dense solver: the matrix then takes 8·maxDense² bytes = 3.2
// GB.
const maxDense = 20000

// dense solves with LAPACK on the operator as a dense matrix: 8n² bytes (for a short time twice
// that), about 4/3·n³ flops for the reduction and n³/3 for the proof that nothing is missing. It
// shifts the known vectors below the spectrum, so that no returned vector mixes with them.
func dense(ctx context.Context, t task) (pairs, error) {
	if t.n > maxDense {
		return pairs{}, invalid.Errorf("the dense solver would need %.0f GB for a problem of size %d; use the solver lanczos", 8*float64(t.n)*float64(t.n)/1e9, t.n)
	}
	began := time.Now()
	stats := work{Solver: denseName}
	var p pairs
	complete := false
	for _, part := range []native.EigRange{{First: t.n - t.k, Count: t.k}, {}} {
		a, norm, err := writeOut(ctx, t)
		if err != nil {
			return pairs{}, err
		}
		stats.Products += t.n
		stats.ProductTime = time.Since(began) - stats.BasisTime
		values, vectors, err := abandonable(ctx, func() ([]float64, blas64.General, error) {
			return native.Default().SymEig(a, part, true)
		})
		if err != nil {
			return pairs{}, err
		}
		p = largestPairs(t, values, vectors)
		p.norm = norm
		if complete, err = nothingAbove(ctx, t, p, &stats); err != nil {
			return pairs{}, err
		}
		stats.BasisTime = time.Since(began) - stats.ProductTime
		if complete || part.Count == 0 || t.k == t.n {
			break
		}
	}
	p.unsearched = !complete
	stats.Total = time.Since(began)
	p.stats = stats
	t.observer.Report(stage, int64(t.k), int64(t.k), "pairs")
	return p, ctx.Err()
}

// largestPairs takes the t.k largest of LAPACK's ascending pairs.
func largestPairs(t task, values []float64, vectors blas64.General) pairs {
	last := len(values) - 1
	p := pairs{values: make([]float64, t.k), vectors: space.NewBlock(t.n, t.k), converged: t.k}
	for j := range t.k {
		p.values[j] = values[last-j]
		space.CopyBlock(space.Columns(p.vectors, j, j+1), space.Columns(vectors, last-j, last-j+1))
	}
	t.known.Project(p.vectors)
	return p
}

// nothingAbove proves that the operator has no other eigenvalue above the smallest of p: x − A is
// positive definite for x a little above it, after the vectors of p have been shifted out of the
// way. Cholesky's factorisation decides, with an error of rounding. A complete set of vectors needs
// no proof.
func nothingAbove(ctx context.Context, t task, p pairs, stats *work) (bool, error) {
	if t.k == t.room() || p.norm == 0 {
		return true, nil
	}
	c, norm, err := writeOut(ctx, t)
	if err != nil {
		return false, err
	}
	stats.Products += t.n
	limit := t.tol
	if t.scaled {
		limit *= norm
	}
	x := p.values[t.k-1] + max(slack*limit, slackRounding*norm)
	for i := range t.n {
		row := c.Data[i*t.n:][:t.n]
		for j := range row {
			row[j] = -row[j]
		}
		row[i] += x
	}
	shift := 2*norm + math.Abs(x)
	engine := native.Default()
	_, err = native.Abandonable(ctx, func() (struct{}, error) {
		defer native.Parallel()()
		engine.Syrk(blas.NoTrans, shift, p.vectors, 1, c)
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
func writeOut(ctx context.Context, t task) (matrix blas64.Symmetric, norm float64, err error) {
	const width = 32
	a := space.NewBlock(t.n, t.n)
	unit, product := space.NewBlock(t.n, width), space.NewBlock(t.n, width)
	for from := 0; from < t.n; from += width {
		if err := ctx.Err(); err != nil {
			return matrix, 0, err
		}
		c := min(width, t.n-from)
		clear(unit.Data)
		for j := range c {
			unit.Data[(from+j)*unit.Stride+j] = 1
		}
		t.op.MulBlock(product, unit)
		if longest := space.LongestColumn(product); math.IsNaN(longest) || math.IsInf(longest, 0) {
			return matrix, 0, notFinite(product)
		}
		space.CopyBlock(space.Columns(a, from, from+c), space.Columns(product, 0, c))
	}
	for i := range t.n { // make it exactly symmetric, and bound its norm
		sum := 0.0
		for j := range t.n {
			if j > i {
				v := 0.5 * (a.Data[i*t.n+j] + a.Data[j*t.n+i])
				a.Data[i*t.n+j], a.Data[j*t.n+i] = v, v
			}
			sum += max(a.Data[i*t.n+j], -a.Data[i*t.n+j])
		}
		norm = max(norm, sum)
	}
	if t.known.Size() > 0 {
		shift := 2*norm + 1
		members := make([][]int, t.known.Count)
		for i, c := range t.known.Label {
			members[c] = append(members[c], i)
		}
		for _, nodes := range members {
			for _, i := range nodes {
				for _, j := range nodes {
					a.Data[i*t.n+j] -= shift * t.known.Weight[i] * t.known.Weight[j]
				}
			}
		}
	}
	return blas64.Symmetric{N: t.n, Stride: t.n, Uplo: 'U', Data: a.Data}, norm, nil
}

package eigen

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
)

// maxDense is the largest size for the dense solver: the matrix then takes 8·maxDense² bytes = 3.2
// GB.
const maxDense = 20000

// dense solves with LAPACK on the operator as a dense matrix: 8n² bytes (for a short time twice
// that), about 4/3·n³ flops for the reduction. It shifts the known vectors below the spectrum, so
// that no returned vector mixes with them.
func dense(ctx context.Context, t task) (pairs, error) {
	if t.n > maxDense {
		return pairs{}, invalid.Errorf("the dense solver would need %.0f GB for a problem of size %d; use the solver lanczos", 8*float64(t.n)*float64(t.n)/1e9, t.n)
	}
	began := time.Now()
	a, norm, err := writeOut(ctx, t)
	if err != nil {
		return pairs{}, err
	}
	multiplied := time.Now()
	values, vectors, err := abandonable(ctx, func() ([]float64, blas64.General, error) {
		return native.Default().SymEig(a, native.EigRange{First: t.n - t.k, Count: t.k}, true)
	})
	if err != nil {
		return pairs{}, err
	}
	p := pairs{values: make([]float64, t.k), vectors: newBlock(t.n, t.k), converged: t.k, norm: norm}
	for j := range t.k {
		p.values[j] = values[t.k-1-j]
		copyBlock(columns(p.vectors, j, j+1), columns(vectors, t.k-1-j, t.k-j))
	}
	t.known.project(p.vectors)
	p.stats = Stats{
		Solver: Dense, Products: t.n, ProductTime: multiplied.Sub(began),
		BasisTime: time.Since(multiplied), Total: time.Since(began),
	}
	t.observer.Report(stage, int64(t.k), int64(t.k), "pairs")
	return p, ctx.Err()
}

// abandonable is oneThread for long calls. LAPACK cannot be interrupted: if the context ends first,
// the call continues in the background and its result is discarded.
func abandonable(ctx context.Context, solve func() ([]float64, blas64.General, error)) ([]float64, blas64.General, error) {
	type outcome struct {
		values  []float64
		vectors blas64.General
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		values, vectors, err := oneThread(solve)
		done <- outcome{values, vectors, err}
	}()
	select {
	case o := <-done:
		return o.values, o.vectors, o.err
	case <-ctx.Done():
		return nil, blas64.General{}, ctx.Err()
	}
}

// writeOut makes the matrix of the operator from its products with the unit vectors, and moves the
// eigenvalues of the known vectors below all others. norm is the largest row sum of the operator
// before that.
func writeOut(ctx context.Context, t task) (matrix blas64.Symmetric, norm float64, err error) {
	const width = 32
	a := newBlock(t.n, t.n)
	unit, product := newBlock(t.n, width), newBlock(t.n, width)
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
		copyBlock(columns(a, from, from+c), columns(product, 0, c))
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
	if t.known.size() > 0 {
		shift := 2*norm + 1
		members := make([][]int, t.known.count)
		for i, c := range t.known.label {
			members[c] = append(members[c], i)
		}
		for _, nodes := range members {
			for _, i := range nodes {
				for _, j := range nodes {
					a.Data[i*t.n+j] -= shift * t.known.weight[i] * t.known.weight[j]
				}
			}
		}
	}
	return blas64.Symmetric{N: t.n, Stride: t.n, Uplo: 'U', Data: a.Data}, norm, nil
}

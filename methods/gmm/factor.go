package gmm

import (
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

const (
	// leaf is the order of the diagonal blocks of L that are inverted. Triangular solves then
	// become products at the speed of gemm, of which trsm reaches 60 %. Inverses of whole factors
	// would be as fast, and less exact.
	leaf = 32
	// leastPivot is the share of its column's variance that a pivot must keep: the share not
	// explained by the columns before.
	leastPivot = 1e-12
	// leastVariance is the least variance of a component relative to the variance of all data: below
	// it its rows agree to within rounding.
	leastVariance = 1e-16
)

// leafLen is how many numbers the inverted blocks of one factor take.
func leafLen(d int) int { return (d + leaf - 1) / leaf * leaf * leaf }

// factor is a covariance with its Cholesky factor, in the storage that Mixture describes.
type factor struct {
	d             int
	block         []float64
	pivot, leaves []float64
}

var errSingular = errors.New("singular covariance")

// compute makes the factor of the upper triangle. If the covariance is too close to singular it
// returns errSingular and leaves the upper triangle as it was. d³/3 flops. Each variance must
// exceed least. After the context's error f must not be used.
func (f factor) compute(ctx context.Context, engine native.Engine, least []float64) error {
	d, b := f.d, f.block
	const tile = 32
	for i0 := 0; i0 < d; i0 += tile {
		for j0 := i0; j0 < d; j0 += tile {
			for i := i0; i < min(i0+tile, d); i++ {
				for j := max(j0, i+1); j < min(j0+tile, d); j++ {
					b[j*d+i] = b[i*d+j]
				}
			}
		}
	}
	for i := range d {
		f.pivot[i] = b[i*d+i]
		if !(f.pivot[i] > least[i]) {
			return errSingular
		}
	}
	err := f.cholesky(ctx, engine)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i := range d {
		variance := f.pivot[i]
		f.pivot[i], b[i*d+i] = b[i*d+i], variance
		if err == nil && f.pivot[i]*f.pivot[i] < leastPivot*variance {
			err = errSingular
		}
	}
	if err != nil {
		return errSingular
	}
	for o := 0; o < d; o += leaf {
		f.invertLeaf(o, min(leaf, d-o))
	}
	return nil
}

// longCholesky is the order above which a factorisation takes more than a few hundredths of a
// second.
const longCholesky = 1024

// cholesky runs on one thread, so that large factors have the same bits for any number of threads.
func (f factor) cholesky(ctx context.Context, engine native.Engine) error {
	a := blas64.Symmetric{N: f.d, Stride: f.d, Data: f.block, Uplo: blas.Lower}
	if f.d >= longCholesky {
		return svd.Cholesky(ctx, a)
	}
	defer native.Parallel()()
	return engine.Cholesky(a)
}

// invertLeaf writes the inverse of the w×w diagonal block of L that begins at o, w wide, zeros
// above the diagonal.
func (f factor) invertLeaf(o, w int) {
	inv := f.leaves[o*leaf:][:w*w]
	clear(inv)
	for j := range w {
		inv[j*w+j] = 1 / f.pivot[o+j]
		for i := j + 1; i < w; i++ {
			s := 0.0
			for l := j; l < i; l++ {
				s += f.block[(o+i)*f.d+o+l] * inv[l*w+j]
			}
			inv[i*w+j] = -s / f.pivot[o+i]
		}
	}
}

func (f factor) leafAt(o int) blas64.General {
	w := min(leaf, f.d-o)
	return part(f.leaves[o*leaf:], w, w, w)
}

// logDet is log|Σ|.
func (f factor) logDet() float64 {
	s := 0.0
	for _, p := range f.pivot {
		s += math.Log(p)
	}
	return 2 * s
}

// traceInverse is s²·tr Σ⁻¹ = ‖s·L⁻¹‖²: rows of s·I solved from their own column on, d³/3 flops.
func (f factor) traceInverse(ctx context.Context, s float64, p *panel) (float64, error) {
	sum := 0.0
	const step = 4 * leaf
	for o := 0; o < f.d; o += step {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		rows := min(step, f.d-o, p.rows)
		for r := 0; r < min(step, f.d-o); r += rows {
			p.n = min(rows, min(step, f.d-o)-r)
			for i := range p.n {
				row := p.data[i*f.d : (i+1)*f.d]
				clear(row[o:])
				row[o+r+i] = s
				p.q[i] = 0
			}
			p.bounded = false
			p.solve(f, o, f.d-o)
			for _, q := range p.q[:p.n] {
				sum += q
			}
		}
	}
	return sum, nil
}

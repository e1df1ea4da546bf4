package isomap

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// rowGrain is the number of rows of a table in a chunk.
const rowGrain = 32

// scaleAll turns the n×n distances in d into B, in place, and returns the coordinates of all
// points. The product with B is a GEMM: 2·n² flops per vector.
func (m *Model) scaleAll(ctx context.Context, d *mat.Dense, key store.Key) (*mat.Dense, error) {
	var err error
	if m.mean, err = centre(ctx, d); err != nil {
		return nil, err
	}
	y, stopped := m.solved(eigen.Symmetric(ctx, denseOperator(d, key), m.opt.Eigen))
	if y == nil {
		return nil, stopped
	}
	dist2 := func(i, j int) float64 { return max(0, d.At(i, i)+d.At(j, j)-2*d.At(i, j)) }
	n, _ := d.Dims()
	if m.ResidualVariance, err = residualVariance(ctx, n, y, y, dist2); err != nil {
		return nil, err
	}
	return y, stopped
}

// scaleLandmarks scales the landmarks and places all points by their distances to them. The table
// is squared in place.
func (m *Model) scaleLandmarks(ctx context.Context, t *geodesic.Table, key store.Key) (*mat.Dense, error) {
	l, n := t.D.Dims()
	b := mat.NewDense(l, l, nil)
	for a, s := range t.Sources {
		for c := range a { // the two directions may round differently
			v := min(t.D.At(a, t.Sources[c]), t.D.At(c, s))
			b.Set(a, c, v)
			b.Set(c, a, v)
		}
	}
	var err error
	if m.mean, err = centre(ctx, b); err != nil {
		return nil, err
	}
	own, stopped := m.solved(eigen.Symmetric(ctx, denseOperator(b, key), m.opt.Eigen))
	if own == nil {
		return nil, stopped
	}
	err = parallel.For(ctx, l, rowGrain, func(_, lo, hi int) error {
		for a := lo; a < hi; a++ {
			row := t.D.RawRowView(a)
			for j, v := range row {
				row[j] = v*v - m.mean[a]
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	y := mat.NewDense(n, m.opt.Dims, nil)
	native.Default().Gemm(blas.Trans, blas.NoTrans, 1, t.D.RawMatrix(), m.project.RawMatrix(), 0, y.RawMatrix())
	dist2 := func(a, j int) float64 { return max(0, t.D.At(a, j)+m.mean[a]) }
	if m.ResidualVariance, err = residualVariance(ctx, l, own, y, dist2); err != nil {
		return nil, err
	}
	return y, stopped
}

// centre turns distances into −½·J·[d²]·J, in place, and returns the row means of d². Two passes
// over 8·n² bytes.
func centre(ctx context.Context, d *mat.Dense) ([]float64, error) {
	n, _ := d.Dims()
	mean := make([]float64, n)
	err := parallel.For(ctx, n, rowGrain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			sum := 0.0
			row := d.RawRowView(i)
			for j, v := range row {
				row[j] = v * v
				sum += row[j]
			}
			mean[i] = sum / float64(n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := 0.0
	for _, v := range mean {
		all += v / float64(n)
	}
	return mean, parallel.For(ctx, n, rowGrain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := d.RawRowView(i)
			for j, v := range row {
				row[j] = -0.5 * (v - (mean[i] + mean[j]) + all) // the same bits from either side
			}
		}
		return nil
	})
}

// keyed is a dense operator with the key of what it was made from.
type keyed struct {
	eigen.OperatorFunc
	key store.Key
}

// Hash implements eigen.Hashed.
func (k keyed) Hash(h *store.Hasher) { h.Text(k.key.String()) }

func denseOperator(b *mat.Dense, key store.Key) eigen.Operator {
	n, _ := b.Dims()
	return keyed{eigen.OperatorFunc{N: n, Mul: func(dst, x blas64.General) {
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, b.RawMatrix(), x, 0, dst)
	}}, key}
}

// residualVariance is 1 − R² between the distances dist2 (squared) of l points, with coordinates
// from, to all points, with coordinates to, and the straight distances, for the first 1, 2, ...
// coordinates. 3·l·n·Dims flops and as many square roots, half of them if from is to, whose pairs
// are counted once; rounding leaves about 1e-12.
func residualVariance(ctx context.Context, l int, from, to *mat.Dense, dist2 func(a, j int) float64) ([]float64, error) {
	n, k := to.Dims()
	type sums struct{ g, gg, y, yy, gy float64 }
	parts := make([][]sums, parallel.Chunks(l, rowGrain))
	err := parallel.For(ctx, l, rowGrain, func(_, lo, hi int) error {
		s := make([]sums, k)
		for a := lo; a < hi; a++ {
			p := from.RawRowView(a)
			others := n
			if from == to {
				others = a // both directions of a pair are equal, and 0 from a point to itself
			}
			for j := range others {
				g2 := dist2(a, j)
				g, straight := math.Sqrt(g2), 0.0
				for c, v := range to.RawRowView(j) {
					straight += (v - p[c]) * (v - p[c])
					d := math.Sqrt(straight)
					s[c].g += g
					s[c].gg += g2
					s[c].y += d
					s[c].yy += straight
					s[c].gy += g * d
				}
			}
		}
		parts[lo/rowGrain] = s
		return nil
	})
	if err != nil {
		return nil, err
	}
	count := float64(l) * float64(n)
	if from == to {
		count /= 2
	}
	out := make([]float64, k)
	for c := range out {
		var t sums
		for _, s := range parts {
			t.g += s[c].g
			t.gg += s[c].gg
			t.y += s[c].y
			t.yy += s[c].yy
			t.gy += s[c].gy
		}
		vg, vy := t.gg-t.g*t.g/count, t.yy-t.y*t.y/count
		cov := t.gy - t.g*t.y/count
		switch {
		case vg <= 0: // all distances are equal: nothing is left to explain
		case vy <= 0:
			out[c] = 1
		default:
			out[c] = min(1, max(0, 1-cov*cov/(vg*vy)))
		}
	}
	return out, nil
}

package gmm

import (
	"context"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// Sample draws n points from the mixture, n×d, and returns the component of each. The same seed
// gives the same points. d² flops per point with full or tied covariances.
func (m *Mixture) Sample(ctx context.Context, n int, seed uint64) (*mat.Dense, []int, error) {
	if m == nil || m.k == 0 {
		return nil, nil, invalid.Errorf("the mixture has no components: fit it first")
	}
	if n < 1 {
		return nil, nil, invalid.Errorf("%d points are asked for: it must be at least 1", n)
	}
	upTo := make([]float64, m.k)
	total := 0.0
	for k, w := range m.Weights {
		total += w
		upTo[k] = total
	}
	x, labels := mat.NewDense(n, m.d, nil), make([]int, n)
	step := 256
	err := parallel.For(ctx, n, step, func(_, lo, hi int) error {
		rng := rand.New(rand.NewPCG(seed, uint64(lo/step)))
		z := make([]float64, m.d)
		for i := lo; i < hi; i++ {
			if i%16 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			at := rng.Float64() * total
			k := sort.Search(m.k-1, func(k int) bool { return at < upTo[k] })
			for j := range z {
				z[j] = rng.NormFloat64()
			}
			labels[i] = k
			m.place(k, x.RawRowView(i), z)
		}
		return nil
	})
	return x, labels, err
}

// LogDet returns log|Σ_k|.
func (m *Mixture) LogDet(k int) float64 {
	return -2*m.logNorm[k] - float64(m.d)*math.Log(2*math.Pi)
}

// FromResponsibilities is one M-step: the mixture whose weights, means and covariances, eq.
// (13)-(15), belong to the given n×K responsibilities, finite and not negative. Errors are as for
// [Fit].
func FromResponsibilities(ctx context.Context, x mat.Matrix, responsibilities *mat.Dense, opt Options) (*Mixture, error) {
	e, err := NewEstimator(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	m := e.NewMixture()
	return m, e.MStep(ctx, responsibilities, m)
}

// place sets x = µ_k + Σ_k^½·z.
func (m *Mixture) place(k int, x, z []float64) {
	if m.dense() {
		m.factor(k).times(x, z)
	} else {
		b := m.block(k)
		for j := range x {
			x[j] = math.Sqrt(b[min(j, len(b)-1)]) * z[j]
		}
	}
	for j, c := range m.mean(k) {
		x[j] += c
	}
}

// times sets x = L·z.
func (f factor) times(x, z []float64) {
	for i := range f.d {
		s := f.pivot[i] * z[i]
		for j, l := range f.block[i*f.d : i*f.d+i] {
			s += l * z[j]
		}
		x[i] = s
	}
}

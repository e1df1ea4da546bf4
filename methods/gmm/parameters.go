package gmm

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Variances returns a copy of the numbers that describe Σ_k: d·d row by row (Full, Tied), d
// (Diagonal) or one (Spherical).
func (m *Mixture) Variances(k int) []float64 {
	v := make([]float64, 0, m.blockLen())
	m.EachVariance(k, func(part []float64) error {
		v = append(v, part...)
		return nil
	})
	return v
}

// EachVariance calls body with what [Mixture.Variances] returns, piece by piece and in order, a few
// rows at a time instead of a copy of the whole. A piece is valid until body returns; its first
// error ends the calls.
func (m *Mixture) EachVariance(k int, body func(part []float64) error) error {
	block, d := m.block(k), m.d
	if !m.dense() {
		return body(block)
	}
	const step = 16 // columns that become rows together: two cache lines
	rows := make([]float64, min(step, d)*d)
	for lo := 0; lo < d; lo += step {
		hi := min(lo+step, d)
		for j := range hi {
			from := max(lo, j+1) // Σ is in the upper triangle
			for i := from; i < hi; i++ {
				rows[(i-lo)*d+j] = block[j*d+i]
			}
		}
		for i := lo; i < hi; i++ {
			copy(rows[(i-lo)*d+i:(i-lo+1)*d], block[i*d+i:(i+1)*d])
		}
		if err := body(rows[:(hi-lo)*d]); err != nil {
			return err
		}
	}
	return nil
}

// FromParameters makes a mixture of K weights (not negative; they are divided by their sum), K×d
// means, and variances as [Mixture.Variances] gives them, one slice per component or one for all
// (Tied), of which the upper triangles are read. It can evaluate, predict and sample; an
// [Estimator] may update it. A covariance that is not safely positive definite is an error: nothing
// is added to it.
func FromParameters(kind Covariance, weights []float64, means *mat.Dense, variances [][]float64) (*Mixture, error) {
	if err := (Options{Covariance: kind}).Validate(); err != nil {
		return nil, err
	}
	kind = kind.Shape()
	k, d := means.Dims()
	if k != len(weights) || k == 0 {
		return nil, invalid.Errorf("there are %d weights, but %d means", len(weights), k)
	}
	size := Options{Covariance: kind}.blockLen(d)
	if kind == Spherical {
		size = 1
	}
	if blocks := blocksOf(Options{K: k, Covariance: kind}); len(variances) != blocks {
		return nil, invalid.Errorf("there are %d covariances, but a mixture of %d %s components has %d", len(variances), k, kind, blocks)
	}
	total := 0.0
	for j, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return nil, invalid.Errorf("weight %d (counted from 0) is %v: it must be finite and not negative", j, w)
		}
		total += w
		for t, v := range means.RawRowView(j) {
			if v-v != 0 {
				return nil, &sparse.NotFiniteError{Row: j, Col: t, Value: v}
			}
		}
	}
	if total == 0 || math.IsInf(total, 1) {
		return nil, invalid.Errorf("the weights sum to %v: they must have a finite sum above zero", total)
	}
	for b, v := range variances {
		if int64(len(v)) != size {
			return nil, invalid.Errorf("covariance %d (counted from 0) has %d numbers, but a %s one of %d columns has %d", b, len(v), kind, d, size)
		}
	}
	m := newMixture(kind, k, d, 0)
	m.Means.Copy(means)
	for j, w := range weights {
		m.Weights[j], m.Lost[j] = w/total, w == 0
	}
	engine, least := native.Default(), make([]float64, d)
	for b, v := range variances {
		copy(m.block(b), v)
		if err := m.compute(context.Background(), engine, b, least); err != nil {
			return nil, invalid.Errorf("covariance %d (counted from 0) is singular, or not a covariance", b)
		}
		m.setLogNorm(b, m.logDet(b))
	}
	return m, nil
}

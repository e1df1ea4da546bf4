package gmm

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// stretched draws n rows of k groups far apart, whose covariances are diagonal with variances
// (1 + j/2)² · its group's own factor.
func stretched(n, d, k int, seed uint64) (x *mat.Dense, truth []*mat.SymDense) {
	rng := rand.New(rand.NewPCG(seed, 9))
	for c := range k {
		s := mat.NewSymDense(d, nil)
		for j := range d {
			s.SetSym(j, j, (1+float64(j)/2)*(1+float64(j)/2)*(1+float64(c)/2))
		}
		truth = append(truth, s)
	}
	x = mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, math.Sqrt(truth[i%k].At(j, j))*rng.NormFloat64())
		}
		x.Set(i, i%k, x.At(i, i%k)+1000)
	}
	return x, truth
}

func apart(a, b mat.Symmetric) float64 {
	var diff mat.Dense
	diff.Sub(a, b)
	return mat.Norm(&diff, 2)
}

// The estimated prior brings covariances of few rows nearer to the true ones, and hardly touches
// covariances of many. Its error is within 15 % of the best of a grid of weights.
func TestShrinkageIsNearTheBest(t *testing.T) {
	const d, k = 12, 3
	for _, each := range []int{8, 20, 100, 2000} {
		x, truth := stretched(each*k, d, k, uint64(each))
		r := mat.NewDense(each*k, k, nil)
		for i := range each * k {
			r.Set(i, i%k, 1)
		}
		errorOf := func(pseudo float64, estimate bool) (sum, shrinkage float64) {
			e, err := NewEstimator(ctx, x, Options{K: k, StartPosterior: r, Ridge: map[bool]*float64{false: number(1e-9)}[estimate]})
			if err != nil {
				t.Fatal(err)
			}
			m := e.NewMixture()
			if estimate {
				err = e.Settle(ctx, m)
			} else { // the same target, other weights
				within, _ := NewEstimator(ctx, x, Options{K: k, StartPosterior: r})
				if err = within.Settle(ctx, within.NewMixture()); err == nil {
					e.variance, e.pseudo = within.variance, pseudo
				}
			}
			if err == nil {
				err = e.MStep(ctx, r, m)
			}
			if err != nil {
				t.Fatal(err)
			}
			for c := range k {
				gap := apart(m.Covariance(c), truth[c])
				sum += gap * gap
			}
			return math.Sqrt(sum), e.Shrinkage()
		}
		got, shrinkage := errorOf(0, true)
		plain, _ := errorOf(0, false)
		best := math.Inf(1)
		for nu := 0.01; nu < 1e4; nu *= 1.5 {
			found, _ := errorOf(nu, false)
			best = min(best, found)
		}
		t.Logf("%d rows each: error %.1f, without %.1f, best %.1f; shrinkage %.3f", each, got, plain, best, shrinkage)
		if got > 1.15*best || each <= 20 && got > 0.9*plain || each == 2000 && shrinkage > 0.01 {
			t.Errorf("%d rows each: error %v, without %v, best %v; shrinkage %v", each, got, plain, best, shrinkage)
		}
	}
}

// A multiple of the data, and a shift of it, have the same prior, in their units.
func TestShrinkageOfUnits(t *testing.T) {
	x, _ := stretched(60, 6, 3, 4)
	of := func(by, plus float64) (shrinkage, variance float64) {
		var y mat.Dense
		y.Apply(func(_, _ int, v float64) float64 { return by*v + plus }, x)
		e, err := NewEstimator(ctx, &y, Options{K: 3, Seed: 1})
		if err == nil {
			err = e.Settle(ctx, e.NewMixture())
		}
		if err != nil {
			t.Fatal(err)
		}
		return e.Shrinkage(), e.MeanVariance() / by / by
	}
	want, variance := of(1, 0)
	if want <= 0.001 || want >= 1 {
		t.Errorf("shrinkage %v", want)
	}
	for _, c := range [][2]float64{{1e-120, 0}, {1e120, 0}, {3, 700}} {
		if got, v := of(c[0], c[1]); math.Abs(got-want) > 1e-9 || math.Abs(v/variance-1) > 1e-9 {
			t.Errorf("times %v plus %v: shrinkage %v of %v, variance %v of %v", c[0], c[1], got, want, v, variance)
		}
	}
}

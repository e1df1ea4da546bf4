package svm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// Shrinking changes neither the optimum nor the conditions: with and without, no gradient points
// into the box by more than the tolerance, the dual objectives agree, and both sides of the
// objective meet. Some rows are a thousand times as long as others, which leaves wrong coordinates
// out at first.
func TestShrinking(t *testing.T) {
	const n, d = 300, 12
	x, y := sample(n, d, 5)
	rng := rand.New(rand.NewPCG(8, 8))
	cost, uneven := make([]float64, n), mat.DenseCopyOf(x)
	for i := range n {
		cost[i] = rng.Float64()
		length := math.Pow(10, -3*rng.Float64())
		for j := range d {
			uneven.Set(i, j, length*uneven.At(i, j))
		}
	}
	for _, data := range []*mat.Dense{x, uneven} {
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			for _, bias := range []Bias{Free, Feature, None} {
				name := fmt.Sprintf("%s, bias %s, uneven %v", loss, bias, data == uneven)
				tr := must.Get(NewTrainer(ctx, csr(data), Options{Solver: CD, Loss: loss, Bias: bias, Tol: 1e-7, MaxIter: 1_000_000}))(t)
				var primal, dual [2]float64
				for k := range 2 {
					m := tr.Machine(0)
					m.whole = k == 1
					must.Do(t, m.Set(ctx, y, cost, nil))
					if _, err := m.Solve(ctx, 0); err != nil {
						t.Fatalf("%s, without shrinking %v: %v", name, m.whole, err)
					}
					f := make([]float64, n)
					must.Do(t, m.Values(ctx, f))
					primal[k], dual[k] = m.Objective(f)
					if v := m.violation(f); v > 1e-6 {
						t.Errorf("%s, without shrinking %v: the conditions fail by %.3g", name, m.whole, v)
					}
					for i, b := range m.beta {
						if b < m.lo[i] || b > m.hi[i] {
							t.Fatalf("%s: β%d = %v outside %v to %v", name, i, b, m.lo[i], m.hi[i])
						}
					}
				}
				if math.Abs(dual[0]-dual[1]) > 1e-6*dual[1] {
					t.Errorf("%s: the dual objective is %.12g with shrinking, %.12g without", name, dual[0], dual[1])
				}
				for k := range 2 {
					if gap := primal[k] - dual[1-k]; math.Abs(gap) > 1e-4*dual[1] {
						t.Errorf("%s: primal %.12g, dual of the other %.12g", name, primal[k], dual[1-k])
					}
				}
			}
		}
	}
}

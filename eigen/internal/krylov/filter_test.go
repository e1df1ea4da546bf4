package krylov

import (
	"context"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/blas/blas64"
)

// The recurrence computes the polynomial. On a diagonal operator p(A) is p of the diagonal: within
// [−1, 1] in the band, below −1 beneath the band and, above it, equal to at, which inverse inverts.
func TestFilterIsChebyshev(t *testing.T) {
	for _, degree := range []int{1, 3, 5, 7, 13, 41} {
		f := &filter{low: -0.7, high: 0.4, degree: degree}
		n := 200
		d := make([]float64, n)
		for i := range d {
			d[i] = -0.9 + 1.6*float64(i)/float64(n-1)
		}
		op := byProducts{n: n, mul: func(dst, x blas64.General) {
			for i := range n {
				for j := range x.Cols {
					dst.Data[i*dst.Stride+j] = d[i] * x.Data[i*x.Stride+j]
				}
			}
		}}
		x, w := space.NewBlock(n, 2), space.NewBlock(n, 2)
		for i := range n {
			x.Data[2*i], x.Data[2*i+1] = 1, float64(i)
		}
		before := append([]float64(nil), x.Data...)
		must.Do(t, f.apply(context.Background(), op, w, x, [2]blas64.General{space.NewBlock(n, 2), space.NewBlock(n, 2)}))
		for i, mu := range d {
			p := w.Data[2*i]
			if math.Abs(w.Data[2*i+1]-float64(i)*p) > 1e-9*math.Abs(p)*float64(i+1) {
				t.Fatalf("degree %d: the two columns disagree at %v", degree, mu)
			}
			switch {
			case mu > f.high:
				if math.Abs(p-f.at(mu)) > 1e-9*p {
					t.Errorf("degree %d: p(%v) = %v by recurrence, %v by cosh", degree, mu, p, f.at(mu))
				}
				if back := f.inverse(f.at(mu)); math.Abs(back-mu) > 1e-9 {
					t.Errorf("degree %d: inverse(p(%v)) = %v", degree, mu, back)
				}
			case mu >= f.low:
				if math.Abs(p) > 1+1e-12 {
					t.Errorf("degree %d: p(%v) = %v in the band", degree, mu, p)
				}
			case p > -1:
				t.Errorf("degree %d: p(%v) = %v below the band", degree, mu, p)
			}
		}
		for i, v := range before {
			if x.Data[i] != v {
				t.Fatal("apply changed its operand")
			}
		}
	}
}

// The bound on A's residual holds for every combination of eigenvectors.
func TestFilterResidualBound(t *testing.T) {
	f := &filter{low: -1, high: 0.5, degree: 7}
	mu := 0.9
	theta := f.at(mu)
	for _, x := range []float64{-1, -0.6, 0, 0.45, 0.7, 0.85, 0.89, 0.95, 1} {
		p := math.Cos(7 * math.Acos(max(-1, min(1, (x-f.center())/f.half()))))
		if x > f.high {
			p = f.at(x)
		}
		const part = 1e-6 // component of the unit vector along the eigenvector of x
		if got, bound := part*math.Abs(x-mu), f.residual(mu, theta, part*math.Abs(p-theta)); got > bound*(1+1e-12) && x < mu {
			t.Errorf("residual %g along %v exceeds the bound %g", got, x, bound)
		}
	}
}

// The estimated number of eigenvalues above a value, compared with the closed form of a ring.
func TestScoutCounts(t *testing.T) {
	const n = 1000
	edges := make([][2]int, n)
	values := make([]float64, n)
	for i := range n {
		edges[i] = [2]int{i, (i + 1) % n}
		values[i] = math.Cos(2 * math.Pi * float64(i) / n)
	}
	ring, known := symmetricOf(t, n, edges, 0.5), space.ConstantOf(n)
	for _, x := range []float64{-0.9, -0.3, 0, 0.5, 0.9} {
		want, mean := 0.0, 0.0
		for _, v := range values {
			if v > x {
				want++
			}
		}
		const seeds = 40
		for seed := range uint64(seeds) {
			task := testTask(ring, n, 1, seed)
			task.Known = known
			k := &krylov{Task: task}
			o := must.Get(k.scout(context.Background(), 0))(t)
			if all := o.above(-1.1); math.Abs(all-(n-1)) > 1e-6 {
				t.Fatalf("%v eigenvalues in all", all)
			}
			if none := o.above(1.1); none != 0 {
				t.Fatalf("%v eigenvalues above the bound", none)
			}
			mean += o.above(x) / seeds
		}
		t.Logf("above %v: %.0f, in truth %v", x, mean, want)
		if math.Abs(mean-want) > 0.02*n {
			t.Errorf("above %v: %v on average, in truth %v", x, mean, want)
		}
	}
}

// A fitted filter keeps the bounds of its growth, separates the wanted value from its band, and has
// an odd degree; where that cannot be, there is none.
func TestFittedFilters(t *testing.T) {
	made := 0
	for _, low := range []float64{-1, -0.3, 0.2} {
		for _, width := range []float64{1e-13, 1e-6, 0.1, 0.5} {
			for _, above := range []float64{0, 1e-9, 1e-4, 0.01, 0.3} {
				for _, further := range []float64{0, 0.01, 0.4} {
					for _, basis := range []float64{0.1, 5, 80} {
						for _, deflated := range []bool{false, true} {
							high := low + width
							wanted := high + above
							top := wanted + further
							f, _ := fitted(low, high, wanted, top, basis, deflated)
							if f == nil {
								continue
							}
							made++
							if f.degree%2 == 0 || f.degree < MinDegree || f.degree > maxDegree {
								t.Errorf("degree %d", f.degree)
							}
							if f.at(wanted) < useful || f.at(top) > largestGrowth*(1+1e-9) || deflated && f.at(knownValue) > largestKnown*(1+1e-9) {
								t.Errorf("band [%g, %g], wanted %g, top %g: p is %g and %g, at the known value %g",
									low, high, wanted, top, f.at(wanted), f.at(top), f.at(knownValue))
							}
						}
					}
				}
			}
		}
	}
	if made < 100 {
		t.Errorf("only %d filters", made)
	}
	if f, _ := fitted(-1, 0.9, 0.95, 1, 5, true); f == nil || f.at(0.95) < enough*0.7 {
		t.Errorf("%+v for an easy spectrum", f)
	}
}

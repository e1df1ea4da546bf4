package eigen

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
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
		if err := f.apply(context.Background(), op, w, x, [2]blas64.General{space.NewBlock(n, 2), space.NewBlock(n, 2)}); err != nil {
			t.Fatal(err)
		}
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

// Graphs large enough for a filter, whose spectra are crowded, multiple, or out of reach of a
// filter.
func TestFilteredClosedForms(t *testing.T) {
	for _, g := range []known{
		union(t, "ring 1000", of(ring, 1000)),
		union(t, "five equal rings 200", times(5, of(ring, 200))...),
		union(t, "path 700", of(path, 700)),
		union(t, "star 600", of(star, 600)),
		union(t, "hypercube 9", of(hypercube, 9)),
		union(t, "complete bipartite-like mixture", of(star, 300), of(ring, 300), of(complete, 30), isolated),
	} {
		p, err := NewPencil(g.w, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{2, 12, 30} {
			for _, block := range []int{0, 1} {
				if testing.Short() && (k == 12 || block == 1) {
					continue
				}
				name := fmt.Sprintf("%s, k = %d, block %d", g.name, k, block)
				r, err := p.Solve(context.Background(), Options{K: k, Solver: Lanczos, Block: block, Seed: 9, MaxIter: 3000})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				for j, v := range r.Values {
					if math.Abs(v-g.values[j]) > 1e-9 {
						t.Errorf("%s: λ_%d = %.12f, closed form %.12f", name, j, v, g.values[j])
						break
					}
				}
				checkPencilResult(t, g.w, p, r, DefaultTol)
			}
		}
	}
}

// A filter is used if it is useful, and saves basis vectors.
func TestFilterIsChosen(t *testing.T) {
	w := clusteredGraph(t, 4000, 25, 8, 0.02, 12)
	p, err := NewPencil(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	filtered, err := p.Solve(context.Background(), Options{K: 20, Solver: Lanczos})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := Symmetric(context.Background(), unfiltered{p.s}, Options{K: 20, Which: Largest, Solver: Lanczos})
	if err != nil {
		t.Fatal(err)
	}
	if filtered.Stats.Restarts >= plain.Stats.Restarts {
		t.Errorf("%d restarts with a filter, %d without", filtered.Stats.Restarts, plain.Stats.Restarts)
	}
}

// Where few values have many eigenvectors, the Krylov space ends after as many steps, in the
// estimate of the spectrum too; a filter made from it must still let the search end.
func TestFilteredFewValues(t *testing.T) {
	g := union(t, "hypercube 9", of(hypercube, 9))
	p, err := NewPencil(g.w, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range []int{0, 1} {
		for seed := range uint64(30) {
			r, err := p.Solve(context.Background(), Options{K: 30, Solver: Lanczos, Block: block, Seed: seed, MaxIter: 30})
			if err != nil {
				t.Errorf("block %d, seed %d: %v", block, seed, err)
				continue
			}
			for j, v := range r.Values {
				if math.Abs(v-g.values[j]) > 1e-9 {
					t.Errorf("block %d, seed %d: λ_%d = %.12f, closed form %.12f", block, seed, j, v, g.values[j])
				}
			}
		}
	}
}

// A filter costs less than the basis vectors that it saves, by the model of its degree, also where
// the wanted values are in the middle of a crowd: each basis vector of either solve costs
// basisCost·m·n/nnz products.
func TestFilterIsNotTriedInVain(t *testing.T) {
	for _, n := range []int{400, 1000, 3000} {
		w := clusteredGraph(t, n, 8, 8, 0.02, 12)
		p, err := NewPencil(w, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Solve(context.Background(), Options{K: 30, Solver: Lanczos})
		if err != nil {
			t.Fatal(err)
		}
		plain, err := Symmetric(context.Background(), unfiltered{p.s}, Options{K: 30, Which: Largest, Solver: Lanczos})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d nodes: %d products, %d without a filter", n, r.Stats.Products, plain.Stats.Products)
		vector := basisCost * float64(plain.Stats.Subspace*n) / float64(p.s.(*scaled).NNZ())
		filtered := float64(r.Stats.Products) * (1 + vector/minDegree) // no filter makes more vectors
		if without := float64(plain.Stats.Products) * (1 + vector); filtered > without+scoutSteps {
			t.Errorf("%d nodes: cost %.0f, %.0f without a filter", n, filtered, without)
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
			task.known = known
			k := &krylov{task: task}
			o, err := k.scout(context.Background(), 0)
			if err != nil {
				t.Fatal(err)
			}
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

// unfiltered hides that an operator is a matrix, so that no filter is used.
type unfiltered struct{ Operator }

// A fitted filter keeps the bounds of its growth, tells the wanted value from its band, and has an
// odd degree; where that cannot be, there is none.
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
							if f.degree%2 == 0 || f.degree < minDegree || f.degree > maxDegree {
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

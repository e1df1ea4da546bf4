package kmeans

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// plainLloyd is the algorithm without bounds, tiles or parallel loops, on the same centres.
func plainLloyd(r *run, maxIter int) {
	for i := range r.label {
		r.label[i] = -1
	}
	r.iterations, r.repaired, r.converged = 0, 0, false
	for {
		r.separations()
		clear(r.touched)
		changed := false
		for i := range r.n {
			best := 0
			for j := range r.k {
				if r.c.exact(i, j) < r.c.exact(i, best) {
					best = j
				}
			}
			if was := int(r.label[i]); was != best {
				if was >= 0 {
					r.touched[was] = true
				}
				r.touched[best] = true
				r.label[i] = int32(best)
				changed = true
			}
		}
		r.group()
		if !changed {
			r.converged = true
			return
		}
		if r.iterations == maxIter {
			return
		}
		if err := r.repair(ctx); err != nil {
			panic(err)
		}
		for j := range r.k {
			if r.touched[j] && r.size(j) > 0 {
				if _, err := r.c.mean(ctx, j, r.members(j), make([]float64, r.d)); err != nil {
					panic(err)
				}
			}
		}
		r.iterations++
	}
}

// randomRows draws rows of several kinds: smooth, on a grid with many ties and repeated rows, and
// with a large common offset.
func randomRows(t *rapid.T, n, d int) *mat.Dense {
	kind := rapid.SampledFrom([]string{"normal", "grid", "offset", "sparse"}).Draw(t, "kind")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 {
		switch kind {
		case "grid":
			return float64(rng.IntN(3))
		case "offset":
			return 1e7 + rng.NormFloat64()
		case "sparse":
			if rng.IntN(3) > 0 {
				return 0
			}
		}
		return rng.NormFloat64()
	}, x)
	return x
}

func toCSR(t testing.TB, x mat.Matrix) *sparse.CSR {
	a := must.Get(sparse.FromMatrix(x))(t)
	return a
}

func storages(x *mat.Dense) (map[string]points, error) {
	dense, err := newDensePoints(ctx, x)
	if err != nil {
		return nil, err
	}
	a, err := sparse.FromMatrix(x)
	if err != nil {
		return nil, err
	}
	sp, err := newSparsePoints(ctx, a)
	return map[string]points{"dense": dense, "sparse": sp}, err
}

func TestBoundsNeverChangeTheResult(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 120).Draw(t, "n"), rapid.IntRange(1, 14).Draw(t, "d")
		k := rapid.IntRange(1, min(n, 13)).Draw(t, "k")
		x := randomRows(t, n, d)
		both := must.Get(storages(x))(t)
		start := rapid.SliceOfN(rapid.IntRange(0, n-1), k, k).Draw(t, "start")
		maxIter := rapid.SampledFrom([]int{1, 2, 50}).Draw(t, "iterations")
		for name, p := range both {
			fast, plain := newRun(p, k, 1, parallel.Serial), newRun(p, k, 1, parallel.Serial)
			for j, i := range start {
				fast.c.place(j, i)
				plain.c.place(j, i)
			}
			must.Do(t, fast.lloyd(ctx, maxIter))
			plainLloyd(plain, maxIter)
			if !slices.Equal(fast.label, plain.label) {
				t.Fatalf("%s: labels differ\nwith bounds %v\nplain       %v", name, fast.label, plain.label)
			}
			if fast.iterations != plain.iterations || fast.repaired != plain.repaired || fast.converged != plain.converged {
				t.Fatalf("%s: %d iterations, %d repaired, converged %v; plain %d, %d, %v", name,
					fast.iterations, fast.repaired, fast.converged, plain.iterations, plain.repaired, plain.converged)
			}
		}
	})
}

// TestLargerRunAgainstPlain uses enough rows for several chunks and tiles, and many iterations.
func TestLargerRunAgainstPlain(t *testing.T) {
	for _, d := range []int{2, 20} {
		x := blobs(3000, d, 12, 2.5, 7)
		both := must.Get(storages(x))(t)
		for name, p := range both {
			fast, plain := newRun(p, 12, 1, parallel.Serial), newRun(p, 12, 1, parallel.Serial)
			for j := range 12 {
				fast.c.place(j, j)
				plain.c.place(j, j)
			}
			must.Do(t, fast.lloyd(ctx, 100))
			plainLloyd(plain, 100)
			if fast.iterations < 5 || fast.iterations != plain.iterations || !slices.Equal(fast.label, plain.label) {
				t.Errorf("%s d=%d: %d iterations, plain %d; same labels: %v", name, d, fast.iterations, plain.iterations, slices.Equal(fast.label, plain.label))
			}
		}
	}
}

// TestDistances compares exact and tile with a sum over all columns.
func TestDistances(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(1, 30).Draw(t, "d")
		k := rapid.IntRange(1, 20).Draw(t, "k")
		x, centre := randomRows(t, n, d), randomRows(t, k, d)
		both := must.Get(storages(x))(t)
		var rows []int32 // ascending, with gaps
		for i, gap := 0, rapid.IntRange(0, 3); i < n; i += 1 + gap.Draw(t, "gap") {
			rows = append(rows, int32(i))
		}
		for name, p := range both {
			c := p.newCenters(k)
			ccMax := 0.0
			for j := range k {
				c.set(j, centre.RawRowView(j))
				ccMax = max(ccMax, c.sqNorm(j))
			}
			rel, exactAbs, tileAbs := c.errors()
			out := make([]float64, len(rows)*k)
			c.tile(rows, out, make([]float64, p.gather(len(rows))))
			rough := make([]float64, len(rows)*k)
			c.rough(rows, rough, make([]float64, p.gather(len(rows))))
			for r, i := range rows {
				for j := range k {
					want := 0.0
					for q := range d {
						diff := x.At(int(i), q) - centre.At(j, q)
						want += diff * diff
					}
					spread := p.sqNorms()[i] + ccMax
					if got := c.exact(int(i), j); math.Abs(got-want) > 2*rel*want+exactAbs*spread {
						t.Fatalf("%s: exact %v, want %v", name, got, want)
					}
					if got := out[r*k+j]; math.Abs(got-want) > 2*rel*want+(exactAbs+tileAbs)*spread {
						t.Fatalf("%s: tile %v, want %v", name, got, want)
					}
					if got := rough[r*k+j]; math.Abs(got-want) > 2*rel*want+(exactAbs+tileAbs+c.screenAbs())*spread {
						t.Fatalf("%s: rough %v, want %v", name, got, want)
					}
				}
			}
		}
	})
}

func TestObjectiveNeverRises(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(5, 150).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "d")
		k := rapid.IntRange(1, min(n, 9)).Draw(t, "k")
		x := randomRows(t, n, d)
		start := mat.NewDense(k, d, nil)
		for j := range k {
			start.SetRow(j, x.RawRowView(j))
		}
		last := math.Inf(1)
		for iter := 1; iter < 30; iter++ {
			m := must.Get(Fit(ctx, x, Options{K: k, Start: start, MaxIter: iter}))(t)
			if m.Objective > last*(1+1e-12) {
				t.Fatalf("objective rose from %v to %v in move %d", last, m.Objective, iter)
			}
			last = m.Objective
			if m.Converged {
				return
			}
		}
	})
}

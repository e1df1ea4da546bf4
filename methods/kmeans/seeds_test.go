package kmeans

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// literal is Seeded-KMeans, or Constrained-KMeans if clamp is set, directly from the paper (Basu,
// Banerjee and Mooney 2002, figures 1 and 2), with seeds in every cluster. It also returns the
// objective after every move.
func literal(x *mat.Dense, k int, seeds []int, clamp bool, moves int) (label []int, objective []float64) {
	n, d := x.Dims()
	centre := mat.NewDense(k, d, nil)
	means := func(of []int) {
		centre.Zero()
		for j := range k {
			count := 0.
			for i, c := range of {
				if c == j {
					count++
					for q := range d {
						centre.Set(j, q, centre.At(j, q)+x.At(i, q))
					}
				}
			}
			for q := range d {
				centre.Set(j, q, centre.At(j, q)/count)
			}
		}
	}
	sq := func(i, j int) (s float64) {
		for q := range d {
			s += (x.At(i, q) - centre.At(j, q)) * (x.At(i, q) - centre.At(j, q))
		}
		return s
	}
	means(seeds)
	for {
		next, sum := make([]int, n), 0.
		for i := range next {
			for j := range k {
				if sq(i, j) < sq(i, next[i]) {
					next[i] = j
				}
			}
			if clamp && seeds[i] >= 0 {
				next[i] = seeds[i]
			}
			sum += sq(i, next[i])
		}
		objective = append(objective, sum)
		if slices.Equal(next, label) || len(objective) > moves {
			return next, objective
		}
		label = next
		means(label)
	}
}

// seeded draws seeds for a share of n rows, at least one for each of the k clusters.
func seeded(rng *rand.Rand, n, k int, share float64) []int {
	s := make([]int, n)
	for i := range s {
		if s[i] = -1; i < k {
			s[i] = i
		} else if rng.Float64() < share {
			s[i] = rng.IntN(k)
		}
	}
	rng.Shuffle(n, func(i, j int) { s[i], s[j] = s[j], s[i] })
	return s
}

func TestSeedsLiterally(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 70).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "d")
		k := rapid.IntRange(1, min(n, 6)).Draw(t, "k")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
		seeds := seeded(rng, n, k, rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "share"))
		clamp := rapid.Bool().Draw(t, "clamp")
		a := must.Get(sparse.FromMatrix(x))(t)
		for moves := 1; moves < 40; moves++ {
			want, objective := literal(x, k, seeds, clamp, moves)
			last := objective[len(objective)-1]
			for q, v := range objective[1:] {
				if v > objective[q]*(1+1e-12)+1e-12 {
					t.Fatalf("the literal objective rises: %v", objective)
				}
			}
			for _, rows := range []mat.Matrix{x, a} {
				m := must.Get(Fit(ctx, rows, Options{K: k, Seeds: seeds, Clamp: clamp, MaxIter: moves}))(t)
				if m.Repaired > 0 {
					return // the paper does not define the case of an empty cluster
				}
				if !slices.Equal(m.Labels, want) || math.Abs(m.Objective-last) > 1e-10*(1+last) {
					t.Fatalf("%T, %d moves, clamp %v: labels %v objective %v\nliteral %v %v", rows, moves, clamp, m.Labels, m.Objective, want, last)
				}
				if moves > 30 && !m.Converged && len(objective) < moves {
					t.Fatalf("not converged after %d moves, the literal algorithm after %d", moves, len(objective))
				}
			}
			if len(objective) < moves {
				return
			}
		}
	})
}

// TestClampedOnAnyRows: for any rows and seeds, also with clusters without seeds, clamped rows
// stay, free rows are with the nearest centre, centres are means, and the objective never
// increases.
func TestClampedOnAnyRows(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "d")
		x := randomRows(t, n, d)
		k := rapid.IntRange(1, n).Draw(t, "k")
		seeds := rapid.SliceOfN(rapid.IntRange(-3, k-1), n, n).Draw(t, "seeds")
		opt := Options{K: k, Seeds: seeds, Clamp: true, Restarts: 2, Init: rapid.SampledFrom([]Init{PlusPlus, Random}).Draw(t, "init")}
		open, free := newSeeds(opt).open(k), 0
		for _, c := range seeds {
			if c < 0 {
				free++
			}
		}
		m, err := Fit(ctx, x, opt)
		if open > free {
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "no seed") {
				t.Fatalf("%d clusters without seeds and %d free rows: error %v", open, free, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		scale := mat.Max(x) - mat.Min(x) + math.Abs(mat.Max(x))
		for i, a := range m.Labels {
			if seeds[i] >= 0 && a != seeds[i] {
				t.Fatalf("row %d is clamped to %d and came to %d", i, seeds[i], a)
			}
			if seeds[i] >= 0 || m.Sizes[a] == 0 {
				continue
			}
			own := math.Sqrt(sqDist(x.RawRowView(i), m.Centers.RawRowView(a)))
			for j := range k {
				if v := math.Sqrt(sqDist(x.RawRowView(i), m.Centers.RawRowView(j))); v < own-1e-9*(1+scale) {
					t.Fatalf("row %d is free and %v from its centre %d, %v from %d", i, own, a, v, j)
				}
			}
		}
		for j := range k {
			if m.Sizes[j] == 0 || !m.Converged {
				continue
			}
			mean := make([]float64, d)
			for i, a := range m.Labels {
				if a == j {
					addDifference(mean, x.RawRowView(i), make([]float64, d))
				}
			}
			for q, v := range mean {
				if math.Abs(v/float64(m.Sizes[j])-m.Centers.At(j, q)) > 1e-11*(1+scale)*float64(n) {
					t.Fatalf("centre %d is not the mean of its rows", j)
				}
			}
		}
		last := math.Inf(1)
		opt.Restarts = 1
		for opt.MaxIter = 1; opt.MaxIter < 20; opt.MaxIter++ {
			m := must.Get(Fit(ctx, x, opt))(t)
			if m.Objective > last*(1+1e-12)+1e-18*scale*scale {
				t.Fatalf("objective rose from %v to %v in move %d", last, m.Objective, opt.MaxIter)
			}
			last = m.Objective
		}
	})
}

// TestClusterWithoutSeedsIsFound: three distant groups with seeds of two of them, which are not the
// first two. The third group is found and has its number.
func TestClusterWithoutSeedsIsFound(t *testing.T) {
	const n, d = 300, 10
	rng := rand.New(rand.NewPCG(1, 9))
	x, truth, seeds := mat.NewDense(n, d, nil), make([]int, n), make([]int, n)
	for i := range n {
		truth[i] = i % 3
		for q := range d {
			x.Set(i, q, rng.NormFloat64())
		}
		x.Set(i, truth[i], x.At(i, truth[i])+30)
		if seeds[i] = -1; truth[i] != 1 && i < 30 {
			seeds[i] = truth[i]
		}
	}
	for _, rows := range []mat.Matrix{x, toCSR(t, x)} {
		for _, clamp := range []bool{false, true} {
			for seed := range uint64(10) {
				m := must.Get(Fit(ctx, rows, Options{K: 3, Seeds: seeds, Clamp: clamp, Restarts: 1, Seed: seed}))(t)
				if !slices.Equal(m.Labels, truth) {
					t.Fatalf("%T, clamp %v, seed %d: sizes %v", rows, clamp, seed, m.Sizes)
				}
			}
		}
	}
}

// TestNearSeeds: the initial weights of k-means++ are the squared distances to the nearest centre
// of seeds.
func TestNearSeeds(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(3, 80).Draw(t, "n"), rapid.IntRange(1, 14).Draw(t, "d")
		k := rapid.IntRange(2, min(n, 12)).Draw(t, "k")
		seeds := rapid.SliceOfN(rapid.IntRange(-4, k-2), n, n).Draw(t, "seeds")
		both := must.Get(storages(randomRows(t, n, d)))(t)
		for name, p := range both {
			r := newRun(p, k, 1, parallel.Serial)
			r.seeds = newSeeds(Options{K: k, Seeds: seeds, Clamp: true})
			must.Do(t, r.placeSeeds(ctx))
			r.seeding = &seeding{sums: make([]float64, candidates(k))}
			placed := must.Get(r.nearSeeds(ctx, n))(t)
			if len(placed)+r.seeds.open(k) != k {
				t.Fatalf("%d placed and %d open of %d", len(placed), r.seeds.open(k), k)
			}
			sum := 0.
			for i := range n {
				want := math.Inf(1)
				for _, j := range placed {
					want = min(want, r.c.exact(i, j))
				}
				if seeds[i] >= 0 {
					want = 0
				}
				if len(placed) > 0 && math.Abs(r.upper[i]-want) > 1e-9*(want+1e-4*r.xx[i]) {
					t.Fatalf("%s: row %d has weight %v, want %v", name, i, r.upper[i], want)
				}
				sum += want
			}
			if len(placed) > 0 && math.Abs(sum-r.seeding.sums[0]) > 1e-9*sum+1e-12 {
				t.Fatalf("%s: the weights sum to %v, want %v", name, r.seeding.sums[0], sum)
			}
		}
	})
}

func TestClampedSameAtAnyThreadCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, x := range map[string]mat.Matrix{"wide": blobs(2500, 20, 8, 1, 1), "sparse": texts(t, 1500, 2000, 25, 6, 1)} {
		n, _ := x.Dims()
		all := seeded(rng, n, 8, 0.05)
		some := slices.Clone(all)
		for i, c := range some {
			if c%3 == 0 {
				some[i] = -1
			}
		}
		for _, seeds := range [][]int{all, some} {
			paralleltest.Same(t, name, []int{1, 2, 5}, func() *Model {
				return must.Get(Fit(ctx, x, Options{K: 8, Seeds: seeds, Clamp: true, Restarts: 3}))(t)
			})
		}
	}
}

// TestGivenStartsAndClamp: starts may be given together with clamped rows, and their numbers stay.
func TestGivenStartsAndClamp(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 10, 11})
	m := must.Get(Fit(ctx, x, Options{K: 2, Start: mat.NewDense(2, 1, []float64{10, 0}), Seeds: []int{-1, 0, -1, -1}, Clamp: true}))(t)
	if want := []int{1, 0, 0, 0}; !slices.Equal(m.Labels, want) || m.Centers.At(0, 0) != 22./3 {
		t.Errorf("labels %v, centres %v; want %v and 22/3, 0", m.Labels, m.Centers.RawMatrix().Data, want)
	}
}

func TestSeedsErrors(t *testing.T) {
	x := blobs(5, 2, 1, 1, 1)
	for name, c := range map[string]struct {
		opt  Options
		says string
	}{
		"length":       {Options{K: 2, Seeds: []int{0, 1}}, "2 seeds for 5 rows"},
		"outside":      {Options{K: 2, Seeds: []int{0, 1, -1, 2, -1}}, "row 3"},
		"clamp only":   {Options{K: 2, Clamp: true}, "no seeds are given"},
		"start, seeds": {Options{K: 1, Start: mat.NewDense(1, 2, nil), Seeds: []int{0, 0, 0, 0, 0}}, "give one of them"},
		"no free row":  {Options{K: 3, Seeds: []int{0, 0, 1, 1, 1}, Clamp: true}, "only 0 rows are free"},
	} {
		if _, err := Fit(ctx, x, c.opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: error %v, want an invalid one with %q", name, err, c.says)
		}
	}
}

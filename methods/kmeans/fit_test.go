package kmeans

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// blobs draws n rows around k centres with standard deviation spread in each direction.
func blobs(n, d, k int, spread float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 2))
	centre := mat.NewDense(k, d, nil)
	centre.Apply(func(_, _ int, _ float64) float64 { return spread * rng.NormFloat64() }, centre)
	x := mat.NewDense(n, d, nil)
	for i := range n {
		row := centre.RawRowView(rng.IntN(k))
		for t, v := range row {
			x.Set(i, t, v+rng.NormFloat64())
		}
	}
	return x
}

// texts draws n sparse unit rows of about nnz entries from k topics.
func texts(tb testing.TB, n, d, nnz, k int, seed uint64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(seed, 3))
	b := sparse.NewBuilder(n, d)
	b.Grow(n * nnz)
	for i := range n {
		topic := rng.IntN(k)
		for range nnz {
			word := int(float64(d) * math.Pow(rng.Float64(), 3)) // frequent words first
			if rng.IntN(2) == 0 {
				word = (topic*d/k + word/k) % d
			}
			b.Add(i, word, 1)
		}
	}
	a := must.Get(b.Build())(tb)
	return a.NormalizeRows()
}

// check verifies the properties of every model: sizes, order of the clusters, nearest centres,
// means, objective. It computes everything directly from dense rows.
func check(t interface{ Fatalf(string, ...any) }, x mat.Matrix, m *Model, k int) {
	n, d := x.Dims()
	sizes, firstRow := make([]int, k), make([]int, k)
	mean := mat.NewDense(k, d, nil)
	objective, scale := 0.0, 0.0
	sq := func(i, j int) float64 {
		s := 0.0
		for q := range d {
			s += math.Pow(x.At(i, q)-m.Centers.At(j, q), 2)
		}
		return s
	}
	for i := n - 1; i >= 0; i-- {
		a := m.Labels[i]
		if a < 0 || a >= k {
			t.Fatalf("label %d of row %d", a, i)
		}
		sizes[a]++
		firstRow[a] = i
		for q := range d {
			mean.Set(a, q, mean.At(a, q)+x.At(i, q))
			scale = max(scale, math.Abs(x.At(i, q)))
		}
	}
	tol := 1e-12 * (1 + scale*scale) * float64(d)
	for i, a := range m.Labels {
		own := sq(i, a)
		objective += own
		for j := range k {
			if sizes[j] > 0 && sq(i, j) < own-tol {
				t.Fatalf("row %d is in cluster %d at %v, but cluster %d is at %v", i, a, own, j, sq(i, j))
			}
		}
	}
	if math.Abs(objective-m.Objective) > 1e-9*objective+tol*float64(n) {
		t.Fatalf("objective %v, summed %v", m.Objective, objective)
	}
	if !slices.Equal(sizes, m.Sizes) {
		t.Fatalf("sizes %v, counted %v", m.Sizes, sizes)
	}
	for j := range k {
		if j > 0 && (sizes[j] > sizes[j-1] || sizes[j] == sizes[j-1] && sizes[j] > 0 && firstRow[j] < firstRow[j-1]) {
			t.Fatalf("clusters out of order: sizes %v, first rows %v", sizes, firstRow)
		}
		for q := range d {
			if sizes[j] > 0 && m.Converged && math.Abs(mean.At(j, q)/float64(sizes[j])-m.Centers.At(j, q)) > 1e-12*(1+scale)*float64(n) {
				t.Fatalf("centre %d column %d is %v, mean of its rows %v", j, q, m.Centers.At(j, q), mean.At(j, q)/float64(sizes[j]))
			}
		}
	}
}

func TestModelInvariants(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "d")
		k := rapid.IntRange(1, n).Draw(t, "k")
		x := randomRows(t, n, d)
		opt := Options{K: k, Restarts: 3, Init: rapid.SampledFrom([]Init{PlusPlus, Random}).Draw(t, "init"), Seed: rapid.Uint64().Draw(t, "seed")}
		a := must.Get(sparse.FromMatrix(x))(t)
		for _, rows := range []mat.Matrix{x, a} {
			m := must.Get(Fit(ctx, rows, opt))(t)
			check(t, x, m, k)
			again := must.Get(m.Predict(ctx, rows))(t)
			for i, j := range again {
				if own := m.Labels[i]; own != j {
					u, v := mat.Row(nil, i, x), mat.Row(nil, i, x)
					for q := range d {
						u[q] -= m.Centers.At(own, q)
						v[q] -= m.Centers.At(j, q)
					}
					if nu, nv := mat.Norm(mat.NewVecDense(d, u), 2), mat.Norm(mat.NewVecDense(d, v), 2); math.Abs(nu-nv) > 1e-7*(1+nu) {
						t.Fatalf("row %d: label %d at %v, predicted %d at %v", i, own, nu, j, nv)
					}
				}
			}
		}
	})
}

// TestNotBelowTheOptimum compares with the best of all partitions into two clusters, and expects
// well separated data to reach it.
func TestNotBelowTheOptimum(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		x := randomRows(t, n, 2)
		if rapid.Bool().Draw(t, "apart") {
			for i := range n / 2 {
				x.Set(i, 0, x.At(i, 0)+100)
			}
		}
		apart := x.At(0, 0) > 50 && x.At(n-1, 0) < 50
		best := math.Inf(1)
		for set := range 1 << (n - 1) {
			sum := 0.0
			for side := range 2 {
				var rows []int
				for i := range n {
					if set>>i&1 == side {
						rows = append(rows, i)
					}
				}
				for q := range 2 {
					mean := 0.0
					for _, i := range rows {
						mean += x.At(i, q) / float64(len(rows))
					}
					for _, i := range rows {
						sum += math.Pow(x.At(i, q)-mean, 2)
					}
				}
			}
			best = min(best, sum)
		}
		m := must.Get(Fit(ctx, x, Options{K: 2}))(t)
		if m.Objective < best*(1-1e-9)-1e-6 {
			t.Fatalf("objective %v below the optimum %v", m.Objective, best)
		}
		if apart && m.Objective > best*(1+1e-9)+1e-6 {
			t.Fatalf("objective %v of two distant groups, optimum %v", m.Objective, best)
		}
	})
}

func TestFindsSeparatedGroups(t *testing.T) {
	x := blobs(600, 12, 15, 40, 3)
	for seed := range uint64(5) {
		m := must.Get(Fit(ctx, x, Options{K: 15, Restarts: 2, Seed: seed}))(t)
		// Variance 1 in each of 12 columns: the objective is about n·d if every group has its own
		// centre.
		if m.Objective > 600*12*1.1 || !m.Converged {
			t.Errorf("seed %d: objective %v, converged %v", seed, m.Objective, m.Converged)
		}
		check(t, x, m, 15)
	}
}

func TestSameAtAnyThreadCount(t *testing.T) {
	wide, narrow, sp := blobs(2500, 20, 8, 1, 1), blobs(5000, 2, 8, 1, 1), texts(t, 1500, 2000, 25, 6, 1)
	for name, x := range map[string]mat.Matrix{"wide": wide, "narrow": narrow, "sparse": sp} {
		for _, opt := range []Options{{K: 8, Seed: 3, Restarts: 3}, {K: 7, Seed: 4, Restarts: 1}, {K: 9, Restarts: 2, Init: Random, MaxIter: 5}} {
			paralleltest.Same(t, name, []int{1, 2, 5}, func() *Model { // 5 > Restarts: rows in parallel
				return must.Get(Fit(ctx, x, opt))(t)
			})
		}
	}
}

func TestSparseLikeDense(t *testing.T) {
	a := texts(t, 400, 300, 20, 5, 9)
	x := a.ToDense()
	start := mat.NewDense(5, 300, nil)
	for j := range 5 {
		start.SetRow(j, x.RawRowView(j))
	}
	s := must.Get(Fit(ctx, a, Options{K: 5, Start: start}))(t)
	d := must.Get(Fit(ctx, x, Options{K: 5, Start: start}))(t)
	if !slices.Equal(s.Labels, d.Labels) || math.Abs(s.Objective-d.Objective) > 1e-9*d.Objective {
		t.Errorf("sparse rows give objective %v, the same dense %v", s.Objective, d.Objective)
	}
	check(t, x, s, 5)
	for _, rows := range []mat.Matrix{a, x, x.T().T(), mat.Transpose{Matrix: mat.DenseCopyOf(x.T())}} {
		got := must.Get(s.Predict(ctx, rows))(t)
		if !slices.Equal(got, s.Labels) {
			t.Errorf("Predict of %T differs from the labels of the fit", rows)
		}
	}
	// A matrix of any other type is copied.
	c, err := Fit(ctx, mat.Transpose{Matrix: mat.DenseCopyOf(x.T())}, Options{K: 5, Start: start})
	if err != nil || !slices.Equal(c.Labels, d.Labels) {
		t.Errorf("transposed view: %v", err)
	}
}

// TestView clusters part of a wider matrix, whose stride exceeds its width.
func TestView(t *testing.T) {
	x := blobs(300, 14, 4, 5, 2)
	view := x.Slice(10, 290, 2, 12).(*mat.Dense)
	a := must.Get(Fit(ctx, view, Options{K: 4}))(t)
	b := must.Get(Fit(ctx, mat.DenseCopyOf(view), Options{K: 4}))(t)
	if !slices.Equal(a.Labels, b.Labels) || a.Objective != b.Objective {
		t.Error("a view gives another result than its copy")
	}
}

func TestFewDistinctRows(t *testing.T) {
	for _, c := range []struct{ n, distinct, k int }{{10, 1, 3}, {12, 3, 5}, {7, 7, 7}, {1, 1, 1}, {9, 4, 9}, {200, 2, 150}} {
		for _, init := range []Init{PlusPlus, Random} {
			x := mat.NewDense(c.n, 10, nil)
			for i := range c.n {
				for q := range 10 {
					x.Set(i, q, 0.1*float64((i%c.distinct+1)*(q+1)))
				}
			}
			for _, rows := range []mat.Matrix{x, toCSR(t, x), toCSR(t, x.Slice(0, c.n, 0, 1))} {
				var notes []string
				m := must.Get(Fit(ctx, rows, Options{K: c.k, Init: init, Observer: func(e progress.Event) {
					if e.Message != "" {
						notes = append(notes, e.Message)
					}
				}}))(t)
				full := 0
				for _, s := range m.Sizes {
					if s > 0 {
						full++
					}
				}
				if full != min(c.distinct, c.k) || m.Objective > 1e-20 || !m.Converged {
					t.Errorf("%+v %s %T: %d clusters hold rows, objective %v, converged %v", c, init, rows, full, m.Objective, m.Converged)
				}
				if (full < c.k) != (len(notes) == 1) {
					t.Errorf("%+v %s: notes %q", c, init, notes)
				}
			}
		}
	}
}

// More clusters than distinct rows leave some empty, and a note says how many.
func TestEmptyClustersAreTold(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{1, 1, 1, 5, 5, 5})
	for k, want := range map[int]string{2: "", 3: "Empty clusters: 1 of 3", 4: "Empty clusters: 2 of 4"} {
		told := ""
		_, err := Fit(ctx, x, Options{K: k, Observer: func(e progress.Event) { told += e.Message }})
		if err != nil || !strings.Contains(told, want) || strings.Contains(told, "Empty") != (want != "") {
			t.Errorf("%d clusters: %q, %v", k, told, err)
		}
	}
}

func TestEmptyClustersAreRepaired(t *testing.T) {
	x := blobs(100, 3, 3, 10, 5)
	// All starts but one are far from every row: they lose all rows in the first pass.
	start := mat.NewDense(4, 3, nil)
	for j := 1; j < 4; j++ {
		start.Set(j, 0, 1e6*float64(j))
	}
	m := must.Get(Fit(ctx, x, Options{K: 4, Start: start}))(t)
	if m.Repaired != 3 || m.empty() != 0 {
		t.Errorf("%d clusters repaired, sizes %v", m.Repaired, m.Sizes)
	}
	check(t, x, m, 4)
}

func TestErrors(t *testing.T) {
	x := blobs(5, 2, 1, 1, 1)
	spoiled := func(v float64) *mat.Dense {
		y := mat.DenseCopyOf(x)
		y.Set(3, 1, v)
		return y
	}
	bad := toCSR(t, x)
	bad.Val[2*3+1] = math.NaN()
	for name, c := range map[string]struct {
		x    mat.Matrix
		opt  Options
		says string
	}{
		"k 0":          {x, Options{}, "at least 1"},
		"k above n":    {x, Options{K: 6}, "6 clusters were requested for 5 rows"},
		"all at once":  {x, Options{K: -1, Restarts: -1, MaxIter: -1, Init: "best"}, "best"},
		"nil":          {nil, Options{K: 1}, "no matrix"},
		"no rows":      {&mat.Dense{}, Options{K: 1}, "empty"},
		"no columns":   {&sparse.CSR{NumRows: 2, RowPtr: []int{0, 0, 0}}, Options{K: 1}, "empty"},
		"NaN":          {spoiled(math.NaN()), Options{K: 2}, "(3, 1)"},
		"Inf":          {spoiled(math.Inf(-1)), Options{K: 2}, "(3, 1)"},
		"NaN sparse":   {bad, Options{K: 2}, "(3, 1)"},
		"too large":    {spoiled(1e160), Options{K: 2}, "row 3"},
		"start shape":  {x, Options{K: 2, Start: mat.NewDense(2, 3, nil)}, "2 × 2"},
		"start NaN":    {x, Options{K: 1, Start: mat.NewDense(1, 2, []float64{0, math.NaN()})}, "(0, 1)"},
		"start length": {x, Options{K: 1, Start: mat.NewDense(1, 2, []float64{0, 1e200})}, "start 0"},
	} {
		_, err := Fit(ctx, c.x, c.opt)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: error %v, want an invalid one with %q", name, err, c.says)
		}
	}
	if err := (Options{K: -1, Restarts: -1, MaxIter: -1, Init: "best"}).Validate(); strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("Validate lists %q, want four violations", err)
	}
	m := must.Get(Fit(ctx, x, Options{K: 2}))(t)
	for name, y := range map[string]mat.Matrix{"width": mat.NewDense(2, 3, nil), "nil": nil, "NaN": spoiled(math.NaN())} {
		if _, err := m.Predict(ctx, y); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Predict %s: error %v", name, err)
		}
	}
	if _, err := new(Model).Predict(ctx, x); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Predict of an empty model: error %v", err)
	}
}

// TestCancelled cancels at every check of the context in a fit: Fit must return the context's error
// from there.
func TestCancelled(t *testing.T) {
	for name, x := range map[string]mat.Matrix{"dense": blobs(5000, 10, 20, 0.1, 1), "sparse": texts(t, 500, 600, 30, 5, 1)} {
		for _, restarts := range []int{1, 4} {
			opt := Options{K: 20, Restarts: restarts, MaxIter: 3}
			full := countdown.New(ctx, countdown.Forever)
			if _, err := Fit(full, x, opt); err != nil {
				t.Fatal(err)
			}
			looks := full.Looks()
			if looks < 20*3 {
				t.Errorf("%s, %d restarts: only %d looks at the context", name, restarts, looks)
			}
			for limit := int64(0); limit < looks-2; limit += 1 + looks/12 {
				c := countdown.New(ctx, limit)
				if _, err := Fit(c, x, opt); !errors.Is(err, context.Canceled) {
					t.Fatalf("%s, %d restarts, cancelled at look %d of %d: error %v", name, restarts, limit, looks, err)
				}
				if late := c.Late(); late > 20 {
					t.Errorf("%s, %d restarts: %d more looks after the end", name, restarts, late)
				}
			}
		}
	}
}

func TestObserverIsCalledSerially(t *testing.T) {
	busy, last := false, int64(-1)
	_, err := Fit(ctx, blobs(200, 3, 3, 1, 1), Options{K: 3, Restarts: 20, Observer: func(e progress.Event) {
		if busy || e.Stage != "k-means" || e.Unit != "restarts" || e.Total != 20 || e.Done != last+1 {
			t.Errorf("event %+v after %d", e, last)
		}
		busy = true
		last = e.Done
		runtime.Gosched()
		busy = false
	}})
	if err != nil || last != 20 {
		t.Errorf("error %v, last %d", err, last)
	}
}

func TestMemoryIsWhatFitTakes(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(1)
	for name, x := range map[string]mat.Matrix{"dense": blobs(20_000, 6, 5, 9, 1), "sparse": texts(t, 2000, 30_000, 20, 3, 1)} {
		opt := Options{K: 5, Restarts: 1, MaxIter: 1}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Fit(ctx, x, opt); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		took, told := int64(after.TotalAlloc-before.TotalAlloc), Memory(x, opt)
		if took > told*3/2 || took < told/4 {
			t.Errorf("%s: Fit took %d bytes, Memory says %d", name, took, told)
		}
	}
}

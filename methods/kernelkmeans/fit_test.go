package kernelkmeans

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

func random(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 7))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(i, _ int, _ float64) float64 { return rng.NormFloat64() + 2*float64(i%4) }, x)
	return x
}

func asCSR(t rapid.TB, x mat.Matrix) *sparse.CSR {
	a := must.Get(sparse.FromMatrix(x))(t)
	return a
}

func fit(t rapid.TB, x mat.Matrix, opt Options) *Model {
	t.Helper()
	return fitIn(ctx, t, x, opt)
}

// tight is a context in which the kernel matrix of n rows is not formed.
func tight(n int) context.Context { return memory.Bound(ctx, memory.Bytes(8, n, n)-1) }

func fitIn(ctx context.Context, t rapid.TB, x mat.Matrix, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(ctx, x, opt))(t)
	return m
}

// literalKernel writes K out entry by entry.
func literalKernel(x *mat.Dense, opt Options) *mat.SymDense {
	n, d := x.Dims()
	sq := func(i, j int) (dist, dot float64) {
		for t := range d {
			dist += (x.At(i, t) - x.At(j, t)) * (x.At(i, t) - x.At(j, t))
			dot += x.At(i, t) * x.At(j, t)
		}
		return dist, dot
	}
	width := opt.Width
	if width == 0 {
		for i := range n {
			for j := range n {
				dist, _ := sq(i, j)
				width += dist / float64(n*(n-1))
			}
		}
	}
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			dist, dot := sq(i, j)
			switch opt.Kernel {
			case Linear:
				k.SetSym(i, j, dot)
			case Polynomial:
				k.SetSym(i, j, math.Pow(1.5+dot, 3))
			default:
				k.SetSym(i, j, math.Exp(-dist/width))
			}
		}
	}
	return k
}

// literal is kernel k-means by the printed formula from K, with the package's rules and nothing
// kept from move to move.
func literal(k *mat.SymDense, clusters int, start []int) (label []int, history []float64) {
	n := k.SymmetricDim()
	distance := func(of []int, i, c int) float64 {
		size, cross, within := 0.0, 0.0, 0.0
		for j := range n {
			if of[j] != c {
				continue
			}
			size++
			cross += k.At(i, j)
			for l := range n {
				if of[l] == c {
					within += k.At(j, l)
				}
			}
		}
		if size == 0 {
			return math.Inf(1)
		}
		return k.At(i, i) - 2*cross/size + within/size/size
	}
	label = make([]int, n)
	away := make([]float64, n)
	for i := range label {
		away[i] = math.Inf(1)
		for c, s := range start {
			if v := k.At(i, i) - 2*k.At(i, s) + k.At(s, s); v < away[i]-1e-12 {
				label[i], away[i] = c, v
			}
		}
	}
	for range 100 {
		size := make([]int, clusters)
		for _, c := range label {
			size[c]++
		}
		for c := range size {
			for size[c] == 0 {
				far := -1
				for i := range label {
					if size[label[i]] > 1 && away[i] > 1e-12 && (far < 0 || away[i] > away[far]) {
						far = i
					}
				}
				if far < 0 {
					break
				}
				size[label[far]]--
				label[far] = c
				size[c]++
			}
		}
		next := make([]int, n)
		objective := 0.0
		for i := range label {
			objective += distance(label, i, label[i])
			away[i] = math.Inf(1)
			for c := range clusters {
				if v := distance(label, i, c); v < away[i] {
					next[i], away[i] = c, v
				}
			}
		}
		history = append(history, objective)
		if slices.Equal(next, label) {
			return label, history
		}
		label = next
	}
	return label, history
}

// samePartition says whether two labelings are the same up to their numbers.
func samePartition(a, b []int) bool {
	to, from := map[int]int{}, map[int]int{}
	for i := range a {
		x, ok := to[a[i]]
		y, ko := from[b[i]]
		if ok != ko || ok && (x != b[i] || y != a[i]) {
			return false
		}
		to[a[i]], from[b[i]] = b[i], a[i]
	}
	return true
}

func TestAgainstLiteral(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 24).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "d")
		clusters := rapid.IntRange(1, min(n, 6)).Draw(t, "k")
		x := random(n, d, rapid.Uint64().Draw(t, "seed"))
		start := rapid.SliceOfN(rapid.IntRange(0, n-1), clusters, clusters).Draw(t, "start")
		offset := 1.5
		opt := Options{K: clusters, StartRows: start, Degree: 3, Offset: &offset,
			Kernel: rapid.SampledFrom([]Kernel{Gaussian, Polynomial, Linear}).Draw(t, "kernel")}
		k := literalKernel(x, opt)
		want, history := literal(k, clusters, start)
		given := opt
		given.Kernel = Precomputed
		for name, m := range map[string]*Model{
			"dense": fit(t, x, opt), "sparse": fit(t, asCSR(t, x), opt),
			"given": fit(t, k, given), "given sparse": fit(t, asCSR(t, k), given),
		} {
			if !samePartition(m.Labels, want) {
				t.Fatalf("%s %s: labels %v, literally %v", name, opt.Kernel, m.Labels, want)
			}
			if len(m.History) != len(history) || !m.Converged {
				t.Fatalf("%s: %d moves, converged %v; literally %d", name, len(m.History), m.Converged, len(history))
			}
			for q, v := range m.History {
				if math.Abs(v-history[q]) > 1e-8*mat.Trace(k) {
					t.Fatalf("%s: objective %d is %v, literally %v", name, q, v, history[q])
				}
			}
		}
	})
}

// The linear kernel is k-means: the same labels, number of moves and objective from the same start,
// repairs included.
func TestLinearIsKMeans(t *testing.T) {
	check := func(t rapid.TB, x *mat.Dense, start []int) {
		n, d := x.Dims()
		first := mat.NewDense(len(start), d, nil)
		for c, i := range start {
			first.SetRow(c, x.RawRowView(i))
		}
		want := must.Get(kmeans.Fit(ctx, x, kmeans.Options{K: len(start), Start: first}))(t)
		for name, data := range map[string]mat.Matrix{"dense": x, "sparse": asCSR(t, x)} {
			for _, ctx := range []context.Context{ctx, tight(n)} {
				if runBytes(n, len(start)) >= 8*int64(n)*int64(n) {
					ctx = context.Background() // so few rows take less than what a run takes
				}
				m := fitIn(ctx, t, data, Options{K: len(start), Kernel: Linear, StartRows: start})
				if !slices.Equal(m.Labels, want.Labels) {
					t.Fatalf("%s, %d rows: labels differ", name, n)
				}
				if m.Iterations != want.Iterations || m.Repaired != want.Repaired || !m.Converged {
					t.Fatalf("%s: %d moves, %d repaired; k-means %d, %d", name, m.Iterations, m.Repaired, want.Iterations, want.Repaired)
				}
				if math.Abs(m.Objective-want.Objective) > 1e-9*want.Objective+1e-9 {
					t.Fatalf("%s: objective %v, k-means %v", name, m.Objective, want.Objective)
				}
			}
		}
	}
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		x := random(n, rapid.IntRange(1, 6).Draw(t, "d"), rapid.Uint64().Draw(t, "seed"))
		check(t, x, rapid.SliceOfN(rapid.IntRange(0, n-1), 1, min(n, 8)).Draw(t, "start"))
	})
	check(t, random(1500, 12, 3), []int{0, 3, 5, 8, 9, 700, 1400, 33})
}

// Rows of the kernel computed in blocks give what the stored matrix gives, at any number of
// threads.
func TestBlocksAndThreads(t *testing.T) {
	defer native.SetThreads(0)
	x := random(900, 7, 5)
	for _, kernel := range []Kernel{Gaussian, Polynomial, Linear} {
		for name, data := range map[string]mat.Matrix{"dense": x, "sparse": asCSR(t, x)} {
			opt := Options{K: 6, Kernel: kernel, Restarts: 3, Seed: 2}
			native.SetThreads(2)
			whole := fit(t, data, opt)
			if whole.Storage != Matrix || whole.Iterations < 3 {
				t.Fatalf("%s: storage %s, %d moves: the test tests nothing", name, whole.Storage, whole.Iterations)
			}
			for threads := range 3 {
				native.SetThreads(threads + 1)
				blocks := fitIn(tight(900), t, data, opt)
				if blocks.Storage != Blocks || !slices.Equal(blocks.Labels, whole.Labels) || len(blocks.History) != len(whole.History) {
					t.Fatalf("%s %s, %d threads: storage %s; labels equal: %v", name, kernel, threads+1, blocks.Storage, slices.Equal(blocks.Labels, whole.Labels))
				}
				for q, v := range blocks.History {
					if math.Abs(v-whole.History[q]) > 1e-12*whole.History[0]*900 || name == "sparse" && v != whole.History[q] {
						t.Errorf("%s %s: objective %d is %v in blocks, %v with the matrix", name, kernel, q, v, whole.History[q])
					}
				}
				again := fit(t, data, opt)
				if !slices.Equal(again.History, whole.History) || !slices.Equal(again.Labels, whole.Labels) {
					t.Errorf("%s %s: other bits with %d threads", name, kernel, threads+1)
				}
			}
		}
	}
}

// Runs that move in step with others, in groups, or alone are the same runs.
func TestEachIsFit(t *testing.T) {
	x := random(300, 4, 6)
	opt := Options{Restarts: 4, Seed: 9}
	all := must.Get(FitEach(ctx, x, opt, []int{2, 3, 5}))(t)
	some, err := FitEach(memory.Bound(ctx, 8*300*300), x, opt, []int{2, 3, 5}) // a group holds a few runs only
	if err != nil {
		t.Fatal(err)
	}
	for q, k := range []int{2, 3, 5} {
		opt.K = k
		best := fit(t, x, opt)
		least := math.Inf(1)
		for r, m := range all[q] {
			least = min(least, m.Objective)
			if !slices.Equal(m.Labels, some[q][r].Labels) || !slices.Equal(m.History, some[q][r].History) {
				t.Errorf("k = %d, restart %d: another result in smaller groups", k, r)
			}
			if !slices.IsSortedFunc(m.History, func(a, b float64) int { return -cmpFloat(a, b) }) {
				t.Errorf("the objective rises: %v", m.History)
			}
			if !slices.IsSortedFunc(m.Sizes, func(a, b int) int { return b - a }) {
				t.Errorf("sizes %v do not fall", m.Sizes)
			}
		}
		if best.Objective != least {
			t.Errorf("k = %d: Fit found %v, the best restart has %v", k, best.Objective, least)
		}
	}
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestPredict(t *testing.T) {
	x := random(400, 5, 8)
	for _, kernel := range []Kernel{Gaussian, Polynomial, Linear} {
		for name, data := range map[string]mat.Matrix{"dense": x, "sparse": asCSR(t, x)} {
			m := fit(t, data, Options{K: 4, Kernel: kernel, Restarts: 2})
			for other, fresh := range map[string]mat.Matrix{"dense": x, "sparse": asCSR(t, x)} {
				got, err := m.Predict(ctx, fresh)
				if err != nil || !slices.Equal(got, m.Labels) {
					t.Errorf("%s on %s, %s: training rows get other labels; %v", other, name, kernel, err)
				}
			}
			if _, err := m.Predict(ctx, mat.NewDense(2, 4, nil)); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("four columns for five: %v", err)
			}
		}
	}
	k := literalKernel(x, Options{})
	for name, data := range map[string]mat.Matrix{"dense": k, "sparse": asCSR(t, k)} {
		m := fit(t, data, Options{K: 4, Kernel: Precomputed, Restarts: 2})
		rows := mat.DenseCopyOf(k).Slice(10, 60, 0, 400)
		got, err := m.Predict(ctx, rows)
		if err != nil || !slices.Equal(got, m.Labels[10:60]) {
			t.Errorf("%s: precomputed rows get other labels; %v", name, err)
		}
	}
	if _, err := (&Model{}).Predict(ctx, x); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty model: %v", err)
	}
}

// A graph without diagonal has no feature space: the objective still never rises. Cliques with
// weak links are separated, and with a shift that makes the kernel definite no move is taken
// back.
func TestGraphAsKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const groups, each = 3, 20
	b := sparse.NewBuilder(groups*each, groups*each)
	truth := make([]int, groups*each)
	for i := range truth {
		truth[i] = i % groups
		for j := range i {
			w := 0.0
			if j%groups == i%groups {
				w = 0.5 + rng.Float64()
			} else if rng.IntN(20) == 0 {
				w = 0.1
			}
			if w > 0 {
				b.Add(i, j, w)
				b.Add(j, i, w)
			}
		}
	}
	w := must.Get(b.Build())(t)
	for _, shift := range []float64{0, 30} {
		dense := fit(t, w.ToDense(), Options{K: groups, Kernel: Precomputed, Shift: shift, Seed: 4})
		m := fit(t, w, Options{K: groups, Kernel: Precomputed, Shift: shift, Seed: 4})
		if !slices.Equal(m.Labels, dense.Labels) {
			t.Errorf("shift %v: sparse and dense differ", shift)
		}
		if shift == 0 && !samePartition(m.Labels, truth) {
			t.Errorf("labels %v", m.Labels)
		}
		if shift > 0 && m.Indefinite {
			t.Errorf("shift %v: still indefinite", shift)
		}
		if !slices.IsSortedFunc(m.History, func(a, b float64) int { return -cmpFloat(a, b) }) {
			t.Errorf("the objective rises: %v", m.History)
		}
	}
}

// Two points that repel: every move swaps them, the objective rises, and the run ends with the
// clusters before the move.
func TestIndefiniteIsTakenBack(t *testing.T) {
	k := mat.NewSymDense(4, []float64{-5, 1, 0, 0, 1, -5, 0, 0, 0, 0, -5, 1, 0, 0, 1, -5})
	m := fit(t, k, Options{K: 2, Kernel: Precomputed, StartLabels: []int{0, 0, 1, 1}})
	if !m.Indefinite && !m.Converged {
		t.Errorf("the run neither converged nor told of the kernel: %+v", m.History)
	}
	if !samePartition(m.Labels, []int{0, 0, 1, 1}) || !slices.Equal(m.Sizes, []int{2, 2}) {
		t.Errorf("labels %v, sizes %v", m.Labels, m.Sizes)
	}
	n := 0.0
	for i := range 4 {
		n += k.At(i, i)
	}
	if want := n - 2*(-8.0/2); m.Objective != want {
		t.Errorf("objective %v, want %v", m.Objective, want)
	}
}

func TestDegenerate(t *testing.T) {
	same := mat.NewDense(6, 2, []float64{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4})
	for _, kernel := range []Kernel{Gaussian, Linear} {
		for _, init := range []Init{PlusPlus, Random} {
			m := fit(t, same, Options{K: 4, Kernel: kernel, Init: init})
			total := 0
			for _, s := range m.Sizes {
				total += s
			}
			if total != 6 || math.Abs(m.Objective) > 1e-12 {
				t.Errorf("%s %s: sizes %v, objective %v", kernel, init, m.Sizes, m.Objective)
			}
			if m.Labels[0] == m.Labels[3] {
				t.Errorf("%s %s: different rows share a cluster: %v", kernel, init, m.Labels)
			}
		}
	}
	one := fit(t, mat.NewDense(3, 1, []float64{5, 5, 5}), Options{K: 2})
	if one.Objective != 0 || one.Width != 0 {
		t.Errorf("equal rows: objective %v, width %v", one.Objective, one.Width)
	}
	if m := fit(t, mat.NewDense(1, 1, []float64{3}), Options{K: 1}); m.Sizes[0] != 1 {
		t.Errorf("one row: %+v", m)
	}
}

// More clusters than distinct rows leave some empty, and a note says so.
func TestEmptyClustersAreTold(t *testing.T) {
	x := mat.NewDense(6, 2, nil)
	for i := range 6 {
		x.SetRow(i, []float64{1, 2})
	}
	told := ""
	m, err := Fit(context.Background(), x, Options{K: 2, Kernel: Linear, Observer: func(e progress.Event) { told += e.Message }})
	if err != nil || m.Sizes[1] != 0 || !strings.Contains(told, "Empty clusters: 1 of 2") {
		t.Errorf("%v, %q", err, told)
	}
}

func TestRefuses(t *testing.T) {
	x := random(5, 2, 1)
	nan := mat.DenseCopyOf(x)
	nan.Set(3, 1, math.NaN())
	for name, try := range map[string]struct {
		x   mat.Matrix
		opt Options
	}{
		"no clusters":     {x, Options{}},
		"too many":        {x, Options{K: 6}},
		"kernel":          {x, Options{K: 2, Kernel: "cosine"}},
		"width":           {x, Options{K: 2, Width: -1}},
		"NaN width":       {x, Options{K: 2, Width: math.NaN()}},
		"start rows":      {x, Options{K: 2, StartRows: []int{0}}},
		"start row":       {x, Options{K: 2, StartRows: []int{0, 5}}},
		"start labels":    {x, Options{K: 2, StartLabels: []int{0, 1}}},
		"start label":     {x, Options{K: 2, StartLabels: []int{0, 1, 2, 0, 0}}},
		"no matrix":       {nil, Options{K: 1}},
		"no kernel":       {nil, Options{K: 1, Kernel: Precomputed}},
		"empty":           {&mat.Dense{}, Options{K: 1}},
		"not square":      {x, Options{K: 1, Kernel: Precomputed}},
		"not symmetric":   {mat.NewDense(2, 2, []float64{1, 2, 3, 4}), Options{K: 1, Kernel: Precomputed}},
		"NaN":             {nan, Options{K: 2}},
		"NaN in kernel":   {mat.NewDense(1, 1, []float64{math.NaN()}), Options{K: 1, Kernel: Precomputed}},
		"too long":        {mat.NewDense(2, 1, []float64{1e200, 1}), Options{K: 1}},
		"too small":       {mat.NewDense(2, 2, []float64{-1e308, 0, 0, 1}), Options{K: 1, Kernel: Precomputed}},
		"too long to sum": {mat.NewDense(2, 1, []float64{1e100, 1}), Options{K: 1, Kernel: Polynomial, Degree: 4}},
	} {
		if _, err := Fit(ctx, try.x, try.opt); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
}

// A cancelled context ends the work; the Observer is called from one goroutine.
func TestCancelAndProgress(t *testing.T) {
	stop, cancel := context.WithCancel(tight(600))
	opt := Options{K: 4, Observer: func(e progress.Event) {
		if e.Stage == stage && e.Total == 10 {
			cancel()
		}
	}}
	if _, err := Fit(stop, random(600, 3, 1), opt); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	told := ""
	opt.Observer = func(e progress.Event) { told += e.Message }
	fitIn(tight(600), t, random(600, 3, 1), opt)
	if told == "" {
		t.Error("nobody was told that the matrix does not fit")
	}
}

func TestMeanSquaredDistance(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 30).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "d")
		x := random(n, d, rapid.Uint64().Draw(t, "seed"))
		x.Apply(func(i, j int, v float64) float64 {
			if (i+j)%3 == 0 {
				return 0
			}
			return v
		}, x)
		want := 0.0
		for i := range n {
			for j := range i {
				for c := range d {
					want += (x.At(i, c) - x.At(j, c)) * (x.At(i, c) - x.At(j, c)) / float64(n*(n-1)/2)
				}
			}
		}
		for _, data := range []mat.Matrix{x, asCSR(t, x)} {
			got, err := MeanSquaredDistance(ctx, data)
			if err != nil || math.Abs(got-want) > 1e-12*(1+want) {
				t.Fatalf("%v, over all pairs %v; %v", got, want, err)
			}
		}
	})
}

func BenchmarkFit(b *testing.B) {
	x := random(4000, 100, 1)
	for name, ctx := range map[string]context.Context{"matrix": ctx, "blocks": tight(4000)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m := fitIn(ctx, b, x, Options{K: 8})
				b.ReportMetric(float64(m.Iterations), "moves")
			}
		})
	}
}

// A kernel that is not positive semidefinite can raise the objective at the first move already.
// The run ends there, with the clusters and the objective from before.
func TestFirstRiseIsTakenBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	found := 0
	for range 300 {
		const n = 5
		k := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				k.SetSym(i, j, math.Round(4*rng.NormFloat64()))
			}
		}
		start := []int{0, 1, rng.IntN(2), rng.IntN(2), rng.IntN(2)}
		m := fit(t, k, Options{K: 2, Kernel: Precomputed, StartLabels: start})
		for i := 1; i < len(m.History); i++ {
			if m.History[i] > m.History[i-1] {
				t.Fatalf("the objective rises: %v", m.History)
			}
		}
		if len(m.History) == 1 && m.Indefinite {
			found++
			if !samePartition(m.Labels, start) {
				t.Errorf("labels %v from %v, history %v", m.Labels, start, m.History)
			}
		}
	}
	if found == 0 {
		t.Error("no first move raises the objective")
	}
}

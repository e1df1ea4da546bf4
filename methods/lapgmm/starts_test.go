package lapgmm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Fewer components without rows come first, then the larger objective.
func TestCandidateOrder(t *testing.T) {
	of := func(empty int, objective float64) *state {
		return &state{value: value{objective: objective}, empty: empty}
	}
	order := []*state{of(0, 5), of(0, -7), of(1, 90), of(1, 5), of(2, math.Inf(1))}
	for i, a := range order {
		for j, b := range order {
			if got := a.before(b); got != (i < j) {
				t.Errorf("%d before %d: %v", i, j, got)
			}
		}
	}
}

// The starts are as the options name them: runs of k-means, the mixture without the graph, and two
// clusterings of the graph.
func TestOriginsAreThoseNamed(t *testing.T) {
	x := blobs(60, 3, 2, 6, 1)
	for from, want := range map[StartFrom][]string{
		StartKMeans:   {"k-means", "k-means", "k-means"},
		StartClusters: {"gmm", "le", "le"},
		StartAll:      {"k-means", "k-means", "k-means", "gmm", "le", "le"},
	} {
		for _, lambda := range []float64{0, 2} {
			origins := must.Get(fitterOf(t, x, Options{K: 2, Lambda: lambda, Starts: 3, StartFrom: from}).origins(ctx, x))(t)
			var names []string
			for _, o := range origins {
				names = append(names, o.name)
			}
			if !slices.Equal(names, want) {
				t.Errorf("%s, λ = %v: %v", from, lambda, names)
			}
		}
	}
}

// Clusters of a graph that the rows do not have are no start: the rows are two groups, and the
// graph joins every other row, whatever its group.
func TestOriginsLeaveOutOtherClusters(t *testing.T) {
	x := blobs(80, 3, 2, 8, 1) // rows 0, 2, 4 … and 1, 3, 5 …
	other := mat.NewDense(80, 1, nil)
	for i := range 80 {
		other.Set(i, 0, float64(i/40*100+i%40))
	}
	g := must.Get(graph.Build(ctx, other, graph.Options{Neighbors: 8, Weight: graph.Binary}))(t)
	f := fitterOf(t, x, Options{K: 2})
	f.smoother = newSmoother(g, 2)
	origins, err := f.origins(ctx, x)
	if err != nil || len(origins) != 1 || origins[0].name != "gmm" {
		t.Errorf("%d starts, %v", len(origins), err)
	}
}

// The first run begins with the best of several runs of k-means, each later one with a run of its
// own: more restarts change the first alone.
func TestLaterStartsTakeOneRun(t *testing.T) {
	x := blobs(200, 3, 8, 1, 5)
	few, many := fitterOf(t, x, Options{K: 8, KMeansRestarts: 1}), fitterOf(t, x, Options{K: 8, KMeansRestarts: 30})
	var labels [][]int
	for run := range 4 {
		a, own, err := few.centres(ctx, x, run)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := many.centres(ctx, x, run)
		if err != nil {
			t.Fatal(err)
		}
		if same := mat.Equal(a, b); same != (run > 0) {
			t.Errorf("run %d with 1 and 30 restarts: same centres %v", run, same)
		}
		seed := rand.New(rand.NewPCG(0, uint64(run))).Uint64()
		if k, err := kmeans.Fit(ctx, x, kmeans.Options{K: 8, Restarts: 1, Seed: seed}); err != nil || run > 0 && !mat.Equal(k.Centers, a) {
			t.Errorf("run %d is not one run of k-means: %v", run, err)
		}
		labels = append(labels, own)
	}
	if slices.Equal(labels[1], labels[2]) && slices.Equal(labels[2], labels[3]) {
		t.Error("later runs begin alike")
	}
}

// The clusters of the graph of two parts without an edge between them are the parts, with rows
// scaled or not. A graph has at most as many eigenvectors as nodes.
func TestEigenmapsFindParts(t *testing.T) {
	x := blobs(60, 3, 2, 30, 1)
	f := fitterOf(t, x, Options{K: 2})
	for _, normalize := range []bool{false, true} {
		labels := must.Get(f.eigenmaps(ctx, normalize))(t)
		for i, l := range labels {
			if (l == labels[0]) != (i%2 == 0) {
				t.Fatalf("row %d is in cluster %d, row 0 in %d", i, l, labels[0])
			}
		}
	}
}

// A component is empty if it is the greatest of no row.
func TestEmptyOfState(t *testing.T) {
	f := &fitter{opt: Options{K: 4}}
	for want, rows := range map[int][]float64{
		0: {.7, .1, .1, .1 /**/, .1, .7, .1, .1 /**/, .1, .1, .7, .1 /**/, .1, .1, .1, .7},
		2: {.7, .1, .1, .1 /**/, .1, .7, .1, .1 /**/, .4, .3, .2, .1 /**/, .1, .5, .3, .1},
		3: {.4, .2, .2, .2 /**/, .4, .2, .2, .2 /**/, .4, .2, .2, .2 /**/, .4, .2, .2, .2},
	} {
		if got := f.empty(&state{made: mat.NewDense(4, 4, rows)}); got != want {
			t.Errorf("%d empty, want %d", got, want)
		}
	}
}

// candidate is a state of the run of a number.
type candidate struct {
	state
	run int
}

// onward is a turn that keeps nothing and never ends.
type onward struct{}

func (onward) Save() error    { return nil }
func (onward) Step(int) error { return nil }

// alone runs each start by itself: what it is after its first iterations, and at its end.
func alone(t *testing.T, x *mat.Dense, opt Options) (early, late []*candidate) {
	t.Helper()
	f := fitterOf(t, x, opt)
	all := must.Get(f.origins(ctx, x))(t)
	for run, o := range all {
		s := must.Get(o.start(ctx))(t)
		for _, part := range []struct {
			iterations int
			to         *[]*candidate
		}{{f.opt.StartIter, &early}, {f.opt.MaxIter, &late}} {
			must.Do(t, f.iterate(ctx, s, part.iterations, onward{}))
			s.empty = f.empty(s)
			*part.to = append(*part.to, &candidate{*s, run})
		}
	}
	return early, late
}

// better is the order of the package comment, written a second time.
func better(a, b *candidate) int {
	if a.empty != b.empty {
		return a.empty - b.empty
	}
	switch {
	case a.value.objective > b.value.objective:
		return -1
	case a.value.objective < b.value.objective:
		return 1
	}
	return a.run - b.run
}

// The start that leads after its first iterations goes on, one without empty components before any
// with a larger objective; if it loses components later, the second best has its turn too.
func TestBestStartGoesOn(t *testing.T) {
	against, turned := 0, 0
	for _, seed := range []uint64{3, 4, 10, 11} {
		x := blobs(60, 3, 4, 1.5, seed)
		opt := Options{K: 4, Lambda: 15, Starts: 3, StartFrom: StartAll, StartIter: 1, MaxIter: 12, Tol: 1e-9, Seed: seed, Graph: graph.Options{Neighbors: 6}}
		early, late := alone(t, x, opt)
		slices.SortFunc(early, better)
		want := late[early[0].run]
		if second := late[early[1].run]; want.empty > early[1].empty && better(second, want) < 0 {
			want = second
			turned++
		}
		for _, c := range early[1:] {
			if c.value.objective > early[0].value.objective {
				against++
				break
			}
		}
		m := fit(t, x, opt)
		if m.Restart != want.run || math.Abs(m.Regularized-want.value.objective) > 1e-9*math.Abs(m.Regularized) || m.Empty() != want.empty {
			t.Errorf("seed %d: run %d, %v, %d empty; alone run %d reaches %v, %d empty", seed,
				m.Restart, m.Regularized, m.Empty(), want.run, want.value.objective, want.empty)
		}
	}
	t.Logf("%d against the objective, %d turned", against, turned)
	if against == 0 || turned == 0 {
		t.Error("empty components never decide")
	}
}

// A new document has the mixture's posterior, smoothed over its neighbours in the graph with one
// node more; a training document has its own cluster.
func TestPlacesByTheWalk(t *testing.T) {
	x := blobs(60, 3, 3, 1.5, 3)
	for _, gamma := range []float64{0.25, 0.9} {
		fitted := must.Get((&ReducedOptions{Mixture: Options{Lambda: 5}}).Fit(ctx, &method.Input{X: x, Clusters: 3, Seed: 1}))(t)
		m, placer := fitted.Model.(*Model), fitted.Placer.(*Placer)
		placer.Gamma = gamma
		rows := blobs(20, 3, 3, 1.5, 4)
		p := must.Get(placer.Place(ctx, rows, nil))(t)
		own, _, err := m.Evaluate(ctx, rows)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			var more mat.Dense
			more.Stack(x, rows.Slice(i, i+1, 0, 3))
			g := must.Get(graph.Build(ctx, &more, Options{}.graphOptions(61)))(t)
			want, total := make([]float64, 3), 0.0
			for j := range 60 {
				total += g.W.At(60, j)
				floats.AddScaled(want, g.W.At(60, j), m.Posterior.RawRowView(j))
			}
			floats.Scale(gamma/total, want)
			floats.AddScaled(want, 1-gamma, own.RawRowView(i))
			if !floats.EqualApprox(want, p.Posterior.RawRowView(i), 1e-9) || p.Labels[i] != floats.MaxIdx(want) {
				t.Errorf("γ = %v, row %d: %v, cluster %d, want %v", gamma, i, p.Posterior.RawRowView(i), p.Labels[i], want)
			}
		}
	}
}

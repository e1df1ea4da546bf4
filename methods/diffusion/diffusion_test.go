package diffusion

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/methodtest"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestContract(t *testing.T) { methodtest.Check(t, Spec) }

// moons are two half circles that reach into each other.
func moons(n int, noise float64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(5, 1))
	x, truth := mat.NewDense(2*n, 2, nil), make([]int, 2*n)
	for i := range 2 * n {
		truth[i] = i % 2
		a := math.Pi * rng.Float64()
		p := []float64{math.Cos(a), math.Sin(a)}
		if truth[i] == 1 {
			p = []float64{1 - p[0], 0.5 - p[1]}
		}
		x.SetRow(i, []float64{p[0] + noise*rng.NormFloat64(), p[1] + noise*rng.NormFloat64()})
	}
	return x, truth
}

func TestDimsFor(t *testing.T) {
	for k, want := range map[int]int{1: 6, 2: 8, 5: 14, 10: 20, 30: 34, 40: 40, 41: 42, 100: 100} {
		if got := DimsFor(k); got != want {
			t.Errorf("%d clusters: %d dimensions, want %d", k, got, want)
		}
	}
}

// TestHeat: with all eigenvectors, inner products of the rows before they are scaled are those of
// the distributions of heat, which need none: Σ_j exp(−2tλ_j)·y_j·y_jᵀ = exp(−2t·D⁻¹L)·D⁻¹.
func TestHeat(t *testing.T) {
	x, _ := moons(30, 0.05)
	n, _ := x.Dims()
	opt := &Options{Dims: n, Time: 3}
	opt.Graph.Neighbors = 8
	out, err := Spec.Fit(context.Background(), opt, &method.Input{X: x, Clusters: 2})
	if err != nil {
		t.Fatal(err)
	}
	walk := mat.NewDense(n, n, nil) // −2t·D⁻¹L
	for i := range n {
		cols, vals := out.Graph.W.Row(i)
		walk.Set(i, i, -2*opt.Time)
		for k, j := range cols {
			walk.Set(i, int(j), walk.At(i, int(j))+2*opt.Time*vals[k]/out.Graph.Degrees[i])
		}
	}
	var want, got mat.Dense
	want.Exp(walk)
	for i := range n {
		for j := range n {
			want.Set(i, j, want.At(i, j)/out.Graph.Degrees[j])
		}
	}
	y := out.Placer.(*nystrom.Extension).Coordinates
	got.Mul(y, y.T())
	scale := mat.Max(&want)
	got.Sub(&got, &want)
	if d := max(mat.Max(&got), -mat.Min(&got)); d > 1e-9*scale {
		t.Errorf("inner products are off by %g of %g", d, scale)
	}
	for i := range n {
		if l := mat.Norm(out.Embedding.RowView(i), 2); math.Abs(l-1) > 1e-12 {
			t.Fatalf("row %d has length %v", i, l)
		}
	}
}

// TestTime: without a time it is the reciprocal of the eigenvalue in the middle, and the same time
// given has the same bits. A graph in parts has weights 1 for the indicators of its parts.
func TestTime(t *testing.T) {
	x, _ := moons(60, 0.05)
	in := &method.Input{X: x, Clusters: 2}
	first, err := Spec.Fit(context.Background(), new(Options), in)
	if err != nil {
		t.Fatal(err)
	}
	used := first.Used.(*Options)
	if want := 1 / first.Values.Values[used.Dims/2]; used.Dims != 8 || used.Time != want {
		t.Errorf("%d dimensions, time %v, want %v", used.Dims, used.Time, want)
	}
	again, err := Spec.Fit(context.Background(), used, in)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(first.Embedding.RawMatrix().Data, again.Embedding.RawMatrix().Data) {
		t.Error("the time that was found gives other coordinates")
	}
	for _, c := range []struct {
		values []float64
		r      int
		want   float64
	}{
		{[]float64{0, 0.1, 0.5, 0.8}, 2, 2}, {[]float64{0, 0, 0, 0.25}, 1, 4}, {[]float64{0, 0}, 1, 0}, {nil, 3, 0}, {[]float64{0, 0.5}, 7, 0},
	} {
		if got := timeOf(c.values, c.r); got != c.want {
			t.Errorf("%v, %d: time %v, want %v", c.values, c.r, got, c.want)
		}
	}
}

// TestMoons: the clusters are the moons.
func TestMoons(t *testing.T) {
	for _, neighbors := range []int{7, 15} {
		x, truth := moons(200, 0.06)
		opt := new(Options)
		opt.Graph.Neighbors = neighbors
		out, err := Spec.Fit(context.Background(), opt, &method.Input{X: x, Clusters: 2})
		if err != nil {
			t.Fatal(err)
		}
		found, err := kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: 2})
		if err != nil {
			t.Fatal(err)
		}
		if score, err := metrics.Score(truth, found.Labels); err != nil || score.Accuracy < 0.99 {
			t.Errorf("%d neighbours: accuracy %v, %v", neighbors, score.Accuracy, err)
		}
	}
}

// TestParts: components that are as many as the clusters come apart, whatever is inside them.
func TestParts(t *testing.T) {
	const parts, size = 4, 60
	rng := rand.New(rand.NewPCG(8, 3))
	b, truth := sparse.NewBuilder(parts*size, parts*size), make([]int, parts*size)
	for i := range parts * size {
		truth[i] = i / size
		next := i/size*size + (i+1)%size // a ring
		b.Add(i, next, 1)
		b.Add(next, i, 1)
		if other := i/size*size + rng.IntN(size); other != i && other != next {
			b.Add(i, other, 0.2)
			b.Add(other, i, 0.2)
		}
	}
	w, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromAffinity(w)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Spec.Fit(context.Background(), new(Options), &method.Input{Graph: g, Clusters: parts})
	if err != nil {
		t.Fatal(err)
	}
	found, err := kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: parts})
	if err != nil {
		t.Fatal(err)
	}
	if score, err := metrics.Score(truth, found.Labels); err != nil || score.Accuracy < 1 {
		t.Errorf("accuracy %v, %v", score.Accuracy, err)
	}
}

// TestEmbedding: without clusters the constant is left out and rows keep their lengths.
func TestEmbedding(t *testing.T) {
	x, _ := moons(60, 0.05)
	out, err := Spec.Fit(context.Background(), &Options{Dims: 2}, &method.Input{X: x})
	if err != nil {
		t.Fatal(err)
	}
	if out.Values.LeftOut != 1 || out.Values.Values[0] <= 0 {
		t.Errorf("values %v, %d left out", out.Values.Values, out.Values.LeftOut)
	}
	if a, b := mat.Norm(out.Embedding.RowView(0), 2), mat.Norm(out.Embedding.RowView(1), 2); a == b {
		t.Errorf("rows have the length %v", a)
	}
}

// TestThreads: the same bits on any number of threads.
func TestThreads(t *testing.T) {
	defer native.SetThreads(0)
	x, _ := moons(80, 0.05)
	var first []float64
	for _, threads := range []int{1, 3} {
		native.SetThreads(threads)
		out, err := Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: 3, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if data := out.Embedding.RawMatrix().Data; first == nil {
			first = data
		} else if !slices.Equal(data, first) {
			t.Fatal("the coordinates depend on the threads")
		}
	}
}

package diffusion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/methodtest"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
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

// TestHeat: with all eigenvectors but the constant, inner products of the rows before scaling equal
// inner products of the distributions of heat less the one at equilibrium, which need no scaling:
// Σ_j exp(−2tλ_j)·y_j·y_jᵀ = exp(−2t·D⁻¹L)·D⁻¹ − 1·1ᵀ/trace D.
func TestHeat(t *testing.T) {
	x, _ := moons(30, 0.05)
	n, _ := x.Dims()
	opt := &Options{Dims: n - 1, Time: 3}
	opt.Graph.Neighbors = 8
	out := must.Get(Spec.Fit(context.Background(), opt, &method.Input{X: x, Clusters: n}))(t)
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
			want.Set(i, j, want.At(i, j)/out.Graph.Degrees[j]-1/floats.Sum(out.Graph.Degrees))
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
// given has the same bits, in plain groups (two moons) too. A graph in parts has weights 1 for the
// indicators of its parts.
func TestTime(t *testing.T) {
	x, _ := moons(60, 0.05)
	for clusters, dims := range map[int]int{2: 8, 3: 10} {
		in := &method.Input{X: x, Clusters: clusters}
		first := must.Get(Spec.Fit(context.Background(), new(Options), in))(t)
		used := first.Used.(*Options)
		found := first.Facts[0].Value.(float64)
		if values := first.Values.Values; used.Dims != dims || clusters == 3 && found != 1/values[dims/2] {
			t.Errorf("%d dimensions, time %v, values %v", used.Dims, found, values)
		}
		if used.Time != 0 { // a fit to a part of the rows, for their confidences, would take it
			t.Errorf("the time %v is an option", used.Time)
		}
		used.Time = found
		again := must.Get(Spec.Fit(context.Background(), used, in))(t)
		if !slices.Equal(first.Embedding.RawMatrix().Data, again.Embedding.RawMatrix().Data) {
			t.Error("the time that was found gives other coordinates")
		}
	}
	for _, c := range []struct {
		values []float64
		r      int
		want   float64
		from   int
	}{
		{[]float64{0, 0.1, 0.5, 0.8}, 2, 2, 2}, {[]float64{0, 0, 0, 0.25}, 1, 4, 3}, {[]float64{0, 0}, 1, 0, -1}, {nil, 3, 0, -1}, {[]float64{0, 0.5}, 7, 0, -1},
	} {
		if got, from := timeOf(c.values, c.r); got != c.want || from != c.from {
			t.Errorf("%v, %d: time %v of number %d, want %v of %d", c.values, c.r, got, from, c.want, c.from)
		}
	}
}

// line is what a result says of its time.
func line(t *testing.T, out *method.Fitted) string {
	t.Helper()
	for _, f := range out.Facts {
		if f.Line == "diffusion" {
			return f.Words
		}
	}
	t.Fatal("no line about the time")
	return ""
}

// TestLine: the eigenvector that sets the time is counted among those that the table of eigenvalues
// lists, those with λ = 0 of a graph in parts included.
func TestLine(t *testing.T) {
	x, _ := moons(60, 0.05)
	for _, c := range []struct {
		clusters int
		want     string
	}{{2, "eigenvector 6;"}, {0, "eigenvector 5;"}} {
		out := must.Get(Spec.Fit(context.Background(), &Options{Dims: 8}, &method.Input{X: x, Clusters: c.clusters}))(t)
		if got := line(t, out); !strings.Contains(got, c.want) {
			t.Errorf("%d clusters: %q, want %q", c.clusters, got, c.want)
		}
	}
	parts := mat.NewDense(48, 2, nil) // 12 of 4 points
	for i := range 48 {
		parts.SetRow(i, []float64{float64(100 * (i / 4)), float64(i % 4)})
	}
	opt := &Options{Dims: 16}
	opt.Graph.Neighbors = 2
	out := must.Get(Spec.Fit(context.Background(), opt, &method.Input{X: parts, Clusters: 2}))(t)
	if got := line(t, out); !strings.Contains(got, "eigenvector 12;") {
		t.Errorf("12 parts: %q", got)
	}
}

// TestFew: of a few documents, whose graph is nearly complete, eigenvectors of eigenvalues above
// 3/4 take no part beyond the first K, and new documents get the cluster of their class.
func TestFew(t *testing.T) {
	const classes, each, terms = 3, 8, 60
	rng := rand.New(rand.NewPCG(3, 9))
	draw := func(per int) (*sparse.CSR, []int) {
		b, truth := sparse.NewBuilder(classes*per, terms), make([]int, classes*per)
		for i := range classes * per {
			truth[i] = i % classes
			for range 12 {
				if rng.Float64() < 0.7 {
					b.Add(i, truth[i]*20+rng.IntN(20), 1)
				} else {
					b.Add(i, rng.IntN(terms), 1)
				}
			}
		}
		x := must.Get(b.Build())(t)
		return x, truth
	}
	x, truth := draw(each)
	in := &method.Input{X: x, Clusters: classes}
	out := must.Get(Spec.Fit(context.Background(), new(Options), in))(t)
	_, dims := out.Embedding.Dims()
	values := out.Values.Values
	if dims != len(values) || dims < classes || dims == DimsFor(classes) || dims > classes && values[dims-1] > 0.75 {
		t.Errorf("%d dimensions of eigenvalues %v", dims, values)
	}
	if got := line(t, out); !strings.Contains(got, "take part") {
		t.Errorf("%q", got)
	}
	clusters := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: classes}))(t)
	score, err := metrics.Score(truth, clusters.Labels)
	if err != nil || score.Accuracy < 1 {
		t.Fatalf("accuracy %v, %v", score.Accuracy, err)
	}
	fresh, want := draw(100)
	placed := must.Get(out.Placer.Place(context.Background(), fresh, nil))(t)
	right := 0
	for i, k := range want {
		// The nearest training document has the row of the largest inner product.
		best, at := math.Inf(-1), 0
		for j := range truth {
			if c := mat.Dot(placed.Embedding.RowView(i), out.Embedding.RowView(j)); c > best {
				best, at = c, j
			}
		}
		if truth[at] == k {
			right++
		}
	}
	if right < len(want)*9/10 {
		t.Errorf("%d of %d new documents are beside their class", right, len(want))
	}
}

// TestPartial: eigenvalues that were not all found set no time that a later run would take for the
// one that was asked for.
func TestPartial(t *testing.T) {
	x, _ := moons(400, 0.05)
	opt := new(Options)
	opt.Eigen.Solver, opt.Eigen.MaxIter = eigen.Lanczos, 1
	out, err := Spec.Fit(context.Background(), opt, &method.Input{X: x, Clusters: 2})
	var stopped *eigen.NotConvergedError
	if !errors.As(err, &stopped) {
		t.Fatal(err)
	}
	if got := out.Used.(*Options).Time; got != 0 {
		t.Errorf("the options used have the time %v", got)
	}
}

// TestMoons: the clusters are the moons.
func TestMoons(t *testing.T) {
	for _, neighbors := range []int{7, 15} {
		x, truth := moons(200, 0.06)
		opt := new(Options)
		opt.Graph.Neighbors = neighbors
		out := must.Get(Spec.Fit(context.Background(), opt, &method.Input{X: x, Clusters: 2}))(t)
		found := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: 2}))(t)
		if score, err := metrics.Score(truth, found.Labels); err != nil || score.Accuracy < 0.99 {
			t.Errorf("%d neighbours: accuracy %v, %v", neighbors, score.Accuracy, err)
		}
	}
}

// TestParts: components that are as many as the clusters come apart, whatever is inside them and
// however unlike their sizes are.
func TestParts(t *testing.T) {
	for _, sizes := range [][]int{{60, 60, 60, 60}, {400, 20, 20, 20}, {2000, 30, 30}, {500, 20}, {1000, 20, 20, 20, 20}} {
		testParts(t, sizes)
	}
}

func testParts(t *testing.T, sizes []int) {
	parts := len(sizes)
	rng := rand.New(rand.NewPCG(8, 3))
	truth := []int{}
	for p, size := range sizes {
		truth = append(truth, slices.Repeat([]int{p}, size)...)
	}
	b := sparse.NewBuilder(len(truth), len(truth))
	for i, p := range truth {
		first, size := slices.Index(truth, p), sizes[p]
		next := first + (i-first+1)%size // a ring
		b.Add(i, next, 1)
		b.Add(next, i, 1)
		if other := first + rng.IntN(size); other != i && other != next {
			b.Add(i, other, 0.2)
			b.Add(other, i, 0.2)
		}
	}
	w := must.Get(b.Build())(t)
	g := must.Get(graph.FromAffinity(w))(t)
	out := must.Get(Spec.Fit(context.Background(), new(Options), &method.Input{Graph: g, Clusters: parts}))(t)
	found := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: parts}))(t)
	if score, err := metrics.Score(truth, found.Labels); err != nil || score.Accuracy < 1 {
		t.Errorf("%v: accuracy %v, %v", sizes, score.Accuracy, err)
	}
	if got := line(t, out); !strings.Contains(got, fmt.Sprintf("the first %d alone", parts)) || out.Values.LeftOut != 0 || out.Values.Values[0] != 0 {
		t.Errorf("%v: %q, values %v", sizes, got, out.Values.Values)
	}
}

// round are points around centres 7 apart in some columns, of unlike numbers.
func round(sizes []int, columns int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(11, 4))
	data, truth := []float64{}, []int{}
	for p, size := range sizes {
		for range size {
			for j := range columns {
				v := rng.NormFloat64()
				if j == p%columns {
					v += float64(7 * ((p + 1) / columns * 2))
				}
				if j == (p+1)%columns {
					v += 7
				}
				data = append(data, v)
			}
			truth = append(truth, p)
		}
	}
	return mat.NewDense(len(truth), columns, data), truth
}

// TestUnlikeSizes: plain groups of unlike sizes are the clusters, also beside a few points far from
// all others, which do not take the place of one.
func TestUnlikeSizes(t *testing.T) {
	for _, c := range []struct {
		sizes   []int
		columns int
		far     int // points
	}{{[]int{900, 60, 40}, 5, 0}, {[]int{500, 100, 50, 20}, 8, 0}, {[]int{300, 20}, 6, 0}, {[]int{900, 60, 40}, 5, 8}, {[]int{1200, 100}, 3, 9}} {
		x, truth := round(c.sizes, c.columns)
		if c.far > 0 {
			with := mat.NewDense(len(truth)+c.far, c.columns, nil)
			with.Copy(x)
			for i := range c.far {
				with.Set(len(truth)+i, 0, 100+0.1*float64(i))
			}
			x = with
		}
		out := must.Get(Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: len(c.sizes)}))(t)
		found := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: len(c.sizes)}))(t)
		if score, err := metrics.Score(truth, found.Labels[:len(truth)]); err != nil || score.ARI < 0.95 {
			t.Errorf("%v: ARI %v, %v; %s", c.sizes, score.ARI, err, line(t, out))
		}
	}
	x, _ := round([]int{800, 4}, 6)
	out := must.Get(Spec.Fit(context.Background(), &Options{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 3}}}, &method.Input{X: x, Clusters: 2}))(t)
	if got := line(t, out); strings.Contains(got, "alone") {
		t.Errorf("four points of 804 are a group: %s, values %v", got, out.Values.Values)
	}
}

// TestCommonWords: documents with few words of their class, whose heat is soon spread over all
// others, do not gather at the place of the constant. With the constant among the coordinates the
// mean accuracy is .62.
func TestCommonWords(t *testing.T) {
	const classes = 8
	sum := 0.0
	cases := []struct {
		least                     float64 // share of words of the class
		words, own, common, texts int     // of a text, of a class, of all, and texts of a class
	}{{0.2, 8, 40, 40, 150}, {0, 8, 60, 300, 150}, {0, 6, 60, 400, 250}}
	for _, c := range cases {
		rng := rand.New(rand.NewPCG(6, 1))
		b, truth := sparse.NewBuilder(classes*c.texts, classes*c.own+c.common), make([]int, classes*c.texts)
		for i := range truth {
			truth[i] = i % classes
			share := c.least + (1-2*c.least)*rng.Float64()
			for range c.words {
				if rng.Float64() < share {
					b.Add(i, truth[i]*c.own+rng.IntN(c.own), 1)
				} else {
					b.Add(i, classes*c.own+rng.IntN(c.common), 1)
				}
			}
		}
		x := must.Get(b.Build())(t)
		out := must.Get(Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: classes}))(t)
		found := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: classes}))(t)
		score := must.Get(metrics.Score(truth, found.Labels))(t)
		sum += score.Accuracy
	}
	if mean := sum / float64(len(cases)); mean < 0.68 {
		t.Errorf("mean accuracy %.3f", mean)
	}
}

// TestEmbedding: without clusters the constant is left out and rows keep their lengths.
func TestEmbedding(t *testing.T) {
	x, _ := moons(60, 0.05)
	out := must.Get(Spec.Fit(context.Background(), &Options{Dims: 2}, &method.Input{X: x}))(t)
	if out.Values.LeftOut != 1 || out.Values.Values[0] <= 0 {
		t.Errorf("values %v, %d left out", out.Values.Values, out.Values.LeftOut)
	}
	if a, b := mat.Norm(out.Embedding.RowView(0), 2), mat.Norm(out.Embedding.RowView(1), 2); a == b {
		t.Errorf("rows have the length %v", a)
	}
}

// TestThreads: the same bits on any number of threads.
func TestThreads(t *testing.T) {
	x, _ := moons(80, 0.05)
	paralleltest.Same(t, Spec.Name, []int{1, 3}, func() *mat.Dense {
		return must.Get(Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: 3, Seed: 5}))(t).Embedding
	})
}

// TestLandmarks: without a number of dimensions there are as many as landmarks allow, new documents
// are placed where the fit put them, and a plan has the stage that places the others.
func TestLandmarks(t *testing.T) {
	x, truth := moons(150, 0.05)
	for _, c := range []struct{ landmarks, dims int }{{120, 8}, {6, 5}} {
		opt := &Options{Problem: nystrom.Problem{Landmarks: c.landmarks}}
		in := &method.Input{X: x, Clusters: 2, Seed: 2}
		stages, err := opt.Plan(in, method.Rates{Entries: 600, Threads: 1, Dense: true})
		if err != nil || len(stages) != 3 || stages[2].Name != "placing" {
			t.Errorf("%d landmarks: the plan is %+v, %v", c.landmarks, stages, err)
		}
		out := must.Get(Spec.Fit(context.Background(), opt, in))(t)
		if got := out.Used.(*Options).Dims; got != c.dims || len(out.Landmarks) != c.landmarks {
			t.Errorf("%d landmarks: %d dimensions of %d landmarks, not %d", c.landmarks, got, len(out.Landmarks), c.dims)
		}
		at := must.Get(out.Placer.Place(context.Background(), x, nil))(t)
		if !mat.EqualApprox(at.Embedding, out.Embedding, 1e-9) {
			t.Errorf("%d landmarks: documents are placed elsewhere than by the fit", c.landmarks)
		}
		if c.landmarks < 100 {
			continue
		}
		found := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: 2}))(t)
		if score, err := metrics.Score(truth, found.Labels); err != nil || score.Accuracy < 0.95 {
			t.Errorf("accuracy %v, %v", score.Accuracy, err)
		}
	}
}

// TestManyGroups: as many round groups in the plane as clusters are found. Their eigenvalues differ
// by orders of magnitude, with a gap after them (a grid) or without one (places by chance). A time
// set by one of the first leaves nothing of the last, and two groups are one cluster: accuracies of
// .89 and .70.
func TestManyGroups(t *testing.T) {
	const groups, each = 50, 30
	for _, c := range []struct {
		grid  bool
		least float64
	}{{true, 0.98}, {false, 0.8}} {
		rng := rand.New(rand.NewPCG(4, 2))
		x, truth := mat.NewDense(groups*each, 2, nil), make([]int, groups*each)
		for g := range groups {
			px, py := float64(g%10), float64(g/10)
			if !c.grid {
				px, py = 10*rng.Float64(), 10*rng.Float64()
			}
			for i := g * each; i < (g+1)*each; i++ {
				truth[i] = g
				x.SetRow(i, []float64{px + 0.14*rng.NormFloat64(), py + 0.14*rng.NormFloat64()})
			}
		}
		out := must.Get(Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: groups}))(t)
		found := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: groups}))(t)
		score := must.Get(metrics.Score(truth, found.Labels))(t)
		if how := line(t, out); score.Accuracy < c.least || strings.Contains(how, "alone") != c.grid || strings.Contains(how, "= 5/λ") == c.grid {
			t.Errorf("grid %v: accuracy %.3f; %s", c.grid, score.Accuracy, how)
		}
	}
}

// TestLongParts: parts of the graph are the clusters, also if they are so long and thin that the
// eigenvalue after the zeros is next to 0 and shows no gap.
func TestLongParts(t *testing.T) {
	const rings, each = 2, 6000
	x, truth := mat.NewDense(rings*each, 2, nil), make([]int, rings*each)
	for i := range truth {
		truth[i] = i / each
		angle, radius := 2*math.Pi*float64(i%each)/each, float64(1+truth[i])
		x.SetRow(i, []float64{radius * math.Cos(angle), radius * math.Sin(angle)})
	}
	out := must.Get(Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: rings}))(t)
	found := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: rings}))(t)
	if score, err := metrics.Score(truth, found.Labels); err != nil || score.Accuracy != 1 || !strings.Contains(line(t, out), "alone") {
		t.Errorf("accuracy %v, %v; %s; values %v", score.Accuracy, err, line(t, out), out.Values.Values)
	}
}

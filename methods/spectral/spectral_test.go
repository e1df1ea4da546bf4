package spectral

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/methodtest"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestContract(t *testing.T) { methodtest.Check(t, Spec) }

// rings are three noisy circles around one centre, which k-means on the points cannot separate.
func rings(n int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(3, 1))
	x, truth := mat.NewDense(3*n, 2, nil), make([]int, 3*n)
	for i := range 3 * n {
		truth[i] = i % 3
		r, a := float64(1+2*truth[i])+0.1*rng.NormFloat64(), 2*math.Pi*rng.Float64()
		x.SetRow(i, []float64{r * math.Cos(a), r * math.Sin(a)})
	}
	return x, truth
}

// TestLiteral: the rows have the inner products of the paper's Y, made from a dense
// eigendecomposition of D^-½WD^-½. Inner products do not depend on the basis of an eigenspace.
func TestLiteral(t *testing.T) {
	x, _ := rings(60)
	opt := &Options{Dims: 3}
	opt.Graph.Neighbors, opt.Eigen.Tol = 8, 1e-12
	out := must.Get(Spec.Fit(context.Background(), opt, &method.Input{X: x, Clusters: 3}))(t)
	n, _ := x.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		cols, vals := out.Graph.W.Row(i)
		for k, j := range cols {
			s.SetSym(i, int(j), vals[k]/math.Sqrt(out.Graph.Degrees[i]*out.Graph.Degrees[j]))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, true) {
		t.Fatal("the dense eigenproblem was not solved")
	}
	var v mat.Dense
	e.VectorsTo(&v)
	values := e.Values(nil)
	u := mat.DenseCopyOf(v.Slice(0, n, n-3, n))
	for i := range n {
		row := u.RawRowView(i)
		norm := mat.Norm(mat.NewVecDense(3, row), 2)
		for k := range row {
			row[k] /= norm
		}
	}
	var want, got, diff mat.Dense
	want.Mul(u, u.T())
	got.Mul(out.Embedding, out.Embedding.T())
	diff.Sub(&want, &got)
	if d := mat.Max(&diff); d > 1e-8 || mat.Min(&diff) < -1e-8 {
		t.Errorf("inner products of rows differ by up to %g", d)
	}
	for k, mu := range out.Values.Values {
		if w := values[n-1-k]; math.Abs(mu-w) > 1e-10 {
			t.Errorf("eigenvalue %d is %v, want %v", k+1, mu, w)
		}
	}
}

// TestRings: the clusters are the rings.
func TestRings(t *testing.T) {
	x, truth := rings(150)
	opt := new(Options)
	opt.Graph.Neighbors = 6
	out := must.Get(Spec.Fit(context.Background(), opt, &method.Input{X: x, Clusters: 3}))(t)
	found := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: 3}))(t)
	if score, err := metrics.Score(truth, found.Labels); err != nil || score.Accuracy < 0.99 {
		t.Errorf("accuracy %v, %v", score.Accuracy, err)
	}
}

// TestThreads: the same bits on any number of threads.
func TestThreads(t *testing.T) {
	x, _ := rings(80)
	paralleltest.Same(t, Spec.Name, []int{1, 3}, func() *mat.Dense {
		return must.Get(Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: 3, Seed: 5}))(t).Embedding
	})
}

// entriesOf is a sparse matrix with positive entries made of x.
func entriesOf(t *testing.T, x *mat.Dense) *sparse.CSR {
	t.Helper()
	n, terms := x.Dims()
	b := sparse.NewBuilder(n, terms)
	for i := range n {
		for j := range terms {
			b.Add(i, j, 1+math.Abs(x.At(i, j)))
		}
	}
	entries := must.Get(b.Build())(t)
	return entries
}

// Dense data have 7 neighbours by default, sparse data as many as in every graph; a number that is
// given counts, and few documents have all others.
func TestNeighboursByTheKindOfData(t *testing.T) {
	x, _ := rings(30)
	few, _ := rings(2)
	entries := entriesOf(t, x)
	for _, c := range []struct {
		x           mat.Matrix
		asked, want int
	}{{x, 0, DenseNeighbors}, {x, 15, 15}, {few, 0, 5}, {entries, 0, graph.DefaultNeighbors}, {entries, 7, 7}} {
		opt := &Options{Dims: 2}
		opt.Graph.Neighbors = c.asked
		out := must.Get(Spec.Fit(context.Background(), opt, &method.Input{X: c.x, Clusters: 2}))(t)
		if got := out.Used.(*Options).Graph.Neighbors; got != c.want {
			t.Errorf("%T, asked for %d: %d neighbours, not %d", c.x, c.asked, got, c.want)
		}
	}
}

// A plan is for the graph that a run makes: without a number of neighbours, it has the run's
// default.
func TestPlanHasTheNeighboursOfARun(t *testing.T) {
	x, _ := rings(30)
	n, terms := x.Dims()
	entries := entriesOf(t, x)
	rates := method.Rates{Entries: n * terms, Threads: 2}
	for _, c := range []struct {
		x         mat.Matrix
		neighbors int
	}{{x, DenseNeighbors}, {entries, graph.DefaultNeighbors}} {
		in := &method.Input{X: c.x, Clusters: 2}
		free, given := &Options{Dims: 2}, &Options{Dims: 2}
		given.Graph.Neighbors = c.neighbors
		got := must.Get(free.Plan(in, rates))(t)
		want := must.Get(given.Plan(in, rates))(t)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%T: %+v, with %d neighbours %+v", c.x, got, c.neighbors, want)
		}
	}
}

// TestZeros: of parts as many as the dimensions, the note advises nothing that the method lacks.
func TestZeros(t *testing.T) {
	b := sparse.NewBuilder(8, 8)
	for i := range 8 {
		b.Add(i, i^1, 1)
	}
	w := must.Get(b.Build())(t)
	g := must.Get(graph.FromAffinity(w))(t)
	var notes []string
	in := &method.Input{Graph: g, Clusters: 2, Observer: func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
		}
	}}
	if _, err := Spec.Fit(context.Background(), new(Options), in); err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(notes, " "); !strings.Contains(said, "All eigenvalues are 0") || strings.Contains(said, "drop-zeros") {
		t.Errorf("notes %q", notes)
	}
}

package method

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// points are n documents of two columns, no two of them equal.
func points(n int) *mat.Dense {
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.Set(i, 0, float64(i))
		x.Set(i, 1, float64(i*i%7))
	}
	return x
}

func csr(t *testing.T, x mat.Matrix) *sparse.CSR {
	t.Helper()
	s := must.Get(sparse.FromMatrix(x))(t)
	return s
}

// refused wants an error of the request that says something.
func refused(t *testing.T, what string, err error, says string) {
	t.Helper()
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: the error is %v, and should say %q", what, err, says)
	}
}

// The number of dimensions is the one asked for, else the number of clusters, of known classes, or
// of classes of the data.
func TestDims(t *testing.T) {
	given := &Given{Labels: []int{0, 1, -1, -1, -1, -1, -1, -1, -1}, Names: []string{"a", "b"}}
	for _, c := range []struct {
		in    Input
		asked int
		want  int
		note  string
	}{
		{Input{Clusters: 3, Given: given, Classes: 4}, 5, 5, ""},
		{Input{Clusters: 3, Given: given, Classes: 4}, 0, 3, ""},
		{Input{Given: given, Classes: 4}, 0, 2, "the known labels"},
		{Input{Classes: 4}, 0, 4, "as the file"},
		{Input{Classes: 40}, 0, 9, "as the file"},
	} {
		var notes []string
		c.in.X = points(9)
		c.in.Observer = func(e progress.Event) { notes = append(notes, e.Message) }
		got, err := c.in.Dims(c.asked)
		if err != nil || got != c.want || len(notes) > 1 || (len(notes) == 1) != (c.note != "") || c.note != "" && !strings.Contains(notes[0], c.note) {
			t.Errorf("%+v, asked %d: %d, %v, notes %q", c.in, c.asked, got, err, notes)
		}
	}
	_, err := (&Input{X: points(9)}).Dims(0)
	refused(t, "no classes", err, "give ‹dims›")
}

func TestMostDims(t *testing.T) {
	in := &Input{X: points(5)}
	for _, ok := range [][2]int{{1, 5}, {5, 5}, {4, 4}} {
		if err := in.MostDims(ok[0], ok[1]); err != nil {
			t.Errorf("%d of %d dimensions: %v", ok[0], ok[1], err)
		}
	}
	refused(t, "more than documents", in.MostDims(6, 5), "‹dims› 6 is more than its 5 documents; give at most 5")
	refused(t, "more than there are", in.MostDims(5, 4), "its 5 documents give at most 4 dimensions, not 5: give ‹dims› 4")
	refused(t, "none", (&Input{X: points(1)}).MostDims(1, 0), "its 1 document gives no dimension at all")
	refused(t, "no documents", new(Input).MostDims(1, 0), "0 documents")
	refused(t, "another way out", TooManyDims(3, 2, "they give", ", or more neighbours"), "they give at most 2 dimensions, not 3: give ‹dims› 2, or more neighbours")
	refused(t, "no dimension", TooManyDims(3, 0, "they give", ", or more neighbours"), "they give no dimension at all: give more neighbours")
}

func TestCheckRank(t *testing.T) {
	in := &Input{X: points(5)}
	if err := in.CheckRank(2, "dims"); err != nil {
		t.Error(err)
	}
	refused(t, "rank", in.CheckRank(3, "pca"), "5 documents of 2 terms have at most 2 dimensions, not 3: give ‹pca› 2")
}

func TestGiven(t *testing.T) {
	g := &Given{Labels: []int{0, -1, 2, 0, 1}, Names: []string{"a", "b", "c"}}
	if n := g.Count(); n != 4 {
		t.Errorf("%d labels", n)
	}
	if s := g.Sizes(); !slices.Equal(s, []int{2, 1, 1}) {
		t.Errorf("sizes %v", s)
	}
	names := g.ClassNames(5)
	if !slices.Equal(names, []string{"a", "b", "c", "", ""}) {
		t.Errorf("names %q", names)
	}
	if names[0] = "x"; g.Names[0] != "a" {
		t.Error("the names given are shared")
	}
}

// Memory is bounded by the context: the smaller bound counts, and a graph that needs more is
// refused.
func TestWithMemory(t *testing.T) {
	in := &Input{X: points(2000)}
	for _, bound := range []int64{0, 1000} {
		_, _, err := in.Affinity(WithMemory(WithMemory(t.Context(), bound), 1<<30), graph.Options{})
		if (err != nil) != (bound > 0) || bound > 0 && !errors.Is(err, memory.ErrLimit) {
			t.Errorf("%d bytes: %v", bound, err)
		}
	}
}

func TestInputOfDocuments(t *testing.T) {
	in := &Input{X: points(2000)}
	if in.Sparse() || !(&Input{X: csr(t, points(3))}).Sparse() {
		t.Error("the storage is mistaken")
	}
	if in.Raw() != in.X {
		t.Error("raw entries differ from X's")
	}
	counts := points(2000)
	if in.Counts = counts; in.Raw() != counts {
		t.Error("raw entries are not the counts")
	}
	if id := in.ID(1233); id != "1,234" {
		t.Errorf("document 1233 is %q", id)
	}
	in.Document = func(i int) string { return "d" }
	if id := in.ID(1233); id != "d" {
		t.Errorf("document 1233 is %q", id)
	}
	for _, c := range [][4]int{{7, 10, 5, 7}, {0, 10, 5, 4}, {0, 3, 5, 3}, {0, 10, 1, 1}} {
		if got := (&Input{X: points(c[2])}).FewNeighbors(c[0], c[1]); got != c[3] {
			t.Errorf("%v: %d neighbours", c, got)
		}
	}
	if n := new(Input).Len(); n != 0 {
		t.Errorf("nothing has %d documents", n)
	}
}

// A stage is measured if someone does so, else reported.
func TestStage(t *testing.T) {
	var seen []string
	in := &Input{Observer: func(e progress.Event) { seen = append(seen, e.Stage) }}
	in.Stage("graph")()
	in.Stages = func(name string) func() {
		seen = append(seen, "begin "+name)
		return func() { seen = append(seen, "end "+name) }
	}
	in.Stage("eigen")()
	if !slices.Equal(seen, []string{"graph", "begin eigen", "end eigen"}) {
		t.Errorf("seen: %q", seen)
	}
}

// A graph's options are completed by what the data are; what is set stays.
func TestCompleteGraph(t *testing.T) {
	for _, c := range []struct {
		x    mat.Matrix
		set  graph.Options
		want graph.Options
	}{
		{points(40), graph.Options{}, graph.Options{Weight: graph.Heat, Neighbors: 15}},
		{csr(t, points(40)), graph.Options{}, graph.Options{Weight: graph.Dot, Neighbors: 15}},
		{points(8), graph.Options{}, graph.Options{Weight: graph.Heat, Neighbors: 7}},
		{points(1), graph.Options{}, graph.Options{Weight: graph.Heat, Neighbors: 1}},
		{points(40), graph.Options{Epsilon: 2}, graph.Options{Weight: graph.Heat, Epsilon: 2}},
		{points(40), graph.Options{Weight: graph.Poly, Neighbors: 3}, graph.Options{Weight: graph.Poly, Neighbors: 3}},
	} {
		got := new(Input).CompleteGraph(c.x, c.set)
		if got.Weight != c.want.Weight || got.Neighbors != c.want.Neighbors || got.Epsilon != c.want.Epsilon {
			t.Errorf("%+v becomes %+v", c.set, got)
		}
	}
}

// A graph that is given is taken as it is; the options of one that is built get the width of its
// heat kernel.
func TestAffinity(t *testing.T) {
	in := &Input{X: points(12)}
	g, opt, err := in.Affinity(context.Background(), graph.Options{})
	if err != nil || opt.HeatWidth <= 0 || opt.HeatWidth != g.HeatWidth || opt.Neighbors != 11 {
		t.Fatalf("%+v, %v", opt, err)
	}
	other := &Input{Graph: g}
	again, opt, err := other.Affinity(context.Background(), graph.Options{Neighbors: 3})
	if err != nil || again != g || opt.Neighbors != 3 || other.Len() != 12 {
		t.Errorf("%+v, %v", opt, err)
	}
	_, _, err = in.Affinity(context.Background(), graph.Options{Neighbors: 12})
	refused(t, "too many neighbours", err, "12")
}

// probe records the input that Fit gets.
type probe struct {
	got   *Input
	wrong error
}

func (p *probe) Validate() error { return p.wrong }
func (p *probe) Fit(_ context.Context, in *Input) (*Fitted, error) {
	p.got = in
	return new(Fitted), nil
}

// other is a matrix of a type of its own.
type other struct{ mat.Matrix }

// entries is one that lists its entries.
type entries struct{ mat.Matrix }

func (e entries) DoNonZero(f func(i, j int, v float64)) {
	n, d := e.Dims()
	for i := range n {
		for j := range d {
			if v := e.At(i, j); v != 0 {
				f(i, j, v)
			}
		}
	}
}

// Spec.Fit brings any matrix into the storage that methods work on, and leaves the input alone.
func TestFitStores(t *testing.T) {
	x := points(6)
	p := new(probe)
	in := &Input{X: entries{x}, Counts: other{x}}
	if _, err := (Spec{Name: "probe"}).Fit(context.Background(), p, in); err != nil {
		t.Fatal(err)
	}
	if s, ok := p.got.X.(*sparse.CSR); !ok || !mat.Equal(s, x) {
		t.Errorf("entries are stored as a %T", p.got.X)
	}
	if d, ok := p.got.Counts.(*mat.Dense); !ok || !mat.Equal(d, x) {
		t.Errorf("another matrix is stored as a %T", p.got.Counts)
	}
	if _, same := in.X.(entries); !same || p.got == in {
		t.Error("the input changed")
	}
	if in.X = x; true {
		if _, err := (Spec{}).Fit(context.Background(), p, in); err != nil || p.got.X != mat.Matrix(x) {
			t.Errorf("a *mat.Dense is copied: %v", err)
		}
	}
}

// Spec.Fit refuses what does not fit the method's needs or itself, before the method runs.
func TestFitRefuses(t *testing.T) {
	g, _, err := (&Input{X: points(6)}).Affinity(context.Background(), graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	given := func(labels ...int) *Given { return &Given{Labels: labels, Names: []string{"a", "b"}} }
	nan := points(6)
	nan.Set(3, 1, math.NaN())
	both := Needs{Labels: Required, Links: Required}
	for _, c := range []struct {
		what, says string
		needs      Needs
		in         Input
	}{
		{"nothing", "no documents", Needs{}, Input{}},
		{"no rows", "no documents", Needs{}, Input{X: new(mat.Dense)}},
		{"no columns", "no columns", Needs{}, Input{X: &sparse.CSR{NumRows: 2, RowPtr: make([]int, 3)}}},
		{"NaN", "(3, 1)", Needs{}, Input{X: nan}},
		{"NaN in counts", "(3, 1)", Needs{}, Input{X: points(6), Counts: nan}},
		{"clusters", "1 to 6 clusters, not 7", Needs{}, Input{X: points(6), Clusters: 7}},
		{"negative clusters", "not -1", Needs{}, Input{X: points(6), Clusters: -1}},
		{"a graph", "works on documents", Needs{}, Input{Graph: g}},
		{"a graph of others", "of 6 documents", Needs{Affinity: true}, Input{X: points(5), Graph: g}},
		{"counts", "of 5 documents", Needs{}, Input{X: points(6), Counts: points(5)}},
		{"links", "links of 5 documents", Needs{}, Input{X: points(6), Links: &links.Groups{Group: make([]int32, 5)}}},
		{"few labels", "labels of 2 documents", Needs{}, Input{X: points(3), Given: given(0, 1)}},
		{"no class", "no class", Needs{}, Input{X: points(3), Given: &Given{Labels: []int{-1, -1, -1}}}},
		{"a class too many", "class 3 of 2", Needs{}, Input{X: points(3), Given: given(0, 1, 2)}},
		{"a class without a document", `the class "b"`, Needs{}, Input{X: points(3), Given: given(0, 0, -1)}},
		{"no labels", "needs labels of", Needs{Labels: Required}, Input{X: points(3)}},
		{"no links", "needs must-links", Needs{Links: Required}, Input{X: points(3)}},
		{"neither", "needs labels or links", both, Input{X: points(3)}},
	} {
		p := new(probe)
		_, err := Spec{Name: "probe", Needs: c.needs}.Fit(context.Background(), p, &c.in)
		refused(t, c.what, err, c.says)
		if p.got != nil {
			t.Errorf("%s: the method runs", c.what)
		}
	}
	for what, in := range map[string]*Input{"labels": {X: points(3), Given: given(0, 1, -1)}, "links": {X: points(3), Links: &links.Groups{Group: make([]int32, 3)}}} {
		if _, err := (Spec{Needs: both}).Fit(context.Background(), new(probe), in); err != nil {
			t.Errorf("one of two needs, %s: %v", what, err)
		}
	}
	wrong := errors.New("wrong options")
	if _, err := (Spec{}).Fit(context.Background(), &probe{wrong: wrong}, &Input{X: points(3)}); !errors.Is(err, wrong) {
		t.Errorf("wrong options: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Spec{}).Fit(ctx, new(probe), &Input{X: points(3)}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestFitted(t *testing.T) {
	if w := (*Values)(nil).Worst(); w != 0 {
		t.Errorf("no values have the residual %v", w)
	}
	if w := (&Values{Residuals: []float64{1e-9, 3e-8, 0}}).Worst(); w != 3e-8 {
		t.Errorf("the largest residual is %v", w)
	}
	if s := SizesOf([]int{2, 0, 2, 2}, 4); !slices.Equal(s, []int{1, 0, 3, 0}) {
		t.Errorf("sizes %v", s)
	}
	if !(Spec{}).ThenKMeans() || (Spec{Yields: Yields{Clusters: true}}).ThenKMeans() {
		t.Error("k-means follows the wrong methods")
	}
}

package softlda

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// One seed, the same bits at any number of threads.
func TestThreadsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	x, q := softly(rng, 700, 650, 5, 1)
	dense := x.ToDense()
	var kernel mat.Dense
	kernel.Mul(dense, dense.T())
	defer native.SetThreads(0)
	var first [][]float64
	for _, threads := range []int{1, 2, 3} {
		native.SetThreads(threads)
		var all [][]float64
		for _, in := range []mat.Matrix{x, dense} {
			all = append(all, fit(t, in, q, Options{}).Embedding.RawMatrix().Data)
			all = append(all, fit(t, in, q, Options{iterate: true, Ridge: 1}).Embedding.RawMatrix().Data)
		}
		km := must.Get(FitKernel(ctx, &kernel, q, Options{}))(t)
		all = append(all, km.Embedding.RawMatrix().Data)
		if first == nil {
			first = all
			continue
		}
		for run, y := range all {
			for i, v := range y {
				if v != first[run][i] {
					t.Fatalf("run %d differs with %d threads", run, threads)
				}
			}
		}
	}
}

// Many terms, few documents, a small μ: conjugate gradients, the dual and the primal way meet.
func TestWaysMeet(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, size := range [][2]int{{300, 900}, {900, 300}} {
		x, q := softly(rng, size[0], size[1], 4, 0)
		direct := fit(t, x, q, Options{Ridge: 1e-3})
		steps := int64(0)
		iterated := fit(t, x, q, Options{Ridge: 1e-3, iterate: true, Tol: 1e-12, Observer: func(e progress.Event) { steps = max(steps, e.Done) }})
		if steps == 0 {
			t.Error("nothing was iterated")
		}
		if d := gap(direct.Embedding, iterated.Embedding); d > 1e-7*mat.Norm(direct.Embedding, 2) {
			t.Errorf("%v: the embeddings differ by %g", size, d)
		}
	}
}

// A class whose mean lies near the mean of all leaves the iteration nothing but rounding in its
// column.
func TestClassNearTheMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 7))
	x, _ := softly(rng, 400, 300, 3, 0)
	for _, eps := range []float64{0, 1e-12, 1e-6, 1e-3} {
		q := mat.NewDense(400, 3, nil)
		for i := range 400 {
			a := 0.8 * rng.Float64()
			q.SetRow(i, []float64{a, 0.8 - a, 0.2 + eps*rng.Float64()})
		}
		direct, iterated := fit(t, x, q, Options{}), fit(t, x, q, Options{iterate: true})
		for j, v := range direct.Values {
			if math.Abs(v-iterated.Values[j]) > 1e-6*direct.Values[0] {
				t.Errorf("eps %g: values %v, iterated %v", eps, direct.Values, iterated.Values)
			}
		}
	}
}

// What the iteration could not do is reported, and no result is passed off as one.
func TestTooFewSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	x, q := softly(rng, 200, 150, 3, 0)
	_, err := Fit(ctx, x, q, Options{iterate: true, MaxIter: 2})
	if err == nil || errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "after 2 steps") {
		t.Errorf("error %v", err)
	}
}

// A μ that rounding swallows beside a singular scatter matrix: the directions are those without
// what makes it singular, split evenly.
func TestVanishingRegulariser(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	sx, q := softly(rng, 80, 9, 3, 0)
	x := sx.ToDense().Slice(0, 80, 0, 8) // without the empty column
	double := mat.NewDense(80, 16, nil)
	for j := range 8 {
		for i := range 80 {
			double.Set(i, j, x.At(i, j))
			double.Set(i, j+8, x.At(i, j))
		}
	}
	want := fit(t, x, q, Options{Ridge: 1e-17})
	got := fit(t, double, q, Options{Ridge: 1e-17})
	if d := gap(got.Embedding, want.Embedding); d > 1e-6*mat.Norm(want.Embedding, 2) {
		t.Errorf("with every column twice the embedding is off by %g", d)
	}
}

func TestCancel(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	x, q := softly(rng, 400, 500, 5, 0)
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	dense := x.ToDense()
	var kernel mat.Dense
	kernel.Mul(dense, dense.T())
	for name, run := range map[string]func(context.Context) error{
		"sparse": func(c context.Context) error { _, err := Fit(c, x, q, Options{}); return err },
		"dense":  func(c context.Context) error { _, err := Fit(c, dense, q, Options{}); return err },
		"kernel": func(c context.Context) error { _, err := FitKernel(c, &kernel, q, Options{}); return err },
	} {
		if err := run(stopped); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	late, stop := context.WithCancel(ctx)
	defer stop()
	began := time.Time{}
	_, err := Fit(late, x, q, Options{iterate: true, Ridge: 1e-9, Observer: func(e progress.Event) {
		if e.Done == 3 {
			began = time.Now()
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) || began.IsZero() {
		t.Errorf("in the middle of the iteration: %v", err)
	}
}

// What files can hold ends in a result.
func TestHostileDataEndInAResult(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	_, soft := softly(rng, 6, 3, 3, 0)
	hard := mat.NewDense(6, 3, []float64{1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1})
	rows := mat.NewDense(6, 2, []float64{0, 1, 0, 2, 5, 1, 5, 2, 9, 7, 9, 8})
	cases := map[string]struct {
		x, q mat.Matrix
		dims int
	}{
		"duplicates within classes":     {mat.NewDense(6, 2, []float64{0, 1, 0, 1, 5, 1, 5, 1, 9, 7, 9, 7}), hard, 2},
		"a constant column":             {mat.NewDense(6, 2, []float64{3, 1, 3, 1.5, 3, 4, 3, 5, 3, 7, 3, 9}), hard, 1},
		"one column":                    {mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 7}), soft, 1},
		"a class without weight":        {rows, mat.NewDense(6, 3, []float64{1, 0, 0, 1, 0, 0, .5, 0, .5, 0, 0, 1, 0, 0, 1, 0, 0, 0}), 1},
		"two documents with weight":     {rows, mat.NewDense(6, 2, []float64{0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0}), 1},
		"two classes with equal labels": {rows, mat.NewDense(6, 3, []float64{.5, .5, 0, .5, .5, 0, .5, .5, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1}), 1},
		"weights of very unequal size":  {rows, mat.NewDense(6, 2, []float64{1e-300, 0, 1, 0, 1, 0, 0, 1, 0, 1e4, 0, 1}), 1},
		"more columns than documents":   {mat.NewDense(6, 8, []float64{0, 1, 0, 2, 5, 1, 5, 2, 9, 7, 9, 8, 0, 1, 0, 2, 5, 1, 5, 2, 9, 7, 9, 8, 1, 1, 2, 3, 4, 5, 2, 2, 2, 1, 8, 9, 4, 4, 4, 3, 2, 1, 0, 0, 0, 7, 6, 5}), hard, 2},
	}
	for name, c := range cases {
		for _, iterate := range []bool{false, true} {
			csr := must.Get(sparse.FromMatrix(c.x))(t)
			for _, in := range []mat.Matrix{c.x, csr} {
				m, err := Fit(ctx, in, c.q, Options{iterate: iterate})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if len(m.Values) != c.dims {
					t.Errorf("%s, iterated %v: values %v, want %d", name, iterate, m.Values, c.dims)
				}
			}
		}
		var kernel mat.Dense
		kernel.Mul(c.x, c.x.T())
		if m, err := FitKernel(ctx, &kernel, c.q, Options{}); err != nil || len(m.Values) != c.dims {
			t.Errorf("%s: kernel form: %v", name, err)
		}
	}
	if m := fit(t, rows, hard, Options{Dims: 1}); len(m.Values) != 1 {
		t.Errorf("one direction was asked, %d came", len(m.Values))
	}
	if m := fit(t, rows, hard, Options{Dims: 9}); len(m.Values) != 2 {
		t.Errorf("%d directions of three classes", len(m.Values))
	}
}

func TestClearErrors(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{0, 1, 0, 2, 5, 1, 5, 2})
	q := mat.NewDense(4, 2, []float64{1, 0, 1, 0, 0, 1, 0, 1})
	with := func(m *mat.Dense, i, j int, v float64) *mat.Dense {
		c := mat.DenseCopyOf(m)
		c.Set(i, j, v)
		return c
	}
	same := mat.NewDense(4, 2, []float64{1, 2, 1, 2, 1, 2, 1, 2})
	for _, c := range []struct {
		why  string
		x, q mat.Matrix
		opt  Options
	}{
		{"no matrix", nil, q, Options{}},
		{"no soft labels", x, nil, Options{}},
		{"soft labels for 3 documents", x, mat.NewDense(3, 2, nil), Options{}},
		{"have 1 classes", x, mat.NewDense(4, 1, []float64{1, 1, 1, 1}), Options{}},
		{"document 2 for class 1", x, with(q, 1, 0, -1), Options{}},
		{"document 3 for class 2", x, with(q, 2, 1, math.NaN()), Options{}},
		{"1 of 2 classes", x, mat.NewDense(4, 2, []float64{1, 0, 1, 0, 1, 0, 0, 0}), Options{}},
		{"0 of 2 classes", x, mat.NewDense(4, 2, nil), Options{}},
		{"same mean", x, mat.NewDense(4, 2, []float64{.5, .5, .5, .5, .5, .5, .5, .5}), Options{}},
		{"same mean", same, q, Options{}},
		{"same mean", x.Slice(0, 1, 0, 2), mat.NewDense(1, 2, []float64{.5, .5}), Options{}},
		{"entry (0, 1)", with(x, 0, 1, math.Inf(1)), q, Options{}},
		{"dims is -1", x, q, Options{Dims: -1}},
		{"mu is -1", x, q, Options{Ridge: -1}},
		{"not given", x, q, Options{Absolute: true}},
		{"Tol is NaN", x, q, Options{Tol: math.NaN()}},
		{"MaxIter is -1", x, q, Options{MaxIter: -1}},
		{"largest number", mat.NewDense(4, 2, []float64{-1.7e308, 1, 1.7e308, 2, 5, 1, 5, 2}), q, Options{}},
	} {
		_, err := Fit(ctx, c.x, c.q, c.opt)
		if err == nil || !errors.Is(err, fs.ErrInvalid) && !strings.Contains(c.why, "entry") || !strings.Contains(err.Error(), c.why) {
			t.Errorf("want %q, got %v", c.why, err)
		}
	}
	good := mat.NewDense(4, 4, nil)
	good.Mul(x, x.T())
	for _, c := range []struct {
		why string
		k   mat.Matrix
	}{
		{"no kernel", nil}, {"square", x}, {"not symmetric", with(good, 0, 3, 9)}, {"entry (1, 2)", with(with(good, 1, 2, math.NaN()), 2, 1, math.NaN())},
		{"squared", with(good, 1, 1, 1e200)}, {"is empty", &mat.Dense{}}, {"same mean", mat.NewDense(4, 4, nil)},
		{"semidefinite", mat.NewDense(4, 4, []float64{1, 0, 0, 9, 0, 1, 9, 0, 0, 9, 1, 0, 9, 0, 0, 60})},
	} {
		if _, err := FitKernel(ctx, c.k, q, Options{}); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("want %q, got %v", c.why, err)
		}
	}
	const many = 30_000
	enormous := must.Get(sparse.NewBuilder(many, many).Build())(t)
	soft := mat.NewDense(many, 2, slices.Repeat([]float64{1, 0, 0, 1}, many/2))
	if _, err := FitKernel(memory.Bound(ctx, 8*many*many-1), enormous, soft, Options{}); !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "30,000 documents") {
		t.Errorf("a kernel matrix beyond the memory: %v", err)
	}
	m := fit(t, x, q, Options{})
	if _, err := m.Transform(ctx, mat.NewDense(2, 3, nil)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("another number of columns: %v", err)
	}
	if _, err := (&Model{}).Transform(ctx, x); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty model: %v", err)
	}
	if _, err := (&KernelModel{}).Transform(ctx, x); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty model: %v", err)
	}
}

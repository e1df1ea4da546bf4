package nmf

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// planted draws n rows of k topics with few terms each, and noise of this size.
func planted(n, m, k int, noise float64, seed uint64) *mat.Dense {
	var x mat.Dense
	x.Mul(random(n, k, 0.4, seed), random(k, m, 0.2, seed+1))
	rng := rand.New(rand.NewPCG(seed, 8))
	x.Apply(func(_, _ int, v float64) float64 { return v + noise*rng.ExpFloat64() }, &x)
	return &x
}

// inBatches gives the rows of x in batches of this size.
func inBatches(tb testing.TB, x mat.Matrix, size int, opt Options, halfLife float64) *Batches {
	tb.Helper()
	b := must.Get(NewBatches(opt, halfLife))(tb)
	addInBatches(tb, b, x, size)
	return b
}

func addInBatches(tb testing.TB, b *Batches, x mat.Matrix, size int) {
	tb.Helper()
	n, _ := x.Dims()
	for lo := 0; lo < n; lo += size {
		if _, err := b.Add(ctx, rowsOf(x, lo, min(lo+size, n))); err != nil {
			tb.Fatal(err)
		}
	}
}

func rowsOf(x mat.Matrix, lo, hi int) mat.Matrix {
	if s, ok := x.(*sparse.CSR); ok {
		rows := make([]int, hi-lo)
		for i := range rows {
			rows[i] = lo + i
		}
		return s.SelectRows(rows)
	}
	_, m := x.Dims()
	return x.(*mat.Dense).Slice(lo, hi, 0, m)
}

func topicsOf(tb testing.TB, b *Batches) *mat.Dense {
	tb.Helper()
	p := must.Get(b.Placer())(tb)
	return p.H
}

// leastSquare is ½‖x − c·H‖² by the best coefficients c of each row.
func leastSquare(tb testing.TB, x mat.Matrix, h *mat.Dense) float64 {
	tb.Helper()
	c := must.Get((&Placer{H: h}).Transform(ctx, x))(tb)
	k, _ := h.Dims()
	var gram, cc mat.Dense
	gram.Mul(h, h.T())
	cc.Mul(c.T(), c)
	f := 0.5 * mat.Trace(mul(&gram, &cc))
	data := must.Get(readRows(x))(tb)
	n, _ := x.Dims()
	for i := range n {
		cols, vals := data.row(i)
		for p, v := range vals {
			at := p
			if cols != nil {
				at = int(cols[p])
			}
			f += v * v / 2
			for j := range k {
				f -= v * c.At(i, j) * h.At(j, at)
			}
		}
	}
	return f
}

func mul(a, b mat.Matrix) *mat.Dense {
	var c mat.Dense
	c.Mul(a, b)
	return &c
}

// One pass over planted rows comes near the objective of all of them at once, whatever the size of
// the batches; topics are not negative, of length 1, and the same for sparse rows.
func TestBatchesComeNearTheFit(t *testing.T) {
	x := planted(3000, 60, 6, 0.2, 3)
	opt := Options{Dims: 6, Weighting: Plain}
	whole := must.Get(Fit(ctx, x, opt))(t)
	opt.Weighting = ""
	for _, size := range []int{150, 400, 1000} {
		b := inBatches(t, x, size, opt, 0)
		h := topicsOf(t, b)
		for j := range 6 {
			if l := mat.Norm(h.RowView(j), 2); math.Abs(l-1) > 1e-12 || mat.Min(h.RowView(j)) < 0 {
				t.Errorf("batches of %d: topic %d has length %v and least entry %v", size, j, l, mat.Min(h.RowView(j)))
			}
		}
		got := leastSquare(t, x, h)
		if got > 1.02*whole.Objective {
			t.Errorf("batches of %d: objective %v, of all rows at once %v", size, got, whole.Objective)
		}
		if bound := b.Surrogate() * 3000; bound < got || bound > 1.2*got {
			t.Errorf("batches of %d: surrogate %v, objective %v", size, bound, got)
		}
		// A fit sweeps as often as the entries of a storage are worth, so these are near, not equal.
		other := topicsOf(t, inBatches(t, csr(t, x), size, opt, 0))
		if !mat.EqualApprox(h, other, 1e-3) {
			t.Errorf("batches of %d: sparse rows give other topics", size)
		}
		if b.Rows() != 3000 {
			t.Errorf("batches of %d: %d rows counted", size, b.Rows())
		}
	}
}

// The same of documents: TDT2 in an order that is drawn, and in its own, which is by classes, so
// that most topics are new to the first batch.
func TestBatchesOfTDT2(t *testing.T) {
	x, _ := tdt2(t)
	n, _ := x.Dims()
	opt := Options{Dims: 30, Weighting: Plain, Restarts: 1}
	whole := must.Get(Fit(ctx, x, opt))(t)
	drawn := x.SelectRows(rand.New(rand.NewPCG(1, 1)).Perm(n))
	for _, order := range []struct {
		name     string
		x        *sparse.CSR
		halfLife float64
		most     float64
	}{{"drawn", drawn, 0, 1.01}, {"by classes", x, 0, 1.08}, {"by classes, with a half-life", x, 3000, 1.06}} {
		b := inBatches(t, order.x, 1000, opt, order.halfLife)
		ratio := leastSquare(t, x, topicsOf(t, b)) / whole.Objective
		t.Logf("%s: %.4f of the objective of all rows at once", order.name, ratio)
		if ratio > order.most {
			t.Errorf("%s: %v of the objective of all rows at once, at most %v expected", order.name, ratio, order.most)
		}
	}
}

// The first batch is a fit. Given again and again, the surrogate never rises, and the objective of
// the topics is never above it.
func TestOneBatchIsTheFit(t *testing.T) {
	for seed := range uint64(5) {
		x := planted(200, 30, 4, 0.5, seed)
		opt := Options{Dims: 4, Weighting: Plain, Restarts: 2, MaxIter: 5}
		m := must.Get(Fit(ctx, x, opt))(t)
		b, _ := NewBatches(opt, 0)
		c := must.Get(b.Add(ctx, x))(t)
		if !mat.Equal(c, m.W) || !mat.Equal(topicsOf(t, b), m.H) {
			t.Fatal("the first batch has other factors than the fit")
		}
		if f := b.Surrogate() * 200; math.Abs(f-m.Objective) > 1e-10*m.Objective {
			t.Errorf("the surrogate is %v, the objective of the fit %v", f, m.Objective)
		}
		last := b.Surrogate()
		for pass := range 60 {
			if _, err := b.Add(ctx, x); err != nil {
				t.Fatal(err)
			}
			f := b.Surrogate()
			if f > last*(1+1e-12) {
				t.Fatalf("seed %d, pass %d: the surrogate rises from %v to %v", seed, pass, last, f)
			}
			if g := leastSquare(t, x, topicsOf(t, b)) / 200; g > f*(1+1e-12) {
				t.Fatalf("seed %d, pass %d: objective %v above the surrogate %v", seed, pass, g, f)
			}
			last = f
		}
		opt.MaxIter, opt.Restarts, opt.Tol = 5000, 1, 1e-9
		opt.StartW, opt.StartH = m.W, m.H
		long := must.Get(Fit(ctx, x, opt))(t)
		if got := leastSquare(t, x, topicsOf(t, b)); got > 1.01*long.Objective {
			t.Errorf("seed %d: objective %v after 60 passes, of a long fit %v", seed, got, long.Objective)
		}
	}
}

// Mairal's loop with everything kept, literally: A and B are summed again from all rows, their
// coefficients and their weights, and H is swept topic by topic. The topics and the surrogate are
// those of Batches.
func TestBatchesAreMairalsLoop(t *testing.T) {
	const n, m, k, size = 240, 17, 3, 40
	x := planted(n, m, k, 0.3, 5)
	for _, halfLife := range []float64{0, 70} {
		opt := Options{Dims: k, Restarts: 1}
		b := inBatches(t, x.Slice(0, size, 0, m).(*mat.Dense), size, opt, halfLife)
		h := topicsOf(t, b)
		c := mat.NewDense(n, k, nil)
		weight := make([]float64, n)
		first := must.Get(Fit(ctx, x.Slice(0, size, 0, m), Options{Dims: k, Restarts: 1, Weighting: Plain}))(t)
		c.Slice(0, size, 0, k).(*mat.Dense).Copy(first.W)
		for i := range size {
			weight[i] = 1
		}
		for lo := size; lo < n; lo += size {
			got := must.Get(b.Add(ctx, x.Slice(lo, lo+size, 0, m)))(t)
			new, _ := (&Placer{H: h}).Transform(ctx, x.Slice(lo, lo+size, 0, m))
			if !mat.EqualApprox(got, new, 1e-7) {
				t.Fatalf("batch from %d: the coefficients are not the best ones on the topics before", lo)
			}
			c.Slice(lo, lo+size, 0, k).(*mat.Dense).Copy(new)
			var a, p mat.Dense
			weighted := mat.NewDense(lo+size, k, nil)
			for i := range lo + size {
				if i >= lo {
					weight[i] = 1
				} else if halfLife > 0 {
					weight[i] *= math.Pow(0.5, size/halfLife)
				}
				for j := range k {
					weighted.Set(i, j, weight[i]*c.At(i, j))
				}
			}
			a.Mul(weighted.T(), c.Slice(0, lo+size, 0, k))
			p.Mul(weighted.T(), x.Slice(0, lo+size, 0, m))
			h = sweepsOver(h, &a, &p)
			for j := range k {
				l := mat.Norm(h.RowView(j), 2)
				for i := range m {
					h.Set(j, i, h.At(j, i)/l)
				}
				for i := range lo + size {
					c.Set(i, j, c.At(i, j)*l)
				}
			}
			if !mat.EqualApprox(topicsOf(t, b), h, 1e-8) {
				t.Fatalf("half-life %v, batch from %d: topics %v, literally %v", halfLife, lo, mat.Formatted(topicsOf(t, b)), mat.Formatted(h))
			}
			f, all := 0.0, 0.0
			for i := range lo + size {
				f += weight[i] * square(mat.NewDense(1, m, x.RawRowView(i)), mat.NewDense(1, k, c.RawRowView(i)), h)
				all += weight[i]
			}
			if got := b.Surrogate(); math.Abs(got-f/all) > 1e-8*f/all {
				t.Fatalf("half-life %v, batch from %d: surrogate %v, literally %v", halfLife, lo, got, f/all)
			}
		}
	}
}

// sweepsOver lowers ½⟨a, h·hᵀ⟩ − ⟨p, h⟩ topic by topic for each column of h, at most 10 times, or
// until a sweep over all columns changes them less than a tenth of the first.
func sweepsOver(h, a, p *mat.Dense) *mat.Dense {
	h = mat.DenseCopyOf(h)
	k, m := h.Dims()
	first := 0.0
	for sweep := range 10 {
		change := 0.0
		for i := range m {
			for j := range k {
				slope := -p.At(j, i)
				for t := range k {
					slope += a.At(j, t) * h.At(t, i)
				}
				to := math.Max(0, h.At(j, i)-slope/a.At(j, j))
				change += (to - h.At(j, i)) * (to - h.At(j, i))
				h.Set(j, i, to)
			}
		}
		if sweep == 0 {
			first = change
		}
		if change <= 0.01*first {
			break
		}
	}
	return h
}

// The same bits at any number of threads, and in another run.
func TestBatchesOfAnyThreads(t *testing.T) {
	x, _ := texts(t, 1200, 900, 30, 5, 4)
	for _, rows := range []mat.Matrix{x, x.ToDense()} {
		paralleltest.Same(t, "topics", []int{1, 2, 2, 3}, func() *mat.Dense {
			return topicsOf(t, inBatches(t, rows, 170, Options{Dims: 5, Restarts: 2}, 400))
		})
	}
}

// A hundred batches hold no more memory than one after the first.
func TestBatchesHoldNoRows(t *testing.T) {
	x, _ := texts(t, 400, 3000, 40, 4, 6)
	b := inBatches(t, x, 400, Options{Dims: 8, Restarts: 1}, 0)
	held := func() int64 {
		for range 3 { // a pool keeps what it has for two collections
			runtime.GC()
		}
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return int64(s.HeapAlloc)
	}
	addInBatches(t, b, x, 400)
	before := held()
	for range 100 {
		addInBatches(t, b, x, 400)
	}
	if grown := held() - before; grown > 200_000 { // one batch has 190,000 bytes of entries
		t.Errorf("100 batches more hold %d bytes more", grown)
	}
	if b.Rows() != 400*102 {
		t.Errorf("%d rows are counted", b.Rows())
	}
	runtime.KeepAlive(x)
}

// With a half-life topics follow rows that change; without one all rows count the same.
func TestHalfLife(t *testing.T) {
	early, late := planted(600, 40, 4, 0.1, 1), planted(3000, 40, 4, 0.1, 50)
	objective := func(halfLife float64) float64 {
		b := inBatches(t, early, 600, Options{Dims: 4}, halfLife)
		addInBatches(t, b, late, 300)
		return leastSquare(t, late, topicsOf(t, b))
	}
	if forgets, keeps := objective(500), objective(0); forgets >= keeps {
		t.Errorf("objective of the later rows with a half-life %v, without %v", forgets, keeps)
	}
	// A half-life far beyond the rows is none.
	x := planted(400, 20, 3, 0.1, 2)
	opt := Options{Dims: 3, Restarts: 1}
	if !mat.EqualApprox(topicsOf(t, inBatches(t, x, 100, opt, 0)), topicsOf(t, inBatches(t, x, 100, opt, 1e15)), 1e-9) {
		t.Error("a half-life far beyond the rows changes the topics")
	}
}

// A term without rows, and rows without terms of any topic, do no harm. A term that the first batch
// lacks enters the topics.
func TestBatchesWithGaps(t *testing.T) {
	x := planted(200, 20, 3, 0, 9)
	for i := range 100 {
		x.Set(i, 7, 0) // a term of later batches
		x.Set(100+i, 7, 1)
	}
	for i := range 200 {
		x.Set(i, 8, 0) // no term at all
	}
	for j := range 20 {
		x.Set(150, j, 0) // an empty row
		x.Set(151, j, 0)
	}
	x.Set(151, 8, 1) // a row of a new term alone
	b := inBatches(t, x, 100, Options{Dims: 3}, 0)
	h := topicsOf(t, b)
	if mat.Max(h.ColView(7)) == 0 || mat.Max(h.ColView(8)) != 0 {
		t.Errorf("the topics have %v of a later term and %v of a term without topics", mat.Max(h.ColView(7)), mat.Max(h.ColView(8)))
	}
	c, err := b.Add(ctx, x.Slice(150, 152, 0, 20))
	if err != nil || mat.Max(c) != 0 {
		t.Errorf("rows without terms of any topic get the coefficients %v, %v", mat.Formatted(c), err)
	}
}

func TestFactorBatchesRefuse(t *testing.T) {
	for _, bad := range []struct {
		opt      Options
		halfLife float64
	}{
		{Options{}, 0}, {Options{Dims: 2, Weighting: NCW}, 0}, {Options{Dims: 2, Solver: "none"}, 0}, {Options{Dims: 2}, -1},
		{Options{Dims: 2}, math.NaN()}, {Options{Dims: 2}, math.Inf(1)}, {Options{Dims: 2, StartW: mat.NewDense(1, 2, nil)}, 0},
	} {
		if _, err := NewBatches(bad.opt, bad.halfLife); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	b, err := NewBatches(Options{Dims: 2}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Placer(); !errors.Is(err, fs.ErrInvalid) || b.Surrogate() != 0 {
		t.Errorf("no batch: %v, surrogate %v", err, b.Surrogate())
	}
	for _, x := range []mat.Matrix{nil, new(mat.Dense), mat.NewDense(1, 3, []float64{1, 2, 3}), mat.NewDense(4, 3, nil), mat.NewDense(2, 2, []float64{1, -1, 2, 2})} {
		if _, err := b.Add(ctx, x); !errors.Is(err, fs.ErrInvalid) || b.Rows() != 0 {
			t.Errorf("first batch %v: %v", x, err)
		}
	}
	x := random(20, 3, 0.8, 1)
	if _, err := b.Add(ctx, x); err != nil {
		t.Fatal(err)
	}
	before, surrogate := topicsOf(t, b), b.Surrogate()
	for _, x := range []mat.Matrix{mat.NewDense(1, 4, nil), mat.NewDense(1, 3, []float64{math.NaN(), 1, 1}), mat.NewDense(1, 3, []float64{1, -2, 1}),
		mat.NewDense(1, 3, []float64{1, 1e200, 1}), nil} {
		if _, err := b.Add(ctx, x); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%v: %v", x, err)
		}
	}
	done, stop := context.WithCancel(ctx)
	stop()
	if _, err := b.Add(done, x); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
	if c, err := b.Add(ctx, new(mat.Dense)); err != nil || !c.IsEmpty() {
		t.Errorf("an empty batch: %v, %v", c, err)
	}
	if !mat.Equal(before, topicsOf(t, b)) || b.Rows() != 20 || b.Surrogate() != surrogate {
		t.Error("a refused batch changed the topics")
	}
	huge := must.Get(NewBatches(Options{Dims: 1, Restarts: 1}, 0))(t)
	many := mat.NewDense(3000, 1000, slices.Repeat([]float64{1e150}, 3_000_000))
	batches := 0
	for ; err == nil && batches < 100; batches++ {
		_, err = huge.Add(ctx, many)
	}
	if !errors.Is(err, fs.ErrInvalid) || batches < 50 || huge.Rows() != 3000*(batches-1) {
		t.Errorf("sums that overflow in batch %d of %d rows: %v", batches, huge.Rows(), err)
	}
}

// A topic whose rows are long ago stays as it was, however small their weight has become.
func TestBatchesKeepATopicLongAgo(t *testing.T) {
	ours, others := []float64{0, 0.3, 1, 3}, []float64{1, 2, 0, 0.5}
	rows := func(row []float64, n int) *mat.Dense {
		x := mat.NewDense(n, len(row), nil)
		for i := range n {
			x.SetRow(i, row)
		}
		return x
	}
	for _, size := range []int{10, 1070} {
		b := must.Get(NewBatches(Options{Dims: 2}, 1))(t)
		var first mat.Dense
		first.Stack(rows(others, 10), rows(ours, 10))
		if _, err := b.Add(t.Context(), &first); err != nil {
			t.Fatal(err)
		}
		for range 1200 / size {
			if _, err := b.Add(t.Context(), rows(others, size)); err != nil {
				t.Fatal(err)
			}
		}
		p := must.Get(b.Placer())(t)
		best := 0.0
		for j := range 2 {
			best = max(best, mat.Dot(p.H.RowView(j), mat.NewVecDense(4, ours))/mat.Norm(mat.NewVecDense(4, ours), 2))
		}
		if best < 0.9999 {
			t.Errorf("batches of %d rows: the cosine of the row and its topic is %v", size, best)
		}
	}
}

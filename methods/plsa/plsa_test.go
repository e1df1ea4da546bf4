package plsa

import (
	"cmp"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// texts makes n documents of about words words over p terms. Cluster i mod k uses mostly its own
// share of the terms, noise the share of words that come from everywhere.
func texts(tb testing.TB, n, p, words, k int, noise float64, seed uint64) (*sparse.CSR, []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	b := sparse.NewBuilder(n, p)
	truth := make([]int, n)
	for i := range n {
		truth[i] = i % k
		for range 1 + r.IntN(2*words) {
			j := r.IntN(p)
			if r.Float64() >= noise {
				j = truth[i]*p/k + r.IntN(p/k)
			}
			b.Add(i, j, 1)
		}
	}
	x := must.Get(b.Build())(tb)
	return x, truth
}

func fitted(t *testing.T, x mat.Matrix, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(ctx, x, opt))(t)
	checkModel(t, m, x, opt)
	return m
}

// One cluster has the corpus distribution: (words of the term + s) / (all words + s·terms), in both
// kinds, and the log-likelihood follows from it.
func TestOneCluster(t *testing.T) {
	x, _ := texts(t, 40, 23, 9, 1, 0, 3)
	sums, total := make([]float64, 23), 0.0
	for e, j := range x.Col {
		sums[j] += x.Val[e]
		total += x.Val[e]
	}
	for _, kind := range []Kind{Clustering, Aspect} {
		for _, smoothing := range []float64{smallestSmoothing, 0.1, 3} {
			m := fitted(t, x, Options{K: 1, Kind: kind, Smoothing: smoothing})
			loglik, prior := 0.0, smoothing*total/float64(x.NNZ())
			for j, v := range sums {
				want := (v + prior) / (total + 23*prior)
				if got := m.Terms.At(0, j); math.Abs(got-want) > 1e-14 {
					t.Errorf("%s: P(w%d) = %v, should be %v", kind, j, got, want)
				}
				if v > 0 {
					loglik += v * math.Log(want)
				}
			}
			if got := m.LogLikelihoods[m.Iterations]; !near(loglik, got, 1e-13) {
				t.Errorf("%s: log-likelihood %v, should be %v", kind, got, loglik)
			}
			if !m.Converged || m.Weights[0] != 1 {
				t.Errorf("%s: converged %v, weight %v", kind, m.Converged, m.Weights[0])
			}
		}
	}
}

// Documents of three vocabularies are found without a label, with labels of one class, and with
// labels of all.
func TestSeparableClusters(t *testing.T) {
	x, truth := texts(t, 90, 60, 20, 3, 0.1, 5)
	one, all := make([]int, 90), make([]int, 90)
	for i := range one {
		one[i], all[i] = -1, -1
	}
	one[7] = 2                       // truth 1 is called class 2 here
	all[3], all[4], all[5] = 1, 2, 0 // truth 0, 1, 2
	for _, kind := range []Kind{Clustering, Aspect} {
		for name, labels := range map[string][]int{"none": nil, "one": one, "all": all} {
			m := fitted(t, x, Options{K: 3, Kind: kind, Labels: labels})
			name3 := map[int]int{}
			for i, y := range truth {
				if i < 3 {
					name3[y] = m.Labels[i]
				}
				if m.Labels[i] != name3[y] {
					t.Fatalf("%s, labels of %s: document %d is in cluster %d, others of its class in %d", kind, name, i, m.Labels[i], name3[y])
				}
			}
			if len(name3) != 3 || name != "none" && name3[1] != 2 || name == "all" && (name3[0] != 1 || name3[2] != 0) {
				t.Errorf("%s, labels of %s: clusters %v", kind, name, name3)
			}
			if name == "none" && !slices.IsSortedFunc(m.Weights, func(a, b float64) int { return cmp.Compare(b, a) }) {
				t.Errorf("%s: weights %v are not falling", kind, m.Weights)
			}
		}
	}
}

func TestFoldIn(t *testing.T) {
	x, _ := texts(t, 80, 50, 6, 4, 0.6, 9)
	labels := make([]int, 80)
	for i := range labels {
		labels[i] = min(i%7, 4) - 1
	}
	opt := Options{K: 4, Labels: labels}
	m := fitted(t, x, opt)
	q, err := m.FoldIn(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	soft := 0
	for i, y := range labels {
		for c := range 4 {
			if v := q.At(i, c); y < 0 && v != m.Posterior.At(i, c) {
				t.Errorf("document %d: folded in %v, fitted %v", i, q.RawRowView(i), m.Posterior.RawRowView(i))
			} else if y < 0 && v > 1e-3 && v < 0.999 {
				soft++
			}
		}
	}
	if soft == 0 {
		t.Error("every posterior is 0 or 1: the test says nothing")
	}

	// The aspect model's shares are the maximum of a concave likelihood: no topic would raise it
	// (Karush, Kuhn and Tucker).
	opt.Kind, opt.Labels = Aspect, nil
	m = fitted(t, x, opt)
	if q, err = m.FoldIn(ctx, x); err != nil {
		t.Fatal(err)
	}
	for i := range 80 {
		cols, vals := x.Row(i)
		length, before, after, steep := 0.0, 0.0, 0.0, make([]float64, 4)
		for e, j := range cols {
			was, is := 0.0, 0.0
			for c := range 4 {
				was += m.Posterior.At(i, c) * m.Terms.At(c, int(j))
				is += q.At(i, c) * m.Terms.At(c, int(j))
			}
			for c := range steep {
				steep[c] += vals[e] * m.Terms.At(c, int(j)) / is
			}
			length += vals[e]
			before += vals[e] * math.Log(was)
			after += vals[e] * math.Log(is)
		}
		if after < before-1e-8*length {
			t.Errorf("document %d has the likelihood %v folded in, %v fitted", i, after, before)
		}
		if gain := slices.Max(steep)/length - 1; gain > 1e-3 {
			t.Errorf("document %d would gain %v a word", i, gain)
		}
	}
}

// An empty document has the weights for its posterior, fitted and folded in.
func TestEmptyDocuments(t *testing.T) {
	x, _ := texts(t, 30, 20, 5, 3, 0.2, 2)
	rows := append([]int{0, 1}, x.RowPtr[1:]...) // document 1 is what document 0 was
	rows[1] = 0
	y := &sparse.CSR{NumRows: 31, NumCols: 20, RowPtr: rows, Col: x.Col, Val: x.Val}
	for _, kind := range []Kind{Clustering, Aspect} {
		m := fitted(t, y, Options{K: 3, Kind: kind})
		q := must.Get(m.FoldIn(ctx, y))(t)
		for c, w := range m.Weights {
			if math.Abs(m.Posterior.At(0, c)-w) > 1e-3 || math.Abs(q.At(0, c)-w) > 1e-15 {
				t.Errorf("%s: weights %v, posterior %v, folded in %v", kind, m.Weights, m.Posterior.RawRowView(0), q.RawRowView(0))
			}
		}
	}
	none := &sparse.CSR{NumRows: 3, NumCols: 4, RowPtr: make([]int, 4)}
	for _, kind := range []Kind{Clustering, Aspect} {
		m := fitted(t, none, Options{K: 2, Kind: kind})
		for c := range 2 {
			if m.Weights[c] != 0.5 || m.Posterior.At(1, c) != 0.5 || m.Terms.At(c, 2) != 0.25 {
				t.Errorf("%s: no words at all: weights %v", kind, m.Weights)
			}
		}
	}
}

// As many clusters as documents; documents that are all alike; classes that have all documents and
// none.
func TestExtremeShapes(t *testing.T) {
	x, _ := texts(t, 12, 30, 15, 4, 0, 8)
	alike := mat.NewDense(6, 3, slices.Repeat([]float64{2, 0, 1}, 6))
	for _, kind := range []Kind{Clustering, Aspect} {
		fitted(t, x, Options{K: 12, Kind: kind})
		fitted(t, alike, Options{K: 4, Kind: kind})
		fitted(t, alike.Slice(0, 1, 0, 3), Options{K: 1, Kind: kind})
		fitted(t, alike, Options{K: 3, Kind: kind, Labels: []int{0, 0, 2, 2, 2, 0}})
		fitted(t, alike, Options{K: 2, Kind: kind, Labels: []int{0, 0, -1, -1, -1, -1}})
		m := fitted(t, x, Options{K: 3, Kind: kind, Labels: []int{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}})
		if !m.Converged || m.Iterations > 2 {
			t.Errorf("%s: all documents are labelled, and it takes %d iterations", kind, m.Iterations)
		}
	}
}

// A million words a document: the likelihoods underflow, their logarithms do not. Nearly all of
// them are the same word.
func TestLongDocuments(t *testing.T) {
	x := mat.NewDense(6, 3, []float64{
		1e6, 1e3, 0, 1e6, 1.1e3, 1, 1e6, 0.9e3, 0,
		1e6, 0, 1e3, 1e6, 1, 1.1e3, 1e6, 0, 0.9e3})
	for _, kind := range []Kind{Clustering, Aspect} {
		m := fitted(t, x, Options{K: 2, Kind: kind, Labels: []int{0, -1, -1, 1, -1, -1}, Smoothing: 1e-6})
		if !slices.Equal(m.Labels, []int{0, 0, 0, 1, 1, 1}) {
			t.Errorf("%s: labels %v", kind, m.Labels)
		}
		if kind == Clustering && (m.Posterior.At(1, 0) != 1 || m.Posterior.At(1, 1) != 0) {
			t.Errorf("posterior %v", m.Posterior.RawRowView(1))
		}
	}
}

// Counts times a constant give the same aspect model: the prior follows the data. (The clustering
// model's posteriors sharpen.)
func TestScaleOfCounts(t *testing.T) {
	x, _ := texts(t, 60, 40, 8, 3, 0.5, 4)
	for _, f := range []float64{0x1p-20, 0x1p30} {
		y := x.Clone()
		for e := range y.Val {
			y.Val[e] *= f
		}
		a := fitted(t, x, Options{K: 3, Kind: Aspect, MaxIter: 20})
		b := fitted(t, y, Options{K: 3, Kind: Aspect, MaxIter: 20})
		if !mat.EqualApprox(a.Terms, b.Terms, 1e-9) || !mat.EqualApprox(a.Posterior, b.Posterior, 1e-9) {
			t.Errorf("counts times %v give another aspect model", f)
		}
	}
}

func TestRestartsKeepTheBest(t *testing.T) {
	x, _ := texts(t, 60, 40, 8, 5, 0.5, 4)
	for _, kind := range []Kind{Clustering, Aspect} {
		best := fitted(t, x, Options{K: 5, Kind: kind, Restarts: 6, Seed: 3})
		top := best.History[best.Iterations]
		last := math.Inf(-1)
		for r := 1; r <= 6; r++ {
			m := fitted(t, x, Options{K: 5, Kind: kind, Restarts: r, Seed: 3})
			o := m.History[m.Iterations]
			if o < last || o > top || r > best.Restart && o != top {
				t.Errorf("%s: the best of %d runs is %v, of fewer %v, of 6 %v (run %d)", kind, r, o, last, top, best.Restart)
			}
			last = o
		}
	}
}

func TestThreadsChangeNothing(t *testing.T) {
	defer native.SetThreads(0)
	x, _ := texts(t, 700, 900, 40, 6, 0.5, 6)
	for _, kind := range []Kind{Clustering, Aspect} {
		var first *Model
		var folded *mat.Dense
		for _, threads := range race.Threads(1, 2, 5) {
			native.SetThreads(threads)
			m := fitted(t, x, Options{K: 7, Kind: kind, Restarts: 2, MaxIter: 15})
			q := must.Get(m.FoldIn(ctx, x))(t)
			if first == nil {
				first, folded = m, q
				continue
			}
			if !mat.Equal(m.Posterior, first.Posterior) || !mat.Equal(m.Terms, first.Terms) || !mat.Equal(q, folded) || !slices.Equal(m.History, first.History) ||
				!slices.Equal(m.Weights, first.Weights) || m.Restart != first.Restart {
				t.Errorf("%s: %d threads give another model", kind, threads)
			}
		}
	}
}

// A dense matrix, a CSR with stored zeros, other sparse kinds and the plain CSR are one corpus; and
// nothing of it is written.
func TestStorage(t *testing.T) {
	x, _ := texts(t, 30, 20, 5, 3, 0.2, 2)
	b := &sparse.CSR{NumRows: 30, NumCols: 20, RowPtr: make([]int, 31)}
	for i := range 30 {
		for j := range 20 {
			b.Col, b.Val = append(b.Col, int32(j)), append(b.Val, x.At(i, j))
		}
		b.RowPtr[i+1] = len(b.Val)
	}
	before := x.Clone()
	for _, kind := range []Kind{Clustering, Aspect} {
		want := fitted(t, x, Options{K: 3, Kind: kind})
		for _, y := range []mat.Matrix{x.ToDense(), b, x.ToBowman(), x.Transpose().T()} {
			got := fitted(t, y, Options{K: 3, Kind: kind})
			if !mat.EqualApprox(got.Terms, want.Terms, 1e-12) || !slices.Equal(got.Labels, want.Labels) {
				t.Errorf("%s of %T differs", kind, y)
			}
		}
	}
	if !slices.Equal(x.Val, before.Val) {
		t.Error("the counts were written")
	}
}

// Products in bands have the bits of one product.
func TestBands(t *testing.T) {
	x, _ := texts(t, 300, 40, 20, 3, 1, 1)
	one, many := newBlock(300, 9), newBlock(300, 9)
	r := newBlock(40, 9)
	for i := range r.Data {
		r.Data[i] = float64(i%17) - 5
	}
	x.MulBlock(one, r)
	b := cut(x, 100)
	if len(b.piece) < 20 {
		t.Fatalf("%d bands", len(b.piece))
	}
	must.Do(t, b.mul(ctx, many, r))
	if !slices.Equal(one.Data, many.Data) {
		t.Error("bands change the product")
	}
}

func TestNotes(t *testing.T) {
	x, _ := texts(t, 30, 20, 5, 3, 0.2, 2)
	none := slices.Repeat([]int{-1}, 30)
	some := slices.Clone(none)
	some[4] = 1
	for _, c := range []struct {
		labels []int
		says   string
	}{{nil, ""}, {none, "None of the 30 documents has a label"}, {some, "Classes without a labelled document: 2 of 3 (0, 2)"}} {
		notes, last := "", progress.Event{}
		must.Get(Fit(ctx, x, Options{K: 3, Labels: c.labels, Observer: func(e progress.Event) {
			if e.Message != "" {
				notes += e.Message
			} else if last = e; e.Stage != stage || e.Done > e.Total {
				t.Errorf("event %+v", e)
			}
		}}))(t)
		if !strings.Contains(notes, c.says) || c.says == "" && notes != "" {
			t.Errorf("notes %q, which should say %q", notes, c.says)
		}
		if last.Done != last.Total {
			t.Errorf("the last event is %+v", last)
		}
	}
}

// Fit takes about what Memory says; a matrix of another sparse kind is copied at its entries, and
// sizes do not overflow.
func TestMemory(t *testing.T) {
	x, _ := texts(t, 3000, 4000, 30, 5, 0.5, 1)
	plain := Memory(x, Options{K: 20})
	for _, y := range []mat.Matrix{x.ToBowman(), x.T()} {
		if got := Memory(y, Options{K: 20}) - plain; got > 12*int64(x.NNZ())+8*20*1000 {
			t.Errorf("%T takes %d more bytes", y, got)
		}
	}
	if huge := (&sparse.CSR{NumRows: sparse.MaxDim, NumCols: sparse.MaxDim}); Memory(huge, Options{K: sparse.MaxDim - 1}) < 1<<60 {
		t.Error("the estimate overflows")
	}
	for _, kind := range []Kind{Clustering, Aspect} {
		for _, restarts := range []int{1, 3} {
			opt := Options{K: 20, Kind: kind, Restarts: restarts, MaxIter: 2}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			fitted(t, x, opt)
			runtime.ReadMemStats(&after)
			if took, said := int64(after.TotalAlloc-before.TotalAlloc), Memory(x, opt); took > said*6/5 || took < said*4/5 {
				t.Errorf("%s, %d restarts: %d bytes were taken, %d estimated", kind, restarts, took, said)
			}
		}
	}
}

// A start gives each document the same share of its class, however long it is; the prior is then
// held against the words of the class.
func TestStartDividesByLength(t *testing.T) {
	b := sparse.NewBuilder(4, 4)
	b.Add(0, 0, 98) // class 0: a long document and a short one
	b.Add(1, 1, 2)
	b.Add(2, 2, 5)
	b.Add(3, 3, 5)
	x := must.Get(b.Build())(t)
	c := must.Get(readCounts(ctx, x))(t)
	pr := newProblem(c, Options{K: 2, Labels: []int{0, 0, 1, 1}, Smoothing: 0.1}.withDefaults())
	s := newState(pr)
	must.Do(t, pr.start(ctx, s, rand.New(rand.NewPCG(0, 0))))
	prior := pr.pseudo
	for j, want := range [][2]float64{{50 + prior, prior}, {50 + prior, prior}, {prior, 5 + prior}, {prior, 5 + prior}} {
		for k, words := range []float64{100, 10} {
			if got := s.theta.Data[j*s.theta.Stride+k]; math.Abs(got-want[k]/(words+4*prior)) > 1e-12 {
				t.Errorf("term %d of class %d: %v, want %v", j, k, got, want[k]/(words+4*prior))
			}
		}
	}
}

// The centres of a start are mean directions of length 1: a long document counts as a short one.
func TestCentresAreDirections(t *testing.T) {
	b := sparse.NewBuilder(3, 2)
	b.Add(0, 0, 30)
	b.Add(1, 1, 2)
	b.Add(2, 0, 4)
	b.Add(2, 1, 3)
	x := must.Get(b.Build())(t)
	c := must.Get(readCounts(ctx, x))(t)
	pr := newProblem(c, Options{K: 3}.withDefaults())
	s := newState(pr)
	must.Do(t, pr.centres(ctx, s, []int32{0, 0, -1}, []int{-1, 2, -1}))
	for k, want := range [][2]float64{{math.Sqrt(0.5), math.Sqrt(0.5)}, {0.8, 0.6}, {0, 0}} {
		for j := range 2 {
			if got := s.theta.Data[j*s.theta.Stride+k]; math.Abs(got-want[j]) > 1e-12 {
				t.Errorf("centre %d, term %d: %v, want %v", k, j, got, want[j])
			}
		}
	}
}

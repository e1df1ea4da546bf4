package semildc

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/fastica"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

// texts draws n documents of about words terms: half of them from a vocabulary that all classes
// share, a tenth from bursts of one noise term that says nothing of the class, the others from the
// class's own own terms.
func texts(tb testing.TB, n, classes, words, own int, noise float64, seed uint64) (*sparse.CSR, []int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	const shared, bursts = 200, 40
	p := shared + bursts + classes*own
	b := sparse.NewBuilder(n, p)
	truth := make([]int, n)
	for i := range n {
		truth[i] = rng.IntN(classes)
		for range words {
			switch rng.IntN(2) {
			case 0:
				b.Add(i, int(shared*math.Pow(rng.Float64(), 2)), 1)
			default:
				b.Add(i, shared+bursts+truth[i]*own+rng.IntN(own), 1)
			}
		}
		b.Add(i, shared+rng.IntN(bursts), math.Round(noise*float64(words)))
	}
	a := must.Get(b.Build())(tb)
	return a, truth
}

func draw(tb testing.TB, truth []int, share float64, seed uint64) []int {
	known := must.Get(labels.Draw(truth, share, seed))(tb)
	return known
}

// wrong counts the documents without a label that are not in their class.
func wrong(truth, known, got []int) int {
	count := 0
	for i, k := range known {
		if k == labels.Unknown && got[i] != truth[i] {
			count++
		}
	}
	return count
}

// TestToy: six documents of two vocabularies.
func TestToy(t *testing.T) {
	counts := mat.NewDense(6, 4, []float64{
		3, 1, 0, 0,
		0, 0, 2, 2,
		1, 3, 0, 0,
		0, 0, 1, 4,
		2, 2, 0, 1,
		0, 1, 3, 1,
	})
	known := []int{1, 0, -1, -1, -1, -1}
	want := []int{1, 0, 1, 0, 1, 0}
	for _, soft := range []SoftLabels{PLSA, Hard, Propagation} {
		for _, reduction := range []Reduction{PCA, Raw} {
			opt := Options{SoftLabels: soft, Reduction: reduction}
			opt.Propagation.Graph.Neighbors = 2
			m := must.Get(Fit(ctx, counts, nil, known, 2, opt))(t)
			if !slices.Equal(m.Labels, want) {
				t.Errorf("%s, %s: labels %v, want %v", soft, reduction, m.Labels, want)
			}
		}
	}
}

// TestBetterThanConstrainedKMeans: where bursts of single terms hide the classes, the soft labels
// and the discriminants find them again; the labelled documents alone are too few.
func TestBetterThanConstrainedKMeans(t *testing.T) {
	for seed := range uint64(3) {
		counts, truth := texts(t, 400, 4, 60, 120, 0.2, seed)
		known := draw(t, truth, 0.05, seed)
		m := must.Get(Fit(ctx, counts, nil, known, 4, Options{}))(t)
		hard := must.Get(Fit(ctx, counts, nil, known, 4, Options{SoftLabels: Hard}))(t)
		rival := must.Get(ckmeans.Fit(ctx, counts.NormalizeRows(), known, 4, ckmeans.Options{}))(t)
		ours, theirs := wrong(truth, known, m.Labels), wrong(truth, known, rival.Labels)
		if lda := wrong(truth, known, hard.Labels); ours > 10 || theirs < 100 || lda < 30 {
			t.Errorf("seed %d: %d of 400 documents wrong, by hard labels %d, constrained k-means %d", seed, ours, lda, theirs)
		}
		for i, k := range known {
			if k != labels.Unknown && m.Labels[i] != k {
				t.Errorf("document %d is labelled %d and came to %d", i, k, m.Labels[i])
			}
		}
	}
}

// literal finds the discriminants of S_b·a = λ(S_w + μI)·a with hard labels from sums over
// documents, with S_w + μI = RᵀR and an ordinary eigenproblem, and returns the projections of rows
// and of the classes' means.
func literal(t *testing.T, x *mat.Dense, class []int, classes int, mu float64, rows *mat.Dense) (y, centre *mat.Dense, values []float64) {
	n, d := x.Dims()
	means, sizes, all := mat.NewDense(classes, d, nil), make([]float64, classes), mat.NewVecDense(d, nil)
	for i, k := range class {
		sizes[k]++
		for j := range d {
			means.Set(k, j, means.At(k, j)+x.At(i, j))
			all.SetVec(j, all.AtVec(j)+x.At(i, j)/float64(n))
		}
	}
	sw, sb := mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
	for k := range classes {
		for j := range d {
			means.Set(k, j, means.At(k, j)/sizes[k])
		}
		var diff mat.VecDense
		diff.SubVec(means.RowView(k), all)
		sb.SymRankOne(sb, sizes[k]/float64(n), &diff)
	}
	for i, k := range class {
		var diff mat.VecDense
		diff.SubVec(x.RowView(i), means.RowView(k))
		sw.SymRankOne(sw, 1/float64(n), &diff)
	}
	for j := range d {
		sw.SetSym(j, j, sw.At(j, j)+mu)
	}
	var chol mat.Cholesky
	if !chol.Factorize(sw) {
		t.Fatal("S_w + μI is not positive definite")
	}
	var r, inverse, between, m mat.Dense
	var upper mat.TriDense
	chol.UTo(&upper)
	r.CloneFrom(&upper)
	must.Do(t, inverse.Inverse(&r))
	between.Mul(sb, &inverse)
	m.Mul(inverse.T(), &between)
	sym := mat.NewSymDense(d, nil)
	for i := range d {
		for j := range i + 1 {
			sym.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(sym, true) {
		t.Fatal("no eigenvalues")
	}
	var v, a mat.Dense
	e.VectorsTo(&v)
	a.Mul(&inverse, v.Slice(0, d, d-classes+1, d))
	y, centre = new(mat.Dense), new(mat.Dense)
	y.Mul(rows, &a)
	centre.Mul(means, &a)
	return y, centre, e.Values(nil)[d-classes+1:]
}

// TestAllLabelledIsLDAWithNearestMean: with every document labelled and nothing but hard labels
// nothing of the method is left but linear discriminant analysis and the nearest mean.
func TestAllLabelledIsLDAWithNearestMean(t *testing.T) {
	const n, d, k = 200, 7, 4
	rng := rand.New(rand.NewPCG(8, 1))
	x, class := mat.NewDense(n, d, nil), make([]int, n)
	fill := func(row []float64, c int) {
		for j := range row {
			row[j] = 5 + rng.NormFloat64()*float64(j+1)
		}
		row[c] += 3
		row[(c+2)%d] += 4
	}
	for i := range n {
		class[i] = i % k
		fill(x.RawRowView(i), class[i])
	}
	fresh := mat.NewDense(300, d, nil)
	for i := range 300 {
		fill(fresh.RawRowView(i), i%k)
	}
	for _, reduction := range []Options{{Reduction: Raw}, {Components: method.Amount{Count: d}}, {Components: method.Amount{Share: 1}}} {
		opt := reduction
		opt.SoftLabels = Hard
		opt.LDA = softlda.Options{Ridge: 0.3, Absolute: true}
		m := must.Get(Fit(ctx, nil, x, class, k, opt))(t)
		if !slices.Equal(m.Labels, class) {
			t.Fatal("a labelled document moved")
		}
		y, centre, values := literal(t, x, class, k, 0.3, fresh)
		for j, v := range values {
			if got := m.Lambda[len(values)-1-j]; math.Abs(got-v) > 1e-9*v {
				t.Errorf("%+v: λ = %v, want %v", reduction, got, v)
			}
		}
		got := must.Get(m.Predict(ctx, fresh))(t)
		for i := range got {
			best := math.Inf(1)
			nearest := 0
			for c := range k {
				var diff mat.VecDense
				diff.SubVec(y.RowView(i), centre.RowView(c))
				if v := mat.Norm(&diff, 2); v < best {
					best, nearest = v, c
				}
			}
			if got[i] != nearest {
				t.Errorf("%+v: document %d comes to class %d, the nearest mean is %d", reduction, i, got[i], nearest)
			}
		}
	}
}

// TestStages: the embedding equals the stages' one after the other, though their maps are
// multiplied first; soft labels of the hard kind have a mean of their own, which the offset
// carries.
func TestStages(t *testing.T) {
	counts, truth := texts(t, 150, 3, 25, 30, 0.5, 4)
	known := draw(t, truth, 0.2, 4)
	x := counts.NormalizeRows()
	ica := must.Get(fastica.Fit(ctx, x, fastica.Options{Dims: 9, Seed: 3}))(t)
	for _, soft := range []SoftLabels{PLSA, Hard, Propagation} {
		m := must.Get(Fit(ctx, counts, nil, known, 3, Options{SoftLabels: soft, Reduction: ICA, Components: method.Amount{Count: 9}, Seed: 3}))(t)
		a := must.Get(softlda.Fit(ctx, ica.Embedding, m.Soft, softlda.Options{}))(t)
		if m.Dims != 9 || m.Explained != ica.Explained {
			t.Errorf("%s: %d independent components explain %v, alone %v", soft, m.Dims, m.Explained, ica.Explained)
		}
		near(t, string(soft)+", independent components", m.Embedding, a.Embedding, 1e-7)
	}
	for _, soft := range []SoftLabels{PLSA, Hard, Propagation} {
		m := must.Get(Fit(ctx, counts, nil, known, 3, Options{SoftLabels: soft, Components: method.Amount{Share: 0.8}}))(t)
		p := must.Get(pca.Fit(ctx, x, pca.Options{Amount: method.Amount{Share: 0.8}}))(t)
		a := must.Get(softlda.Fit(ctx, p.Embedding, m.Soft, softlda.Options{}))(t)
		if _, dims := p.Embedding.Dims(); dims != m.Dims || m.Explained < 0.8 || m.Explained > 0.85 {
			t.Errorf("%s: %d dimensions explain %v, the analysis has %d", soft, m.Dims, m.Explained, dims)
		}
		near(t, string(soft), m.Embedding, a.Embedding, 1e-7)
		for i := range truth {
			sum := mat.Sum(m.Soft.RowView(i))
			if k := known[i]; k != labels.Unknown && m.Soft.At(i, k) != 1 || sum > 1+1e-12 {
				t.Errorf("%s: soft labels of document %d: %v", soft, i, m.Soft.RawRowView(i))
			}
		}
	}
}

// near says where a and b differ by more than signs of columns.
func near(t *testing.T, name string, a, b *mat.Dense, tol float64) {
	t.Helper()
	n, k := a.Dims()
	if bn, bk := b.Dims(); bn != n || bk != k {
		t.Fatalf("%s: %d × %d and %d × %d", name, n, k, bn, bk)
	}
	for j := range k {
		var plus, minus float64
		for i := range n {
			plus = max(plus, math.Abs(a.At(i, j)-b.At(i, j)))
			minus = max(minus, math.Abs(a.At(i, j)+b.At(i, j)))
		}
		if min(plus, minus) > tol*(1+mat.Norm(a.ColView(j), math.Inf(1))) {
			t.Errorf("%s: column %d differs by %v", name, j, min(plus, minus))
		}
	}
}

// TestPredictOfTheFit: documents of the fit that are not clamped get their label again, as counts
// or as other rows, sparse or dense.
func TestPredictOfTheFit(t *testing.T) {
	counts, truth := texts(t, 200, 3, 12, 40, 0.8, 6)
	known := draw(t, truth, 0.05, 6)
	unit := counts.NormalizeRows()
	for name, x := range map[string]mat.Matrix{"counts": nil, "sparse": unit, "dense": unit.ToDense(), "view": mat.Transpose{Matrix: mat.DenseCopyOf(unit.T())}} {
		for _, opt := range []Options{{}, {Components: method.Amount{Count: 20}}, {Reduction: Raw}, {Rule: ckmeans.Seeded, SoftLabels: Propagation}} {
			m := must.Get(Fit(ctx, counts, x, known, 3, opt))(t)
			rows := x
			if rows == nil {
				rows = counts
			}
			got := must.Get(m.Predict(ctx, rows))(t)
			for i, k := range got {
				if (known[i] == labels.Unknown || opt.Rule == ckmeans.Seeded) && k != m.Labels[i] {
					t.Errorf("%s %+v: document %d is in %d, predicted %d", name, opt, i, m.Labels[i], k)
				}
			}
			y := must.Get(m.Transform(ctx, rows))(t)
			if !mat.Equal(y, m.Embedding) {
				t.Errorf("%s: documents of the fit are projected elsewhere", name)
			}
		}
	}
}

// TestNewDocuments: held-out documents come to their classes.
func TestNewDocuments(t *testing.T) {
	counts, truth := texts(t, 500, 3, 30, 50, 0.2, 7)
	first, rest := make([]int, 300), make([]int, 200)
	for i := range first {
		first[i] = i
	}
	for i := range rest {
		rest[i] = 300 + i
	}
	m := must.Get(Fit(ctx, counts.SelectRows(first), nil, draw(t, truth[:300], 0.05, 1), 3, Options{}))(t)
	got := must.Get(m.Predict(ctx, counts.SelectRows(rest)))(t)
	missed := 0
	for i, k := range got {
		if k != truth[300+i] {
			missed++
		}
	}
	if missed > 10 {
		t.Errorf("%d of 200 new documents are in another class", missed)
	}
}

func TestSameAtAnyThreadCount(t *testing.T) {
	counts, truth := texts(t, 200, 3, 20, 40, 0.7, 9)
	known := draw(t, truth, 0.05, 9)
	for _, opt := range []Options{{}, {SoftLabels: Propagation, Components: method.Amount{Count: 12}}, {SoftLabels: Hard, Reduction: Raw}} {
		paralleltest.Same(t, opt, []int{1, 2, 5}, func() *Model {
			return must.Get(Fit(ctx, counts, nil, known, 3, opt))(t)
		})
	}
}

func TestObserverHearsEveryStage(t *testing.T) {
	counts, truth := texts(t, 100, 3, 20, 40, 0.7, 2)
	var notes []string
	busy := false
	must.Get(Fit(ctx, counts, nil, draw(t, truth, 0.1, 1), 3, Options{Observer: func(e progress.Event) {
		if busy {
			t.Error("the observer is called twice at a time")
		}
		busy = true
		if e.Stage == Stage {
			notes = append(notes, e.Message)
		}
		busy = false
	}}))(t)
	for i, says := range []string{"Soft labels by constrained PLSA", "Principal components", "2 directions", "Constrained k-means"} {
		if i >= len(notes) || !strings.Contains(notes[i], says) {
			t.Fatalf("notes %q: number %d does not tell of %q", notes, i, says)
		}
	}
}

// Without a word on the reduction, rows whose spectrum would take most of the time, or their
// components gigabytes, are not reduced, and this is reported.
func TestLargeCorporaAreNotReduced(t *testing.T) {
	const side = reducedSide + 1
	for _, size := range [][2]int{{side, side}, {100, denseComponents/8/100 + 2}} {
		n, d := size[0], size[1]
		rng := rand.New(rand.NewPCG(5, 5))
		b := sparse.NewBuilder(n, d)
		known := make([]int, n)
		for i := range n {
			known[i] = -1
			if i < 40 {
				known[i] = i % 2
			}
			for range 3 {
				b.Add(i, i%2*(side/2)+rng.IntN(side/2), 1)
			}
		}
		x := must.Get(b.Build())(t)
		told := false
		m := must.Get(Fit(ctx, x, nil, known, 2, Options{Observer: func(e progress.Event) { told = told || strings.Contains(e.Message, "not reduced") }}))(t)
		if m.Options.Reduction != Raw || m.Dims != d || !told {
			t.Errorf("%d × %d: reduction %q to %d dimensions, told %v", n, d, m.Options.Reduction, m.Dims, told)
		}
	}
}

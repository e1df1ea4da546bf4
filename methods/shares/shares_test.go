package shares_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graphssl"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/methods/tsvm"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// texts are term counts of documents of 40 words, of which 30 % are among 40 words of the class and
// the others among 400 words of all, the r-th with a probability proportional to 1/r. Documents of
// the classes alternate by chance; the first of each are labelled.
func texts(t *testing.T, sizes, labelled []int, seed uint64) (counts, unit *sparse.CSR, truth, known []int) {
	t.Helper()
	const length, own, common = 40, 40, 400
	rng := rand.New(rand.NewPCG(seed, 7))
	for k, n := range sizes {
		for range n {
			truth = append(truth, k)
		}
	}
	rng.Shuffle(len(truth), func(a, b int) { truth[a], truth[b] = truth[b], truth[a] })
	b := sparse.NewBuilder(len(truth), common+own*len(sizes))
	left := append([]int(nil), labelled...)
	for i, k := range truth {
		for range length {
			word := int(math.Exp(rng.Float64()*math.Log(common+1))) - 1
			if rng.Float64() < 0.3 {
				word = common + k*own + rng.IntN(own)
			}
			b.Add(i, min(word, common+own*len(sizes)-1), 1)
		}
		known = append(known, labels.Unknown)
		if left[k] > 0 {
			known[i] = k
			left[k]--
		}
	}
	counts = must.Get(b.Build())(t)
	root := counts.Clone()
	for i, v := range root.Val {
		root.Val[i] = math.Sqrt(v)
	}
	return counts, root.NormalizeRows(), truth, known
}

// apart is half the sum of the differences of shares from the shares among documents without a
// label.
func apart(list []float64, truth, known []int) (sum float64) {
	open := make([]int, len(truth))
	for i, k := range truth {
		open[i] = labels.Unknown
		if known[i] == labels.Unknown {
			open[i] = k
		}
	}
	for k, v := range shares.OfLabels(open, len(list)) {
		sum += math.Abs(v-list[k]) / 2
	}
	return sum
}

// Shares that labels do not have are found among the documents, and labels drawn from all documents
// are not contradicted.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		sizes, labelled []int
		contradicts     bool
	}{
		{[]int{360, 40}, []int{10, 10}, true},
		{[]int{500, 500, 8}, []int{15, 15, 3}, true},
		{[]int{500, 500, 8}, []int{3, 3, 3}, true},
		{[]int{300, 200, 100}, []int{15, 10, 5}, false},
		{[]int{300, 300, 300}, []int{2, 2, 2}, false},
	} {
		_, x, truth, known := texts(t, c.sizes, c.labelled, 1)
		e := must.Get(shares.Of(context.Background(), x, known, len(c.sizes), 1))(t)
		list, contradicts := e.Corrected(known)
		if contradicts != c.contradicts {
			t.Errorf("%v with the labels %v: contradicted %v; shares %.4f ± %.4f", c.sizes, c.labelled, contradicts, e.Shares, e.Errors)
		}
		if before, after := apart(shares.OfLabels(known, len(c.sizes)), truth, known), apart(list, truth, known); after > 0.02 || c.contradicts && before < 0.02 {
			t.Errorf("%v with the labels %v: %.3f from the true shares, the labels' shares %.3f", c.sizes, c.labelled, after, before)
		}
	}
}

// Methods by shares that are corrected, and by the labels' shares, as they went before: accuracy
// with 10 and 10 labels of classes 9 : 1, and documents wrongly given to a class of 8 of 1,008.
func TestMethodsByShares(t *testing.T) {
	run := func(spec method.Spec, set func(method.Options, shares.Rule), rule shares.Rule, sizes, labelled []int) (right float64, wronglyRare, foundRare int) {
		counts, x, truth, known := texts(t, sizes, labelled, 3)
		names := []string{"a", "b", "rare"}[:len(sizes)]
		o := spec.New()
		set(o, rule)
		f := must.Get(spec.Fit(context.Background(), o, &method.Input{X: x, Counts: counts, Clusters: len(sizes), Given: &method.Given{Labels: known, Names: names}}))(t)
		open := 0.0
		for i, k := range known {
			if k != labels.Unknown {
				continue
			}
			open++
			got := f.Clusters.Labels[i]
			if got == truth[i] {
				right++
			}
			if got == 2 && truth[i] == 2 {
				foundRare++
			} else if got == 2 {
				wronglyRare++
			}
		}
		return right / open, wronglyRare, foundRare
	}
	for _, m := range []struct {
		spec method.Spec
		set  func(method.Options, shares.Rule)
		// With the labels' shares: at most this accuracy with classes 9 : 1, at least so many documents
		// wrongly given to the rare class.
		most  float64
		wrong int
		left  int // at most so many, by shares that are corrected
	}{
		{tsvm.Spec, func(o method.Options, r shares.Rule) { o.(*tsvm.Options).ClassShares = r }, 0.7, 3, 2},
		{labelprop.Spec, func(o method.Options, r shares.Rule) {
			o.(*labelprop.Options).ClassMass, o.(*labelprop.Options).ClassShares = true, r
		}, 1, 0, 0},
		{semildc.Spec, func(o method.Options, r shares.Rule) {
			o.(*semildc.Options).ClassShares, o.(*semildc.Options).Reduction = r, semildc.Raw
		}, 1, 0, 2},
		{graphssl.Spec, func(o method.Options, r shares.Rule) { o.(*graphssl.MethodOptions).ClassShares = r }, 1, 0, 3},
	} {
		before, _, _ := run(m.spec, m.set, shares.Labels, []int{360, 40}, []int{10, 10})
		after, _, _ := run(m.spec, m.set, shares.Auto, []int{360, 40}, []int{10, 10})
		_, wrongBefore, _ := run(m.spec, m.set, shares.Labels, []int{500, 500, 8}, []int{15, 15, 3})
		_, wrong, found := run(m.spec, m.set, shares.Auto, []int{500, 500, 8}, []int{15, 15, 3})
		t.Logf("%s: accuracy %.3f, by the labels' shares %.3f; %d found and %d wrong of the rare class, %d by the labels' shares", m.spec.Name, after, before, found, wrong, wrongBefore)
		if after < 0.97 || before > m.most {
			t.Errorf("%s: accuracy %.3f, by the labels' shares %.3f", m.spec.Name, after, before)
		}
		if m.spec.Name == labelprop.Spec.Name {
			continue // by scores on the graph, where 3 documents hardly count
		}
		if found < 4 || wrong > m.left || wrongBefore < m.wrong {
			t.Errorf("%s: %d of 5 of the rare class found, %d wrong; by the labels' shares %d", m.spec.Name, found, wrong, wrongBefore)
		}
	}
}

// As many rows have their largest scaled score in a class as its share says.
func TestMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const rows = 1000
	list := []float64{0.5, 0.3, 0.19, 0.01}
	scores := make([]float64, rows*len(list))
	for i := range scores {
		scores[i] = rng.Float64()
	}
	got := make([]float64, len(list))
	factors := shares.Match(scores, list)
	for r := range rows {
		best := 0
		for k, f := range factors {
			if scores[r*len(list)+k]*f > scores[r*len(list)+best]*factors[best] {
				best = k
			}
		}
		got[best]++
	}
	for k, v := range got {
		if math.Abs(v/rows-list[k]) > 0.002 {
			t.Errorf("class %d has %v of %d rows, want the share %v", k, v, rows, list[k])
		}
	}
}

// Factors are positive numbers, also where a class must lose rows that it nearly alone can have.
func TestMatchOfExtremes(t *testing.T) {
	for _, scores := range [][]float64{{1, 1e-320, 1, 1e-320}, {1, 0, 1, 0}, {0, 0, 1, 1e-300}} {
		for _, share := range []float64{0, 0.5, 1} {
			for k, f := range shares.Match(scores, []float64{share, 1 - share}) {
				if !(f > 0 && f <= 1) {
					t.Errorf("scores %v, share %v: the factor of class %d is %v", scores, share, k, f)
				}
			}
		}
	}
}

// Labels that 3 in 100 random draws would have are corrected for methods that take their shares as
// they are, and not for one that finds shares by itself; labels that hardly any draw would have are
// for both.
func TestPlainContradiction(t *testing.T) {
	for _, c := range []struct {
		sizes, labelled []int
		plain           bool
	}{{[]int{300, 300}, []int{24, 8}, false}, {[]int{360, 40}, []int{10, 10}, true}} {
		_, x, _, known := texts(t, c.sizes, c.labelled, 1)
		in := &method.Input{X: x, Seed: 1, Given: &method.Given{Labels: known, Names: []string{"a", "b"}}}
		_, how, err := shares.Auto.Of(context.Background(), in)
		_, plain, unfit := shares.Auto.OfPlain(context.Background(), in)
		if err != nil || unfit != nil {
			t.Fatal(err, unfit)
		}
		if how == shares.AsLabels || (plain != shares.AsLabels) != c.plain {
			t.Errorf("%v with the labels %v: %s, of a plain contradiction %s", c.sizes, c.labelled, how, plain)
		}
	}
}

func TestRules(t *testing.T) {
	in := &method.Input{X: mat.NewDense(3, 2, nil), Given: &method.Given{Labels: []int{0, 1, -1}, Names: []string{"a=b", "c"}}}
	list, _, err := shares.Rule("c=1, a=b=3").Of(context.Background(), in)
	if err != nil || list[0] != 0.75 || list[1] != 0.25 {
		t.Errorf("shares %v, %v", list, err)
	}
	for _, bad := range []shares.Rule{"half", "a=b=1", "a=b=1,c=0", "a=b=1,c=x", "a=b=1,d=2", "c=1,c=2,a=b=1"} {
		if _, _, err := bad.Of(context.Background(), in); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Sparse rows with columns of unlike units, on which the machines run out of sweeps, leave the
// labels' shares; only the estimate that was asked for by name is an error. Dense rows are divided.
func TestSharesOfUnlikeUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	const n = 120
	x := mat.NewDense(n, 6, nil)
	known := make([]int, n)
	for i := range n {
		known[i] = labels.Unknown
		if i < 30 {
			known[i] = i % 2
		}
		x.Set(i, 0, 1e5*rng.NormFloat64())
		for k := 1; k < 6; k++ {
			x.Set(i, k, 50*float64(i%2)+30*rng.NormFloat64())
		}
	}
	if _, err := shares.Of(t.Context(), x, known, 2, 0); err != nil {
		t.Errorf("dense rows: %v", err)
	}
	thin := must.Get(sparse.FromMatrix(x))(t)
	var stopped *svm.NotConvergedError
	if _, err := shares.Of(t.Context(), thin, known, 2, 0); !errors.As(err, &stopped) {
		t.Fatalf("the machines end with %v, and this is a test of machines that do not converge", err)
	}
	for rule, fails := range map[shares.Rule]bool{shares.Auto: false, shares.Estimated: true} {
		notes := ""
		o := &labelprop.Options{ClassMass: true, ClassShares: rule}
		in := &method.Input{X: thin, Clusters: 2, Given: &method.Given{Labels: known, Names: []string{"a", "b"}}}
		in.Observer = func(e progress.Event) { notes += e.Message }
		_, err := labelprop.Spec.Fit(t.Context(), o, in)
		if (err != nil) != fails || !fails && !strings.Contains(notes, "could not be asked") {
			t.Errorf("class shares %s: %v, notes %q", rule, err, notes)
		}
	}
}

// Labels drawn at random are not contradicted where classes overlap, parts of one class lie between
// those of others, and machines learn next to nothing, on which their scores are far from normal.
func TestDrawnLabelsOfOverlappingClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	const draws = 12
	wrong := 0
	for range draws {
		const n = 700
		x := mat.NewDense(n, 3, nil)
		known := make([]int, n)
		for i := range n {
			k, r := rng.IntN(4), rng.ExpFloat64()
			if k == 3 {
				k = 0
			}
			x.SetRow(i, []float64{r * math.Cos(float64(i)), r * math.Sin(float64(i)), r})
			switch k {
			case 1:
				x.Set(i, 2, r+0.5*rng.NormFloat64())
			case 2:
				x.Set(i, 0, x.At(i, 0)+0.4)
			}
			known[i] = labels.Unknown
			if rng.IntN(2) == 0 {
				known[i] = k
			}
		}
		e := must.Get(shares.Of(t.Context(), x, known, 3, 1))(t)
		list, contradicted := e.Corrected(known)
		if given := shares.OfLabels(known, 3); contradicted {
			wrong++
			t.Logf("shares %.3f ± %.3f, of the labels %.3f; taken %.3f", e.Shares, e.Errors, given, list)
		}
	}
	if wrong > draws/4 {
		t.Errorf("%d of %d draws are contradicted", wrong, draws)
	}
}

// Classes that no line divides are not contradicted by the scores of a few labels: arms of a spiral
// of equal size with three labels each keep equal shares.
func TestFewLabelsOfSpirals(t *testing.T) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 3))
		const n, arms = 300, 3
		x, given := mat.NewDense(n, 2, nil), &method.Given{Labels: make([]int, n), Names: []string{"a", "b", "c"}}
		for i := range n {
			along := 7 * math.Sqrt(float64(i/arms)/(n/arms))
			turn := along + 2*math.Pi*float64(i%arms)/arms
			x.SetRow(i, []float64{(along + 1) * math.Cos(turn), (along + 1) * math.Sin(turn)})
			given.Labels[i] = labels.Unknown
		}
		for c := range arms {
			for _, i := range rng.Perm(n / arms)[:3] {
				given.Labels[arms*i+c] = c
			}
		}
		list, how, err := shares.Auto.Of(t.Context(), &method.Input{X: x, Given: given, Seed: seed})
		if err != nil || how != shares.AsLabels {
			t.Errorf("seed %d: shares %.3f, %s, %v", seed, list, how, err)
		}
	}
}

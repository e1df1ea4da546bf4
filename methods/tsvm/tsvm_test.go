package tsvm

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// groups draws n documents in overlapping groups, a class each, some rows empty and some copies; a
// part of the labels is kept.
func groups(n, d, classes int, seed uint64) (x *mat.Dense, truth, known []int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	x = mat.NewDense(n, d, nil)
	truth, known = make([]int, n), make([]int, n)
	for i := range n {
		truth[i] = i % classes
		for j := range d {
			if j%classes == truth[i] || rng.IntN(2) == 0 {
				x.Set(i, j, math.Abs(rng.NormFloat64()))
			}
		}
		switch rng.IntN(15) {
		case 0:
			x.SetRow(i, make([]float64, d))
		case 1:
			x.SetRow(i, x.RawRowView(rng.IntN(i+1)))
		}
		known[i] = labels.Unknown
		if i < classes || rng.IntN(4) == 0 {
			known[i] = truth[i]
		}
	}
	return x, truth, known
}

func csr(x mat.Matrix) *sparse.CSR {
	s, err := sparse.FromMatrix(x)
	if err != nil {
		panic(err)
	}
	return s
}

// objective is the sum as the package comment prints it, of class c.
func objective(x *mat.Dense, known []int, m *Model, c int) float64 {
	opt, machine := m.Options, m.Machines[c]
	open, plus := 0, 0
	for i, k := range known {
		if k == labels.Unknown {
			open++
			if m.Targets.At(i, c) > 0 {
				plus++
			}
		}
	}
	sum := 0.0
	for i, a := range machine.Beta {
		for j, b := range machine.Beta {
			if a*b == 0 {
				continue
			}
			k := mat.Dot(x.RowView(i), x.RowView(j))
			if opt.SVM.Kernel == svm.Gaussian {
				var diff mat.VecDense
				diff.SubVec(x.RowView(i), x.RowView(j))
				k = math.Exp(-mat.Dot(&diff, &diff) / opt.SVM.Sigma)
			}
			sum += a * b * k / 2
		}
	}
	for i, k := range known {
		cost := opt.CStar
		if k != labels.Unknown {
			cost = opt.SVM.C
		}
		slack := max(0, 1-m.Targets.At(i, c)*m.Scores.At(i, c))
		if opt.SVM.Loss == svm.SquaredHinge {
			slack *= slack
		}
		sum += cost * slack
	}
	return sum
}

func draw(t *rapid.T) Options {
	opt := Options{
		SVM: svm.Options{
			Kernel: rapid.SampledFrom([]svm.Kernel{"", svm.Gaussian}).Draw(t, "kernel"),
			C:      rapid.SampledFrom([]float64{0, 0.1, 3}).Draw(t, "C"),
			Loss:   rapid.SampledFrom([]svm.Loss{"", svm.SquaredHinge}).Draw(t, "loss"),
			Seed:   rapid.Uint64().Draw(t, "order"),
		},
		CStar: rapid.SampledFrom([]float64{0, 0.05, 2}).Draw(t, "C*"),
		Start: rapid.SampledFrom([]float64{0, 0.1, 1}).Draw(t, "start"),
		Pairs: rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "pairs"),
	}
	return opt
}

// On a level the objective falls with every switch; num+ is kept; the end is what the formula says
// and leaves no pair.
func TestSwitching(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(2, 3).Draw(t, "classes")
		n := rapid.IntRange(classes, 40).Draw(t, "n")
		x, _, known := groups(n, rapid.IntRange(2, 8).Draw(t, "d"), classes, rapid.Uint64().Draw(t, "seed"))
		opt := draw(t)
		if rapid.Bool().Draw(t, "shares") {
			opt.Positive = slices.Repeat([]float64{0.4}, classes)
		}
		opt.SVM.MaxIter = 200_000
		var data mat.Matrix = x
		if rapid.Bool().Draw(t, "sparse") {
			data = csr(x)
		}
		m := must.Get(Fit(ctx, data, known, classes, opt))(t)
		labelled, open := countLabels(known, classes)
		for c := range classes {
			last, switched := checkHistory(t, m.History[c], c, opt)
			if switched != m.Switches[c] || open > 0 && (last.CostMinus != m.Options.CStar || last.CostPlus != m.Options.CStar) {
				t.Fatalf("class %d: %d pairs, %+v in the end", c, m.Switches[c], last)
			}
			want := objective(x, known, m, c)
			if math.Abs(want-last.Objective) > 1e-6*(1+want) {
				t.Fatalf("class %d: objective %v, by the formula %v", c, last.Objective, want)
			}
			plus := 0
			share := float64(labelled[c]) / float64(n-open)
			if opt.Positive != nil {
				share = opt.Positive[c]
			}
			var highest, second float64 // the worst slacks of either side
			for i, k := range known {
				target := m.Targets.At(i, c)
				if k != labels.Unknown {
					if (k == c) != (target > 0) || m.Labels[i] != k {
						t.Fatalf("document %d of class %d has the target %v, label %d", i, k, target, m.Labels[i])
					}
					continue
				}
				slack := 1 - target*m.Scores.At(i, c)
				if target > 0 {
					plus++
					highest = max(highest, slack)
				} else {
					second = max(second, slack)
				}
			}
			if plus != m.Positive[c] || open > 1 && math.Abs(float64(plus)-share*float64(open)) > max(0.5, 1-share*float64(open), 1-(1-share)*float64(open))+1e-9 {
				t.Fatalf("class %d: %d of %d are positive, num+ %d, share %v", c, plus, open, m.Positive[c], share)
			}
			if highest > 0 && second > 0 && highest+second > 2+3*svm.DefaultTol {
				t.Fatalf("class %d: a pair of slacks %v and %v is left", c, highest, second)
			}
		}
		scores, err := m.Placer().Decision(ctx, data)
		if err != nil || !mat.EqualApprox(scores, m.Scores, 1e-8) {
			t.Fatalf("training rows as new ones: %v", err)
		}
	})
}

// The claim under the algorithm: at any w, b and costs a pair with ξ_m, ξ_l > 0 and ξ_m + ξ_l > 2
// lowers the sum of costs.
func TestASwitchLowersTheCosts(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		m := rapid.Float64Range(1e-3, 6).Draw(t, "slack of the positive")
		l := rapid.Float64Range(max(1e-3, 2-m+1e-3), 8).Draw(t, "slack of the negative")
		plus, minus := rapid.Float64Range(1e-3, 10).Draw(t, "C+"), rapid.Float64Range(1e-3, 10).Draw(t, "C-")
		for _, power := range []float64{1, 2} {
			cost := func(slack float64) float64 { return math.Pow(max(0, slack), power) }
			if before, after := plus*cost(m)+minus*cost(l), plus*cost(2-l)+minus*cost(2-m); after >= before {
				t.Fatalf("power %v: %v becomes %v", power, before, after)
			}
		}
	})
}

// elongated is two flat groups, above and below, each with one label, so that the line between the
// labels stands aslant and cuts both groups.
func elongated() (*mat.Dense, []int, []int) {
	const n = 60
	x, truth, known := mat.NewDense(2*n, 2, nil), make([]int, 2*n), make([]int, 2*n)
	for i := range n {
		at := 2 * float64(i) / (n - 1)
		x.SetRow(i, []float64{at, 1 + 0.3*math.Sin(float64(7*i))})
		x.SetRow(n+i, []float64{at, -1 + 0.3*math.Cos(float64(5*i))})
		truth[n+i] = 1
		known[i], known[n+i] = labels.Unknown, labels.Unknown
	}
	known[0], known[2*n-1] = 0, 1
	return x, truth, known
}

func mistakes(of, truth []int) int {
	wrong := 0
	for i, k := range truth {
		if of[i] != k {
			wrong++
		}
	}
	return wrong
}

// The gap between two groups is found where the labels alone mislead.
func TestFindsTheGap(t *testing.T) {
	x, truth, known := elongated()
	for _, opt := range []Options{{}, {Pairs: 1}, {SVM: svm.Options{Solver: svm.CD}}, {SVM: svm.Options{Kernel: svm.Gaussian, Sigma: 2}}} {
		inductive := must.Get(svm.OneVsRest(ctx, x, known, 2, opt.SVM))(t)
		m := must.Get(Fit(ctx, x, known, 2, opt))(t)
		alone, together := mistakes(inductive.Labels, truth), mistakes(m.Labels, truth)
		if alone < 10 || together > 0 || m.Switches[0] == 0 {
			t.Errorf("%+v: %d mistakes of the labels alone, %d with the unlabelled documents", opt, alone, together)
		}
		fresh, err := m.Placer().Place(ctx, mat.NewDense(2, 2, []float64{1.9, 0.8, 0.1, -0.8}), nil)
		if err != nil || !slices.Equal(fresh.Labels, []int{0, 1}) {
			t.Errorf("new documents: %v, %v", fresh, err)
		}
	}
}

func TestAllLabelledIsOneVsRest(t *testing.T) {
	x, truth, _ := groups(60, 9, 3, 1)
	for _, opt := range []Options{{}, {SVM: svm.Options{Kernel: svm.Gaussian}}} {
		want := must.Get(svm.OneVsRest(ctx, x, truth, 3, opt.SVM))(t)
		m := must.Get(Fit(ctx, x, truth, 3, opt))(t)
		if !mat.EqualApprox(m.Scores, want.Scores, 1e-9) || !slices.Equal(m.Labels, truth) || m.Switches[0] != 0 {
			t.Errorf("%+v: scores differ from the machines'", opt)
		}
	}
}

// One document without a label, or a share that takes all but one.
func TestFewUnlabelled(t *testing.T) {
	x, truth, _ := groups(30, 6, 3, 2)
	for open := 1; open <= 3; open++ {
		known := slices.Clone(truth)
		for i := range open {
			known[9+i] = labels.Unknown
		}
		for _, share := range []float64{1e-9, 0.5, 1 - 1e-9} {
			m := must.Get(Fit(ctx, x, known, 3, Options{Positive: slices.Repeat([]float64{share}, 3)}))(t)
			for c, plus := range m.Positive {
				if open > 1 && (plus < 1 || plus >= open) {
					t.Errorf("class %d: %d of %d are positive", c, plus, open)
				}
				if last := m.History[c][len(m.History[c])-1]; last.CostMinus != 1 || last.CostPlus != 1 {
					t.Errorf("the last level is %+v", last)
				}
			}
		}
	}
}

func TestSameBitsAtAnyThreadCount(t *testing.T) {
	x, _, known := groups(120, 12, 4, 5)
	for _, data := range []mat.Matrix{x, csr(x)} {
		for _, opt := range []Options{{SVM: svm.Options{C: 0.1}}, {SVM: svm.Options{Kernel: svm.Gaussian}}, {SVM: svm.Options{Kernel: svm.Gaussian, CacheBytes: 1 << 16}}} {
			paralleltest.Same(t, opt, []int{1, 2, 3}, func() *Model {
				return must.Get(Fit(ctx, data, known, 4, opt))(t)
			})
		}
	}
}

func TestCancelled(t *testing.T) {
	x, _, known := groups(200, 12, 3, 6)
	for _, after := range []int{0, 1, 5} {
		during, cancel := context.WithCancel(ctx)
		heard := 0
		if after == 0 {
			cancel()
		}
		_, err := Fit(during, csr(x), known, 3, Options{Observer: func(e progress.Event) {
			if e.Stage == stage {
				if heard++; heard == after {
					cancel()
				}
			}
		}})
		if !errors.Is(err, context.Canceled) || heard > after+3 {
			t.Errorf("after %d levels: %v, %d were done", after, err, heard)
		}
		cancel()
	}
}

func TestReportsAllLevels(t *testing.T) {
	x, _, known := groups(60, 6, 3, 6)
	var last progress.Event
	if _, err := Fit(ctx, x, known, 3, Options{Observer: func(e progress.Event) {
		if e.Stage == stage {
			last = e
		}
	}}); err != nil || last.Total == 0 || last.Unit != "levels" {
		t.Errorf("%v, %+v", err, last)
	}
}

// Classes of unlike shares have unlike numbers of levels: what is done is never more than all, and
// is all of them in the end.
func TestReportsNoMoreThanAllLevels(t *testing.T) {
	x, _, known := groups(60, 6, 3, 6)
	var last progress.Event
	if _, err := Fit(ctx, x, known, 3, Options{Positive: []float64{0.03, 0.3, 0.67}, Observer: func(e progress.Event) {
		if e.Stage == stage {
			if last = e; e.Done > e.Total {
				t.Errorf("%d of %d levels", e.Done, e.Total)
			}
		}
	}}); err != nil || last.Done == 0 || last.Done != last.Total {
		t.Errorf("%v, %+v", err, last)
	}
}

func TestRunsOutOfSweeps(t *testing.T) {
	x, _, known := groups(100, 6, 3, 6)
	m, err := Fit(ctx, csr(x), known, 3, Options{SVM: svm.Options{MaxIter: 1, C: 1000, Tol: 1e-9}, MaxSteps: 3})
	var stopped *svm.NotConvergedError
	if !errors.As(err, &stopped) || m == nil || len(m.Labels) != 100 {
		t.Errorf("%v, %v", m, err)
	}
}

func TestRefuses(t *testing.T) {
	x, truth, known := groups(30, 4, 3, 1)
	one := slices.Clone(known)
	for i, k := range truth {
		if k != 0 {
			one[i] = labels.Unknown
		}
	}
	hole := mat.DenseCopyOf(x)
	hole.Set(3, 1, math.NaN())
	for i, c := range []struct {
		x       mat.Matrix
		known   []int
		classes int
		opt     Options
		says    string
	}{
		{nil, known, 3, Options{}, "no documents"},
		{x, known[1:], 3, Options{}, "29 labels for 30"},
		{x, one, 3, Options{}, "classes without a labelled document: 1, 2"},
		{x, one, 1, Options{}, "at least two classes"},
		{hole, known, 3, Options{}, ""},
		{x, known, 3, Options{Positive: []float64{0.5}}, "1 shares"},
		{x, known, 3, Options{SVM: svm.Options{Cost: make([]float64, 30)}}, "single documents"},
		{x, known, 3, Options{SVM: svm.Options{Kernel: "sigmoid"}}, "sigmoid"},
	} {
		if _, err := Fit(ctx, c.x, c.known, c.classes, c.opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	err := Options{SVM: svm.Options{C: -1}, CStar: -1, Start: 2, Positive: []float64{0, 1}, Pairs: -1}.Validate()
	if n := strings.Count(err.Error(), "\n") + 1; n != 6 {
		t.Errorf("%d violations listed, want 6: %v", n, err)
	}
}

// The first assignment follows the ranking, the lower index on a tie.
func TestBeginsWithTheHighestValues(t *testing.T) {
	s := &search{open: []int32{0, 2, 3, 4, 5}, values: []float64{0.5, 9, 2, 0.5, -1, 0.5}, y: []float64{-1, -1, -1, -1, -1, -1}}
	s.assign(3)
	if want := []float64{1, -1, 1, 1, -1, -1}; !slices.Equal(s.y, want) {
		t.Errorf("targets %v, want %v", s.y, want)
	}
}

// Costs double from the start to C*, in the proportion of the classes until one side is there.
func TestLevels(t *testing.T) {
	s := &search{open: make([]int32, 4), positive: 1, opt: Options{CStar: 1, Start: 0.25}}
	want := [][2]float64{{0.25, 0.25 / 3}, {0.5, 0.5 / 3}, {1, 1. / 3}, {1, 2. / 3}, {1, 1}}
	for q, level := range s.levels() {
		if q >= len(want) || math.Abs(level[0]-want[q][0])+math.Abs(level[1]-want[q][1]) > 1e-12 {
			t.Fatalf("levels %v, want %v", s.levels(), want)
		}
	}
	if len(s.levels()) != len(want) {
		t.Errorf("%d levels, want %d", len(s.levels()), len(want))
	}
}

// A start that underflows is no endless doubling from nothing.
func TestLevelsFromNothing(t *testing.T) {
	for _, opt := range []Options{{CStar: 1e-320, Start: 1e-5}, {CStar: 0.4, Start: 5e-324}} {
		s := &search{open: make([]int32, 1000), positive: 1, opt: opt}
		if n := len(s.levels()); n > 100 {
			t.Errorf("%+v: %d levels", opt, n)
		}
	}
}

// checkHistory checks that every exchange of pairs lowers the objective. It returns the last step
// and the number of pairs exchanged.
func checkHistory(t *rapid.T, history []Step, c int, opt Options) (last Step, switched int) {
	for q, s := range history {
		if s.Pairs > 0 {
			if s.CostMinus != last.CostMinus || s.CostPlus != last.CostPlus || !(s.Objective < last.Objective) {
				t.Fatalf("class %d, step %d: %+v after %+v", c, q, s, last)
			}
			if opt.Pairs > 0 && s.Pairs > opt.Pairs {
				t.Fatalf("%d pairs changed at once", s.Pairs)
			}
		}
		switched += s.Pairs
		last = s
	}
	return last, switched
}

// countLabels counts the labels of each class, and the documents without one.
func countLabels(known []int, classes int) (labelled []int, open int) {
	labelled = make([]int, classes)
	for _, k := range known {
		if k == labels.Unknown {
			open++
		} else {
			labelled[k]++
		}
	}
	return labelled, open
}

package graphssl

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// sample draws n documents of d terms (many zeros, some rows without entries, some copies), labels
// of the classes, and a start.
func sample(n, d, classes int, seed uint64) (*mat.Dense, []int, *mat.Dense) {
	rng := rand.New(rand.NewPCG(seed, 11))
	x, start := mat.NewDense(n, d, nil), mat.NewDense(n, classes, nil)
	known := make([]int, n)
	for i, p := range rng.Perm(n) {
		known[p] = labels.Unknown
		if i < classes || rng.IntN(3) == 0 {
			known[p] = i % classes
		}
		for j := range d {
			if rng.IntN(3) == 0 {
				x.Set(i, j, float64(rng.IntN(5))-1)
			}
		}
		if i > 0 && rng.IntN(10) == 0 {
			x.SetRow(i, x.RawRowView(rng.IntN(i)))
		}
		for k := range classes {
			start.Set(i, k, rng.NormFloat64())
		}
	}
	return x, known, start
}

func csr(x mat.Matrix) *sparse.CSR {
	s, err := sparse.FromMatrix(x)
	if err != nil {
		panic(err)
	}
	return s
}

// nearest are the k of the candidates nearest to row i by brute force, ties to the lower index.
func nearest(x *mat.Dense, i, k int, candidates []int) []int {
	of := slices.Clone(candidates)
	slices.SortStableFunc(of, func(a, b int) int {
		return int(math.Copysign(1, dist2(x, i, a)-dist2(x, i, b))) * btoi(dist2(x, i, a) != dist2(x, i, b))
	})
	return of[:min(k, len(of))]
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func dist2(x *mat.Dense, i, j int) float64 {
	s := 0.0
	for c, v := range x.RawRowView(i) {
		v -= x.At(j, c)
		s += v * v
	}
	return s
}

// quadratic returns the matrix and the right-hand side of the objective's minimum, from the sums as
// the package comment prints them.
func quadratic(x *mat.Dense, sparseRows bool, known []int, start *mat.Dense, m *Model) (a, y *mat.Dense) {
	n, classes := start.Dims()
	opt := m.Options
	a, y = mat.NewDense(n, n, nil), mat.NewDense(n, classes, nil)
	var labelled, unlabelled []int
	for i, class := range known {
		_, d := x.Dims()
		empty := (sparseRows || d > 3) && mat.Norm(x.RowView(i), 2) == 0
		switch {
		case empty:
		case class == labels.Unknown:
			unlabelled = append(unlabelled, i)
		default:
			labelled = append(labelled, i)
		}
		for k := range classes {
			if class == labels.Unknown {
				y.Set(i, k, start.At(i, k))
			} else if k == class {
				y.Set(i, k, opt.LabelWeight)
			} else if opt.Targets == Signed {
				y.Set(i, k, -opt.LabelWeight)
			}
		}
		a.Set(i, i, 1)
		if class != labels.Unknown {
			a.Set(i, i, opt.LabelWeight)
		}
	}
	done := map[[2]int]bool{}
	join := func(i, j int, coef float64) {
		dot := mat.Dot(x.RowView(i), x.RowView(j))
		if sparseRows && dot <= 0 || done[[2]int{j, i}] && opt.Symmetry == graph.Union {
			return
		}
		done[[2]int{i, j}] = true
		w := map[graph.Weight]float64{graph.Dot: max(0, dot), graph.Binary: 1, graph.Heat: math.Exp(-dist2(x, i, j) / max(1e-300, m.HeatWidth))}[opt.Weight]
		w *= coef
		for _, e := range [][3]float64{{float64(i), float64(i), w}, {float64(j), float64(j), w}, {float64(i), float64(j), -w}, {float64(j), float64(i), -w}} {
			a.Set(int(e[0]), int(e[1]), a.At(int(e[0]), int(e[1]))+e[2])
		}
	}
	wideL, wideU := float64(opt.LabeledNeighbors), float64(opt.Neighbors)
	coef := opt.Alpha / (wideL + *opt.Beta*wideU)
	for _, i := range unlabelled {
		for _, j := range nearest(x, i, opt.LabeledNeighbors, labelled) {
			join(i, j, coef)
		}
		others := slices.DeleteFunc(slices.Clone(unlabelled), func(j int) bool { return j == i })
		for _, j := range nearest(x, i, opt.Neighbors, others) {
			if *opt.Beta > 0 {
				join(i, j, coef**opt.Beta)
			}
		}
	}
	return a, y
}

func draw(t *rapid.T) Options {
	opt := Options{
		LabeledNeighbors: rapid.IntRange(0, 4).Draw(t, "k"),
		Neighbors:        rapid.IntRange(0, 4).Draw(t, "k'"),
		Alpha:            rapid.Float64Range(0, 5).Draw(t, "alpha"),
		LabelWeight:      rapid.SampledFrom([]float64{0, 0.5, 10, 1e8}).Draw(t, "M"),
		Weight:           rapid.SampledFrom([]graph.Weight{"", graph.Dot, graph.Binary, graph.Heat}).Draw(t, "weight"),
		Symmetry:         rapid.SampledFrom([]graph.Symmetry{"", graph.Sum}).Draw(t, "symmetry"),
		Targets:          rapid.SampledFrom([]Targets{"", Indicator}).Draw(t, "targets"),
		Tol:              1e-14,
	}
	if rapid.Bool().Draw(t, "beta is given") {
		beta := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 3)).Draw(t, "beta")
		opt.Beta = &beta
	}
	return opt
}

func TestIsTheMinimumOfTheObjective(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(2, 4).Draw(t, "classes")
		n := rapid.IntRange(classes, 30).Draw(t, "n")
		x, known, start := sample(n, rapid.IntRange(2, 6).Draw(t, "d"), classes, rapid.Uint64().Draw(t, "seed"))
		opt, thin := draw(t), rapid.Bool().Draw(t, "sparse")
		var data mat.Matrix = x
		if thin {
			data = csr(x)
		}
		m := must.Get(Fit(ctx, data, known, classes, start, opt))(t)
		a, y := quadratic(x, thin, known, start, m)
		var want mat.Dense
		if err := want.Solve(a, y); err != nil {
			var condition mat.Condition
			if !errors.As(err, &condition) {
				t.Fatal(err)
			}
		}
		if !mat.EqualApprox(m.F, &want, 1e-9) {
			t.Fatalf("F =\n%v\nthe minimum is\n%v", mat.Formatted(m.F), mat.Formatted(&want))
		}
		for i := range n {
			row := m.F.RawRowView(i)
			if slices.Index(row, slices.Max(row)) != m.Labels[i] {
				t.Fatalf("label of %d is %d of %v", i, m.Labels[i], row)
			}
		}
		if !m.W.IsSymmetric(0) || m.Residual > 1e-14 {
			t.Fatalf("residual %g, or W is not symmetric", m.Residual)
		}
	})
}

// Towards α = 0 the start comes back; towards M = ∞ labels are clamped; a large α makes every
// component constant at the mean of its dongles.
func TestLimits(t *testing.T) {
	x, known, start := sample(60, 5, 3, 3)
	m, err := Fit(ctx, x, known, 3, start, Options{Alpha: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	for i, class := range known {
		for k := range 3 {
			want := start.At(i, k)
			if class != labels.Unknown {
				want = -1
				if k == class {
					want = 1
				}
			}
			if math.Abs(m.F.At(i, k)-want) > 1e-7 {
				t.Errorf("α → 0: F(%d, %d) = %v, start %v", i, k, m.F.At(i, k), want)
			}
		}
	}
	for _, weight := range []float64{1e12, 1e100, 1e300} {
		m, err = Fit(ctx, x, known, 3, start, Options{LabelWeight: weight})
		if err != nil {
			t.Fatal(err)
		}
		for i, class := range known {
			if class != labels.Unknown && (math.Abs(m.F.At(i, class)-1) > 1e-11 || m.Labels[i] != class) {
				t.Errorf("M = %g: document %d has %v", weight, i, m.F.RawRowView(i))
			}
		}
	}
	m, err = Fit(ctx, x, known, 3, start, Options{Alpha: 1e6, LabelWeight: 2, Weight: graph.Binary, Tol: 1e-13})
	if err != nil {
		t.Fatal(err)
	}
	part, count := m.W.Components()
	for c := range count {
		sum, weight := 0.0, 0.0
		for i, class := range known {
			if int(part[i]) != c {
				continue
			}
			switch class {
			case labels.Unknown:
				sum, weight = sum+start.At(i, 0), weight+1
			case 0:
				sum, weight = sum+2, weight+2
			default:
				sum, weight = sum-2, weight+2
			}
		}
		for i := range known {
			if int(part[i]) == c && math.Abs(m.F.At(i, 0)-sum/weight) > 1e-3 {
				t.Errorf("α → ∞: F(%d, 0) = %v, mean of its component %v", i, m.F.At(i, 0), sum/weight)
			}
		}
	}
}

// Scores stay between the least and the largest dongle, and shift and scale with them.
func TestMaximumPrinciple(t *testing.T) {
	x, known, start := sample(200, 6, 3, 9)
	m := must.Get(Fit(ctx, x, known, 3, start, Options{Alpha: 20}))(t)
	low, high := min(-1, mat.Min(start)), max(1, mat.Max(start))
	if mat.Min(m.F) < low-1e-9 || mat.Max(m.F) > high+1e-9 {
		t.Errorf("scores in [%v, %v] of dongles in [%v, %v]", mat.Min(m.F), mat.Max(m.F), low, high)
	}
	var half mat.Dense // signed targets and scores are 2·(indicator targets and shares) − 1
	half.Apply(func(_, _ int, v float64) float64 { return (v + 1) / 2 }, start)
	shares := must.Get(Fit(ctx, x, known, 3, &half, Options{Alpha: 20, Targets: Indicator}))(t)
	shares.F.Apply(func(_, _ int, v float64) float64 { return 2*v - 1 }, shares.F)
	if !mat.EqualApprox(shares.F, m.F, 1e-7) || !slices.Equal(shares.Labels, m.Labels) {
		t.Error("shares and scores differ by more than units")
	}
	// Units of any size.
	half.Scale(1e200, start)
	big := must.Get(Fit(ctx, x, known, 3, &half, Options{}))(t)
	if v := mat.Max(big.F); !(v > 1e199 && v < 1e201) {
		t.Errorf("largest score %v of a start of 1e200", v)
	}
}

func TestSameBitsAtAnyThreadCount(t *testing.T) {
	x, known, start := sample(2500, 8, 4, 2)
	for _, data := range []mat.Matrix{x, csr(x)} {
		paralleltest.Same(t, "scores", []int{1, 2, 3}, func() *Model {
			return must.Get(Fit(ctx, data, known, 4, start, Options{LabeledNeighbors: 5}))(t)
		})
	}
}

func TestEdges(t *testing.T) {
	_, known, start := sample(6, 2, 2, 1)
	zero, err := sparse.NewBuilder(6, 3).Build()
	if err != nil {
		t.Fatal(err)
	}
	// Documents without a term keep the start.
	m := must.Get(Fit(ctx, zero, known, 2, start, Options{}))(t)
	lonely := 0
	for i, class := range known {
		if class == labels.Unknown {
			if lonely++; m.F.At(i, 0) != start.At(i, 0) {
				t.Errorf("document %d without neighbours has %v of %v", i, m.F.RawRowView(i), start.RawRowView(i))
			}
		}
	}
	if len(m.Lonely) != lonely {
		t.Errorf("lonely: %v", m.Lonely)
	}
	// All documents are copies; all labelled; one unlabelled.
	same := mat.NewDense(6, 2, []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2})
	for _, known := range [][]int{{0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, -1}, {0, 1, -1, -1, -1, -1}} {
		for _, data := range []mat.Matrix{same, csr(same), csr(same.T()).T()} {
			m := must.Get(Fit(ctx, data, known, 2, start, Options{}))(t)
			for i, class := range known {
				if class != labels.Unknown && m.Labels[i] != class || math.IsNaN(m.F.At(i, 0)) {
					t.Errorf("%v: F(%d) = %v", known, i, m.F.RawRowView(i))
				}
			}
		}
	}
	// The default of the Semi-LDC paper: k is a tenth of the labelled documents.
	x, known, start := sample(300, 4, 2, 1)
	labelled := 0
	for _, k := range known {
		if k != labels.Unknown {
			labelled++
		}
	}
	m, err = Fit(ctx, x, known, 2, start, Options{})
	if err != nil || m.Options.LabeledNeighbors != labelled/10 || m.Options.Neighbors != 5 || m.Coupling != 1.5/float64(labelled/10+5) {
		t.Errorf("%v, %+v", err, m.Options)
	}
}

func TestRefuses(t *testing.T) {
	x, known, start := sample(30, 3, 3, 1)
	bad := mat.DenseCopyOf(start)
	unlabelled := slices.Index(known, labels.Unknown)
	bad.Set(unlabelled, 1, math.NaN())
	hole := mat.DenseCopyOf(x)
	hole.Set(unlabelled, 1, math.Inf(1))
	for i, c := range []struct {
		x       mat.Matrix
		known   []int
		classes int
		start   mat.Matrix
		opt     Options
		says    string
	}{
		{nil, known, 3, start, Options{}, "no documents"},
		{x, known, 3, nil, Options{}, "no predictions"},
		{x, known, 4, start, Options{}, "30 × 3, but there are 30 documents and 4"},
		{x, known, 4, mat.NewDense(30, 4, nil), Options{}, "classes without a labelled document: 3"},
		{x, known[1:], 3, start, Options{}, "29 labels for 30"},
		{x, known, 3, bad, Options{}, "is NaN"},
		{hole, known, 3, start, Options{}, ""},
		{x, known, 3, start, Options{Weight: graph.Poly}, "poly"},
		{x, known, 3, start, Options{Symmetry: graph.Mutual}, "mutual"},
		{x, known, 3, start, Options{Targets: "logits"}, "logits"},
		{x, known, 3, start, Options{Alpha: math.NaN()}, "lambda is NaN"},
		{x, known, 3, start, Options{Alpha: math.MaxFloat64, Weight: graph.Binary}, "beyond floating point"},
	} {
		if _, err := Fit(ctx, c.x, c.known, c.classes, c.start, c.opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	if _, err := Fit(memory.Bound(ctx, 1), x, known, 3, start, Options{}); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("one byte: %v", err)
	}
	beta := -1.0
	err := Options{LabeledNeighbors: -1, Neighbors: -1, Alpha: -1, Beta: &beta, LabelWeight: math.Inf(1), HeatWidth: -1, Tol: 2, MaxIter: -1}.Validate()
	if n := strings.Count(err.Error(), "\n") + 1; n != 8 {
		t.Errorf("%d violations listed, want 8: %v", n, err)
	}
}

func TestStops(t *testing.T) {
	x, known, start := sample(2000, 6, 3, 1)
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(over, x, known, 3, start, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	m, err := Fit(ctx, x, known, 3, start, Options{Alpha: 100, MaxIter: 2})
	var stopped *NotConvergedError
	if !errors.As(err, &stopped) || m == nil || m.Iterations != 2 || !(m.Residual > DefaultTol) {
		t.Errorf("%v, %+v", err, m)
	}
}

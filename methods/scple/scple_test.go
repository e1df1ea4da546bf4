package scple

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// classes draws points of overlapping classes; every tenth has no label.
func classes(n, d, k int, seed uint64) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 2))
	x := mat.NewDense(n, d, nil)
	known := make([]int, n)
	for i := range n {
		c := i % k
		known[i] = c
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
		x.Set(i, c%d, x.At(i, c%d)+2)
		if i%10 == 9 {
			known[i] = labels.Unknown
		}
	}
	return x, known
}

// The two graphs against their definition.
func TestLiteralGraphs(t *testing.T) {
	ctx := context.Background()
	const n, k = 90, 5
	x, known := classes(n, 3, 3, 1)
	intra, inter, err := Graphs(ctx, x, known, 3, Options{LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: k}}}})
	if err != nil {
		t.Fatal(err)
	}
	dist2 := func(i, j int) (d float64) {
		for c := range 3 {
			d += math.Pow(x.At(i, c)-x.At(j, c), 2)
		}
		return d
	}
	near := func(i int, same bool) (list []int) {
		for j := range n {
			if j != i && known[i] >= 0 && known[j] >= 0 && (known[i] == known[j]) == same {
				list = append(list, j)
			}
		}
		slices.SortFunc(list, func(a, b int) int {
			if dist2(i, a) < dist2(i, b) {
				return -1
			}
			return 1
		})
		return list[:min(k, len(list))]
	}
	want := literalSimilarities(known, dist2, near)
	for same, g := range map[bool]*graph.Graph{true: intra, false: inter} {
		w := want[same]
		degree := make([]float64, n)
		for i := range n {
			degree[i] = mat.Sum(w.RowView(i))
		}
		w.Apply(func(i, j int, v float64) float64 {
			switch {
			case v == 0:
				return 0
			case same:
				return v / min(degree[i], degree[j])
			}
			return v / max(degree[i], degree[j])
		}, w)
		for i := range n {
			for j := range n {
				if got := g.W.At(i, j); math.Abs(got-w.At(i, j)) > 1e-10 {
					t.Fatalf("intra-class %v: weight (%d, %d) is %v, want %v", same, i, j, got, w.At(i, j))
				}
			}
		}
	}
	for i := range n {
		if d, e := intra.Degrees[i], inter.Degrees[i]; known[i] >= 0 && d < 1-1e-12 || e > 1+1e-12 {
			t.Errorf("point %d has the degrees %v and %v", i, d, e)
		}
		if (intra.Degrees[i] > 0) != (known[i] >= 0) {
			t.Errorf("point %d of class %d has the degree %v", i, known[i], intra.Degrees[i])
		}
	}
}

// The columns solve (γ·L_B + (1−γ)·W)y = μ·D_W·y, are D_W-orthonormal and orthogonal to the
// constant. Values equal LAPACK's on dense matrices.
func TestLiteralEigenproblem(t *testing.T) {
	ctx := context.Background()
	x, known := classes(200, 4, 3, 2)
	for _, gamma := range []float64{0.1, 0.5, 0.9} {
		for _, solver := range []eigen.Solver{"", eigen.Lanczos} {
			m := must.Get(Fit(ctx, x, known, 3, Options{Balance: &gamma, LE: le.Options{Dims: 4, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 7}, Eigen: eigen.Options{Solver: solver, Tol: 1e-10}}}}))(t)
			const n = 200
			a, d := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
			for i := range n {
				for j := range n {
					a.Set(i, j, (1-gamma)*m.Intra.W.At(i, j)-gamma*m.Inter.W.At(i, j))
				}
				a.Set(i, i, a.At(i, i)+gamma*m.Inter.Degrees[i])
				d.Set(i, i, m.Intra.Degrees[i])
			}
			var ay, dy, g mat.Dense
			ay.Mul(a, m.Embedding)
			dy.Mul(d, m.Embedding)
			g.Mul(m.Embedding.T(), &dy)
			for j := range 4 {
				if j > 0 && m.Values[j] > m.Values[j-1]+1e-12 {
					t.Errorf("values do not descend: %v", m.Values)
				}
				for i := range 4 {
					want := 0.0
					if i == j {
						want = 1
					}
					if math.Abs(g.At(i, j)-want) > 1e-8 {
						t.Fatalf("YᵀDY is not the identity: %v", mat.Formatted(&g))
					}
				}
				if s := mat.Sum(dy.ColView(j)); math.Abs(s) > 1e-6 {
					t.Errorf("column %d is not orthogonal to the constant: %v", j, s)
				}
				for i := range n {
					if r := ay.At(i, j) - m.Values[j]*dy.At(i, j); math.Abs(r) > 1e-7 {
						t.Fatalf("γ = %v, %q: entry %d of column %d misses by %.1e", gamma, solver, i, j, r)
					}
				}
			}
			var kept []int
			for i, c := range known {
				if c >= 0 {
					kept = append(kept, i)
				}
			}
			s := mat.NewSymDense(len(kept), nil)
			for r, i := range kept {
				for c, j := range kept {
					s.SetSym(r, c, a.At(i, j)/math.Sqrt(d.At(i, i)*d.At(j, j)))
				}
			}
			var e mat.EigenSym
			if !e.Factorize(s, false) {
				t.Fatal("no eigenvalues")
			}
			want := e.Values(nil)
			slices.Reverse(want)
			constant := slices.IndexFunc(want, func(v float64) bool { return math.Abs(v-(1-gamma)) < 1e-10 })
			if constant < 0 {
				t.Fatal("the constant does not solve the problem")
			}
			want = slices.Delete(want, constant, constant+1)
			for j, v := range m.Values {
				if math.Abs(v-want[j]) > 1e-8 {
					t.Errorf("γ = %v, %q: value %d is %v, want %v", gamma, solver, j, v, want[j])
				}
			}
			if len(m.Outside) != 20 || mat.Norm(m.Embedding.RowView(9), 2) != 0 {
				t.Errorf("outside: %v", m.Outside)
			}
		}
	}
}

// γ = 0 is LE on the intra-class graph: the same subspace with μ = 1 − λ.
func TestIntraOnlyIsLE(t *testing.T) {
	ctx := context.Background()
	x, known := classes(150, 3, 2, 5)
	opt := Options{Balance: new(float64), LE: le.Options{Dims: 5, Skip: le.SkipNone, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 6}}}}
	m := must.Get(Fit(ctx, x, known, 2, opt))(t)
	want := must.Get(le.FitGraph(ctx, m.Intra, opt.LE))(t)
	for j, v := range m.Values {
		if math.Abs(v-(1-want.Values[j])) > 1e-8 {
			t.Errorf("value %d is %v, LE's %v", j, v, want.Values[j])
		}
	}
	var dy, overlap mat.Dense
	dy.Apply(func(i, _ int, v float64) float64 { return m.Intra.Degrees[i] * v }, m.Embedding)
	overlap.Mul(want.Embedding.T(), &dy)
	var svd mat.SVD
	if !svd.Factorize(&overlap, mat.SVDNone) {
		t.Fatal("no singular values")
	}
	if least := slices.Min(svd.Values(nil)); least < 1-1e-6 {
		t.Errorf("the subspaces part: cosine %v", least)
	}
}

func TestSparseRowsAndThreads(t *testing.T) {
	defer native.SetThreads(0)
	ctx := context.Background()
	x, known := classes(300, 5, 3, 6)
	x.Apply(func(_, _ int, v float64) float64 { return max(0, math.Round(3*v)) }, x)
	s := must.Get(sparse.FromMatrix(x))(t)
	var first []float64
	for _, threads := range []int{1, 2, 4} {
		native.SetThreads(threads)
		for _, rows := range []mat.Matrix{x, s} {
			m := must.Get(Fit(ctx, rows, known, 3, Options{LE: le.Options{Dims: 2}}))(t)
			if first == nil {
				first = m.Embedding.RawMatrix().Data
			}
			if !slices.Equal(first, m.Embedding.RawMatrix().Data) {
				t.Errorf("%T, %d threads: other bits", rows, threads)
			}
		}
	}
}

func TestHostileData(t *testing.T) {
	ctx := context.Background()
	x, known := classes(60, 2, 2, 7)
	for i := range 20 {
		x.SetRow(i, []float64{1, 1}) // copies, of both classes
	}
	known[50] = 2 // alone in its class
	m := must.Get(Fit(ctx, x, known, 3, Options{LE: le.Options{Dims: 2, NormalizeRows: true}}))(t)
	if !slices.Contains(m.Outside, 50) || math.IsNaN(mat.Norm(m.Embedding, 2)) || math.Abs(mat.Norm(m.Embedding.RowView(0), 2)-1) > 1e-12 {
		t.Errorf("outside: %v", m.Outside)
	}
	fine, one, below := le.Options{Dims: 1}, 1.0, -0.5
	wrong := map[string]error{
		"labels":  second(Fit(ctx, x, known[:10], 3, Options{LE: fine})),
		"classes": second(Fit(ctx, x, known, 2, Options{LE: fine})),
		"dims":    second(Fit(ctx, x, known, 3, Options{})),
		"many":    second(Fit(ctx, x, known, 3, Options{LE: le.Options{Dims: 60}})),
		"balance": second(Fit(ctx, x, known, 3, Options{Balance: &one, LE: fine})),
		"below":   second(Fit(ctx, x, known, 3, Options{Balance: &below, LE: fine})),
		"skip":    second(Fit(ctx, x, known, 3, Options{LE: le.Options{Dims: 1, Skip: le.SkipZeros}})),
		"width":   second(Fit(ctx, x.Slice(20, 60, 0, 2), known[20:], 3, Options{Width: 1e-300, LE: fine})),
	}
	for name, err := range wrong {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(cancelled, x, known, 3, Options{LE: fine}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A row that is too long is named by its own number, in dense and in sparse data. A class of one
// point is refused or reported.
func TestRowsAreNamed(t *testing.T) {
	ctx := context.Background()
	x, known := classes(40, 3, 2, 8)
	x.Set(33, 1, 1e200)
	s := must.Get(sparse.FromMatrix(x))(t)
	if known[33] < 0 {
		t.Fatal("row 33 has no label")
	}
	for _, x := range []mat.Matrix{x, s} {
		_, _, err := Graphs(ctx, x, known, 2, Options{})
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "row 33 ") {
			t.Errorf("%T: %v", x, err)
		}
	}
	x.Set(33, 1, math.NaN())
	var at *sparse.NotFiniteError
	if _, _, err := Graphs(ctx, x, known, 2, Options{}); !errors.As(err, &at) || at.Row != 33 || at.Col != 1 {
		t.Errorf("%v", err)
	}
	x.Set(33, 1, 0)
	for i := range known {
		known[i] = -1
	}
	known[3], known[20] = 0, 1
	if _, err := Fit(ctx, x, known, 2, Options{LE: le.Options{Dims: 2}}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "two labelled") {
		t.Errorf("%v", err)
	}
	var notes []string
	known[4], known[5], known[6] = 0, 0, 0
	listen := func(e progress.Event) { notes = append(notes, e.Message) }
	if _, err := Fit(ctx, x, known, 2, Options{LE: le.Options{Dims: 2, Problem: nystrom.Problem{Graph: graph.Options{Observer: listen}}}}); err != nil || !slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, "1 of 5 labelled") }) {
		t.Errorf("%v, %q", err, notes)
	}
}

func second(_ *Model, err error) error { return err }

// literalSimilarities are the similarities of eq. (5) within the classes (true) and between them,
// from the definition.
func literalSimilarities(known []int, dist2 func(i, j int) float64, near func(i int, same bool) []int) map[bool]*mat.Dense {
	n := len(known)
	width, count := 0.0, 0.0
	for i := range n {
		for _, same := range []bool{true, false} {
			for _, j := range near(i, same) {
				width += dist2(i, j)
				count++
			}
		}
	}
	width /= count
	want := map[bool]*mat.Dense{true: mat.NewDense(n, n, nil), false: mat.NewDense(n, n, nil)}
	for i := range n {
		both := append(near(i, true), near(i, false)...)
		mean := 0.0
		for _, j := range both {
			mean += math.Exp(-dist2(i, j)/width) / float64(len(both))
		}
		for _, same := range []bool{true, false} {
			for _, j := range near(i, same) {
				if s := math.Exp(-dist2(i, j) / width); s >= mean {
					want[same].Set(i, j, s)
					want[same].Set(j, i, s)
				}
			}
		}
	}
	for i := range n { // always the nearest of the class
		if known[i] < 0 {
			continue
		}
		j := near(i, true)[0]
		if want[true].At(i, j) == 0 {
			both, mean := append(near(i, true), near(i, false)...), 0.0
			for _, o := range both {
				mean += math.Exp(-dist2(i, o)/width) / float64(len(both))
			}
			want[true].Set(i, j, mean)
			want[true].Set(j, i, mean)
		}
	}
	return want
}

package eigen

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// topicRows are n rows of unit length whose terms are drawn from their topic's own; shared is the
// chance of a term that all topics have. Row i is of topic i%topics; the last rows are empty.
func topicRows(n, topics, empty int, shared float64, seed uint64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(seed, 1))
	const own, common = 30, 20
	b := sparse.NewBuilder(n, topics*own+common+n)
	for i := range n - empty {
		for range 12 {
			term := i%topics*own + rng.IntN(own)
			if rng.Float64() < shared {
				term = topics*own + rng.IntN(common)
			}
			b.Add(i, term, 0.2+rng.Float64())
		}
		b.Add(i, topics*own+common+i, rng.Float64()) // a term of its own
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x.NormalizeRows()
}

// explicit is F·Fᵀ without its diagonal and without weights between apart points.
func explicit(t *testing.T, f *sparse.CSR, apart []bool) *sparse.CSR {
	t.Helper()
	d := f.ToDense()
	var w mat.Dense
	w.Mul(d, d.T())
	n := f.NumRows
	for i := range n {
		for j := range n {
			if i == j || apart != nil && apart[i] && apart[j] {
				w.Set(i, j, 0)
			} else {
				w.Set(j, i, w.At(i, j))
			}
		}
	}
	out := must.Get(sparse.FromMatrix(&w))(t)
	return out
}

func mustFactor(t *testing.T, f *sparse.CSR, apart []bool) *Factor {
	t.Helper()
	a := must.Get(NewFactor(f, apart))(t)
	return a
}

// sameSpaces compares two sets of eigenpairs: values, and the spaces of clustered values by the
// length of one's vectors outside the other's. Both are orthonormal in the masses.
func sameSpaces(t *testing.T, what string, got, want *Result, mass []float64) {
	t.Helper()
	for j, v := range want.Values {
		if math.Abs(got.Values[j]-v) > 1e-10 {
			t.Errorf("%s: eigenvalue %d is %.15g, of the explicit graph %.15g", what, j+1, got.Values[j], v)
		}
	}
	k := len(want.Values)
	for from := 0; from < k; {
		to := from + 1
		for to < k && want.Values[to]-want.Values[to-1] < 1e-6 {
			to++
		}
		if to == k && from > 0 {
			break // the cluster may go on above the wanted values
		}
		for j := from; j < to; j++ {
			inside := 0.0
			for l := from; l < to; l++ {
				dot := 0.0
				for i, m := range mass {
					dot += m * got.Vectors.At(i, j) * want.Vectors.At(i, l)
				}
				inside += dot * dot
			}
			if math.Abs(1-inside) > 1e-7 {
				t.Errorf("%s: vector %d lies in the space of its value by %.10f only", what, j+1, inside)
			}
		}
		from = to
	}
}

// positiveMass replaces masses of 0, of isolated points, by 1, in which their indicators are
// orthonormal.
func positiveMass(mass []float64) []float64 {
	out := slices.Clone(mass)
	for i, m := range out {
		if m == 0 {
			out[i] = 1
		}
	}
	return out
}

// The pencil of a factor equals the pencil of its products, by every solver, connected or not, with
// empty rows, apart points, joined sets and given masses.
func TestFactoredPencilIsTheExplicitOne(t *testing.T) {
	opt := Options{K: 9, Tol: 1e-11, Seed: 3}
	for name, c := range map[string]struct {
		n, topics, empty int
		shared           float64
		sets             bool
	}{
		"connected": {150, 4, 0, 0.2, false}, "components": {200, 5, 0, 0, false}, "empty": {150, 3, 7, 0.1, false},
		"sets": {180, 4, 0, 0.2, true}, "sets, components": {180, 6, 5, 0, true},
	} {
		f := topicRows(c.n, c.topics, c.empty, c.shared, 7)
		var apart []bool
		var sets [][]int32
		if c.sets {
			apart, sets = make([]bool, c.n), [][]int32{{0, 4, 8, 12, 16}, {1, 2, 5}, {20}}
			for _, set := range sets {
				for _, i := range set {
					apart[i] = true
				}
			}
		}
		w, a := explicit(t, f, apart), mustFactor(t, f, apart)
		for _, solver := range []Solver{Dense, Lanczos} {
			opt.Solver = solver
			var p, q *Pencil
			var err, err2 error
			if c.sets {
				p, err = NewFactoredCliquePencil(a, sets, 1)
				q, err2 = NewCliquePencil(w, sets, 1)
			} else {
				p, err = NewFactoredPencil(a, nil)
				q, err2 = NewPencil(w, nil)
			}
			if err != nil || err2 != nil {
				t.Fatal(name, err, err2)
			}
			if !slices.Equal(p.label, q.label) || p.count != q.count {
				t.Errorf("%s: %d components, the explicit graph has %d, or they differ", name, p.count, q.count)
			}
			for i, d := range q.degree {
				if math.Abs(p.degree[i]-d) > 1e-12*(1+d) {
					t.Errorf("%s: point %d has the degree %v, in the explicit graph %v", name, i, p.degree[i], d)
				}
			}
			got, err := p.Solve(context.Background(), opt)
			if err != nil {
				t.Fatal(name, solver, err)
			}
			want, err := q.Solve(context.Background(), opt)
			if err != nil {
				t.Fatal(name, solver, err)
			}
			sameSpaces(t, name+" "+string(solver), got, want, positiveMass(q.mass))
		}
	}
}

// A contraction of rows is the contraction of their products.
func TestContractFactor(t *testing.T) {
	f := topicRows(160, 4, 3, 0.1, 11)
	node, rng := make([]int32, 160), rand.New(rand.NewPCG(4, 4))
	for i := range node {
		if node[i] = int32(i); i >= 100 {
			node[i] = int32(rng.IntN(100))
		}
	}
	got := must.Get(ContractFactor(mustFactor(t, f, nil), node))(t)
	want := must.Get(Contract(explicit(t, f, nil), nil, node))(t)
	opt := Options{K: 8, Tol: 1e-11}
	r := must.Get(got.Solve(context.Background(), opt))(t)
	s := must.Get(want.Solve(context.Background(), opt))(t)
	sameSpaces(t, "contraction", r, s, positiveMass(want.mass))
}

// The maps of a factor equal the maps of its products, with the series and one by one, with parts
// that no group reaches.
func TestFactoredAnchored(t *testing.T) {
	for name, shared := range map[string]float64{"connected": 0.2, "components": 0} {
		const n, topics = 240, 5
		f := topicRows(n, topics, 4, shared, 5)
		group := make([]int32, n)
		for i := range group {
			if group[i] = -1; i < 40 && i%topics < 3 {
				group[i] = int32(i % topics)
			}
		}
		a := must.Get(NewFactoredAnchored(mustFactor(t, f, nil), group, 3, 1))(t)
		b := must.Get(NewAnchored(explicit(t, f, nil), group, 3, 1))(t)
		if !slices.Equal(a.Apart(), b.Apart()) {
			t.Errorf("%s: points apart %v, in the explicit graph %v", name, a.Apart(), b.Apart())
		}
		opt := Options{Tol: 1e-11}
		got, err := a.Solve(context.Background(), OneAgainstRest(3), opt)
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := b.Solve(context.Background(), OneAgainstRest(3), opt)
		if err != nil {
			t.Fatal(name, err)
		}
		for k := range 3 {
			if math.Abs(got.Values[k]-want.Values[k]) > 1e-10 {
				t.Errorf("%s: map %d has the value %.14g, in the explicit graph %.14g", name, k, got.Values[k], want.Values[k])
			}
			for i := range n {
				if d := math.Abs(got.Vectors.At(i, k) - want.Vectors.At(i, k)); d > 1e-7 {
					t.Fatalf("%s: map %d differs by %g at point %d", name, k, d, i)
				}
			}
		}
		if name != "connected" {
			continue
		}
		split := []bool{true, false, false}
		p := must.Get((&mapSolver{Anchored: a, n: len(a.free)}).pencil(a.bipartition(split)))(t)
		r := must.Get(p.Solve(context.Background(), Options{K: 1, SkipNull: true, Tol: 1e-11}))(t)
		if math.Abs(r.Values[0]-want.Values[0]) > 1e-10 {
			t.Errorf("map 0 by itself has the value %v, by the series %v", r.Values[0], want.Values[0])
		}
	}
}

// Equal rows are the complete graph K_n of weights 1: λ = 0, then n/(n−1) n−1 times.
func TestFactorOfEqualRows(t *testing.T) {
	const n = 37
	b := sparse.NewBuilder(n, 2)
	for i := range n {
		b.Add(i, 0, 0.6)
		b.Add(i, 1, 0.8)
	}
	f := must.Get(b.Build())(t)
	a := mustFactor(t, f, nil)
	if a.rows != f {
		t.Error("rows whose columns all join are copied")
	}
	p := must.Get(NewFactoredPencil(a, nil))(t)
	for _, solver := range []Solver{Dense, Lanczos} {
		r := must.Get(p.Solve(context.Background(), Options{K: 12, Solver: solver}))(t)
		for j, v := range r.Values {
			want := float64(n) / (n - 1)
			if j == 0 {
				want = 0
			}
			if math.Abs(v-want) > 1e-12 {
				t.Errorf("%s: eigenvalue %d is %v, want %v", solver, j+1, v, want)
			}
		}
	}
}

// The bits do not depend on the number of threads.
func TestFactorAtAnyThreads(t *testing.T) {
	f := topicRows(3000, 6, 10, 0.05, 9)
	paralleltest.Same(t, "a factor", []int{1, 2, 5}, func() []any {
		p := must.Get(NewFactoredPencil(mustFactor(t, f, nil), nil))(t)
		r := must.Get(p.Solve(context.Background(), Options{K: 10, Solver: Lanczos, Seed: 5}))(t)
		return []any{r.Values, r.Vectors}
	})
}

func TestFactorRefuses(t *testing.T) {
	b := sparse.NewBuilder(3, 4)
	b.Add(0, 1, 1)
	b.Add(1, 2, -0.5)
	negative, _ := b.Build()
	_, err := NewFactor(negative, nil)
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "row 1") || !strings.Contains(err.Error(), "column 2") {
		t.Errorf("a negative entry in row 1, column 2: %v", err)
	}
	if _, err := NewFactor(&sparse.CSR{RowPtr: []int{0}}, nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no rows: %v", err)
	}
	f := topicRows(20, 2, 0, 0.1, 1)
	if _, err := NewFactor(f, make([]bool, 3)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("three marks for 20 points: %v", err)
	}
	a := mustFactor(t, f, make([]bool, 20))
	if _, err := ContractFactor(a, make([]int32, 20)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("contraction with apart points: %v", err)
	}
	if _, err := NewFactoredAnchored(mustFactor(t, f, nil), make([]int32, 3), 1, 1); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("groups of 3 points: %v", err)
	}
	if _, err := NewFactoredPencil(mustFactor(t, f, nil), make([]float64, 20)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("masses of 0: %v", err)
	}
}

// The problem on a subspace equals the explicit graph's, for a basis with signs.
func TestFactoredRestricted(t *testing.T) {
	const n = 120
	f := topicRows(n, 3, 0, 0.2, 2)
	a, w := mustFactor(t, f, nil), explicit(t, f, nil)
	b := sparse.NewBuilder(n, n-2)
	for i := range n - 4 {
		b.Add(i, i, 1)
	}
	d := a.Degrees()
	for at, i := range []int{n - 4, n - 2} { // the difference of two points, orthogonal in the degrees to their sum
		b.Add(i, n-4+at, 1/d[i])
		b.Add(i+1, n-4+at, -1/d[i+1])
	}
	p := must.Get(b.Build())(t)
	got := must.Get(NewFactoredRestricted(a, p))(t)
	want := must.Get(NewRestricted(w, p))(t)
	opt := Options{K: 6, Tol: 1e-11}
	r := must.Get(got.Solve(context.Background(), opt))(t)
	s := must.Get(want.Solve(context.Background(), opt))(t)
	sameSpaces(t, "restricted", r, s, want.mass)
}

// The energy equals the energy of the explicit edges, with apart points and sets too, relative to
// its size: a bridge of weight 1e-9 between two parts has the value that follows from it.
func TestFactorEnergy(t *testing.T) {
	const n = 80
	f := topicRows(n, 3, 2, 0.2, 3)
	apart := make([]bool, n)
	for i := range 20 {
		apart[i] = true
	}
	y := space.NewBlock(n, 3)
	rng := rand.New(rand.NewPCG(8, 8))
	for k := range y.Data {
		y.Data[k] = rng.NormFloat64()
	}
	for name, marks := range map[string][]bool{"plain": nil, "apart": apart} {
		p := must.Get(NewFactoredCliquePencil(mustFactor(t, f, marks), [][]int32{{0, 3, 6}}, 2))(t)
		q := must.Get(NewCliquePencil(explicit(t, f, marks), [][]int32{{0, 3, 6}}, 2))(t)
		got, want := p.energy(y), q.energy(y)
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-12*want[k] {
				t.Errorf("%s: the energy of column %d is %v, of the explicit edges %v", name, k, got[k], want[k])
			}
		}
	}
	b := sparse.NewBuilder(60, 3)
	for i := range 60 {
		b.Add(i, i/30, 1)
	}
	b.Add(0, 2, 1e-4)
	b.Add(59, 2, 1e-5) // the bridge
	bridged := must.Get(b.Build())(t)
	p := must.Get(NewFactoredPencil(mustFactor(t, bridged, nil), nil))(t)
	r := must.Get(p.Solve(context.Background(), Options{K: 2, Tol: 1e-10}))(t)
	// Two cliques of volume v = 30·29: λ = 1e-9·(1/v + 1/v) to first order.
	if want := 2e-9 / (30 * 29); math.Abs(r.Values[1]-want) > 1e-6*want {
		t.Errorf("the bridge has the value %.10g, want %.10g", r.Values[1], want)
	}
}

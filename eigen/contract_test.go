package eigen

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// denseOf draws a random symmetric graph and returns it with dense L and D.
func denseOf(t *rapid.T, n int) (w *sparse.CSR, l, d *mat.Dense) {
	b := sparse.NewBuilder(n, n)
	for i := range n {
		for j := range i {
			if j == i-1 || rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
				v := float64(rapid.IntRange(1, 1000).Draw(t, "weight")) / 500
				b.Add(i, j, v)
				b.Add(j, i, v)
			}
		}
	}
	w = must.Get(b.Build())(t)
	l, d = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for i, s := range w.RowSums() {
		d.Set(i, i, s)
		for j := range n {
			l.Set(i, j, -w.At(i, j))
		}
		l.Set(i, i, s)
	}
	return w, l, d
}

// reference solves PᵀLPz = λPᵀDPz with dense LAPACK.
func reference(t *rapid.T, p, l, d *mat.Dense) []float64 {
	values, _, err := native.Default().SymDefEig(product(p, l), product(p, d), native.EigRange{}, false)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func product(p, a *mat.Dense) blas64.Symmetric {
	var ap, pap mat.Dense
	ap.Mul(a, p)
	pap.Mul(p.T(), &ap)
	q, _ := pap.Dims()
	s := blas64.Symmetric{N: q, Stride: q, Uplo: 'U', Data: make([]float64, q*q)}
	for i := range q {
		for j := range q {
			s.Data[i*q+j] = (pap.At(i, j) + pap.At(j, i)) / 2
		}
	}
	return s
}

// A contraction has the eigenvalues of PᵀLP z = λ PᵀDP z, and its expanded vectors satisfy that
// equation.
func TestContractionsAgainstDense(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 25).Draw(t, "n")
		w, l, d := denseOf(t, n)
		q := rapid.IntRange(1, n).Draw(t, "nodes")
		node, p := make([]int32, n), mat.NewDense(n, q, nil)
		for i := range node {
			node[i] = int32(i)
			if i >= q {
				node[i] = int32(rapid.IntRange(0, q-1).Draw(t, "node"))
			}
			p.Set(i, int(node[i]), 1)
		}
		c := must.Get(Contract(w, nil, node))(t)
		r := must.Get(c.Solve(context.Background(), Options{K: q}))(t)
		for j, v := range reference(t, p, l, d) {
			if math.Abs(v-r.Values[j]) > 1e-10 {
				t.Errorf("λ_%d = %v, dense %v", j, r.Values[j], v)
			}
		}
		y := c.Expand(r.Vectors)
		for j, v := range r.Values {
			merged := make([]float64, q)
			for i := range n {
				s := -v * d.At(i, i) * y.At(i, j)
				for k := range n {
					s += l.At(i, k) * y.At(k, j)
				}
				merged[node[i]] += s
			}
			for g, s := range merged {
				if math.Abs(s) > 1e-8 {
					t.Errorf("pair %d: node %d of Pᵀ(L − λD)y is %g", j, g, s)
				}
			}
		}
	})
}

// A restricted pencil with signed columns has the eigenvalues of the dense one. The constant is
// recognised if the columns contain it.
func TestRestrictedAgainstDense(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 25).Draw(t, "n")
		w, l, d := denseOf(t, n)
		q := rapid.IntRange(2, n).Draw(t, "columns")
		signed := rapid.Bool().Draw(t, "signed")
		p, b := mat.NewDense(n, q, nil), sparse.NewBuilder(n, q)
		for i := range n {
			g, v := i, 1.0
			if i >= q {
				g = rapid.IntRange(0, q-1).Draw(t, "column")
				if signed && rapid.Bool().Draw(t, "side") {
					v = -1
				}
			}
			p.Set(i, g, v)
			b.Add(i, g, v)
		}
		basis := must.Get(b.Build())(t)
		r := must.Get(NewRestricted(w, basis))(t)
		for _, solver := range []Solver{Dense, Lanczos} {
			out := must.Get(r.Solve(context.Background(), Options{K: q, Solver: solver}))(t)
			for j, v := range reference(t, p, l, d) {
				if math.Abs(v-out.Values[j]) > 1e-10 {
					t.Errorf("%s: λ_%d = %v, dense %v", solver, j, out.Values[j], v)
				}
			}
			if !signed && out.Values[0] != 0 {
				t.Errorf("the constant has λ = %v", out.Values[0])
			}
		}
		skipped := must.Get(r.Solve(context.Background(), Options{K: 1, SkipNull: true}))(t)
		if !signed && skipped.Values[0] < 1e-12 {
			t.Errorf("without the constant λ = %v", skipped.Values[0])
		}
	})
}

func TestRestrictedRefuses(t *testing.T) {
	w := fromEdges(t, 3, []edge{{0, 1, 1}, {1, 2, 1}})
	skew, _ := sparse.NewCSR(3, 2, []int{0, 2, 3, 4}, []int32{0, 1, 0, 1}, []float64{1, 1, 1, 1})
	empty, _ := sparse.NewCSR(3, 2, []int{0, 1, 2, 3}, []int32{0, 0, 0}, []float64{1, 1, 1})
	for name, p := range map[string]*sparse.CSR{"not orthogonal": skew, "an empty column": empty, "another size": w.SelectRows([]int{0})} {
		if _, err := NewRestricted(w, p); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A pencil with joined sets equals the pencil of the graph with these edges added explicitly, in
// values, residuals and components, for every solver.
func TestCliquesAreTheirEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{12, 120, 900} {
		var edges []edge
		for i := range n {
			for range 3 {
				if j := rng.IntN(n); j%3 == i%3 && j != i { // three components without the sets
					edges = append(edges, edge{i, j, rng.Float64()})
				}
			}
		}
		plain := fromEdges(t, n, edges)
		sets := [][]int32{{0, 1, 3, 6}, {5}, {}, {2, 8}}
		for i := 9; i < n/3; i++ {
			sets[0] = append(sets[0], int32(i))
		}
		for _, set := range sets {
			for a, i := range set {
				for _, j := range set[:a] {
					edges = append(edges, edge{int(i), int(j), 1.5})
				}
			}
		}
		written := must.Get(NewPencil(fromEdges(t, n, edges), nil))(t)
		joined := must.Get(NewCliquePencil(plain, sets, 1.5))(t)
		_, want := written.Components()
		if _, got := joined.Components(); got != want {
			t.Errorf("n = %d: %d components, with the edges written out %d", n, got, want)
		}
		for _, solver := range pencilSolvers() {
			a := must.Get(written.Solve(context.Background(), Options{K: 6, Solver: solver}))(t)
			b := must.Get(joined.Solve(context.Background(), Options{K: 6, Solver: solver}))(t)
			for j := range a.Values {
				if math.Abs(a.Values[j]-b.Values[j]) > 1e-9 {
					t.Errorf("n = %d, %s: λ_%d = %v, with the edges written out %v", n, solver, j, b.Values[j], a.Values[j])
				}
			}
		}
	}
	w := fromEdges(t, 4, []edge{{0, 1, 1}, {2, 3, 1}})
	for name, sets := range map[string][][]int32{"twice": {{0, 1}, {1, 2}}, "beyond": {{0, 4}}, "negative": {{-1, 2}}} {
		if _, err := NewCliquePencil(w, sets, 1); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package le

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Dense LAPACK, ARPACK and lanczos agree on the neighbour graph of TDT2, in eigenvalues and in the
// subspace of the first 30 vectors, to 1e-8. The dense solution of 2,000 of the documents' graph is
// the reference in the short form; the whole graph takes minutes.
func TestSolversAgreeOnTDT2(t *testing.T) {
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		t.Skip("TDT2.mat is not in ../shared/data; the solvers are compared on made-up graphs only")
	}
	ctx := context.Background()
	c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(t)
	x := must.Get(c.Weighted(corpus.WeightTF, corpus.NormL2))(t)
	whole := must.Get(graph.Build(ctx, x, graph.Options{}))(t)
	every := make([]int, 0, 2000)
	for i := 0; len(every) < 1900; i += 4 {
		every = append(every, i)
	}
	small := must.Get(graph.Build(ctx, x.(*sparse.CSR).SelectRows(every), graph.Options{}))(t)
	compare := func(name string, g *graph.Graph, solvers ...eigen.Solver) {
		p := must.Get(g.Pencil())(t)
		var reference *eigen.Result
		for _, s := range solvers {
			if s == eigen.ARPACK && !native.HasARPACK() {
				continue
			}
			r, err := p.Solve(ctx, eigen.Options{K: 30, Solver: s, Tol: 1e-10})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, s, err)
			}
			for j, res := range r.Residuals {
				if res > 1e-10 {
					t.Errorf("%s, %s: residual %d is %g", name, s, j, res)
				}
			}
			if reference == nil {
				reference = r
				continue
			}
			for j, v := range r.Values {
				if math.Abs(v-reference.Values[j]) > 1e-8 {
					t.Errorf("%s, %s: λ_%d = %v, %s gives %v", name, s, j, v, solvers[0], reference.Values[j])
				}
			}
			if gap := angle(g, reference.Vectors, r.Vectors); gap > 1e-8 {
				t.Errorf("%s, %s: largest angle to %s's subspace %g", name, s, solvers[0], gap)
			}
		}
	}
	compare("a fifth of TDT2", small, eigen.Dense, eigen.ARPACK, eigen.Lanczos)
	compare("TDT2", whole, eigen.Lanczos, eigen.ARPACK)
	if os.Getenv("EIGENMAP_LONG") != "" {
		compare("TDT2", whole, eigen.Dense, eigen.ARPACK, eigen.Lanczos)
	}
}

// angle is the sine of the largest principal angle between two D-orthonormal bases.
func angle(g *graph.Graph, a, b *mat.Dense) float64 {
	scale := func(v *mat.Dense) *mat.Dense {
		s := mat.DenseCopyOf(v)
		s.Apply(func(i, _ int, x float64) float64 { return math.Sqrt(g.Degrees[i]) * x }, s)
		return s
	}
	u, v := scale(a), scale(b)
	var ut, rest mat.Dense
	ut.Mul(u.T(), v)
	rest.Mul(u, &ut)
	rest.Sub(v, &rest)
	return mat.Norm(&rest, 2)
}

package lle

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// sheet draws points of a plane in d dimensions, jittered on a grid so that no neighbourhood is
// empty.
func sheet(side, d int, seed uint64) (u, x *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 6))
	n := side * side
	u = mat.NewDense(n, 2, nil)
	for i := range n {
		u.SetRow(i, []float64{1.7 * (float64(i%side) + 0.6*r.Float64()), float64(i/side) + 0.6*r.Float64()})
	}
	a := mat.NewDense(2, d, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, a)
	x = new(mat.Dense)
	x.Mul(u, a)
	return u, x
}

// curved bends the sheet into a third dimension.
func curved(u *mat.Dense) *mat.Dense {
	n, _ := u.Dims()
	x := mat.NewDense(n, 3, nil)
	for i := range n {
		s := u.At(i, 0) / 8
		x.SetRow(i, []float64{8 * math.Cos(s), u.At(i, 1), 8 * math.Sin(s)})
	}
	return x
}

func fit(t testing.TB, x mat.Matrix, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(context.Background(), x, opt))(t)
	return m
}

// sparseOf is x as sparse rows.
func sparseOf(t testing.TB, x mat.Matrix) *sparse.CSR {
	t.Helper()
	s := must.Get(sparse.FromMatrix(x))(t)
	return s
}

// The weights sum to one, solve the regularised problem, reconstruct a point that its neighbours
// span, and do not change if the data are moved, turned or scaled.
func TestPropertyWeights(t *testing.T) {
	ctx := context.Background()
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(5, 25).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "d")
		k := rapid.IntRange(1, n-1).Draw(t, "k")
		reg := rapid.SampledFrom([]float64{1e-3, 1e-9}).Draw(t, "reg")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, x)
		near := must.Get(graph.Nearest(ctx, x, k, nil))(t)
		w := must.Get(Weights(ctx, x, x, near, reg))(t)
		thin := must.Get(Weights(ctx, sparseRows(x), sparseRows(x), near, reg))(t)
		moved := mat.NewDense(n, d, nil)
		moved.Apply(func(_, j int, v float64) float64 { return 4*v + float64(j) }, x)
		same := must.Get(Weights(ctx, moved, moved, near, reg))(t)
		for i := range n {
			cols, vals := w.Row(i)
			sum, size := 0.0, 0.0
			for _, v := range vals {
				sum += v
				size = max(size, math.Abs(v))
			}
			if math.Abs(sum-1) > 1e-10*(1+size) {
				t.Fatalf("the weights of point %d sum to %v", i, sum)
			}
			if !slices.IsSorted(cols) {
				t.Fatal("the columns of a row are not sorted")
			}
			// The gradient of ‖x_i − Σ w_j·x_j‖² + reg·trace·‖w‖², without its multiplier:
			// (G + reg·trace·I)w is the same number for all.
			z := mat.NewDense(k, d, nil)
			for c, j := range cols {
				for a := range d {
					z.Set(c, a, x.At(int(j), a)-x.At(i, a))
				}
			}
			var g mat.Dense
			g.Mul(z, z.T())
			trace := mat.Trace(&g)
			for c := range k {
				g.Set(c, c, g.At(c, c)+reg*trace)
			}
			var gw mat.VecDense
			gw.MulVec(&g, mat.NewVecDense(k, vals))
			for c := range k {
				if math.Abs(gw.AtVec(c)-gw.AtVec(0)) > 1e-11*trace*(1+size) {
					t.Fatalf("point %d: the weights are no minimum", i)
				}
			}
			if reg == 1e-9 && k > d+1 {
				var miss mat.VecDense
				miss.MulVec(z.T(), mat.NewVecDense(k, vals))
				if mat.Norm(&miss, 2) > 1e-4*math.Sqrt(trace)*(1+size) {
					t.Fatalf("point %d is spanned by %d neighbours in %d dimensions and reconstructed with an error of %v", i, k, d, mat.Norm(&miss, 2))
				}
			}
			_, a := thin.Row(i)
			_, b := same.Row(i)
			for c, v := range vals {
				if math.Abs(v-a[c]) > 1e-5*(1+size) || math.Abs(v-b[c]) > 1e-5*(1+size) {
					t.Fatalf("point %d: %v, sparse %v, moved and scaled %v", i, vals, a, b)
				}
			}
		}
	})
}

func sparseRows(x mat.Matrix) *sparse.CSR {
	s, err := sparse.FromMatrix(x)
	if err != nil {
		panic(err)
	}
	return s
}

// literal is M written out.
func literal(w *sparse.CSR) *mat.SymDense {
	n := w.NumRows
	a := mat.NewDense(n, n, nil)
	a.Scale(-1, w.ToDense())
	for i := range n {
		a.Set(i, i, a.At(i, i)+1)
	}
	var m mat.Dense
	m.Mul(a.T(), a)
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, m.At(i, j))
		}
	}
	return s
}

// The embedding solves the eigenproblem of M written out, by the dense solver and by lanczos;
// columns have mean 0 and covariance 1.
func TestAgainstTheLiteralFormula(t *testing.T) {
	u, _ := sheet(10, 3, 1)
	x := curved(u)
	for _, solver := range []eigen.Solver{"", eigen.Lanczos} {
		for _, dims := range []int{1, 4} {
			m := fit(t, x, Options{Dims: dims, Neighbors: 9, Eigen: eigen.Options{Solver: solver, Subspace: 60}})
			a := literal(m.Weights)
			n := a.SymmetricDim()
			var e mat.EigenSym
			if !e.Factorize(a, false) {
				t.Fatal("no eigenvalues")
			}
			want := e.Values(nil)
			for j := range dims {
				if math.Abs(m.Values[j]-want[j+1]) > 1e-9 {
					t.Errorf("%s: eigenvalue %d is %v, want %v", solver, j, m.Values[j], want[j+1])
				}
				y := m.Embedding.ColView(j)
				var r mat.VecDense
				r.MulVec(a, y)
				r.AddScaledVec(&r, -m.Values[j], y)
				if got := mat.Norm(&r, 2) / mat.Norm(y, 2); got > 1e-8 || math.Abs(got-m.Residuals[j]) > 1e-8 {
					t.Errorf("%s: residual of %d is %.1e, told %.1e", solver, j, got, m.Residuals[j])
				}
				if mean := mat.Sum(y) / float64(n); math.Abs(mean) > 1e-6 {
					t.Errorf("%s: coordinate %d has the mean %v", solver, j, mean)
				}
			}
			var g mat.Dense
			g.Mul(m.Embedding.T(), m.Embedding)
			for i := range dims {
				for j := range dims {
					want := 0.0
					if i == j {
						want = float64(n)
					}
					if math.Abs(g.At(i, j)-want) > 1e-6*float64(n) {
						t.Errorf("%s: YᵀY is not n·I: %v", solver, mat.Formatted(&g))
					}
				}
			}
		}
	}
}

// unexplained is the share of the columns of u that an affine map of y does not give.
func unexplained(t testing.TB, y, u *mat.Dense) float64 {
	t.Helper()
	n, k := y.Dims()
	design := mat.NewDense(n, k+1, nil)
	for i := range n {
		design.Set(i, k, 1)
		for j := range k {
			design.Set(i, j, y.At(i, j))
		}
	}
	var c, left mat.Dense
	must.Do(t, c.Solve(design, u))
	left.Mul(design, &c)
	left.Sub(&left, u)
	total := 0.0
	for j := range 2 {
		mean := mat.Sum(u.ColView(j)) / float64(n)
		for i := range n {
			total += math.Pow(u.At(i, j)-mean, 2)
		}
	}
	return math.Pow(mat.Norm(&left, 2), 2) / total
}

// On a plane the coordinates themselves are reconstructed, so they span the null space of M: LLE
// returns the plane up to an affine map. A bent sheet is recovered nearly, with landmarks too.
func TestSheets(t *testing.T) {
	ctx := context.Background()
	u, x := sheet(20, 5, 2)
	m := fit(t, x, Options{Dims: 2, Neighbors: 8, Ridge: 1e-9})
	if m.Values[1] > 1e-12 || unexplained(t, m.Embedding, u) > 1e-6 {
		t.Errorf("a plane: eigenvalues %v, unexplained %.1e", m.Values, unexplained(t, m.Embedding, u))
	}
	bent := curved(u)
	for _, landmarks := range []int{0, 60} {
		m := fit(t, bent, Options{Dims: 2, Neighbors: 10, Landmarks: landmarks, Seed: 3})
		if got := unexplained(t, m.Embedding, u); got > 0.05 {
			t.Errorf("a bent sheet, %d landmarks: unexplained %.3f", landmarks, got)
		}
		if len(m.Landmarks) != landmarks {
			t.Errorf("landmarks: %v", m.Landmarks)
		}
		y, err := m.Transform(ctx, bent)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(y, m.Embedding) {
			t.Error("points of the fit do not stand at their own places")
		}
		fresh := mat.NewDense(30, 2, nil)
		for i := range 30 {
			fresh.SetRow(i, []float64{3 + 0.8*float64(i), 3 + 0.4*float64(i)})
		}
		y, err = m.Transform(ctx, curved(fresh))
		if err != nil {
			t.Fatal(err)
		}
		var both, truth mat.Dense
		both.Stack(m.Embedding, y)
		truth.Stack(u, fresh)
		if got := unexplained(t, &both, &truth); got > 0.05 {
			t.Errorf("with new points, %d landmarks: unexplained %.3f", landmarks, got)
		}
	}
}

// The landmark form minimises tr YᵀMY over Y = ZỸ, YᵀY = n·I: its values are the pencil's by
// gonum, no smaller than those without landmarks, and nearly equal to them if all points but one
// are landmarks.
func TestLandmarksAgainstTheLiteralPencil(t *testing.T) {
	ctx := context.Background()
	u, _ := sheet(14, 3, 7)
	x := curved(u)
	free := fit(t, x, Options{Dims: 3, Neighbors: 9})
	m := fit(t, x, Options{Dims: 3, Neighbors: 9, Landmarks: 50, LandmarkNeighbors: 5})
	z := must.Get(m.reconstruction(ctx, m.Landmarks))(t)
	for r, i := range m.Landmarks {
		if cols, vals := z.Row(i); len(cols) != 1 || int(cols[0]) != r || vals[0] != 1 {
			t.Fatalf("landmark %d is not reconstructed by itself: %v %v", i, cols, vals)
		}
	}
	dense := z.ToDense()
	var a, b, mz mat.Dense
	mz.Mul(literal(m.Weights), dense)
	a.Mul(dense.T(), &mz)
	b.Mul(dense.T(), dense)
	var binv mat.Dense
	must.Do(t, binv.Solve(&b, &a))
	var e mat.Eigen
	if !e.Factorize(&binv, mat.EigenNone) {
		t.Fatal("no eigenvalues")
	}
	var want []float64
	for _, v := range e.Values(nil) {
		want = append(want, real(v))
	}
	slices.Sort(want)
	n := float64(free.Weights.NumRows)
	for j, v := range m.Values {
		if math.Abs(v-want[j+1]) > 1e-9 || v < free.Values[j]-1e-12 {
			t.Errorf("eigenvalue %d is %v, the pencil's %v, the free form's %v", j, v, want[j+1], free.Values[j])
		}
		y := m.Embedding.ColView(j)
		var my mat.VecDense
		my.MulVec(literal(m.Weights), y)
		if got := mat.Dot(&my, y) / n; math.Abs(got-v) > 1e-9 {
			t.Errorf("yᵀMy/n of coordinate %d is %v, its eigenvalue %v", j, got, v)
		}
		if m.Residuals[j] > 1e-9 {
			t.Errorf("residual %v", m.Residuals[j])
		}
	}
	nearly := fit(t, x, Options{Dims: 3, Neighbors: 9, Landmarks: len(free.Embedding.RawMatrix().Data)/3 - 1})
	for j, v := range nearly.Values {
		if math.Abs(v-free.Values[j]) > 0.1*free.Values[j] {
			t.Errorf("with one point held: eigenvalue %d is %v, free %v", j, v, free.Values[j])
		}
	}
}

func TestSameBitsAtAnyNumberOfThreads(t *testing.T) {
	u, _ := sheet(22, 3, 5)
	x := curved(u)
	for _, opt := range []Options{{Dims: 2, Neighbors: 8}, {Dims: 2, Neighbors: 8, Landmarks: 80}, {Dims: 2, Neighbors: 30, Eigen: eigen.Options{Solver: eigen.Lanczos, Subspace: 200}}} {
		paralleltest.Same(t, opt, []int{1, 2, 5}, func() []float64 {
			return fit(t, x, opt).Embedding.RawMatrix().Data
		})
	}
}

func TestHostileData(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 1))
	parted, line, copies := mat.NewDense(50, 3, nil), mat.NewDense(40, 2, nil), mat.NewDense(40, 2, nil)
	for i := range 50 {
		shift := 0.0
		if i < 20 {
			shift = 100
		}
		parted.SetRow(i, []float64{shift + r.Float64(), r.Float64(), r.Float64()})
	}
	for i := range 40 {
		line.SetRow(i, []float64{float64(i * i), 2 * float64(i*i)})
		copies.SetRow(i, []float64{float64(i / 10), float64(i / 10 % 2)})
	}
	m := fit(t, parted, Options{Dims: 2, Neighbors: 6})
	if len(m.Outside) != 20 || m.Outside[19] != 19 || mat.Norm(m.Embedding.RowView(3), 2) != 0 || m.Weights.NumRows != 30 {
		t.Errorf("two parts: outside %v", m.Outside)
	}
	y, err := m.Transform(ctx, parted.Slice(20, 50, 0, 3))
	if err != nil || !mat.Equal(y, m.Embedding.Slice(20, 50, 0, 2)) {
		t.Errorf("points of the part do not stand at their own places: %v", err)
	}
	m = fit(t, parted, Options{Dims: 2, Neighbors: 6, Parts: All})
	if len(m.Outside) != 0 || m.Values[0] > 1e-12 || math.Abs(m.Embedding.At(0, 0)-m.Embedding.At(7, 0)) > 1e-6 || m.Embedding.At(0, 0)*m.Embedding.At(40, 0) >= 0 {
		t.Errorf("all points of two parts: values %v", m.Values)
	}
	m = fit(t, line, Options{Dims: 1, Neighbors: 4})
	if m.Values[0] > 1e-3 {
		t.Errorf("a line: %v", m.Values)
	}
	checkCopies(t, copies)
	for _, scale := range []float64{1e-150, 1e150} {
		small := mat.NewDense(50, 3, nil)
		small.Scale(scale, parted)
		if m, err := Fit(ctx, small, Options{Dims: 1, Neighbors: 5}); err != nil && !errors.Is(err, fs.ErrInvalid) || err == nil && math.IsNaN(mat.Norm(m.Embedding, 2)) {
			t.Errorf("scaled by %g: %v", scale, err)
		}
	}
	if m = fit(t, line.Slice(0, 5, 0, 2), Options{Dims: 4}); m.Values[3] <= 0 {
		t.Errorf("as many dimensions as there can be: %v", m.Values)
	}
	wrong := map[string]error{
		"dims":      second(Fit(ctx, line, Options{})),
		"many":      second(Fit(ctx, line, Options{Dims: 40})),
		"neighbors": second(Fit(ctx, line, Options{Dims: 1, Neighbors: 40})),
		"landmarks": second(Fit(ctx, line, Options{Dims: 5, Landmarks: 5})),
		"options":   second(Fit(ctx, line, Options{Dims: 1, Neighbors: -1, Ridge: -1, Parts: "x", LandmarkNeighbors: -1})),
		"nil":       second(Fit(ctx, nil, Options{Dims: 1})),
		"one":       second(Fit(ctx, mat.NewDense(1, 1, nil), Options{Dims: 1})),
		"nan":       second(Fit(ctx, mat.NewDense(3, 1, []float64{0, math.NaN(), 1}), Options{Dims: 1})),
	}
	for name, err := range wrong {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(cancelled, line, Options{Dims: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func second(_ *Model, err error) error { return err }

// checkCopies checks that rows which are all copies of a few are refused or give finite numbers.
func checkCopies(t *testing.T, copies *mat.Dense) {
	ctx := context.Background()
	for _, x := range []mat.Matrix{copies, sparseOf(t, copies)} {
		for _, k := range []int{3, 12} {
			for _, landmarks := range []int{0, 4} {
				m, err := Fit(ctx, x, Options{Dims: 1, Neighbors: k, Landmarks: landmarks})
				if err != nil && !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("copies, %d neighbours, %d landmarks: %v", k, landmarks, err)
				}
				if err == nil && math.IsNaN(mat.Norm(m.Embedding, 2)) {
					t.Errorf("copies, %d neighbours, %d landmarks: not finite", k, landmarks)
				}
			}
		}
	}
}

package isomap

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
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// sheet draws points of a rectangle of sides 3 and 1.
func sheet(n int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 3))
	u := mat.NewDense(n, 2, nil)
	for i := range n {
		u.SetRow(i, []float64{3 * r.Float64(), r.Float64()})
	}
	return u
}

// tilted puts a plane somewhere into d dimensions: an orthonormal basis and an offset.
func tilted(u *mat.Dense, d int) *mat.Dense {
	r := rand.New(rand.NewPCG(8, 8))
	a := mat.NewDense(d, 2, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, a)
	var qr mat.QR
	qr.Factorize(a)
	var q mat.Dense
	qr.QTo(&q)
	var x mat.Dense
	x.Mul(u, q.Slice(0, d, 0, 2).T())
	x.Apply(func(_, j int, v float64) float64 { return v + float64(j) }, &x)
	return &x
}

// rolled is a Swiss roll of the sheet: the first coordinate becomes arc length on a spiral.
func rolled(u *mat.Dense) *mat.Dense {
	n, _ := u.Dims()
	x := mat.NewDense(n, 3, nil)
	for i := range n {
		// r = 0.1·φ has arc length about 0.05·φ² from 0 on: bisection solves
		// s = 0.05·(φ·√(1+φ²) + asinh φ).
		s, lo, hi := u.At(i, 0)+2, 0.0, 100.0
		for range 80 {
			phi := (lo + hi) / 2
			if 0.05*(phi*math.Sqrt(1+phi*phi)+math.Asinh(phi)) < s {
				lo = phi
			} else {
				hi = phi
			}
		}
		x.SetRow(i, []float64{0.1 * lo * math.Cos(lo), u.At(i, 1), 0.1 * lo * math.Sin(lo)})
	}
	return x
}

// procrustes is the largest distance of a point of y, after the best rigid motion, from its place
// in u, relative to the spread of u.
func procrustes(t testing.TB, y, u mat.Matrix) float64 {
	t.Helper()
	a, b := centred(y), centred(u)
	var c mat.Dense
	c.Mul(a.T(), b)
	var svd mat.SVD
	if !svd.Factorize(&c, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var left, right, rotation, moved mat.Dense
	svd.UTo(&left)
	svd.VTo(&right)
	rotation.Mul(&left, right.T())
	moved.Mul(a, &rotation)
	moved.Sub(&moved, b)
	n, _ := moved.Dims()
	worst := 0.0
	for i := range n {
		worst = max(worst, mat.Norm(moved.RowView(i), 2))
	}
	return worst / (mat.Norm(b, 2) / math.Sqrt(float64(n)))
}

func centred(y mat.Matrix) *mat.Dense {
	c := mat.DenseCopyOf(y)
	n, k := c.Dims()
	for j := range k {
		mean := 0.0
		for i := range n {
			mean += c.At(i, j) / float64(n)
		}
		for i := range n {
			c.Set(i, j, c.At(i, j)-mean)
		}
	}
	return c
}

func fit(t testing.TB, x mat.Matrix, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(context.Background(), x, opt))(t)
	return m
}

// Less memory than all distances take makes landmarks the default.
func TestLandmarksByMemory(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ n, given, most, want int }{
		{2000, 0, 8 * 2000 * 2000, 2000}, {2000, 0, 8*2000*2000 - 1, DefaultLandmarks}, {2000, 40, 8 * 2000 * 40, 40}, {11585, 0, 1 << 40, 11585}, {11586, 0, 1 << 40, DefaultLandmarks},
	} {
		if got := (Options{Landmarks: c.given}).within(memory.Bound(ctx, int64(c.most))).LandmarksOf(c.n); got != c.want {
			t.Errorf("%+v: %d landmarks", c, got)
		}
	}
}

// All distances that fitted before the graph was built, and do not fit afterwards, are replaced by
// landmarks and not refused, unless there is no smaller choice or all were asked for.
func TestLandmarksWhereMemoryShrank(t *testing.T) {
	const n = DefaultLandmarks + 100
	x := tilted(sheet(n, 3), 7)
	said := ""
	opt := Options{Dims: 2, most: tableBytes, Graph: graph.Options{Neighbors: 8}, Observer: func(e progress.Event) { said += e.Message }}
	ctx := memory.Bound(context.Background(), 8*n*n-1)
	m := must.Get(Fit(ctx, x, opt))(t)
	if len(m.Landmarks) != DefaultLandmarks || !strings.Contains(said, "1000 landmarks stand for them") {
		t.Errorf("%d landmarks: %q", len(m.Landmarks), said)
	}
	opt.Landmarks = n
	if _, err := Fit(ctx, x, opt); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("all that were asked for: %v", err)
	}
	opt.Landmarks = 0
	if _, err := Fit(memory.Bound(ctx, 8*600*600-1), tilted(sheet(600, 3), 7), opt); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("fewer points than landmarks: %v", err)
	}
}

// With exact geodesics a flat sheet is recovered up to rotation: in the plane, tilted into space
// with every pair of points joined, and rolled up with the distances of the flat one; with
// landmarks too, and for new points.
func TestFlatSheet(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{60, 450} { // dense and iterative solver
		u := sheet(n, uint64(n))
		x := tilted(u, 7)
		for _, opt := range []Options{
			{Dims: 2, Graph: graph.Options{Neighbors: n - 1}},
			{Dims: 2, Graph: graph.Options{Epsilon: 10}, Landmarks: 20},
			{Dims: 2, Graph: graph.Options{Epsilon: 10}, Landmarks: 8, Pick: MaxMin},
			{Dims: 2, Graph: graph.Options{Epsilon: 10}},
		} {
			m := fit(t, x, opt)
			if worst := procrustes(t, m.Embedding, u); worst > 1e-6 {
				t.Errorf("%d points, %+v: Procrustes error %.1e", n, opt, worst)
			}
			if m.ResidualVariance[1] > 1e-10 || m.ResidualVariance[0] < 1e-3 {
				t.Errorf("%d points: residual variances %v", n, m.ResidualVariance)
			}
			if opt.Graph.Epsilon == 0 {
				continue // a new point would not be joined to the farthest of its n
			}
			fresh := sheet(20, 77)
			y, outside, err := m.Transform(ctx, tilted(fresh, 7))
			if err != nil || len(outside) > 0 {
				t.Fatal(err, outside)
			}
			var both, truth mat.Dense
			both.Stack(m.Embedding, y)
			truth.Stack(u, fresh)
			if worst := procrustes(t, &both, &truth); worst > 1e-6 {
				t.Errorf("%d points, landmarks %d: Procrustes error with new points %.1e", n, opt.Landmarks, worst)
			}
		}
		d := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				d.Set(i, j, math.Hypot(u.At(i, 0)-u.At(j, 0), u.At(i, 1)-u.At(j, 1)))
			}
		}
		m := must.Get(FitDistances(ctx, d, Options{Dims: 2}))(t)
		if worst := procrustes(t, m.Embedding, u); worst > 1e-6 {
			t.Errorf("%d points, given distances: Procrustes error %.1e", n, worst)
		}
	}
}

// A Swiss roll unrolls with the geodesics of a neighbour graph: nearly, as the paths are crooked.
func TestSwissRoll(t *testing.T) {
	u := sheet(1000, 5)
	x := rolled(u)
	straight := procrustes(t, x.Slice(0, 1000, 0, 2), u)
	for _, landmarks := range []int{0, 100} {
		m := fit(t, x, Options{Dims: 2, Graph: graph.Options{Neighbors: 8}, Landmarks: landmarks})
		worst := procrustes(t, m.Embedding, u)
		if worst > 0.25 || straight < 2*worst {
			t.Errorf("landmarks %d: Procrustes error %.2f, of the roll itself %.2f", landmarks, worst, straight)
		}
		if m.ResidualVariance[1] > 0.01 {
			t.Errorf("residual variance %v", m.ResidualVariance)
		}
	}
}

// B from its definition, its largest eigenpairs by gonum, and the points of the fit placed again.
func TestAgainstTheLiteralFormula(t *testing.T) {
	ctx := context.Background()
	u := rolled(sheet(80, 6))
	opt := Options{Dims: 3, Graph: graph.Options{Neighbors: 6}}
	m := fit(t, u, opt)
	lengths := must.Get(geodesic.FromPoints(ctx, u, opt.Graph))(t)
	table := must.Get(geodesic.Distances(ctx, lengths, geodesic.Options{}))(t)
	const n = 80
	centring := mat.NewDense(n, n, nil)
	d2 := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			centring.Set(i, j, -1.0/n)
			d2.Set(i, j, math.Pow(table.D.At(i, j), 2))
		}
		centring.Set(i, i, 1-1.0/n)
	}
	var b mat.Dense
	b.Product(centring, d2, centring)
	b.Scale(-0.5, &b)
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			sym.SetSym(i, j, b.At(i, j))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(sym, true) {
		t.Fatal("no eigenvalues")
	}
	values := e.Values(nil)
	for a := range 3 {
		if want := values[n-1-a]; math.Abs(m.Values[a]-want) > 1e-9*values[n-1] {
			t.Errorf("eigenvalue %d is %v, want %v", a, m.Values[a], want)
		}
		var by mat.VecDense
		by.MulVec(&b, m.Embedding.ColView(a))
		by.AddScaledVec(&by, -m.Values[a], m.Embedding.ColView(a))
		if r := mat.Norm(&by, 2); r > 1e-8*values[n-1]*math.Sqrt(values[n-1]) {
			t.Errorf("column %d is no eigenvector: residual %.1e", a, r)
		}
		if norm := mat.Norm(m.Embedding.ColView(a), 2); math.Abs(norm*norm-m.Values[a]) > 1e-9*values[n-1] {
			t.Errorf("column %d has the squared length %v, its eigenvalue is %v", a, norm*norm, m.Values[a])
		}
	}
	for _, landmarks := range []int{0, 12} {
		opt.Landmarks = landmarks
		m := fit(t, u, opt)
		y, outside, err := m.Transform(ctx, u)
		if err != nil || len(outside) > 0 {
			t.Fatal(err, outside)
		}
		y.Sub(y, m.Embedding)
		if off := mat.Norm(y, 2); off > 1e-7 {
			t.Errorf("landmarks %d: points of the fit are placed %.1e away from themselves", landmarks, off)
		}
	}
}

func TestSameBitsAtAnyNumberOfThreads(t *testing.T) {
	defer native.SetThreads(0)
	x := rolled(sheet(420, 9))
	for _, landmarks := range []int{0, 60} {
		var first []float64
		for _, threads := range race.Threads(1, 2, 5) {
			native.SetThreads(threads)
			m := fit(t, x, Options{Dims: 2, Graph: graph.Options{Neighbors: 8}, Landmarks: landmarks, Seed: 4})
			y, _, err := m.Transform(context.Background(), rolled(sheet(10, 10)))
			if err != nil {
				t.Fatal(err)
			}
			got := slices.Concat(m.Embedding.RawMatrix().Data, m.ResidualVariance, y.RawMatrix().Data)
			if first == nil {
				first = got
			}
			if !slices.Equal(first, got) {
				t.Errorf("landmarks %d: %d threads give other bits", landmarks, threads)
			}
		}
	}
}

func TestDisconnected(t *testing.T) {
	ctx := context.Background()
	u := sheet(90, 11)
	for i := 60; i < 90; i++ {
		u.Set(i, 0, u.At(i, 0)+20)
	}
	m := fit(t, u, Options{Dims: 2, Graph: graph.Options{Neighbors: 20}, Parts: Largest})
	if len(m.Outside) != 30 || m.Outside[0] != 60 || len(m.Landmarks) != 60 {
		t.Fatalf("outside: %v", m.Outside)
	}
	for _, i := range m.Outside {
		if mat.Norm(m.Embedding.RowView(i), 2) != 0 {
			t.Fatalf("point %d is outside and not at the origin", i)
		}
	}
	y, outside, err := m.Transform(ctx, mat.NewDense(2, 2, []float64{21, 0.5, 1, 0.5}))
	if err != nil || !slices.Equal(outside, []int{0}) || mat.Norm(y.RowView(0), 2) != 0 || mat.Norm(y.RowView(1), 2) == 0 {
		t.Errorf("new points near and far: %v %v %v", mat.Formatted(y), outside, err)
	}
	var said []progress.Event
	m = fit(t, u, Options{Dims: 2, Graph: graph.Options{Neighbors: 20}, Observer: func(e progress.Event) {
		if e.Message != "" {
			said = append(said, e)
		}
	}})
	if m.Links != 1 || len(m.Outside) != 0 {
		t.Fatalf("%d links, outside %v", m.Links, m.Outside)
	}
	if len(said) != 1 || said[0].Kind != progress.Warning || !strings.Contains(said[0].Message, "joined by 1 shortest link;") {
		t.Errorf("the default says %v", said)
	}
	if worst := procrustes(t, m.Embedding, u); worst > 0.3 {
		t.Errorf("joined groups come back with an error of %.2f", worst)
	}
}

func TestHostileData(t *testing.T) {
	ctx := context.Background()
	line, copies := mat.NewDense(40, 3, nil), mat.NewDense(40, 3, nil)
	for i := range 40 {
		line.SetRow(i, []float64{float64(i), 2 * float64(i), 0})
		copies.SetRow(i, []float64{float64(i / 10), float64(i / 10 % 2), 0})
	}
	m := fit(t, line, Options{Dims: 2, Graph: graph.Options{Neighbors: 3}})
	if mat.Norm(m.Embedding.ColView(1), 2) != 0 || procrustes(t, m.Embedding, line.Slice(0, 40, 0, 2)) > 1e-7 {
		t.Errorf("collinear points: second coordinate of length %v, values %v", mat.Norm(m.Embedding.ColView(1), 2), m.Values)
	}
	m = fit(t, copies, Options{Dims: 1, Graph: graph.Options{Neighbors: 12}})
	for i := range 40 {
		if math.Abs(m.Embedding.At(i, 0)-m.Embedding.At(i/10*10, 0)) > 1e-7 {
			t.Errorf("copies stand apart: %v", m.Embedding.RawMatrix().Data)
			break
		}
	}
	m = fit(t, copies, Options{Dims: 1, Graph: graph.Options{Neighbors: 3}, Parts: Largest}) // copies
	if len(m.Outside) != 30 || m.Values[0] != 0 || m.ResidualVariance[0] != 0 {
		t.Errorf("only copies: %d outside, values %v, residual variance %v", len(m.Outside), m.Values, m.ResidualVariance)
	}
	m = fit(t, copies, Options{Dims: 1, Graph: graph.Options{Neighbors: 3}, Parts: Join})
	if len(m.Outside) != 0 || m.Links != 3 {
		t.Errorf("copies joined: %d links", m.Links)
	}
	s := must.Get(sparse.FromMatrix(line))(t)
	if m = fit(t, s, Options{Dims: 1}); len(m.Outside) != 1 {
		t.Errorf("a sparse row without entries is not alone: %v", m.Outside)
	}
	// More parts than are joined: no error, unless it was asked for.
	far := mat.NewDense(3*(geodesic.MaxParts+1), 1, nil)
	for i := range far.RawMatrix().Data {
		far.Set(i, 0, float64(i/3*100+i%3*i%3))
	}
	if m = fit(t, far, Options{Dims: 1, Graph: graph.Options{Neighbors: 1}}); len(m.Outside) != 3*geodesic.MaxParts {
		t.Errorf("of %d parts %d points lie outside", geodesic.MaxParts+1, len(m.Outside))
	}
	wrong := map[string]error{
		"parts":      second(Fit(ctx, far, Options{Dims: 1, Graph: graph.Options{Neighbors: 1}, Parts: Join})),
		"dims":       second(Fit(ctx, line, Options{})),
		"many":       second(Fit(ctx, line, Options{Dims: 40})),
		"landmarks":  second(Fit(ctx, line, Options{Dims: 5, Landmarks: 5})),
		"rule":       second(Fit(ctx, line, Options{Dims: 1, Parts: "x", Pick: "y"})),
		"memory":     second(Fit(memory.Bound(ctx, 100), line, Options{Dims: 1})),
		"nil":        second(Fit(ctx, nil, Options{Dims: 1})),
		"nan":        second(Fit(ctx, mat.NewDense(3, 1, []float64{0, math.NaN(), 1}), Options{Dims: 1})),
		"join":       second(FitLengths(ctx, sparse2(), Options{Dims: 1, Parts: Join})),
		"distances":  second(FitDistances(ctx, mat.NewDense(2, 2, []float64{0, 1, 2, 0}), Options{Dims: 1})),
		"not square": second(FitDistances(ctx, mat.NewDense(1, 2, nil), Options{Dims: 1})),
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

func sparse2() *sparse.CSR {
	return &sparse.CSR{NumRows: 2, NumCols: 2, RowPtr: []int{0, 1, 2}, Col: []int32{1, 0}, Val: []float64{1, 1}}
}

func second(_ *Model, err error) error { return err }

// The links of the default are the minimum spanning tree of the parts, by Prim's algorithm on all
// pairs of points.
func TestPartsAreJoinedByTheShortestTree(t *testing.T) {
	const parts, each = 7, 8
	r := rand.New(rand.NewPCG(5, 7))
	x := mat.NewDense(parts*each, 2, nil)
	for c := range parts {
		a, b := 100*r.Float64(), 100*r.Float64()
		for i := range each {
			x.SetRow(c*each+i, []float64{a + 0.1*r.Float64(), b + 0.1*r.Float64()})
		}
	}
	between := func(a, b int) float64 {
		least := math.Inf(1)
		for i := range each {
			for j := range each {
				p, q := x.RawRowView(a*each+i), x.RawRowView(b*each+j)
				least = min(least, math.Hypot(p[0]-q[0], p[1]-q[1]))
			}
		}
		return least
	}
	in, tree := []int{0}, 0.0
	for len(in) < parts {
		next, least := -1, math.Inf(1)
		for b := range parts {
			for _, a := range in {
				if d := between(a, b); !slices.Contains(in, b) && d < least {
					next, least = b, d
				}
			}
		}
		in, tree = append(in, next), tree+least
	}
	g := must.Get(geodesic.FromPoints(context.Background(), x, graph.Options{Neighbors: each - 1}))(t)
	joined, links, err := geodesic.Join(context.Background(), x, g)
	if err != nil || links != parts-1 {
		t.Fatalf("%d links: %v", links, err)
	}
	sum := 0.0
	for i := range parts * each {
		cols, lengths := joined.Row(i)
		for k, j := range cols {
			if i/each < int(j)/each {
				sum += lengths[k]
			}
		}
	}
	if math.Abs(sum-tree) > 1e-9*tree {
		t.Errorf("the links have the length %v, the shortest tree %v", sum, tree)
	}
}

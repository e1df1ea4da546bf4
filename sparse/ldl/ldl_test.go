package ldl_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"github.com/eigenmap/eigenmap/sparse/ldl"
	"gonum.org/v1/gonum/blas/blas64"
)

// build makes the symmetric matrix with the given entries of one triangle.
func build(t testing.TB, n int, entries map[[2]int]float64) *sparse.CSR {
	t.Helper()
	keys := make([][2]int, 0, len(entries))
	for k := range entries {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	b := sparse.NewBuilder(n, n)
	for _, k := range keys {
		b.Add(k[0], k[1], entries[k])
		if k[0] != k[1] {
			b.Add(k[1], k[0], entries[k])
		}
	}
	a := must.Get(b.Build())(t)
	return a
}

func edge(i, j int) [2]int { return [2]int{min(i, j), max(i, j)} }

// laplacian makes L of weighted edges, with its diagonal.
func laplacian(t testing.TB, n int, edges map[[2]int]float64) *sparse.CSR {
	all := make(map[[2]int]float64)
	for i := range n {
		all[[2]int{i, i}] = 0
	}
	keys := make([][2]int, 0, len(edges))
	for k := range edges {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		w := edges[k]
		all[k] = -w
		all[[2]int{k[0], k[0]}] += w
		all[[2]int{k[1], k[1]}] += w
	}
	return build(t, n, all)
}

func path(n int) map[[2]int]float64 {
	e := make(map[[2]int]float64)
	for i := range n - 1 {
		e[edge(i, i+1)] = 1
	}
	return e
}

func grid(r, c int) map[[2]int]float64 {
	e := make(map[[2]int]float64)
	for i := range r {
		for j := range c {
			if i+1 < r {
				e[edge(i*c+j, i*c+c+j)] = 1
			}
			if j+1 < c {
				e[edge(i*c+j, i*c+j+1)] = 1
			}
		}
	}
	return e
}

func random(n, perRow int, orders float64, seed uint64) map[[2]int]float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	e := make(map[[2]int]float64)
	for i := range n {
		for range perRow {
			if j := r.IntN(n); j != i {
				e[edge(i, j)] = math.Pow(10, orders*(r.Float64()-1))
			}
		}
	}
	return e
}

func clique(n int) map[[2]int]float64 {
	e := make(map[[2]int]float64)
	for i := range n {
		for j := range i {
			e[edge(i, j)] = 1
		}
	}
	return e
}

// several puts copies of a graph beside each other.
func several(n, copies int, of map[[2]int]float64) map[[2]int]float64 {
	e := make(map[[2]int]float64)
	for k, w := range of {
		for c := range copies {
			e[[2]int{k[0] + c*n, k[1] + c*n}] = w
		}
	}
	return e
}

func families(t testing.TB) map[string]*sparse.CSR {
	star := make(map[[2]int]float64)
	for i := 1; i < 300; i++ {
		star[edge(0, i)] = 1
	}
	return map[string]*sparse.CSR{
		"one":        laplacian(t, 1, nil),
		"no edges":   laplacian(t, 7, nil),
		"path":       laplacian(t, 211, path(211)),
		"grid":       laplacian(t, 17*19, grid(17, 19)),
		"clique":     laplacian(t, 150, clique(150)),
		"wide":       laplacian(t, 400, random(400, 60, 0, 5)),
		"star":       laplacian(t, 300, star),
		"random":     laplacian(t, 300, random(300, 2, 0, 1)),
		"12 orders":  laplacian(t, 250, random(250, 3, 12, 2)),
		"copies":     laplacian(t, 200, several(20, 10, random(20, 2, 1, 3))),
		"fragmented": laplacian(t, 200, random(150, 1, 3, 4)),
	}
}

func filled(n int, v float64) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = v
	}
	return d
}

// TestInertiaAgainstLAPACK compares the number of negative pivots with the number of eigenvalues
// that LAPACK finds below the shift, for shifts in the gaps of the spectrum.
func TestInertiaAgainstLAPACK(t *testing.T) {
	for name, a := range families(t) {
		n := a.NumRows
		s := must.Get(ldl.Analyze(a))(t)
		values := spectrum(t, a)
		norm := max(1, values[n-1])
		for _, at := range []int{0, 1, n / 7, n / 3, n / 2, n - 1, n} {
			var shift float64
			switch {
			case at == 0:
				shift = -1e-3
			case at >= n:
				shift = norm * 1.1
			default:
				shift = 0.5 * (values[at-1] + values[at])
				if values[at]-values[at-1] < 1e-9*norm {
					continue // a multiple eigenvalue: no gap here
				}
			}
			f, err := s.Factor(context.Background(), a, filled(n, -shift), nil)
			if err != nil {
				var pivot *ldl.PivotError
				if errors.As(err, &pivot) {
					f, err = s.Factor(context.Background(), a, filled(n, -shift*(1+1e-10)), nil)
				}
				if err != nil {
					t.Fatalf("%s: shift %g: %v", name, shift, err)
				}
			}
			below, _ := slices.BinarySearch(values, shift)
			if got := f.Negative(); got != below && f.Error() < 1e-10*norm {
				t.Errorf("%s: %d negative pivots at %g, LAPACK has %d eigenvalues below it (error bound %.1e)", name, got, shift, below, f.Error())
			}
			if e := f.Error(); e > 1e-6*norm {
				t.Logf("%s: error bound %.1e at %g", name, e, shift)
			}
		}
	}
}

func spectrum(t testing.TB, a *sparse.CSR) []float64 {
	t.Helper()
	n := a.NumRows
	sym := blas64.Symmetric{N: n, Stride: n, Uplo: 'U', Data: make([]float64, n*n)}
	copy(sym.Data, a.ToDense().RawMatrix().Data)
	values, _, err := native.Default().SymEig(sym, native.EigRange{}, false)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// TestSolve checks residuals of solves with blocks of several widths, in place and not.
func TestSolve(t *testing.T) {
	for name, a := range families(t) {
		n := a.NumRows
		s := must.Get(ldl.Analyze(a))(t)
		diagonal := filled(n, 0.5)
		f := must.Get(s.Factor(context.Background(), a, diagonal, nil))(t)
		if f.Negative() != 0 {
			t.Errorf("%s: %d negative pivots of a positive definite matrix", name, f.Negative())
		}
		r := rand.New(rand.NewPCG(7, 7))
		for _, b := range []int{1, 2, 3, 4, 8, 40} {
			x := blas64.General{Rows: n, Cols: b, Stride: b, Data: make([]float64, n*b)}
			for i := range x.Data {
				x.Data[i] = r.NormFloat64()
			}
			y := blas64.General{Rows: n, Cols: b, Stride: b, Data: slices.Clone(x.Data)}
			f.SolveBlock(y, y)
			product := blas64.General{Rows: n, Cols: b, Stride: b, Data: make([]float64, n*b)}
			a.MulBlock(product, y)
			for i := range x.Data {
				if e := math.Abs(product.Data[i] + 0.5*y.Data[i] - x.Data[i]); e > 1e-9 {
					t.Fatalf("%s, %d columns: entry %d is off by %.1e", name, b, i, e)
				}
			}
		}
	}
}

// TestPrediction compares the predicted number of entries with the number in a dense elimination of
// the pattern, on orders small enough for it, and the bytes with what is stored.
func TestPrediction(t *testing.T) {
	for name, a := range families(t) {
		s := must.Get(ldl.Analyze(a))(t)
		order := s.Order()
		exact := ldl.EntriesByElimination(a, order)
		if got := s.Exact(); got != exact {
			t.Errorf("%s: %d entries predicted, elimination has %d", name, got, exact)
		}
		if s.Entries() < exact || s.Entries() > 3*exact+int64(200*a.NumRows) {
			t.Errorf("%s: %d entries stored for %d", name, s.Entries(), exact)
		}
		f := must.Get(s.Factor(context.Background(), a, filled(a.NumRows, 1), nil))(t)
		stored := f.StoredBytes()
		if stored > s.Bytes() || 4*stored+300*int64(a.NumRows) < s.Bytes() {
			t.Errorf("%s: %d bytes predicted, %d stored", name, s.Bytes(), stored)
		}
		if !slices.Equal(order, ldl.Order(a)) {
			seen := slices.Clone(order)
			slices.Sort(seen)
			for i, v := range seen {
				if int(v) != i {
					t.Fatalf("%s: the order is no permutation", name)
				}
			}
		}
	}
}

// TestThreads checks that the bits do not depend on the number of threads.
func TestThreads(t *testing.T) {
	defer native.SetThreads(0)
	a := laplacian(t, 3600, grid(60, 60))
	s := must.Get(ldl.Analyze(a))(t)
	var first []float64
	for _, threads := range race.Threads(1, 2, 5) {
		native.SetThreads(threads)
		f := must.Get(s.Factor(context.Background(), a, filled(a.NumRows, -0.013), nil))(t)
		if first == nil {
			first = f.Pivots()
		} else if !slices.Equal(first, f.Pivots()) {
			t.Errorf("%d threads give other bits", threads)
		}
	}
}

// TestFill checks the order on graphs with known bounds: trees have no fill, and grids have
// O(n log n) entries with a constant near the best orders'.
func TestFill(t *testing.T) {
	tree := make(map[[2]int]float64)
	for i := 1; i < 3000; i++ {
		tree[edge(i, (i-1)/3)] = 1
	}
	for name, c := range map[string]struct {
		a    *sparse.CSR
		most int64
	}{
		"path": {laplacian(t, 5000, path(5000)), 2*5000 - 1},
		"tree": {laplacian(t, 3000, tree), 2*3000 - 1},
		"grid": {laplacian(t, 10000, grid(100, 100)), 10000 * 31},
	} {
		s := must.Get(ldl.Analyze(c.a))(t)
		if s.Exact() > c.most {
			t.Errorf("%s: %d entries of L, at most %d expected", name, s.Exact(), c.most)
		}
	}
}

func TestBreakdown(t *testing.T) {
	a := build(t, 2, map[[2]int]float64{{0, 1}: 1, {0, 0}: 0, {1, 1}: 0})
	s, err := ldl.Analyze(a)
	if err != nil {
		t.Fatal(err)
	}
	var pivot *ldl.PivotError
	if _, err = s.Factor(context.Background(), a, nil, nil); !errors.As(err, &pivot) {
		t.Fatalf("no pivot error: %v", err)
	}
	f := must.Get(s.Factor(context.Background(), a, []float64{1e-13, 0}, nil))(t)
	if f.Error() < 1e-4 {
		t.Errorf("a pivot of 1e-13 has the error bound %.1e", f.Error())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Factor(ctx, a, []float64{1, 1}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled factorisation returns %v", err)
	}
}

func BenchmarkFactor(b *testing.B) {
	for _, side := range []int{100, 300} {
		a := laplacian(b, side*side, grid(side, side))
		b.Run(fmt.Sprintf("grid%d/analyze", side), func(b *testing.B) {
			for b.Loop() {
				if _, err := ldl.Analyze(a); err != nil {
					b.Fatal(err)
				}
			}
		})
		s, _ := ldl.Analyze(a)
		b.Run(fmt.Sprintf("grid%d/factor", side), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Factor(context.Background(), a, filled(a.NumRows, 0.01), nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.Exact())/float64(a.NumRows), "entries/row")
			b.ReportMetric(s.Flops()*1e-9*float64(b.N)/b.Elapsed().Seconds(), "GF/s")
		})
	}
}

// TestEngines compares the pivots of the native engine with pure Go's.
func TestEngines(t *testing.T) {
	name := native.Default().Name()
	defer func() {
		must.Do(t, native.Use(name))
	}()
	a := laplacian(t, 2500, random(2500, 3, 2, 9))
	s := must.Get(ldl.Analyze(a))(t)
	var first []float64
	for _, e := range native.Engines() {
		must.Do(t, native.Use(e.Name()))
		f := must.Get(s.Factor(context.Background(), a, filled(a.NumRows, -0.3), nil))(t)
		if first == nil {
			first = f.Pivots()
		}
		for i, d := range f.Pivots() {
			if math.Signbit(d) != math.Signbit(first[i]) || math.Abs(d-first[i]) > 1e-6*math.Abs(d) {
				t.Fatalf("%s: pivot %d is %v, the first engine has %v", e.Name(), i, d, first[i])
			}
		}
	}
}

package eigen

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// rings is a graph of many alike rings with weak edges between them: as many eigenvalues near 0 as
// there are rings.
func rings(t testing.TB, count, size int, weak float64) *sparse.CSR {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	b := sparse.NewBuilder(count*size, count*size)
	add := func(i, j int, w float64) {
		b.Add(i, j, w)
		b.Add(j, i, w)
	}
	for g := range count {
		for i := range size {
			for step := 1; step <= 4; step++ {
				add(g*size+i, g*size+(i+step*step)%size, 1+0.1*rng.Float64())
			}
		}
	}
	for g := range count {
		for range 3 {
			if h := rng.IntN(count); h != g {
				add(g*size+rng.IntN(size), h*size+rng.IntN(size), weak*rng.Float64())
			}
		}
	}
	return built(t, b)
}

// A crowd that is larger than the basis: with that alone three of these graphs reach the limit of
// restarts. Inertia counts the eigenvalues.
func TestBasisHoldsTheCrowd(t *testing.T) {
	for _, c := range []struct {
		count, size int
		weak        float64
	}{{120, 60, 0.1}, {150, 40, 0.5}, {200, 100, 0.1}, {120, 100, 0.02}} {
		p, err := NewPencil(rings(t, c.count, c.size, c.weak), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Solve(context.Background(), Options{K: 30, Solver: Lanczos, Verify: true})
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		if _, first := lanczosSizes(task{n: p.Size(), known: p.known, k: 29}, 0); r.Stats.Subspace <= first {
			t.Errorf("%v: the basis has %d columns", c, r.Stats.Subspace)
		}
	}
}

// A size that is given stays, but for what the search needs.
func TestGivenBasisStays(t *testing.T) {
	w := rings(t, 150, 40, 0.5)
	p, err := NewPencil(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Solve(context.Background(), Options{K: 30, Solver: Lanczos, Subspace: 90})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stats.Subspace != 90 {
		t.Errorf("%d columns", r.Stats.Subspace)
	}
}

// A basis in parts does what one in a piece does.
func TestBasisInParts(t *testing.T) {
	const n = 700
	rng := rand.New(rand.NewPCG(4, 4))
	random := func(c int) blas64.General {
		b := newBlock(n, c)
		for i := range b.Data {
			b.Data[i] = rng.NormFloat64()
		}
		return b
	}
	whole, parts := newBasis(n, 30, nil, 1), newBasis(n, 7, nil, 1)
	parts.grow(9)
	parts.grow(14)
	if got := parts.capacity(); got != 30 {
		t.Fatalf("%d columns", got)
	}
	near := func(what string, a, b blas64.General) {
		t.Helper()
		if a.Rows != b.Rows || a.Cols != b.Cols {
			t.Fatalf("%s: %d×%d and %d×%d", what, a.Rows, a.Cols, b.Rows, b.Cols)
		}
		for i := range a.Rows {
			for j := range a.Cols {
				if x, y := a.Data[i*a.Stride+j], b.Data[i*b.Stride+j]; math.Abs(x-y) > 1e-13 {
					t.Fatalf("%s: entry (%d, %d) is %v and %v", what, i, j, x, y)
				}
			}
		}
	}
	for range 6 {
		w := random(4)
		other := newBlock(n, 4)
		copyBlock(other, w)
		from := max(0, whole.size-6) // as after a product: nothing is known of the columns before
		near("coefficients", whole.orthogonalise(w, 0), parts.orthogonalise(other, 0))
		near("what is left", w, other)
		near("coefficients", whole.orthogonalise(w, from), parts.orthogonalise(other, from))
		near("R", whole.append(w, 4, 1), parts.append(other, 4, 1))
	}
	read := func(b *basis) blas64.General {
		all := newBlock(n, b.size)
		b.read(all, 0)
		return all
	}
	near("columns", read(whole), read(parts))
	s := newBlock(19, 11)
	for i := range s.Data {
		s.Data[i] = rng.NormFloat64()
	}
	near("a combination", whole.combine(3, s), parts.combine(3, s))
	whole.rotate(3, s)
	parts.rotate(3, s)
	near("rotated columns", read(whole), read(parts))
}

// A pair is locked by its measure only if that meets the share of the tolerance, also where
// rounding does not allow the share for the bound of the residual.
func TestLockedByItsMeasure(t *testing.T) {
	for _, c := range []struct {
		measured float64
		want     bool
	}{{0.9, false}, {0.4, true}} {
		k := &krylov{task: task{n: 10, k: 2, tol: 1e-14}, basis: newBasis(10, 4, nil, 1), scale: 1, x: make([]float64, 80), w: make([]float64, 80)}
		k.basis.size, k.active, k.next = 2, 1, 1
		k.t, k.b = newBlock(4, 4), newBlock(1, 1)
		one := newBlock(1, 1)
		one.Data[0] = 1
		r := &ritz{values: []float64{1}, theta: []float64{1}, raw: []float64{5e-14}, residuals: []float64{5e-14}, vectors: one}
		k.measured = 100 * k.tol // so much may measuring gain
		k.measure = func(_ space, u, _ blas64.General) []float64 { return []float64{c.measured * k.measured} }
		if r.plan(k); (r.lock == 1) != c.want {
			t.Errorf("measured %v of the tolerance: %d locked", c.measured, r.lock)
		}
	}
}

// The columns of a basis of many rows are in matrices of few, and are read as they were written,
// also across their borders.
func TestManyRowsInParts(t *testing.T) {
	const columns = 2*fewColumns + 3
	b := newBasis(manyRows, 0, nil, 1)
	b.grow(columns)
	if b.capacity() != columns || len(b.parts(0, columns)) != 3 || len(b.parts(fewColumns-1, fewColumns+1)) != 2 {
		t.Fatalf("%d columns in %d parts", b.capacity(), len(b.parts(0, columns)))
	}
	w := newBlock(manyRows, 5)
	for i := range w.Data {
		w.Data[i] = float64(i)
	}
	for from := 0; from+5 <= columns; from += 3 {
		got := newBlock(manyRows, 5)
		b.write(from, w)
		b.read(got, from)
		if !slices.Equal(got.Data, w.Data) {
			t.Fatalf("other columns than those written from %d on", from)
		}
	}
	// A block of eight is orthogonal to the basis after it, as one of four and one of one are.
	b.size = 0
	for _, width := range []int{4, 8, 1} {
		x := newBlock(manyRows, width)
		for i := range x.Data {
			x.Data[i] = b.rng.NormFloat64()
		}
		b.orthogonalise(x, 0)
		b.append(x, width, 1)
	}
	all := newBlock(manyRows, b.size)
	b.read(all, 0)
	gram := newBlock(b.size, b.size)
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, all, all, 0, gram)
	for i := range b.size {
		gram.Data[i*gram.Stride+i]--
	}
	if worst := slices.MaxFunc(gram.Data, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) }); !(math.Abs(worst) < 1e-13) {
		t.Errorf("orthonormal to %g only", worst)
	}
}

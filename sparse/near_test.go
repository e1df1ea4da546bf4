package sparse

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/blas/blas64"
)

// shuffledGrid is the graph of a grid of side² points under a random numbering, and an isolated
// point, with symmetric random weights.
func shuffledGrid(t *testing.T, side int) *CSR {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 1))
	n := side*side + 1
	number := rng.Perm(n)
	b := NewBuilder(n, n)
	for i := range side {
		for j := range side {
			at := number[i*side+j]
			for _, next := range [][2]int{{i + 1, j}, {i, j + 1}} {
				if next[0] < side && next[1] < side {
					to, w := number[next[0]*side+next[1]], 1+rng.Float64()
					b.Add(at, to, w)
					b.Add(to, at, w)
				}
			}
		}
	}
	a := must.Get(b.Build())(t)
	return a
}

// The order holds every row once, and the permuted matrix has the entries of the old one. On a grid
// in a random order it brings nearly all entries near the diagonal: a row of the grid fits between
// any two neighbours.
func TestNearOrder(t *testing.T) {
	const side = 40
	a := shuffledGrid(t, side)
	order := a.NearOrder()
	sorted := slices.Clone(order)
	slices.Sort(sorted)
	for i, v := range sorted {
		if int(v) != i {
			t.Fatalf("the order has %d in place %d", v, i)
		}
	}
	b := must.Get(a.Permute(context.Background(), order))(t)
	if got, want := a.SpreadIn(order), b.Spread(); got != want {
		t.Errorf("the spread in the order is %v, and that of the permuted matrix %v", got, want)
	}
	if b.NNZ() != a.NNZ() || !b.IsSymmetric(0) {
		t.Fatalf("%d entries of %d", b.NNZ(), a.NNZ())
	}
	for p := range b.NumRows {
		cols, vals := b.Row(p)
		if !slices.IsSorted(cols) {
			t.Fatalf("row %d is not in order", p)
		}
		for k, q := range cols {
			if want := a.At(int(order[p]), int(order[q])); vals[k] != want {
				t.Fatalf("entry %d, %d is %v and was %v", p, q, vals[k], want)
			}
		}
	}
	if old, now := a.Spread(), b.Spread(); now > 2*side || old < side*side/5 {
		t.Errorf("mean distance from the diagonal %v, was %v", now, old)
	}
	cancelled, stop := context.WithCancel(context.Background())
	stop()
	if _, err := a.Permute(cancelled, order); err == nil {
		t.Error("a cancelled permutation has no error")
	}
}

// Entries on one side of the diagonal alone, as a stored zero may be, lose no row.
func TestNearOrderOfAnotherPattern(t *testing.T) {
	zero := &CSR{NumRows: 3, NumCols: 3, RowPtr: []int{0, 1, 2, 3}, Col: []int32{1, 2, 1}, Val: []float64{0, 1, 1}}
	if !zero.IsSymmetric(0) {
		t.Fatal("a stored zero is not symmetric")
	}
	rng := rand.New(rand.NewPCG(4, 4))
	matrices := []*CSR{zero}
	for range 200 {
		n := 1 + rng.IntN(12)
		b := NewBuilder(n, n)
		for range rng.IntN(2 * n) {
			b.Add(rng.IntN(n), rng.IntN(n), 1)
		}
		a := must.Get(b.Build())(t)
		matrices = append(matrices, a)
	}
	for _, a := range matrices {
		order := a.NearOrder()
		sorted := slices.Clone(order)
		slices.Sort(sorted)
		for i, v := range sorted {
			if len(order) != a.NumRows || int(v) != i {
				t.Fatalf("%d rows are in the order %v", a.NumRows, order)
			}
		}
		b, err := a.Permute(context.Background(), order)
		if err != nil || b.NNZ() != a.NNZ() {
			t.Fatalf("%d entries of %d, %v", b.NNZ(), a.NNZ(), err)
		}
	}
}

// A step has the bits of the product followed by the sums, at any width, and reads no old values
// if they count nothing.
func TestMulStepIsTheProductAndSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct{ width, side int }{{1, 110}, {2, 110}, {4, 110}, {7, 110}, {8, 110}, {12, 110}, {600, 12}, {4, 190}, {8, 140}} {
		b := c.width
		a := shuffledGrid(t, c.side) // the last blocks are not in cache
		n := a.NumRows
		block := func() blas64.General {
			g := blas64.General{Rows: n, Cols: b, Stride: b, Data: make([]float64, n*b)}
			for i := range g.Data {
				g.Data[i] = rng.NormFloat64()
			}
			return g
		}
		x, y, product := block(), block(), block()
		a.MulBlock(product, x)
		for _, gamma := range []float64{0, -1, 0.3} {
			const alpha, beta = 2.5, -0.7
			got := blas64.General{Rows: n, Cols: b, Stride: b, Data: slices.Clone(y.Data)}
			if gamma == 0 {
				for i := range got.Data {
					got.Data[i] = math.NaN()
				}
			}
			a.MulStep(got, x, alpha, beta, gamma)
			for i, p := range product.Data {
				want := alpha*p + beta*x.Data[i]
				if gamma != 0 {
					want = alpha*p + beta*x.Data[i] + gamma*y.Data[i]
				}
				if got.Data[i] != want {
					t.Fatalf("width %d, γ = %v: entry %d is %v, not %v", b, gamma, i, got.Data[i], want)
				}
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("blocks of other shapes are taken")
		}
	}()
	a := shuffledGrid(t, 110)
	n := a.NumRows
	a.MulStep(blas64.General{Rows: n, Cols: 2, Stride: 2, Data: make([]float64, 2*n)}, blas64.General{Rows: n, Cols: 1, Stride: 1, Data: make([]float64, n)}, 1, 0, 0)
}

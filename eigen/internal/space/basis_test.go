package space

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// A basis in parts does what one in a piece does.
func TestBasisInParts(t *testing.T) {
	const n = 700
	rng := rand.New(rand.NewPCG(4, 4))
	random := func(c int) blas64.General {
		b := NewBlock(n, c)
		for i := range b.Data {
			b.Data[i] = rng.NormFloat64()
		}
		return b
	}
	whole, parts := NewBasis(n, 30, nil, 1), NewBasis(n, 7, nil, 1)
	parts.Grow(9)
	parts.Grow(14)
	if got := parts.Capacity(); got != 30 {
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
		other := NewBlock(n, 4)
		CopyBlock(other, w)
		from := max(0, whole.Size-6) // as after a product: nothing is known of the columns before
		near("coefficients", whole.Orthogonalise(w, 0), parts.Orthogonalise(other, 0))
		near("what is left", w, other)
		near("coefficients", whole.Orthogonalise(w, from), parts.Orthogonalise(other, from))
		near("R", whole.Append(w, 4, 1), parts.Append(other, 4, 1))
	}
	read := func(b *Basis) blas64.General {
		all := NewBlock(n, b.Size)
		b.Read(all, 0)
		return all
	}
	near("columns", read(whole), read(parts))
	s := NewBlock(19, 11)
	for i := range s.Data {
		s.Data[i] = rng.NormFloat64()
	}
	near("a combination", whole.Combine(3, s), parts.Combine(3, s))
	whole.Rotate(3, s)
	parts.Rotate(3, s)
	near("rotated columns", read(whole), read(parts))
}

// The columns of a basis of many rows are in matrices of few, and are read as they were written,
// also across their borders.
func TestManyRowsInParts(t *testing.T) {
	const columns = 2*fewColumns + 3
	b := NewBasis(manyRows, 0, nil, 1)
	b.Grow(columns)
	if b.Capacity() != columns || len(b.Parts(0, columns)) != 3 || len(b.Parts(fewColumns-1, fewColumns+1)) != 2 {
		t.Fatalf("%d columns in %d parts", b.Capacity(), len(b.Parts(0, columns)))
	}
	w := NewBlock(manyRows, 5)
	for i := range w.Data {
		w.Data[i] = float64(i)
	}
	for from := 0; from+5 <= columns; from += 3 {
		got := NewBlock(manyRows, 5)
		b.write(from, w)
		b.Read(got, from)
		if !slices.Equal(got.Data, w.Data) {
			t.Fatalf("other columns than those written from %d on", from)
		}
	}
	// A block of eight is orthogonal to the basis after it, as one of four and one of one are.
	b.Size = 0
	for _, width := range []int{4, 8, 1} {
		x := NewBlock(manyRows, width)
		for i := range x.Data {
			x.Data[i] = b.Rng.NormFloat64()
		}
		b.Orthogonalise(x, 0)
		b.Append(x, width, 1)
	}
	all := NewBlock(manyRows, b.Size)
	b.Read(all, 0)
	gram := NewBlock(b.Size, b.Size)
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, all, all, 0, gram)
	for i := range b.Size {
		gram.Data[i*gram.Stride+i]--
	}
	if worst := slices.MaxFunc(gram.Data, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) }); !(math.Abs(worst) < 1e-13) {
		t.Errorf("orthonormal to %g only", worst)
	}
}

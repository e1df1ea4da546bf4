package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
	"pgregory.net/rapid"
)

// mulLiteral is the definition, in the documented order of summation.
func mulLiteral(a *CSR, x blas64.General) []float64 {
	out := make([]float64, a.NumRows*x.Cols)
	for i := range a.NumRows {
		for c := range x.Cols {
			s := 0.0
			for k := a.RowPtr[i]; k < a.RowPtr[i+1]; k++ {
				s += a.Val[k] * x.Data[int(a.Col[k])*x.Stride+c]
			}
			out[i*x.Cols+c] = s
		}
	}
	return out
}

func block(rng *rand.Rand, rows, cols, pad int) blas64.General {
	m := blas64.General{Rows: rows, Cols: cols, Stride: cols + pad, Data: make([]float64, max(rows*(cols+pad)-pad, 0))}
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	return m
}

// checkMul checks that every width, stride and thread count gives the bits of the literal sum,
// overwrites dst and does not write the padding between rows.
func checkMul(t interface{ Fatalf(string, ...any) }, a *CSR, width, padX, padDst int, rng *rand.Rand) {
	x, dst := block(rng, a.NumCols, width, padX), block(rng, a.NumRows, width, padDst)
	before := append([]float64(nil), dst.Data...)
	a.MulBlock(dst, x)
	want := mulLiteral(a, x)
	for i, v := range dst.Data {
		r, c := i/dst.Stride, i%dst.Stride
		expected := before[i]
		if c < width {
			expected = want[r*width+c]
		}
		if math.Float64bits(v) != math.Float64bits(expected) {
			t.Fatalf("width %d, element (%d, %d): got %v, want %v", width, r, c, v, expected)
		}
	}
}

func TestMulBlockSmall(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		a := fromDense(t, drawDense(t, 12, 12))
		checkMul(t, a, rapid.IntRange(1, 45).Draw(t, "width"), rapid.IntRange(0, 3).Draw(t, "pad x"), rapid.IntRange(0, 3).Draw(t, "pad dst"),
			rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2)))
	})
}

func TestMulBlockLargeAtAnyThreads(t *testing.T) {
	defer native.SetThreads(native.Threads())
	rng := rand.New(rand.NewPCG(7, 7))
	a := randomGraph(3000, 14, 3)
	// One full row and many empty ones: the chunks must still cover every row exactly once.
	b := NewBuilder(3000, 3000)
	for j := range 3000 {
		b.Add(17, j, rng.NormFloat64())
	}
	spiked, _ := b.Build()
	for _, threads := range []int{1, 2, 3} {
		native.SetThreads(threads)
		for _, w := range []int{1, 2, 3, 4, 5, 7, 8, 9, 16, 23, 40} {
			checkMul(t, a, w, w%3, w%2, rng)
			checkMul(t, spiked, w, 0, 0, rng)
		}
		x, y := block(rng, 3000, 1, 0), make([]float64, 3000)
		a.MulVec(y, x.Data)
		for i, v := range mulLiteral(a, x) {
			if y[i] != v {
				t.Fatalf("MulVec: row %d", i)
			}
		}
	}
}

func TestMulEmpty(t *testing.T) {
	for _, a := range []*CSR{{RowPtr: []int{0}}, {NumCols: 3, RowPtr: []int{0}}, {NumRows: 2, RowPtr: []int{0, 0, 0}}} {
		for _, w := range []int{0, 1, 11} {
			checkMul(t, a, w, 0, 0, rand.New(rand.NewPCG(1, 1)))
		}
	}
}

func TestMulShapesPanic(t *testing.T) {
	a := randomGraph(5, 2, 1)
	g := func(r, c, stride, n int) blas64.General {
		return blas64.General{Rows: r, Cols: c, Stride: stride, Data: make([]float64, n)}
	}
	for i, f := range []func(){
		func() { a.MulVec(make([]float64, 5), make([]float64, 4)) },
		func() { a.MulVec(make([]float64, 6), make([]float64, 5)) },
		func() { a.MulBlock(g(5, 2, 2, 10), g(5, 3, 3, 15)) },
		func() { a.MulBlock(g(5, 2, 2, 9), g(5, 2, 2, 10)) },
		func() { a.MulBlock(g(5, 2, 1, 10), g(5, 2, 2, 10)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("case %d does not panic", i)
				}
			}()
			f()
		}()
	}
}

func TestMulVecCtx(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, n := range []int{10, 5000} {
		a := randomGraph(n, 14, 1)
		if err := a.MulVecCtx(ctx, make([]float64, n), make([]float64, n)); !errors.Is(err, context.Canceled) {
			t.Errorf("n = %d: %v", n, err)
		}
	}
}

func TestSmallProductsDoNotAllocate(t *testing.T) {
	a := randomGraph(100, 14, 1)
	rng := rand.New(rand.NewPCG(1, 1))
	x, dst := block(rng, 100, 8, 0), block(rng, 100, 8, 0)
	if n := testing.AllocsPerRun(10, func() { a.MulBlock(dst, x) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A graph of the size of a corpus: 10,000 nodes, about 22 entries per row (15 neighbours, union).
func BenchmarkMulBlock(b *testing.B) {
	a := randomGraph(10000, 22, 1)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, w := range []int{1, 4, 8, 16, 40} {
		x, dst := block(rng, 10000, w, 0), block(rng, 10000, w, 0)
		b.Run(fmt.Sprintf("width=%d", w), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a.MulBlock(dst, x)
			}
			flops := 2 * float64(a.NNZ()) * float64(w)
			b.ReportMetric(flops*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GF/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(w), "ns/column")
		})
	}
}

// A handmade matrix with a column or a pointer out of range panics; it never reads outside its
// arrays.
func TestMulChecksHandmadeMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, a := range []*CSR{
		{NumRows: 2, NumCols: 3, RowPtr: []int{0, 1, 2}, Col: []int32{0, 3}, Val: []float64{1, 1}},
		{NumRows: 2, NumCols: 3, RowPtr: []int{0, 1, 2}, Col: []int32{-1, 0}, Val: []float64{1, 1}},
		{NumRows: 2, NumCols: 3, RowPtr: []int{0, 99, 2}, Col: []int32{0, 1}, Val: []float64{1, 1}},
		{NumRows: 2, NumCols: 3, RowPtr: []int{-7, 1, 2}, Col: []int32{0, 1}, Val: []float64{1, 1}},
		{NumRows: 2, NumCols: 3, RowPtr: []int{0, 1, 3}, Col: []int32{0, 1}, Val: []float64{1, 1}},
		{NumRows: 2, NumCols: 3, RowPtr: []int{0, 1, 2}, Col: []int32{0, 1}, Val: []float64{1}},
	} {
		for _, w := range []int{1, 2, 4, 8, 16, 32, 47} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%+v at width %d does not panic", a, w)
					}
				}()
				a.MulBlock(block(rng, 2, w, 0), block(rng, 3, w, 0))
			}()
		}
	}
}

// The Go kernels, which processors with vector kernels do not reach, give the bits of the literal
// sum in each of their columns.
func TestGoKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	b := NewBuilder(30, 20)
	for range 150 {
		b.Add(rng.IntN(30), rng.IntN(20), rng.NormFloat64())
	}
	a := must.Get(b.Build())(t)
	for width, kernel := range map[int]func(a *CSR, lo, hi int, dst []float64, ds int, x []float64, xs int){1: mul1, 2: mul2, 4: mul4, 8: mul8} {
		for _, pad := range []int{0, 3} {
			x, dst := block(rng, 20, width, pad), block(rng, 30, width, 1)
			kernel(a, 0, 30, dst.Data, dst.Stride, x.Data, x.Stride)
			for at, want := range mulLiteral(a, x) {
				if got := dst.Data[at/width*dst.Stride+at%width]; got != want {
					t.Errorf("kernel of %d columns, row %d, column %d: %v, want %v", width, at/width, at%width, got, want)
				}
			}
		}
	}
}

// A row by itself has the bits of the row in the whole product, of all columns or the first ones.
func TestMulRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	a := &CSR{NumRows: 1, NumCols: 50, RowPtr: []int{0, 0}}
	for n := range 20 {
		for width := range 70 {
			x := block(rng, a.NumCols, width, n%3)
			want := mulLiteral(a, x)
			for _, w := range []int{width, width / 2} {
				got := make([]float64, w)
				MulRow(got, a.Col, a.Val, x)
				if !slices.Equal(got, want[:w]) {
					t.Fatalf("%d entries, %d of %d columns: %v, the literal sums are %v", n, w, width, got, want)
				}
			}
		}
		a.Col, a.Val = append(a.Col, int32(2*n+rng.IntN(2))), append(a.Val, rng.NormFloat64())
		a.RowPtr[1]++
	}
}

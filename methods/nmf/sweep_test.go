package nmf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

// randomSide is a factor of the given number of rows, a third of it zero, with a gradient, and the
// Gram matrix of another factor. Some columns of that are zero, so that the diagonal is, too.
func randomSide(rng *rand.Rand, rows, k int) (s side, gram block) {
	width := paddedWidth(k)
	s = side{f: newBlock(rows, k, width), g: newBlock(rows, k, width)}
	other := side{f: newBlock(k+5, k, width), join: ranks.Alone{}.Sum}
	empty := rng.IntN(2 * k)
	for j := range k {
		for i := range rows {
			if rng.IntN(3) > 0 {
				s.f.Data[i*width+j] = math.Exp(10 * rng.NormFloat64())
			}
			s.g.Data[i*width+j] = rng.NormFloat64()
			if rng.IntN(30) == 0 {
				s.g.Data[i*width+j] = 1e-70 * float64(rng.IntN(3)-1)
			}
		}
		for i := range other.f.Rows {
			if j != empty {
				other.f.Data[i*width+j] = rng.Float64()
			}
		}
	}
	gram = newBlock(k, k, k)
	other.gram(gram)
	return s, gram
}

// Sweeps by the kernel have the bits of halsRow, row by row, for any number of rows and topics, and
// end after as many.
func TestSweepsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for _, k := range []int{1, 2, 3, 4, 5, 7, 8, 12, 30, 33, 64} {
		for _, rows := range []int{1, 3, 7, 8, 9, 16, 21} {
			for repeats := 1; repeats < 5; repeats++ {
				s, gram := randomSide(rng, rows, k)
				s.repeats = repeats
				plain := s
				plain.f.Data, plain.g.Data = slices.Clone(s.f.Data), slices.Clone(s.g.Data)
				w := workspace{k: k, width: paddedWidth(k), chunk: rows}
				w.sweeps(0, &plain, 0, rows, gram)
				w.layEights(1)
				w.widen(gram)
				w.sweeps(0, &s, 0, rows, gram)
				name := fmt.Sprintf("%d rows, %d topics, %d sweeps", rows, k, repeats)
				same(t, name+", factor", s.f.Data, plain.f.Data)
				same(t, name+", gradient", s.g.Data, plain.g.Data)
			}
		}
	}
}

// same compares numbers by their bits; zeros have none but their value.
func same(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i, v := range got {
		if math.Float64bits(v+0) != math.Float64bits(want[i]+0) {
			t.Fatalf("%s: number %d is %v, and %v row by row", name, i, v, want[i])
		}
	}
}

// BenchmarkSweeps are three sweeps over a chunk, by the kernel where there is one and row by row.
func BenchmarkSweeps(b *testing.B) {
	for _, k := range []int{2, 3, 5, 8, 16, 30, 100} {
		for _, kernel := range []bool{true, false} {
			b.Run(fmt.Sprintf("%d/kernel %t", k, kernel), func(b *testing.B) {
				w := workspace{k: k, width: paddedWidth(k), chunk: chunkRows(paddedWidth(k))}
				s, gram := randomSide(rand.New(rand.NewPCG(3, 4)), w.chunk, k)
				s.repeats = 3
				if kernel {
					w.layEights(1)
				}
				f, g := slices.Clone(s.f.Data), slices.Clone(s.g.Data)
				for b.Loop() {
					copy(s.f.Data, f)
					copy(s.g.Data, g)
					w.widen(gram)
					w.sweeps(0, &s, 0, w.chunk, gram)
				}
			})
		}
	}
}

package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// The distance that is summed directly, for near copies, is the definition: over columns of one
// row, of the other, and of both.
func TestDirectIsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	const n, d = 12, 9
	b, dense := sparse.NewBuilder(n, d), [n][d]float64{}
	for i := range n - 1 { // the last row is empty
		for j := range d {
			if rng.IntN(2) == 0 {
				dense[i][j] = rng.NormFloat64()
				b.Add(i, j, dense[i][j])
			}
		}
	}
	x := must.Get(b.Build())(t)
	m := &sparseRows{x: x, rows: x}
	for i := range n {
		for j := range n {
			want := 0.0
			for c := range d {
				want += (dense[i][c] - dense[j][c]) * (dense[i][c] - dense[j][c])
			}
			if got := m.direct(i, j); math.Abs(got-want) > 1e-14*want {
				t.Errorf("rows %d and %d: %v, want %v", i, j, got, want)
			}
		}
	}
}

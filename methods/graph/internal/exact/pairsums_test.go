package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Sums of four rows at a time have the bits of the sum of one pair, in assembly and in Go.
func TestPairSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 1))
	for _, d := range []int{1, 3, 4, 7, 33, 128} {
		x := mat.NewDense(11, d, nil)
		x.Apply(func(_, _ int, _ float64) float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(30)) }, x)
		single := must.Get(sparse.NewSingleDense(x))(t)
		m, doubled := denseRows{x: x.RawMatrix()}, denseRows{x: single.Double().RawMatrix()}
		narrow := denseRows{x: m.x, single: single}
		for count := range 10 {
			js := InOrder(11)[1 : 1+count]
			checkPairs(t, &m, &m, js)
			checkPairs(t, &narrow, &narrow, js)
			checkPairs(t, &narrow, &doubled, js)
		}
		checkSums(t, m.row(0, nil), [togetherRows][]float64{m.row(1, nil), m.row(2, nil), m.row(3, nil), m.row(4, nil)})
		checkSums(t, single.Row(0), [togetherRows][]float32{single.Row(1), single.Row(2), single.Row(3), single.Row(4)})
	}
}

// checkPairs compares distances and products of row 0 and the rows js of m, found together, with
// those that alone finds one by one.
func checkPairs(t *testing.T, m, alone *denseRows, js []int32) {
	dist2, dot := make([]float64, len(js)), make([]float64, len(js))
	m.directs(0, js, dist2)
	m.dots(0, js, dot)
	for c, j := range js {
		if want := alone.direct(0, int(j)); dist2[c] != want {
			t.Errorf("%d columns, row %d of %d: %v, not %v", m.x.Cols, c, len(js), dist2[c], want)
		}
		if want := alone.dot(0, int(j)); dot[c] != want {
			t.Errorf("%d columns, row %d of %d: product %v, not %v", m.x.Cols, c, len(js), dot[c], want)
		}
	}
}

// checkSums compares the functions of the machine with those in Go.
func checkSums[T number](t *testing.T, a []T, b [togetherRows][]T) {
	var got, want partSums
	squares(a, &b, &got)
	squaresGo(a, &b, &want)
	if got != want {
		t.Errorf("%d columns: %v, not %v", len(a), got, want)
	}
	got, want = partSums{}, partSums{}
	products(a, &b, &got)
	productsGo(a, &b, &want)
	if got != want {
		t.Errorf("%d columns: products %v, not %v", len(a), got, want)
	}
}

package plsa

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sweepLiteral is the definition, with the documented order of sums.
func sweepLiteral(acc, now []float64, theta block, col []int32, val, probs, ratios []float64) {
	for e, j := range col {
		terms := theta.Data[int(j)*theta.Stride:][:theta.Stride]
		var lanes [4]float64
		for c, v := range terms {
			lanes[c%4] += float64(now[c] * v)
		}
		probs[e] = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
		ratios[e] = val[e] / probs[e]
		for c, v := range terms {
			acc[c] += float64(ratios[e] * v)
		}
	}
}

// Every number of topics and entries gives the bits of the definition, and nothing behind the
// document's entries is written.
func TestSweepBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, k := range []int{1, 2, 3, 4, 5, 8, 30, 33, 100} {
		theta := newBlock(50, k)
		for i := range theta.Data {
			theta.Data[i] = rng.Float64() + 1e-3
		}
		for length := range 14 {
			col, val := make([]int32, length), make([]float64, length)
			for e := range col {
				col[e], val[e] = int32(rng.IntN(50)), float64(rng.IntN(4))
			}
			now := make([]float64, theta.Stride)
			for c := range now {
				now[c] = rng.Float64()
			}
			before := make([]float64, theta.Stride)
			for c := range before {
				before[c] = rng.Float64()
			}
			var got, want [3][]float64 // acc, probs, ratios
			for _, to := range []*[3][]float64{&got, &want} {
				*to = [3][]float64{slices.Clone(before), make([]float64, length+1), make([]float64, length+1)}
			}
			sweep(got[0], now, theta, col, val, got[1], got[2])
			sweepLiteral(want[0], now, theta, col, val, want[1], want[2])
			for at := range got {
				if !slices.EqualFunc(got[at], want[at], func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
					t.Fatalf("%d topics, %d entries: result %d is %v, should be %v", k, length, at, got[at], want[at])
				}
			}
		}
	}
}

// A handmade matrix with a column outside panics; nothing outside Θ is read.
func TestSweepChecksColumns(t *testing.T) {
	theta := newBlock(6, 8)
	for _, bad := range []int32{-1, 6, math.MaxInt32, math.MinInt32} {
		for at := range 5 {
			col := []int32{0, 1, 2, 3, 4}
			col[at] = bad
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("column %d at %d does not panic", bad, at)
					}
				}()
				sweep(make([]float64, 8), make([]float64, 8), theta, col, make([]float64, 5), make([]float64, 5), make([]float64, 5))
			}()
		}
	}
}

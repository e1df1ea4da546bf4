package exact

import (
	"math"
	"testing"
)

// The code of a distance between near copies falls with it and gives it back, bit for bit.
func TestNearCopiesKeepTheirDistance(t *testing.T) {
	last := math.Inf(1)
	for _, d := range []float64{0, 5e-324, 1e-300, 1e-20, math.Nextafter(1e-20, 1), 1e-9, 2.1e-8} {
		score := math.Float64frombits(nearCode - math.Float64bits(d))
		if !(score < last) || score <= 1 || unitDist2(score) != d {
			t.Errorf("distance² %v has the score %v after %v, which stands for %v", d, score, last, unitDist2(score))
		}
		last = score
	}
}

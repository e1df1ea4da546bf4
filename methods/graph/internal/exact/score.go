package exact

import (
	"cmp"
	"math"
)

// candidate is a row that may be a neighbour of another.
type candidate struct {
	score float64
	j     int32
}

// nearer orders candidates by distance, ties by lower index. unit says that the rows are sparse and
// have length 1; other scores are -d².
func nearer(unit bool) func(a, b candidate) int {
	return func(a, b candidate) int {
		s, t := a.score, b.score
		if unit {
			s, t = -unitDist2(s), -unitDist2(t)
		}
		return cmp.Or(cmp.Compare(t, s), cmp.Compare(a.j, b.j))
	}
}

// Scores rank the neighbours of a row; the nearest has the highest score.
//
// Between rows of length 1 the score is the dot product, which the screen of the heaps compares.
// From nearDot on, where the dot product cannot separate copies from near copies, it is a code of
// d² = Σ(a−b)² that is more than any dot product and falls with d². For other rows it is -d².

// nearDot is the dot product of rows of length 1 from which dist2 measures directly.
const nearDot = 1 - cancelled

// nearCode is the bits of a number near the largest: nearCode minus the bits of a squared distance
// below 1 are the bits of a number above 1, the larger the smaller the distance.
const nearCode = 0x7fe0000000000000

// unitDist2 returns the squared distance of two rows of length 1 from their score.
func unitDist2(score float64) float64 {
	if score < nearDot {
		return 2 - 2*score
	}
	return math.Float64frombits(nearCode - math.Float64bits(score))
}

// cancelled is the fraction of ‖a‖²+‖b‖² below which ‖a‖²+‖b‖²−2a·b has lost half of its digits.
const cancelled = 1e-8

package nmf

import (
	"math"
	"testing"
)

// Sizes whose product overflows ask for more than any memory, and not for a wrapped number.
func TestBytesOfAnySize(t *testing.T) {
	const large = math.MaxInt32
	for _, solver := range []Solver{"", Multiplicative, HALS} {
		if bytes := Bytes(large, large, Options{Dims: large, Restarts: 10, Solver: solver}); bytes != math.MaxInt64 {
			t.Errorf("%s: %d bytes", solver, bytes)
		}
	}
}

package matrix

import (
	"math"
	"testing"
)

func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: math.Ldexp(1, -24), 0x0400: math.Ldexp(1, -14), 0x3555: 1365. / 4096, 0: 0} {
		if got := halfToFloat(h); got != want {
			t.Errorf("%#04x is %v, want %v", h, got, want)
		}
	}
	if !math.IsInf(halfToFloat(0xfc00), -1) || !math.IsNaN(halfToFloat(0x7e00)) {
		t.Error("infinity or NaN")
	}
}

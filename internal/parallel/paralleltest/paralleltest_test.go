package paralleltest

import (
	"testing"

	"github.com/eigenmap/eigenmap/native"
)

type counted struct {
	testing.TB
	errors int
}

func (c *counted) Helper()               {}
func (c *counted) Errorf(string, ...any) { c.errors++ }

func TestSame(t *testing.T) {
	before := native.Threads()
	for _, c := range []struct {
		of   string
		work func() []float64
		want int
	}{
		{"one result", func() []float64 { return []float64{0.1} }, 0},
		{"the last bit", func() []float64 { return []float64{1 + 0x1p-52*float64(native.Threads())} }, 2},
	} {
		var got counted
		if Same(&got, c.of, []int{2, 3, 5}, c.work); got.errors != c.want {
			t.Errorf("%s: %d errors, not %d", c.of, got.errors, c.want)
		}
	}
	if native.Threads() != before {
		t.Errorf("%d threads are left of %d", native.Threads(), before)
	}
}

package kernelridge

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// BenchmarkFit trains on as many labelled rows as width and ridge are chosen by.
func BenchmarkFit(b *testing.B) {
	x, _, known := shells(3*mostLooked, 20, 1)
	for b.Loop() {
		must.Get(Fit(b.Context(), x, known, 2, Options{}))(b)
	}
}

package comparing

import (
	"strings"
	"testing"
)

// Methods with the largest mean are all bold, and no other is.
func TestEqualBestAreBold(t *testing.T) {
	c := &Comparison{Seeds: []uint64{0, 1}}
	s := latexScore{best: "le", values: map[string][]float64{"le": {1, .5}, "nmf": {.5, 1}, "kmeans": {.5, .9}}}
	for method, bold := range map[string]bool{"le": true, "nmf": true, "kmeans": false} {
		cells := c.latexCells(Method{Method: method}, []latexScore{s})
		if got := strings.Contains(cells[0], `\mathbf`); got != bold {
			t.Errorf("%s: %s", method, cells[0])
		}
	}
}

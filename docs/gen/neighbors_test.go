package main

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/lapgmm"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/lpp"
)

// An estimator passes on what differs from its defaults, so they must be the library's: with
// another one, that number of neighbours could not be asked for from Python.
func TestPythonsNeighboursAreTheLibrarys(t *testing.T) {
	want := map[string]string{
		"le": fmt.Sprint(graph.DefaultNeighbors), "isomap": fmt.Sprint(graph.DefaultNeighbors), "lapgmm": fmt.Sprint(lapgmm.DefaultNeighbors),
		"le-cas": fmt.Sprint(lecas.DefaultNeighbors), "lpp": fmt.Sprint(lpp.DefaultNeighbors), "spectral": "None", "diffusion": "None",
	}
	number := regexp.MustCompile(`^\d+`)
	seen := 0
	for _, s := range eigenmap.Methods() {
		f := option.Find(option.Of(s.New()), "neighbors")
		if f == nil {
			continue
		}
		for _, p := range parameters(s) {
			if p.flag != "neighbors" {
				continue
			}
			seen++
			if w, ok := want[s.Name]; ok && p.standard != w {
				t.Errorf("%s: default %s, and the library has %s", s.Name, p.standard, w)
			}
			if p.standard != "None" && f.Default != p.standard && number.FindString(f.Unset) != p.standard {
				t.Errorf("%s: default %s, and the help says %q", s.Name, p.standard, f.Unset)
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d methods have neighbours", seen)
	}
}

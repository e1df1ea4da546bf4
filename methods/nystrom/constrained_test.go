package nystrom_test

import (
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/semile"
	"gonum.org/v1/gonum/mat"
)

// In the methods with labels or constraints the free points satisfy the equation: extended again,
// they get their own coordinates, although some of their affinities are to labelled points.
func TestExtendIsExactOnFreePoints(t *testing.T) {
	for name, bridge := range map[string]int{"connected": 25, "apart": 0} {
		x, topic := documents(240, 4, bridge, 13, 6)
		opt := graph.Options{Neighbors: 9}
		g := must.Get(graph.Build(background, x, opt))(t)
		known := make([]int, len(topic))
		for i, k := range topic {
			if known[i] = k; i >= 40 {
				known[i] = labels.Unknown
			}
		}
		tight := eigen.Options{Tol: 1e-11}
		type result struct {
			y                 *mat.Dense
			values, residuals []float64
			bound             func(i int) bool // it has its own equation, or none
			resting           []int            // points at the origin, without connections
		}
		labelled := func(i int) bool { return known[i] != labels.Unknown }
		results := map[string]result{}
		soft := must.Get(semile.FitGraph(background, g, known, 4, le.Options{Dims: 5, Problem: nystrom.Problem{Eigen: tight}}))(t)
		results["semi-le"] = result{soft.Coordinates, soft.Values, soft.Residuals, labelled, soft.Isolated}
		hard := must.Get(cle.FitGraph(background, g, known, 4, cle.Options{Problem: nystrom.Problem{Eigen: tight}, NormalizeRows: true}))(t)
		results["cle"] = result{hard.Coordinates, hard.Values, hard.Residuals, labelled, hard.Apart}
		literal := must.Get(cle.FitGraph(background, g, known, 4, cle.Options{Problem: nystrom.Problem{Eigen: tight}, Literal: true}))(t)
		results["cle, literal"] = result{literal.Coordinates, literal.Values, literal.Residuals, labelled, literal.Apart}
		groups := must.Get(links.Resolve(240, []links.Link{{A: 0, B: 4}, {A: 0, B: 1, Cannot: true}, {A: 50, B: 51, Cannot: true}}))(t)
		linked := must.Get(cle.FitLinks(background, g, groups, cle.Options{Dims: 2, Problem: nystrom.Problem{Eigen: tight}}))(t)
		results["cle, links"] = result{linked.Coordinates, linked.Values, linked.Residuals, func(i int) bool { return groups.Group[i] >= 0 }, linked.Apart}
		for method, r := range results {
			y, err := nystrom.Extend(g.W, r.y, r.values)
			if err != nil {
				t.Fatal(name, method, err)
			}
			n, d := r.y.Dims()
			compared := 0
			for j := range d {
				norm := mat.Norm(r.y.ColView(j), 2)
				for i := range n {
					if r.bound(i) || slices.Contains(r.resting, i) || g.Degrees[i] == 0 {
						continue
					}
					compared++
					limit := (r.residuals[j] + 1e-9) * norm / (math.Abs(1-r.values[j]) * g.Degrees[i])
					if off := math.Abs(y.At(i, j) - r.y.At(i, j)); !(off <= limit) {
						t.Errorf("%s, %s: point %d, coordinate %d (λ = %v) is off by %g, more than %g", name, method, i, j, r.values[j], off, limit)
					}
				}
			}
			if compared < 300 {
				t.Errorf("%s, %s: only %d coordinates could be compared", name, method, compared)
			}
		}
	}
}

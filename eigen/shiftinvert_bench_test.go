//go:build unix

package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/sparse"
)

// rollGraph joins n points of a swiss roll, unrolled, to their nearest neighbours: cells of a
// lattice give candidates, so that the graph of a sheet takes linear time.
func rollGraph(t testing.TB, n, neighbours int) *sparse.CSR {
	r := rand.New(rand.NewPCG(2, 2))
	const length, height = 90.0, 21.0
	side := math.Sqrt(length * height / float64(n) * float64(neighbours))
	type point struct{ x, y float64 }
	points, cells := make([]point, n), map[[2]int][]int{}
	at := func(p point) [2]int { return [2]int{int(p.x / side), int(p.y / side)} }
	for i := range points {
		points[i] = point{length * r.Float64(), height * r.Float64()}
		c := at(points[i])
		cells[c] = append(cells[c], i)
	}
	joined := map[[2]int]bool{}
	var edges []edge
	for i, p := range points {
		c := at(p)
		var near []int
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				near = append(near, cells[[2]int{c[0] + dx, c[1] + dy}]...)
			}
		}
		distance := func(j int) float64 { return math.Hypot(points[j].x-p.x, points[j].y-p.y) }
		slices.SortFunc(near, func(a, b int) int {
			if distance(a) < distance(b) {
				return -1
			}
			return 1
		})
		for _, j := range near[1:min(len(near), neighbours+1)] {
			if key := [2]int{min(i, j), max(i, j)}; !joined[key] {
				joined[key] = true
				edges = append(edges, edge{i, j, 1})
			}
		}
	}
	return fromEdges(t, n, edges)
}

// BenchmarkShiftInvert prints the time in units of SciPy's shift-invert by CHOLMOD on two quiet
// cores (seconds in the table), pencil and analysis included.
func BenchmarkShiftInvert(b *testing.B) {
	line, _ := path(100000)
	for _, c := range []struct {
		name  string
		scipy float64
		graph func() *sparse.CSR
	}{
		{"path 100000", 0.68, func() *sparse.CSR { return fromEdges(b, 100000, line) }},
		{"grid 300", 4.7, func() *sparse.CSR { return gridGraph(b, 300) }},
		{"roll 50000", 1.05, func() *sparse.CSR { return rollGraph(b, 50000, 15) }},
	} {
		w := c.graph()
		for _, solver := range []Solver{ShiftInvert, Auto} {
			b.Run(c.name+"/"+string(solver), func(b *testing.B) {
				var r *Result
				before := scikit.CPUSeconds(b)
				for b.Loop() {
					p, err := NewPencil(w, nil)
					if err != nil {
						b.Fatal(err)
					}
					if r, err = p.Solve(context.Background(), Options{K: 10, Solver: solver}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((scikit.CPUSeconds(b)-before)/float64(b.N)/c.scipy, "cpu-of-scipy")
				b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/c.scipy, "of-scipy")
				b.Logf("%s: %s; %+v", r.Stats.Solver, r.Stats.Why, r.Stats)
			})
		}
	}
}

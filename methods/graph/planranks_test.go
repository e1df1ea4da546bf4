package graph

import (
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/approx"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// countedTeam counts the bytes that a rank receives from others.
type countedTeam struct {
	ranks.Team
	bytes *int64
}

func (t countedTeam) Exchange(parts [][]byte) [][]byte {
	got := t.Team.Exchange(parts)
	for r, part := range got {
		if r != t.Rank() {
			*t.bytes += int64(len(part))
		}
	}
	return got
}

// entriesOf counts the entries of rows, and says whether they are dense.
func entriesOf(x mat.Matrix) (entries int, dense bool) {
	if s, ok := x.(*sparse.CSR); ok {
		return s.NNZ(), false
	}
	n, d := x.Dims()
	return n * d, true
}

// TestSharedPlan: what the ranks take, and what the one with the most receives, is near the
// estimates.
func TestSharedPlan(t *testing.T) {
	if race.On {
		t.Skip("the race detector takes memory of its own")
	}
	rng := rand.New(rand.NewPCG(3, 8))
	defer native.SetThreads(0)
	native.SetThreads(native.Threads()) // also where the collector has one processor
	dense := mat.NewDense(4000, 200, nil)
	dense.Apply(func(i, j int, _ float64) float64 { return rng.NormFloat64() }, dense)
	cases := []struct {
		name  string
		x     mat.Matrix
		opt   Options
		sizes []int
	}{
		{"sparse", graphtest.Stories(6000, 40, 3000, 60, rng), Options{Neighbors: 15, Search: ExactSearch}, []int{2, 3, 4}},
		{"dense", dense, Options{Neighbors: 10, Search: ExactSearch}, []int{2, 4}},
		{"approximate", graphtest.Stories(2*approx.CellRows+2000, 40, 2000, 12, rng), Options{Neighbors: 5, Search: ApproxSearch}, []int{2}},
	}
	for _, c := range cases {
		if testing.Short() && c.opt.Search == ApproxSearch {
			continue
		}
		n, _ := c.x.Dims()
		entries, dense := entriesOf(c.x)
		if testing.Short() {
			c.sizes = c.sizes[:1]
		}
		for _, size := range c.sizes {
			opt := c.opt
			opt.Share = ranks.Evenly(ranks.Planned(size), n)
			told, tolds := int64(size)*opt.SharedBytes(entries, dense), opt.SharedReceived(entries, dense)
			got := make([]int64, size)
			parts := make([]mat.Matrix, size)
			for r := range parts {
				lo, hi := ranks.Part(opt.Share, r, n)
				parts[r] = graphtest.Own(c.x, &ranks.Share{Team: ranks.Planned(1), Bounds: []int{lo, hi}})
			}
			least, held := memory.PeakHeap(func() {
				clear(got)
				ranks.Together(size, func(team ranks.Team) {
					mine := c.opt
					team = countedTeam{team, &got[team.Rank()]}
					mine.Share = ranks.Evenly(team, n)
					if _, err := Build(ranks.With(background, team), parts[team.Rank()], mine); err != nil {
						t.Error(err)
					}
				})
			})
			most := int64(0)
			for _, b := range got {
				most = max(most, b)
			}
			t.Logf("%s, %d ranks: told %d, took %d to %d; receives %d, received %d", c.name, size, told, least, held, tolds, most)
			if least > told*3/2 || held < told/4 {
				t.Errorf("%s, %d ranks: took %d to %d bytes, told %d", c.name, size, least, held, told)
			}
			if most > tolds*5/4 || most < tolds/4 {
				t.Errorf("%s, %d ranks: received %d bytes, told %d", c.name, size, most, tolds)
			}
		}
	}
}

// TestSharedPlanOfThreads: the plan of dense rows has what every thread compares.
func TestSharedPlanOfThreads(t *testing.T) {
	defer native.SetThreads(0)
	opt := Options{Neighbors: 7, Share: ranks.Evenly(ranks.Planned(2), 40_000)}
	const d = 200
	told := func(threads int) int64 {
		native.SetThreads(threads)
		return opt.SharedBytes(40_000*d, true)
	}
	const each = 512 * (16*d + 8*512) // two tiles of rows and one of products
	if more := told(9) - told(1); more != 8*each {
		t.Errorf("8 threads more take %d bytes more, not %d", more, 8*each)
	}
}

// TestGhosts: a rank of a random graph reads as many rows as estimated.
func TestGhosts(t *testing.T) {
	const n, k = 6000, 20
	rng := rand.New(rand.NewPCG(5, 1))
	lists := sparse.NewBuilder(n, n)
	for i := range n {
		for range 3 * k / 4 { // in both directions 1.5·k
			if j := rng.IntN(n); j != i {
				lists.Add(i, j, 1)
				lists.Add(j, i, 1)
			}
		}
	}
	w := must.Get(lists.Build())(t)
	for _, size := range []int{2, 4, 16, 64} {
		s := ranks.Evenly(ranks.Planned(size), n)
		got := float64(len(s.Others(graphtest.Own(w, s).(*sparse.CSR).Col)))
		if told := float64(Ghosts(n, size, k)); got < 0.97*told || got > 1.03*told {
			t.Errorf("%d ranks: rank 0 reads %v rows, told %v", size, got, told)
		}
	}
}

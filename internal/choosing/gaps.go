package choosing

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The gaps of eigenvalues are looked at in tables of few columns, in which communities are small
// parts of the groups (docs/which-method.md). Of texts and of many columns they were not tried.
const (
	mostGapColumns = 64
	mostGapRows    = 50000 // for the time of the eigenvalues
	mostGaps       = 50
)

// leastGroup is the least share of the rows in each of the groups that a gap shows: a few outliers
// far from all others make a gap too.
const leastGroup = 0.02

// gaps are the gaps in the spectrum of the neighbour graph, of dense rows with few columns; nil of
// others, and where the eigenvalues are not found. found is what is known of the communities; a
// larger number that they are for comes first, if it has a gap. A gap that shows groups of which
// one has few rows is left out.
func (s *searcher) gaps(ctx context.Context, found choosek.Communities) ([]choosek.Gap, error) {
	n := s.in.Len()
	if s.in.X == nil || sparse.Is(s.in.X) || n > mostGapRows {
		return nil, nil
	}
	most := min(mostGaps, len(s.levels.Finest.Sizes), s.hi)
	if _, cols := s.in.X.Dims(); cols > mostGapColumns || most < 2 || most+1 >= n-s.graph.AllIsolated() {
		return nil, nil
	}
	opt := le.Options{Dims: most + 1, Skip: le.SkipNone}
	opt.Eigen.Seed, opt.Eigen.Observer = s.in.Seed, s.in.Observer
	m, err := le.FitGraph(ctx, s.graph, opt)
	if err != nil {
		return nil, ctx.Err() // the run finds as many as its method needs, and says if it cannot
	}
	likely, _, _ := choosek.ByCommunities(found, s.lo, s.hi)
	gaps := choosek.Gaps(m.Values, most, likely)
	_, cols := m.Coordinates.Dims()
	all := ranks.GatherFloats(s.in.Share, m.Coordinates.RawMatrix().Data)
	y := mat.NewDense(len(all)/cols, cols, all)
	for len(gaps) > 0 && gaps[0].Shows() {
		labels, err := s.kmeansOf(ctx, firstColumns(y, gaps[0].K, true), gaps[0].K, searchStarts, s.j.Seed)
		if err != nil {
			return nil, err
		}
		sizes := make([]int, gaps[0].K)
		for _, l := range labels {
			sizes[l]++
		}
		if float64(slices.Min(sizes)) >= leastGroup*float64(n) {
			break
		}
		gaps = gaps[1:]
	}
	return gaps, nil
}

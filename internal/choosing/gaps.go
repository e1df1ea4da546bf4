package choosing

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
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

// looksAtGaps reports whether gaps are looked at, of rows with some number of columns.
func looksAtGaps(in *method.Input, cols int) bool {
	return !sparse.Is(in.X) && cols <= mostGapColumns && in.Len() <= mostGapRows
}

// gaps are the gaps in the spectrum of the neighbour graph, of dense rows with few columns; nil of
// others, and where the eigenvalues are not found. serial says that the rows of the groups follow
// one another as a series does ([choosek.Serial]). found is what is known of the communities; a
// larger number that they are for comes first, if it has a gap. A gap that shows groups of which
// one has few rows is left out, and of a single column one that is not wide: rows on a line are
// neighbours of those on both sides alone, so that the graph is thin wherever rows are rare.
func (s *searcher) gaps(ctx context.Context, found choosek.Communities) (gaps []choosek.Gap, serial bool, err error) {
	n := s.in.Len()
	if s.in.X == nil {
		return nil, false, nil
	}
	most := min(mostGaps, len(s.levels.Finest.Sizes), s.hi)
	here, cols := s.in.X.Dims()
	if !looksAtGaps(s.in, cols) || most < 2 || most+1 >= n-s.graph.AllIsolated() {
		return nil, false, nil
	}
	opt := le.Options{Dims: most + 1, Skip: le.SkipNone}
	opt.Eigen.Seed, opt.Eigen.Observer = s.in.Seed, s.in.Observer
	m, err := le.FitGraph(ctx, s.graph, opt)
	if err != nil {
		return nil, false, ctx.Err() // the run finds as many as its method needs, and says if it cannot
	}
	likely, _, _ := choosek.ByCommunities(found, s.lo, s.hi)
	gaps = choosek.Gaps(m.Values, most, likely)
	_, dims := m.Coordinates.Dims()
	all := ranks.GatherFloats(s.in.Share, m.Coordinates.RawMatrix().Data)
	y := mat.NewDense(len(all)/dims, dims, all)
	for len(gaps) > 0 && gaps[0].Shows() {
		if cols == 1 && !gaps[0].Wide() {
			gaps = gaps[1:]
			continue
		}
		labels, err := s.kmeansOf(ctx, firstColumns(y, gaps[0].K, true), gaps[0].K, searchStarts, s.j.Seed)
		if err != nil {
			return nil, false, err
		}
		sizes := make([]int, gaps[0].K)
		for _, l := range labels {
			sizes[l]++
		}
		if float64(slices.Min(sizes)) >= leastGroup*float64(n) {
			own := make([]int, here)
			for i := range own {
				own[i] = i
			}
			x, err := s.gatheredRows(own)
			if err != nil {
				return nil, false, err
			}
			return gaps, choosek.Serial(x, labels), nil
		}
		gaps = gaps[1:]
	}
	return gaps, false, nil
}

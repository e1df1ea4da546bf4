package choosing

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The gaps of eigenvalues are looked at in tables of few columns, in which communities are small
// parts of the groups (docs/studies/number.md). Of texts and of many columns they were not tried.
const (
	mostGapColumns = 64
	mostGapRows    = 50000 // for the time of the eigenvalues
	mostGaps       = 50
)

// leastGroup is the least share of the rows in a group that counts as a cluster: a few outliers far
// from all others make a gap too.
const leastGroup = 0.01

// looksAtGaps reports whether gaps are looked at, of rows with some number of columns.
func looksAtGaps(in *method.Input, cols int) bool {
	return !sparse.Is(in.X) && cols <= mostGapColumns && in.Len() <= mostGapRows
}

// gaps are the gaps in the spectrum of the neighbour graph, of dense rows with few columns; nil of
// others, and where the eigenvalues are not found. serial says that the rows of the groups follow
// one another as a series does ([choosek.Serial]). found is what is known of the communities; a
// larger number that they are for comes first, if it has a gap. Of groups with few rows those are
// counted that have more, and gaps with fewer than two of these are left out; so is of a single
// column one that is not wide: rows on a line are neighbours of those on both sides alone, so that
// the graph is thin wherever rows are rare.
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
	gaps = choosek.Gaps(m.Values, most, likely, cols)
	_, dims := m.Coordinates.Dims()
	all := ranks.GatherFloats(s.in.Share, m.Coordinates.RawMatrix().Data)
	y := mat.NewDense(len(all)/dims, dims, all)
	for len(gaps) > 0 && (gaps[0].Shows() || gaps[0].Faint()) {
		g := &gaps[0]
		if cols > 1 || g.Wide() {
			labels, err := s.kmeansOf(ctx, firstColumns(y, g.K, true), g.K, searchStarts, s.j.Seed)
			if err != nil {
				return nil, false, err
			}
			if g.Small = smallGroups(labels, g.K); g.Clusters() > 1 {
				serial, err := s.isSerial(here, labels)
				return gaps, serial, err
			}
		}
		gaps = gaps[1:]
	}
	return gaps, false, nil
}

// smallGroups counts the groups whose rows are too few for a cluster.
func smallGroups(labels []int, groups int) int {
	small := 0
	for _, size := range method.SizesOf(labels, groups) {
		if float64(size) < leastGroup*float64(len(labels)) {
			small++
		}
	}
	return small
}

// isSerial reports whether the rows, of which so many are here, follow one another in their groups
// as those of a series.
func (s *searcher) isSerial(here int, labels []int) (bool, error) {
	own := indices.UpTo(here)
	x, err := s.gatheredRows(own)
	if err != nil {
		return false, err
	}
	return choosek.Serial(x, labels), nil
}

package choosing

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// levelRows is how many rows the levels of communities are compared on at most, by silhouettes.
const levelRows = 1000

// alikeSearches is in how many searches communities must be as alike to count together.
const alikeSearches = 3

// mostLevels is the largest number of communities whose silhouettes are measured.
const mostLevels = 100

// hasCommunities says whether the documents have a graph whose communities can be looked for:
// rows, or an affinity without negative entries.
func (s *searcher) hasCommunities() bool {
	if s.in.Graph == nil {
		return s.in.X != nil
	}
	return !slices.ContainsFunc(s.in.Graph.W.Val, func(w float64) bool { return w < 0 })
}

// neighbourGraph builds the neighbour graph. It takes those options of the graph that the method
// has and the user has set; a fit with the same options then uses this graph.
func (s *searcher) neighbourGraph(ctx context.Context) (*graph.Graph, float64, error) {
	opt := new(leiden.Options)
	own := option.Of(s.config)
	for _, f := range option.Of(opt) {
		if o := option.Find(own, f.Name); o != nil && o.IsSet() && o.Group == f.Group {
			if err := f.Set(o.String()); err != nil {
				return nil, 0, err
			}
		}
	}
	g, _, err := s.in.Affinity(ctx, opt.GraphOptions(s.in))
	return g, opt.Resolution, err
}

// findCommunities finds the communities of the neighbour graph and their mergers.
func (s *searcher) findCommunities(ctx context.Context) error {
	g, resolution, err := s.neighbourGraph(ctx)
	if err != nil {
		return err
	}
	defer s.j.Stage("choose k")()
	s.graph = g
	s.levels, err = leiden.FindLevels(ctx, g, leiden.Search{Resolution: resolution, Seed: s.in.Seed, Observer: s.in.Observer})
	return err
}

// byCommunities chooses by the communities of the neighbour graph.
func (s *searcher) byCommunities(ctx context.Context) error {
	l := s.levels
	most := len(l.Finest.Sizes)
	found := choosek.Communities{Most: most, Effective: l.Effective, Fewest: l.Fewest(), Few: job.Few(s.in.Len()), Alone: s.alone()}
	found.Unjoined = most > 1 && most == s.graph.Components
	var err error
	if found.Groups, err = s.alike(ctx, found); err != nil {
		return err
	}
	if found.Silhouettes, err = s.levelSilhouettes(ctx); err != nil {
		return err
	}
	if found.Gaps, found.Serial, err = s.gaps(ctx, found); err != nil {
		return err
	}
	if found.Gaps != nil {
		found.Rows = s.in.Len()
	}
	for k := s.lo; k <= s.hi; k++ {
		p := choosek.Point{K: k, Score: math.NaN()}
		if k <= most {
			if p.Score = l.Modularity[most-k]; k == most {
				p.Error = l.Error // of the finest level alone
			}
		}
		s.points = append(s.points, p)
	}
	out := s.out
	out.fewest = found.Fewest
	out.ByGap = found.ByGap(s.lo, s.hi)
	out.Clusters, out.Evidence, out.Because = choosek.ByCommunities(found, s.lo, s.hi)
	out.RunnersUp = choosek.Runners(found, choosek.Rank(out.By, s.points), out.Clusters, s.lo, s.hi, runnersUp)
	return nil
}

// alike is what groups the communities are, joined where they are alike; none without rows, of
// dense rows of few columns, whose communities are no evidence, and of few documents. They decide
// only if they do in three searches, since another one may part the communities anew, beside the
// effective number of communities of the first, and are then the middle number of the three.
func (s *searcher) alike(ctx context.Context, found choosek.Communities) (choosek.Groups, error) {
	if s.in.X == nil || found.Few > 0 {
		return choosek.Groups{}, nil
	}
	dense := !sparse.Is(s.in.X)
	if _, cols := s.in.X.Dims(); dense && cols <= mostGapColumns {
		return choosek.Groups{}, nil
	}
	var numbers []int
	for l := s.levels; ; {
		found.Groups = choosek.Joined{Likeness: l.Likeness, Smaller: l.Smaller, Effective: found.Effective, Dense: dense}.Apart(s.lo)
		if numbers = append(numbers, found.Groups.K); !found.ByGroups(s.lo) {
			return found.Groups, nil
		}
		if len(numbers) == alikeSearches {
			slices.Sort(numbers)
			return choosek.Groups{K: numbers[alikeSearches/2], Decide: true}, nil
		}
		var err error
		search := leiden.Search{Resolution: s.levels.Finest.Resolution, Seed: s.in.Seed + uint64(len(numbers)), Observer: s.in.Observer}
		if l, err = leiden.FindLevels(ctx, s.graph, search); err != nil {
			return choosek.Groups{}, err
		}
	}
}

// alone is how many documents without neighbours are clusters of their own.
func (s *searcher) alone() int { return s.j.CountAlone(s.in.Len(), s.graph.AllIsolated()) }

// levelSilhouettes are the mean silhouettes of the levels, on a sample of the rows; nil without
// rows, and where communities are too many for them to be far apart.
func (s *searcher) levelSilhouettes(ctx context.Context) ([]choosek.Point, error) {
	from, to := max(s.lo, 2), min(s.hi, len(s.levels.Finest.Sizes))
	if s.in.X == nil || to < from || to > mostLevels {
		return nil, nil
	}
	rows := choosek.Sample(s.in.Len(), levelRows, s.j.Seed)
	first := s.in.Share.First()
	here, _ := s.in.X.Dims()
	var own []int
	for _, i := range rows {
		if i >= first && i < first+here {
			own = append(own, i-first)
		}
	}
	x, err := s.gatheredRows(own)
	if err != nil {
		return nil, err
	}
	var labelings [][]int
	for k := from; k <= to; k++ {
		found, _ := s.levels.At(k)
		labelings = append(labelings, ranks.GatherInts(s.in.Share, labels.Pick(found, own)))
	}
	means, err := choosek.Silhouettes(ctx, x, nil, labelings, nil)
	if err = ranks.Agree(s.j.Share, err); err != nil {
		return nil, err
	}
	points := make([]choosek.Point, len(means))
	for i, m := range means {
		points[i] = choosek.Point{K: from + i, Score: m}
	}
	return points, nil
}

// gatheredRows are some rows of all ranks, on every rank: the own ones of each, in the order of the
// ranks.
func (s *searcher) gatheredRows(own []int) (mat.Matrix, error) {
	x, err := sparse.Stored(choosek.Rows(s.in.X, own))
	if err = ranks.Agree(s.in.Share, err); err != nil || !s.in.Share.Divided() {
		return x, err
	}
	if dense, ok := x.(*mat.Dense); ok {
		_, cols := s.in.X.Dims()
		all := ranks.GatherFloats(s.in.Share, dense.RawMatrix().Data)
		return mat.NewDense(len(all)/cols, cols, all), nil
	}
	return job.GatherRows(s.in.Share, x.(*sparse.CSR)), nil
}

// describeOthers says what the number chosen and its runners-up divide the communities into.
func (s *searcher) describeOthers() error {
	most := len(s.levels.Finest.Sizes)
	chosen := min(s.out.Clusters, most)
	labels, _ := s.levels.At(chosen)
	labels = ranks.GatherInts(s.in.Share, labels)
	for _, k := range append([]int{s.out.Clusters}, s.out.RunnersUp...) {
		if k > most {
			continue
		}
		other, sizes := s.levels.At(k)
		t, err := metrics.NewTable(labels, ranks.GatherInts(s.in.Share, other))
		if err != nil {
			return err
		}
		s.out.Candidates = append(s.out.Candidates, SearchCandidate{K: k, Modularity: s.levels.Modularity[most-k],
			Largest: sizes[0], Smallest: sizes[len(sizes)-1], Agreement: t.Scores().NMI})
	}
	return nil
}

package method

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Documents that differ little from each other, such as mails of one template, have nearly all
// neighbours among themselves. A group of them is nearly a component of the graph, and k of them
// use up the k eigenvectors that were to tell clusters apart. Where the input says Together, a
// small group counts as one node of the graph: the neighbours of the group are then searched
// beyond it.

// A group is small if it has at most this part of the documents that a cluster has on average.
const smallGroup = 8

// nearCopies is the least mean cosine in a group of near-copies. Mails of one template have .78 and
// more; reviews of one film, a narrow topic, have .19 to .41.
const nearCopies = 0.5

// defaultClusters is the number of clusters by which groups are small if none is known.
const defaultClusters = 10

// together is the graph g of rows x under opt, in which small groups that are tight count as one
// node each. It is g itself if there are none. All ranks call it.
func (in *Input) together(ctx context.Context, g *graph.Graph, x mat.Matrix, opt graph.Options) (*graph.Graph, error) {
	cosines := opt.Weight == graph.Dot || opt.Weight == "" && in.Sparse() // of rows of unit length
	if !in.Together || g.IsComplete() || !cosines {
		return g, nil
	}
	most := in.smallGroup()
	groups, err := Common(in, "tight groups", x, tightKey{g, most}, func() ([][]int32, error) { return in.tight(ctx, g, most) })
	if groups = in.undivided(groups); err != nil || len(groups) == 0 {
		return g, err
	}
	among, err := in.among(ctx, x, groups, opt, g)
	if err != nil || among == nil {
		return g, err
	}
	out, err := graph.Together(g.Total(), among, groups)
	if err != nil {
		return nil, err
	}
	in.noteTogether(groups)
	if g.Share.Divided() {
		if out, err = out.Part(in.Share); err != nil {
			return nil, err
		}
	}
	out.Reach, out.Scales, out.HeatWidth = g.Reach, g.Scales, g.HeatWidth // new documents meet all
	return out, nil
}

// tightKey is what the groups of a graph depend on.
type tightKey struct {
	of   *graph.Graph
	most int
}

// smallGroup is the number of documents of a small group, at most.
func (in *Input) smallGroup() int {
	k := max(in.Clusters, in.Classes)
	if k == 0 {
		k = defaultClusters
	}
	return in.Len() / (smallGroup * k)
}

// wholeGraph is the graph of all ranks' documents, on every rank.
func wholeGraph(g *graph.Graph) (*graph.Graph, error) {
	if g.Share.Divided() {
		return g.Whole()
	}
	return g, nil
}

// tight finds the small groups; none if there is no memory for the search.
func (in *Input) tight(ctx context.Context, g *graph.Graph, most int) ([][]int32, error) {
	need := g.TightBytes()
	if g.Share.Divided() { // every rank looks at the whole graph, and joins it again
		need = memory.Sum(memory.Bytes(2*16, ranks.Count(in.Share, g.W.NNZ())), memory.Bytes(8*8, g.Total()))
	}
	if most < 2 {
		return nil, nil
	}
	if ranks.Least(in.Share, memory.Left(ctx)) < need {
		in.Notef("Groups of nearly equal documents are not looked for in the graph: the memory does not allow it")
		return nil, nil
	}
	whole, err := wholeGraph(g)
	if err != nil {
		return nil, err
	}
	groups, err := whole.Tight(ctx, most, nearCopies)
	return groups, ranks.Agree(in.Share, err)
}

// undivided leaves out groups that known labels divide, or that have links, and puts a document
// with a label first.
func (in *Input) undivided(groups [][]int32) (list [][]int32) {
	var given []int
	if in.Given != nil {
		given = ranks.GatherInts(in.Share, in.Given.Labels)
	}
	for _, set := range groups {
		class, at := -1, 0
		mixed := in.Links != nil && slices.ContainsFunc(set, func(i int32) bool { return in.Links.Group[i] >= 0 })
		for k, i := range set {
			if given == nil || given[i] < 0 {
				continue
			}
			if class < 0 {
				class, at = given[i], k
			}
			mixed = mixed || given[i] != class
		}
		if mixed {
			continue
		}
		if at > 0 {
			set = slices.Clone(set)
			set[0], set[at] = set[at], set[0]
		}
		list = append(list, set)
	}
	return list
}

// among is the graph of the documents of no group and of the first ones of groups, of all ranks;
// nil if a rank has none of these.
func (in *Input) among(ctx context.Context, x mat.Matrix, groups [][]int32, opt graph.Options, g *graph.Graph) (*graph.Graph, error) {
	left := make([]bool, in.Len())
	for _, set := range groups {
		for _, i := range set[1:] {
			left[i] = true
		}
	}
	here, _ := x.Dims()
	var kept []int
	for i := range here {
		if !left[in.Share.First()+i] {
			kept = append(kept, i)
		}
	}
	if ranks.Least(in.Share, int64(len(kept))) == 0 {
		return nil, nil
	}
	opt.HeatWidth = g.HeatWidth
	if in.Share.Divided() {
		opt.Share = ranks.NewShare(in.Share, len(kept))
	}
	if opt.Neighbors > 0 {
		opt.Neighbors = min(opt.Neighbors, opt.Share.Among(len(kept))-1)
	}
	if ranks.Least(in.Share, memory.Left(ctx)) < amongBytes(x, len(kept), opt) {
		in.Notef("Groups of nearly equal documents stay as they are in the graph: the memory does not allow a second one")
		return nil, nil
	}
	some, err := Common(in, "rows together", x, groups, func() (mat.Matrix, error) { return rows.Select(x, kept), nil })
	if err != nil {
		return nil, err
	}
	among, err := in.build(ctx, some, opt)
	if err != nil {
		return nil, err
	}
	return wholeGraph(among)
}

// amongBytes estimates the memory of the graph of kept rows of x, with their copies.
func amongBytes(x mat.Matrix, kept int, opt graph.Options) int64 {
	rows, cols := x.Dims()
	entries, each, isSparse := rows*cols, int64(8), false
	if s, ok := x.(sparse.Rows); ok {
		entries, each, isSparse = s.Pattern().NNZ(), 12, true
	}
	part := func(of int) int { return int(float64(entries) / float64(max(1, rows)) * float64(of)) }
	build := opt.BuildBytes(kept, part(kept), isSparse)
	if opt.Share.Divided() {
		build = opt.SharedBytes(part(opt.Share.Total()), !isSparse)
	}
	return memory.Sum(build, memory.Bytes(each, part(kept)))
}

// noteTogether notes how many groups there are, and the largest.
func (in *Input) noteTogether(groups [][]int32) {
	documents, largest := 0, groups[0]
	for _, set := range groups {
		if documents += len(set); len(set) > len(largest) {
			largest = set
		}
	}
	in.Notef("%s of nearly equal documents, with %s documents, of the largest %s (%s among them), have nearly all neighbours among themselves: each group counts as one node of the graph; ‹duplicates› keep takes them as they are",
		words.Plural(len(groups), "group", "groups"), words.Thousands(documents), words.Thousands(len(largest)), in.ID(int(largest[0])-in.Share.First()))
}

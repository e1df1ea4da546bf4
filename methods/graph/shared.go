package graph

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// buildShared is Build of rows of which each rank has its own. Every rank gets the edges of its own
// documents, in the order of their neighbours' numbers among all. Edges and weights are those of
// one process, but for the last bits of a width of the heat kernel that is a mean.
//
// Memory of a rank: that of its rows, about four times that of the rows of one other rank while a
// tile is searched (as received, decoded, and both ranks' rows in one matrix) or that of
// sharedApproxBytes for an approximate search, and 100 bytes for each edge of its own documents.
//
// lost counts the edges that were left out because their weight is not positive, once per
// direction.
func buildShared(ctx context.Context, s *sparse.CSR, d *mat.Dense, opt Options) (g *Graph, lost int, err error) {
	share := opt.Share
	if opt.Epsilon > 0 {
		return nil, 0, invalid.Errorf("‹epsilon› joins documents by distance, which ranks do not divide: give ‹neighbors›")
	}
	n, own := share.Total(), share.Own()
	var x mat.Matrix = d
	if s != nil {
		x = s
	}
	var kept []int
	if s != nil {
		if kept = keptRows(s); len(kept) < own {
			s = s.SelectRows(kept)
		}
	} else if kept = keptRows(d); len(kept) < own {
		d = keepRows(d, kept).(*mat.Dense)
	}
	filled := ranks.Count(share, len(kept))
	asked := opt.Neighbors
	opt.Neighbors = min(opt.Neighbors, filled-1)
	out := &sparse.CSR{NumRows: own, NumCols: n, RowPtr: make([]int, own+1)}
	reach := slices.Repeat([]float64{math.MaxFloat64}, own)
	if opt.Neighbors > 0 {
		ids := make([]int32, len(kept))
		for r, i := range kept {
			ids[r] = int32(share.First() + i)
		}
		t, err := newSharedSearch(share, s, d, ids, opt.Neighbors)
		if err == nil {
			err = t.search(ctx, filled, opt)
		}
		if err != nil {
			return nil, 0, err
		}
		t.best.edges(out, kept, opt.Weight, s != nil)
		if asked == opt.Neighbors {
			t.best.reach(reach, kept)
		}
	}
	u := join(out, incoming(share, out), opt)
	scales, err := u.tune(x, &opt)
	if err = ranks.Agree(share, err); err != nil {
		return nil, 0, err
	}
	w, lost, err := u.weighShared(share, scales, opt)
	if err = ranks.Agree(share, err); err != nil {
		return nil, 0, err
	}
	g, err = newShared(share, w)
	if err != nil {
		return nil, 0, err
	}
	g.Reach, g.Scales = reach, scales
	if opt.Weight == Heat {
		g.HeatWidth = opt.HeatWidth
	}
	return g, ranks.Count(share, lost), nil
}

// reportShared notes edges that were left out, and isolated documents, of all ranks.
func (g *Graph) reportShared(lost int, opt Options) {
	if lost > 0 {
		opt.Observer.Notef(stage, "%d edges with a %s weight that is not positive are left out", lost/2, opt.Weight)
	}
	if g.isolated > 0 {
		opt.Observer.Warnf(stage, "Isolated documents without neighbours: %d of %d.", g.isolated, g.Total())
	}
}

// newShared is newGraph of the rows of own points.
func newShared(share *ranks.Share, w *sparse.CSR) (*Graph, error) {
	g := &Graph{W: w, Degrees: w.RowSums(), Isolated: w.EmptyRows(), Share: share}
	var err error
	for i, v := range g.Degrees {
		if math.IsInf(v, 1) {
			err = invalid.Errorf("the weights at node %d (counted from 0) sum to infinity: scale the data or the weights down", share.First()+i)
		}
	}
	if err = ranks.Agree(share, err); err != nil {
		return nil, err
	}
	g.Component, g.Components = sharedComponents(share, w)
	g.isolated = ranks.Count(share, len(g.Isolated))
	return g, nil
}

// Part returns the nodes of a whole graph that this rank has by a division, with their edges. All
// ranks call it, each with the same graph.
func (g *Graph) Part(share *ranks.Share) (*Graph, error) {
	own := make([]int, share.Own())
	for i := range own {
		own[i] = share.First() + i
	}
	part, err := newShared(share, g.W.SelectRows(own))
	if err == nil {
		part.HeatWidth, part.Reach, part.Scales = g.HeatWidth, ranks.Own(share, g.Reach), ranks.Own(share, g.Scales)
	}
	return part, err
}

// Whole is a shared graph with the nodes of all ranks, on every rank: 12 bytes per entry of W. All
// ranks call it.
func (g *Graph) Whole() (*Graph, error) {
	if g.IsComplete() {
		return newComplete(nil, gathered(g.Share, g.Rows), allMarks(g.Share, g.apart))
	}
	w, _ := eigen.Shared{Share: g.Share, W: g.W}.Gather()
	whole, err := newGraph(w)
	if err == nil {
		whole.HeatWidth = g.HeatWidth
		whole.Reach, whole.Scales = ranks.GatherFloats(g.Share, g.Reach), ranks.GatherFloats(g.Share, g.Scales)
	}
	return whole, err
}

// allMarks joins the marks of all ranks' points; nil if no rank has marks.
func allMarks(share *ranks.Share, own []bool) []bool {
	if own == nil {
		return nil
	}
	var said []byte
	for _, m := range own {
		said = append(said, 0)
		if m {
			said[len(said)-1] = 1
		}
	}
	all := []bool{}
	for _, part := range ranks.Gather(share, said) {
		for _, m := range part {
			all = append(all, m == 1)
		}
	}
	return all
}

// numbersOf returns a function of the points that own points have edges to, which have the numbers
// that own has one of per own point, and of the own points.
func (g *Graph) numbersOf(own []int32) func(j int32) int32 {
	first := int32(g.Share.First())
	ghosts := ranks.NewGhosts(g.Share, g.Share.Others(g.W.Col))
	theirs := ghosts.Numbers(own)
	return func(j int32) int32 {
		if at := j - first; at >= 0 && int(at) < len(own) {
			return own[at]
		}
		at, _ := slices.BinarySearch(ghosts.IDs, j)
		return theirs[at]
	}
}

// apartShared is Apart of a shared graph; marked are own points.
func (g *Graph) apartShared(marked []bool) (*Graph, error) {
	own := make([]int32, len(marked))
	for i, m := range marked {
		if m {
			own[i] = 1
		}
	}
	mark := g.numbersOf(own)
	return newShared(g.Share, g.W.Filter(func(i, j int, _ float64) bool { return !marked[i] || mark(int32(j)) == 0 }))
}

// Joined is the graph of the own points kept, ascending, which have a neighbour or a companion in a
// set. sets has the own points of each set, numbered among those kept; every two points of a set,
// of all ranks, are joined by an edge of the weight. Sets without a point are left out.
func (g *Graph) Joined(kept []int, sets [][]int32, weight float64) (eigen.Shared, error) {
	share := ranks.NewShare(g.Share, len(kept))
	set, count := setOf(share, len(kept), sets)
	number := slices.Repeat([]int32{-1}, g.Len())
	for at, i := range kept {
		number[i] = int32(share.First() + at)
	}
	to := g.numbersOf(number)
	s := eigen.Shared{Share: share, Sets: count, Weight: weight, W: &sparse.CSR{NumRows: len(kept), NumCols: share.Total(), RowPtr: make([]int, 1, len(kept)+1)}}
	for _, i := range kept {
		cols, vals := g.W.Row(i)
		for k, j := range cols { // numbers ascend as those of all points do
			s.W.Col, s.W.Val = append(s.W.Col, to(j)), append(s.W.Val, vals[k])
		}
		s.W.RowPtr = append(s.W.RowPtr, len(s.W.Col))
	}
	edges := s.W
	if count > 0 {
		s.Set = set
		edges = withHubs(share, s.W, s.Set, count)
	}
	s.Component, s.Components = sharedComponents(share, edges)
	return s, nil
}

// setOf is the set of each of n own points, −1 for none, and the number of sets that have a point.
func setOf(share *ranks.Share, n int, sets [][]int32) (set []int32, count int) {
	size := make([]float64, len(sets))
	for s, members := range sets {
		size[s] = float64(len(members))
	}
	share.Sum(size)
	set = slices.Repeat([]int32{-1}, n)
	for s, members := range sets {
		if size[s] == 0 {
			continue
		}
		for _, i := range members {
			set[i] = int32(count)
		}
		count++
	}
	return set, count
}

// withHubs is the graph with an edge between each point of a set and its lowest point.
func withHubs(share *ranks.Share, w *sparse.CSR, set []int32, sets int) *sparse.CSR {
	hub := slices.Repeat([]float64{math.Inf(-1)}, sets)
	for i := len(set) - 1; i >= 0; i-- {
		if set[i] >= 0 {
			hub[set[i]] = -float64(share.First() + i)
		}
	}
	ranks.Largest(share, hub)
	out := &sparse.CSR{NumRows: w.NumRows, NumCols: w.NumCols, RowPtr: make([]int, w.NumRows+1)}
	for i, s := range set {
		if s >= 0 && int(-hub[s]) != share.First()+i {
			out.Col, out.Val = append(out.Col, int32(-hub[s])), append(out.Val, 1)
		}
		out.RowPtr[i+1] = len(out.Col)
	}
	both := join(out, incoming(share, out), Options{})
	return join(w, both.CSR, Options{}).CSR
}

// reach sets the squared distance of the last candidate of the rows kept, which have k each.
func (l *sharedLists) reach(to []float64, kept []int) {
	for at, i := range kept {
		far := 0.0
		for _, d := range l.dist2[at*l.k : at*l.k+int(l.count[at])] {
			far = max(far, d)
		}
		to[i] = far
	}
}

// edges puts the candidates of the rows kept into a matrix of all own rows: i→j with the raw value
// of weight w, columns ascending. If related is set, it leaves out pairs whose dot product is not
// positive.
func (l *sharedLists) edges(out *sparse.CSR, kept []int, w Weight, related bool) {
	row := make([]near, 0, l.k)
	at := 0
	for i := range out.NumRows {
		if at < len(kept) && kept[at] == i {
			row = row[:0]
			for c := at * l.k; c < at*l.k+int(l.count[at]); c++ {
				if !related || l.dot[c] > 0 {
					row = append(row, near{l.index[c], l.dist2[c], l.dot[c]})
				}
			}
			slices.SortFunc(row, func(a, b near) int { return cmp.Compare(a.j, b.j) })
			for _, v := range row {
				out.Col, out.Val = append(out.Col, v.j), append(out.Val, w.raw(v.dist2, v.dot))
			}
			at++
		}
		out.RowPtr[i+1] = len(out.Col)
	}
}

// incoming are the edges j→i of all ranks, in row i of the own rows: the transpose. 16 bytes go
// from rank to rank for each.
func incoming(share *ranks.Share, out *sparse.CSR) *sparse.CSR {
	parts := make([][]byte, share.Size())
	for i := range out.NumRows {
		cols, vals := out.Row(i)
		for k, j := range cols {
			r := share.Owner(int(j))
			parts[r] = binary.LittleEndian.AppendUint32(parts[r], uint32(int(j)-share.Bounds[r]))
			parts[r] = binary.LittleEndian.AppendUint32(parts[r], uint32(share.First()+i))
			parts[r] = binary.LittleEndian.AppendUint64(parts[r], math.Float64bits(vals[k]))
		}
	}
	got := share.Exchange(parts)
	in := &sparse.CSR{NumRows: out.NumRows, NumCols: out.NumCols, RowPtr: make([]int, out.NumRows+1)}
	each := func(visit func(i int, j int32, v float64)) {
		for _, part := range got { // the sources ascend from rank to rank, and within each
			for ; len(part) > 0; part = part[16:] {
				visit(int(binary.LittleEndian.Uint32(part)), int32(binary.LittleEndian.Uint32(part[4:])), math.Float64frombits(binary.LittleEndian.Uint64(part[8:])))
			}
		}
	}
	each(func(i int, _ int32, _ float64) { in.RowPtr[i+1]++ })
	for i := range out.NumRows {
		in.RowPtr[i+1] += in.RowPtr[i]
	}
	fill := slices.Clone(in.RowPtr)
	in.Col, in.Val = make([]int32, in.RowPtr[out.NumRows]), make([]float64, in.RowPtr[out.NumRows])
	each(func(i int, j int32, v float64) {
		in.Col[fill[i]], in.Val[fill[i]] = j, v
		fill[i]++
	})
	return in
}

// sharedMean is the mean raw value of the edges of all ranks, each counted once.
func (u undirected) sharedMean(share *ranks.Share) float64 {
	mean, count := u.meanBefore(share.First())
	total := ranks.Count(share, count)
	sum := []float64{mean * (float64(count) / max(1, float64(total)))} // weighted means cannot overflow
	share.Sum(sum)
	return sum[0]
}

// meanBefore is the mean raw value of the edges of own rows, the first of which has the number
// first, to documents before them, and the number of these edges.
func (u undirected) meanBefore(first int) (mean float64, count int) {
	for i := range u.NumRows {
		cols, vals := u.Row(i)
		for k, j := range cols {
			if int(j) < first+i {
				count++
				mean += (vals[k] - mean) / float64(count) // a running mean cannot overflow
			}
		}
	}
	return mean, count
}

// sharedMedian is medianEdge of all ranks: 64 counts find the bits of a value that is not negative.
func (u undirected) sharedMedian(share *ranks.Share) float64 {
	var vals []float64
	for i := range u.NumRows {
		cols, raw := u.Row(i)
		for k, j := range cols {
			if int(j) < share.First()+i {
				vals = append(vals, raw[k])
			}
		}
	}
	slices.Sort(vals)
	total := ranks.Count(share, len(vals))
	if total == 0 {
		return 0
	}
	// at is the value of which exactly m are smaller or equal copies precede: the m-th smallest.
	at := func(m int) float64 {
		lo, hi := uint64(0), math.Float64bits(math.Inf(1))
		for lo < hi {
			mid := lo + (hi-lo)/2
			below, _ := slices.BinarySearch(vals, math.Nextafter(math.Float64frombits(mid), math.Inf(1)))
			if ranks.Count(share, below) > m {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		return math.Float64frombits(lo)
	}
	if total%2 == 1 {
		return at(total / 2)
	}
	return at(total/2-1)/2 + at(total/2)/2
}

// weighShared is weigh for the edges of own rows, whose scales are those of LocalWidth.
func (u undirected) weighShared(share *ranks.Share, scales []float64, opt Options) (*sparse.CSR, int, error) {
	if scales == nil {
		return weigh(u, nil, nil, opt)
	}
	// The columns are numbered by the points that the own rows have edges to, whose scales their
	// owners know.
	first := int32(share.First())
	others := share.Others(u.Col)
	g := ranks.NewGhosts(share, others)
	theirs := g.Rows(scales, 1, 1)
	cols := make([]float64, 0, len(scales)+len(theirs))
	cols = append(append(cols, scales...), theirs...)
	for k, j := range u.Col {
		if at, found := slices.BinarySearch(others, j); found {
			u.Col[k] = int32(u.NumRows + at)
		} else {
			u.Col[k] = j - first
		}
	}
	w, lost, err := weigh(u, scales, cols, opt)
	if err != nil {
		return nil, 0, err
	}
	for k, j := range w.Col {
		if int(j) < u.NumRows {
			w.Col[k] = j + first
		} else {
			w.Col[k] = others[int(j)-u.NumRows]
		}
	}
	return w, lost, nil
}

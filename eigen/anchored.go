package eigen

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Anchored is a graph some of whose points belong to groups (for example the labelled documents of
// a class), prepared for many maps that each merge the groups into two nodes. In each map the
// points of groups on one side are joined to each other by edges of a fixed weight and have no
// edges to the other side; all other edges stay as in the graph. Chen et al. 2010, section 3.2: the
// W_k, P_k of the Constrained Laplacian Eigenmap with the pencil PᵀL_kP z = λ PᵀD_kP z.
//
// The maps differ in two rows and columns only. With the matrix of the free points, S = D^-1/2 W_uu
// D^-1/2, every map is
//
//	⎡ S   α   β  ⎤ ⎡x⎤       ⎡x⎤
//	⎢ αᵀ  s_A 0  ⎥ ⎢p⎥  =  μ ⎢p⎥ ,   λ = 1 − μ,
//	⎣ βᵀ  0   s_B⎦ ⎣q⎦       ⎣q⎦
//
// and all of them share S: see [Anchored.Solve]. No dense matrix is formed for the joined points,
// at any number of them: their |l|² edges vanish from the quadratic form and count only in the
// masses m_A, m_B of the nodes.
//
// Components of the graph without a point of any group carry no information about the groups. They
// are left out and placed at 0, so that no map is spent on them (each remains an eigenvector of its
// whole pencil). If a part of the free points is connected loosely enough, a map separates this
// part from the rest and takes nearly one value on both sides: the labels do not reach it. An
// Anchored is safe for concurrent use.
type Anchored struct {
	group  []int32 // group of each point; -1 is free
	groups int
	inside float64

	free   []int32     // the free points that take part, ascending
	s      Operator    // S; *sparse.CSR unless whole is set
	whole  *Factor     // of a complete graph: all points; else nil
	border *sparse.CSR // free×groups: weights to the points of each group
	degree []float64   // degrees of the free points, including edges to groups
	root   []float64   // square roots of degree
	size   []float64   // number of points in each group
	edges  []float64   // weight from each group to free points
	apart  []int       // points in components without a group

	part    []int32   // component of each free point in the graph of free points
	volume  []float64 // sum of the degrees in each of these components
	touches [][]int32 // groups to which each of them has edges, ascending
}

// NewAnchored prepares a graph with symmetric weights W ≥ 0. group[i] is 0 to groups−1, or −1 for a
// free point; every group needs a point. inside > 0 is the weight of the edges within a side. Edges
// between points of groups are ignored.
//
// Residuals are limited by rounding relative to the largest degree. If weights differ by more than
// about 1e13, the effect of the small ones is lost.
//
// Memory: a scaled copy of the free part of W, and O(n). Errors: weights that are not finite,
// negative or asymmetric; empty groups.
func NewAnchored(w *sparse.CSR, group []int32, groups int, inside float64) (*Anchored, error) {
	n, c := w.Dims()
	if n != c || len(group) != n {
		return nil, invalid.Errorf("the groups of %d points do not fit a %d×%d affinity matrix", len(group), n, c)
	}
	a, err := newAnchored(group, groups, inside)
	if err != nil {
		return nil, err
	}
	w, err = offDiagonal(w)
	if err != nil {
		return nil, err
	}
	if slices.Contains(w.Val, 0) { // an edge of weight 0 joins nothing
		w = w.Filter(func(_, _ int, v float64) bool { return v > 0 })
	}
	a.chooseFree(w)
	a.split(w)
	if err := a.checkSum(); err != nil {
		return nil, err
	}
	return a, nil
}

// newAnchored checks the groups and counts their points.
func newAnchored(group []int32, groups int, inside float64) (*Anchored, error) {
	switch {
	case groups < 1:
		return nil, invalid.Errorf("there are no groups of points to merge")
	case !(inside > 0) || math.IsInf(inside, 0):
		return nil, invalid.Errorf("the weight inside a group is %v; it must be positive and finite", inside)
	}
	a := &Anchored{group: group, groups: groups, inside: inside, size: make([]float64, groups), edges: make([]float64, groups)}
	for i, g := range group {
		if int(g) >= groups {
			return nil, invalid.Errorf("point %d is in group %d of %d", i+1, g, groups)
		}
		if g >= 0 {
			a.size[g]++
		}
	}
	if empty := slices.Index(a.size, 0); empty >= 0 {
		return nil, invalid.Errorf("group %d has no points", empty)
	}
	return a, nil
}

// checkSum refuses weights whose sum overflows.
func (a *Anchored) checkSum() error {
	total, points := 0.0, 0.0
	for _, d := range a.degree {
		total += d
	}
	for g, size := range a.size {
		total, points = total+a.edges[g], points+size
	}
	if math.IsInf(total+a.inside*points*points, 0) {
		return invalid.Errorf("the weights are so large that their sum overflows; scale them down")
	}
	return nil
}

// chooseFree selects the free points whose component, without the points of groups, has an edge to
// a group.
func (a *Anchored) chooseFree(w *sparse.CSR) {
	inner := w.Filter(func(i, j int, _ float64) bool { return a.group[i] < 0 && a.group[j] < 0 })
	label, count := inner.Components()
	touched := make([]bool, count)
	for i, c := range label {
		if a.group[i] >= 0 || touched[c] {
			continue
		}
		cols, _ := w.Row(i)
		touched[c] = slices.ContainsFunc(cols, func(j int32) bool { return a.group[j] >= 0 })
	}
	for i, c := range label {
		switch {
		case a.group[i] >= 0:
		case touched[c]:
			a.free = append(a.free, int32(i))
		default:
			a.apart = append(a.apart, i)
		}
	}
}

// split computes S, the border and the groups that each component touches.
func (a *Anchored) split(w *sparse.CSR) {
	n := len(a.free)
	place := make([]int32, len(a.group))
	for i := range place {
		place[i] = -1
	}
	for at, i := range a.free {
		place[i] = int32(at)
	}
	inner := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, 1, n+1)}
	a.border = &sparse.CSR{NumRows: n, NumCols: a.groups, RowPtr: make([]int, 1, n+1)}
	a.degree, a.root = make([]float64, n), make([]float64, n)
	sum := make([]float64, a.groups)
	for at, i := range a.free {
		cols, vals := w.Row(int(i))
		start := len(a.border.Col)
		for k, j := range cols {
			a.degree[at] += vals[k]
			if g := a.group[j]; g >= 0 {
				if sum[g] == 0 {
					a.border.Col = append(a.border.Col, g)
				}
				sum[g] += vals[k]
				continue
			}
			inner.Col, inner.Val = append(inner.Col, place[j]), append(inner.Val, vals[k])
		}
		inner.RowPtr = append(inner.RowPtr, len(inner.Col))
		row := a.border.Col[start:]
		slices.Sort(row)
		for _, g := range row {
			a.border.Val = append(a.border.Val, sum[g])
			a.edges[g] += sum[g]
			sum[g] = 0
		}
		a.border.RowPtr = append(a.border.RowPtr, len(a.border.Col))
		a.root[at] = math.Sqrt(a.degree[at])
	}
	inverse := make([]float64, n)
	for i, r := range a.root {
		inverse[i] = 1 / r
	}
	a.s = inner.Scale(inverse, inverse)
	a.connect(inner.Components())
}

// connect sets the components of the free points, their volumes and the groups that they touch.
func (a *Anchored) connect(part []int32, parts int) {
	a.part = part
	a.volume, a.touches = make([]float64, parts), make([][]int32, parts)
	for i, c := range a.part {
		a.volume[c] += a.degree[i]
		groups, _ := a.border.Row(i)
		a.touches[c] = append(a.touches[c], groups...)
	}
	for c, groups := range a.touches {
		slices.Sort(groups)
		a.touches[c] = slices.Compact(groups)
	}
}

// Apart lists the free points without a path to any group, including points without neighbours.
// Their coordinates are 0.
func (a *Anchored) Apart() []int { return a.apart }

// bipartition is one map: the groups that are merged into node A; the others are node B.
type bipartition struct {
	inA          []bool
	massA, massB float64
	edgeA, edgeB float64 // weights to free points
}

func (a *Anchored) bipartition(inA []bool) bipartition {
	b := bipartition{inA: inA}
	var sizeA, sizeB float64
	for g, in := range inA {
		if in {
			sizeA, b.edgeA = sizeA+a.size[g], b.edgeA+a.edges[g]
		} else {
			sizeB, b.edgeB = sizeB+a.size[g], b.edgeB+a.edges[g]
		}
	}
	b.massA, b.massB = b.edgeA+a.inside*sizeA*sizeA, b.edgeB+a.inside*sizeB*sizeB
	return b
}

// connects reports whether some component of the free points has edges to both sides.
func (a *Anchored) connects(inA []bool) bool {
	return slices.ContainsFunc(a.touches, func(groups []int32) bool {
		return slices.ContainsFunc(groups, func(g int32) bool { return inA[g] != inA[groups[0]] })
	})
}

// contrast is the map of two sides without a connection: λ = 0, one value on everything connected
// to A and another on everything connected to B, with yᵀMy = 1 and M-orthogonal to the constant.
func (a *Anchored) contrast(b bipartition) (x []float64, atA, atB float64) {
	volumeA, volumeB := b.massA, b.massB
	for c, groups := range a.touches {
		if b.inA[groups[0]] {
			volumeA += a.volume[c]
		} else {
			volumeB += a.volume[c]
		}
	}
	atA, atB = contrast(volumeB, volumeA)
	x = make([]float64, len(a.free))
	for i, c := range a.part {
		x[i] = atB
		if b.inA[a.touches[c][0]] {
			x[i] = atA
		}
	}
	return x, atA, atB
}

// contrast returns the values of a vector that is inside on a set of volume v and outside on a set
// of volume u. The vector has unit M-norm and is M-orthogonal to the constant:
// inside·v + outside·u = 0.
func contrast(u, v float64) (inside, outside float64) {
	// Square roots of ratios, because products of volumes overflow long before the volumes do.
	return math.Sqrt(u/(u+v)) / math.Sqrt(v), -math.Sqrt(v/(u+v)) / math.Sqrt(u)
}

// OneAgainstRest returns the splits of each group against all others.
func OneAgainstRest(groups int) [][]bool {
	splits := make([][]bool, groups)
	for g := range splits {
		splits[g] = make([]bool, groups)
		splits[g][g] = true
	}
	return splits
}

// distinct makes the bipartitions of the splits, each partition once. sameAs[k] is the index of the
// partition of split k; flipped[k] is true if its sides are exchanged.
func (a *Anchored) distinct(splits [][]bool) (maps []bipartition, sameAs []int, flipped []bool) {
	seen := map[string]int{}
	sameAs, flipped = make([]int, len(splits)), make([]bool, len(splits))
	for k, s := range splits {
		flipped[k] = !s[0]
		key := make([]byte, len(s))
		for g, in := range s {
			if in != flipped[k] {
				key[g] = 1
			}
		}
		at, ok := seen[string(key)]
		if !ok {
			at = len(maps)
			seen[string(key)] = at
			maps = append(maps, a.bipartition(s))
		}
		sameAs[k], flipped[k] = at, flipped[k] != !maps[at].inA[0]
	}
	return maps, sameAs, flipped
}

// spread writes the coordinates of one map to all points.
func (a *Anchored) spread(y *mat.Dense, column int, x []float64, atA, atB float64, inA []bool) {
	for at, i := range a.free {
		y.Set(int(i), column, x[at])
	}
	for i, g := range a.group {
		if g >= 0 {
			v := atB
			if inA[g] {
				v = atA
			}
			y.Set(i, column, v)
		}
	}
}

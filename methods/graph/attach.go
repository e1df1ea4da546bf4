package graph

import (
	"context"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Reference is a graph to which new points can be attached.
type Reference struct {
	X       mat.Matrix // the points of the graph
	Options Options    // the options of Build; HeatWidth is the width that the graph uses
	Reach   []float64  // Graph.Reach; not needed in ε-graphs
	Scales  []float64  // Graph.Scales; needed under LocalWidth
	// W holds the affinities of the graph, for points that are already in it. If nil, such
	// points are treated like all others.
	W *sparse.CSR
}

// Reference returns the reference for [Attach] of a graph that Build made from x with opt.
func (g *Graph) Reference(x mat.Matrix, opt Options) *Reference {
	opt.HeatWidth, opt.Observer = g.HeatWidth, nil
	return &Reference{X: x, Options: opt, Reach: g.Reach, Scales: g.Scales, W: g.W}
}

// Attachment holds the affinities between new points and the points of a graph.
type Attachment struct {
	W        *sparse.CSR // new points × points of the graph: finite weights > 0
	Same     []int       // the lowest point of the graph equal to the new one, -1 for none
	Isolated []int       // new points without any affinity, ascending

	hides bool // a point may have edges that its equal lacks, whose nearest point it is
}

// Alone reports whether new point i has no affinity, but to the point of the graph that it equals:
// that one is isolated too. Of equal points it is not known in mutual graphs, and with one
// neighbour each: it then reports false.
func (a *Attachment) Alone(i int) bool {
	cols, _ := a.W.Row(i)
	return len(cols) == 0 || len(cols) == 1 && int(cols[0]) == a.Same[i] && !a.hides
}

// Attach joins new points, the rows of x, to the points of a graph by the rules that built it. Row
// i of the result is the row that point i would have in W if the graph were built again with this
// one additional point, at the same width of the heat kernel (and the same scales of the old points
// for LocalWidth). A point of the graph therefore counts the new one among its neighbours if that
// is nearer than its own k-th (Reference.Reach; on a tie the old neighbour remains), and
// Options.Symmetry joins the two directions. Both rank by the same squared distance, bit for bit,
// if the sparse rows of both matrices have length 1, or the rows of neither. New points are not
// joined to each other, so the result of one does not depend on the others.
//
// A new point equal to a point of the graph (distance 0) gets that point's row of W if Reference.W
// is set; of several equal points, the row of the lowest. That point is then not its neighbour,
// because a document is never its own neighbour.
//
// Cost: as [NearestAmong], and 72 bytes per edge. Errors:
// *sparse.NotFiniteError and *sparse.ShapeError, a weight that overflows, too many edges, and the
// error of ctx. Events have the stage "neighbours".
func Attach(ctx context.Context, x mat.Matrix, ref *Reference, obs progress.Observer) (*Attachment, error) {
	opt := ref.Options
	opt.Observer = obs
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	points, dense, err := exact.Double(ref.X)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	n, cols := ref.X.Dims()
	if fresh, width := x.Dims(); width != cols {
		return nil, exact.WidthError(fresh, width, cols)
	}
	opt = opt.withDefaults(points == nil, n)
	if err := ref.check(n, opt); err != nil {
		return nil, err
	}
	var out, in *sparse.CSR
	var same []int
	if points != nil {
		out, in, same, err = ref.attachFilled(ctx, x, points, opt)
	} else {
		out, in, same, err = ref.attachFilled(ctx, x, dense, opt)
	}
	if err != nil {
		return nil, err
	}
	met := join(out, in, opt)
	var scales []float64
	if opt.local() {
		scales = met.scales(opt.LocalNeighbor)
	}
	w, _, err := weigh(met, scales, ref.Scales, opt)
	if err != nil {
		return nil, err
	}
	a := &Attachment{W: w, Same: same, hides: opt.Epsilon == 0 && (opt.Neighbors == 1 || opt.Symmetry == Mutual)}
	if ref.W != nil {
		a.W = ref.withKnown(w, same)
	}
	a.Isolated = a.W.EmptyRows()
	return a, nil
}

// check returns an error if the parts of the reference do not fit together.
func (ref *Reference) check(n int, opt Options) error {
	switch {
	case opt.Epsilon == 0 && len(ref.Reach) != n:
		return &sparse.ShapeError{Why: fmt.Sprintf("a graph of %d points has %d distances of k-th neighbours", n, len(ref.Reach))}
	case opt.local() && len(ref.Scales) != n:
		return &sparse.ShapeError{Why: fmt.Sprintf("a graph of %d points with local widths has %d scales", n, len(ref.Scales))}
	case ref.W != nil && (ref.W.NumRows != n || ref.W.NumCols != n):
		return &sparse.ShapeError{Why: fmt.Sprintf("a graph of %d points has affinities of %d × %d", n, ref.W.NumRows, ref.W.NumCols)}
	}
	return nil
}

// attachFilled leaves out rows without entries. As in Build, they are never neighbours and do not
// take a place in a list of neighbours.
func (ref *Reference) attachFilled(ctx context.Context, x, points mat.Matrix, opt Options) (out, in *sparse.CSR, same []int, err error) {
	if x, err = storedLike(x, points); err != nil {
		return nil, nil, nil, err
	}
	n, _ := x.Dims()
	m, _ := points.Dims()
	kept, list := rows.Filled(points), rows.Filled(x)
	if len(list) == n && len(kept) == m {
		return directed(ctx, x, points, ref.Reach, opt)
	}
	same = make([]int, n)
	for i := range same {
		same[i] = -1
	}
	if len(list) == 0 || len(kept) == 0 {
		return exact.EmptyRows(n, m), exact.EmptyRows(n, m), same, nil
	}
	var reach []float64
	if opt.Epsilon == 0 {
		reach = make([]float64, len(kept))
		for c, j := range kept {
			reach[c] = ref.Reach[j]
		}
	}
	out, in, found, err := directed(ctx, exact.KeepRows(x, list), exact.KeepRows(points, kept), reach, opt)
	if err != nil {
		return nil, nil, nil, err
	}
	for r, j := range found {
		if j >= 0 {
			same[list[r]] = kept[j]
		}
	}
	return renumber(out, list, n, kept, m), renumber(in, list, n, kept, m), same, nil
}

// storedLike is x stored as points are, a *sparse.CSR or a *mat.Dense.
func storedLike(x, points mat.Matrix) (mat.Matrix, error) {
	s, d, err := exact.Double(x)
	if err != nil {
		return nil, err
	}
	switch wanted := exact.IsSparse(points); {
	case wanted && s == nil:
		return sparse.FromMatrix(d)
	case wanted:
		return s, nil
	case d == nil:
		return s.ToDense(), nil
	}
	return d, nil
}

// directed finds the edges new→point and point→new, both in rows of new points, with the raw values
// for the weights.
func directed(ctx context.Context, x, points mat.Matrix, reach []float64, opt Options) (out, in *sparse.CSR, same []int, err error) {
	groups := exact.ByLength(x, points)
	if groups == nil {
		return directedAlike(ctx, x, points, reach, opt)
	}
	n, _ := x.Dims()
	same = make([]int, n)
	outs, ins := make([]*sparse.CSR, len(groups)), make([]*sparse.CSR, len(groups))
	for g, group := range groups {
		some, err := exact.SelectLike(x, group)
		if err != nil {
			return nil, nil, nil, err
		}
		var found []int
		if outs[g], ins[g], found, err = directedAlike(ctx, some, points, reach, opt); err != nil {
			return nil, nil, nil, exact.RaiseFrom(err, group)
		}
		for r, j := range found {
			same[group[r]] = j
		}
	}
	return exact.MergeRows(outs, groups, n), exact.MergeRows(ins, groups, n), same, nil
}

// directedAlike is directed of sparse rows that all have length 1 or all are taken for others, or
// of dense ones.
func directedAlike(ctx context.Context, x, points mat.Matrix, reach []float64, opt Options) (out, in *sparse.CSR, same []int, err error) {
	c, err := exact.NewCrossing(x, points)
	if err != nil {
		return nil, nil, nil, err
	}
	n, m := c.Fresh, c.Trained
	k := min(opt.Neighbors, m)
	if opt.Epsilon > 0 {
		k, reach = 0, make([]float64, m)
		for j := range reach {
			// The next larger number, so that a distance of exactly ε is below it.
			reach[j] = math.Nextafter(opt.Epsilon*opt.Epsilon, math.Inf(1))
		}
	} else if err := exact.CheckLists(ctx, n, n, k, bytesPerEdge); err != nil {
		return nil, nil, nil, err
	}
	met, err := c.Meet(ctx, k, reach, opt.pass(ctx))
	if err != nil {
		return nil, nil, nil, err
	}
	out, in = exact.EmptyRows(n, m), met.Edges()
	if k > 0 {
		g, err := met.Lists(ctx)
		if err != nil {
			return nil, nil, nil, err
		}
		out = listedEdges(g, indices.UpTo(n), n, m, opt.Weight, exact.IsSparse(points))
	}
	return out, in, met.SameRows(), nil
}

// withKnown gives new points that equal a point of the graph the row of that point.
func (ref *Reference) withKnown(w *sparse.CSR, same []int) *sparse.CSR {
	out := exact.EmptyRows(w.NumRows, w.NumCols)
	for i, j := range same {
		cols, vals := w.Row(i)
		if j >= 0 {
			cols, vals = ref.W.Row(j)
		}
		out.Col, out.Val = append(out.Col, cols...), append(out.Val, vals...)
		out.RowPtr[i+1] = len(out.Col)
	}
	return out
}

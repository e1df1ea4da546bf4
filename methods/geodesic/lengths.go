package geodesic

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// FromPoints returns the neighbour graph of the rows of x (graph.Build: k nearest or within ε, with
// its rules) with the Euclidean length of each edge. The weight in opt is ignored. Costs and errors
// are those of graph.Build.
func FromPoints(ctx context.Context, x mat.Matrix, opt graph.Options) (*sparse.CSR, error) {
	opt.Weight, opt.HeatWidth = graph.Binary, 0
	g, err := graph.Build(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	return Lengths(ctx, x, g.W)
}

// Lengths returns the Euclidean distances between rows of x along the edges of a pattern, whose row
// and column numbers are rows of x. A symmetric n×n pattern gives a graph of lengths that is
// symmetric bit for bit. The sum Σ(a−b)² is computed directly, O(columns) per edge. Errors: shapes
// that do not fit, a distance that is not finite, and the error of ctx.
func Lengths(ctx context.Context, x mat.Matrix, pattern *sparse.CSR) (*sparse.CSR, error) {
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	return CrossLengths(ctx, x, x, pattern)
}

// CrossLengths is Lengths between rows of x, the pattern's row numbers, and rows of y, its column
// numbers.
func CrossLengths(ctx context.Context, x, y mat.Matrix, pattern *sparse.CSR) (*sparse.CSR, error) {
	n, d := x.Dims()
	m, e := y.Dims()
	if pattern.NumRows != n || pattern.NumCols != m || d != e {
		return nil, invalid.Errorf("a %d × %d pattern does not fit %d points of %d values and %d points of %d", pattern.NumRows, pattern.NumCols, n, d, m, e)
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	if y, err = sparse.Stored(y); err != nil {
		return nil, err
	}
	dist2 := between(x, y)
	out := &sparse.CSR{NumRows: n, NumCols: m, RowPtr: slices.Clone(pattern.RowPtr), Col: slices.Clone(pattern.Col), Val: make([]float64, len(pattern.Val))}
	err = parallel.For(ctx, n, 64, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			for k := out.RowPtr[i]; k < out.RowPtr[i+1]; k++ {
				v := math.Sqrt(dist2(i, int(out.Col[k])))
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return invalid.Errorf("the distance between points %d and %d (counted from 0) is %v: scale the data down, or look for values that are not finite", i, out.Col[k], v)
				}
				out.Val[k] = v
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// between returns the squared distance of a row of x and a row of y.
func between(x, y mat.Matrix) func(i, j int) float64 {
	a, isSparse := x.(*sparse.CSR)
	b, bothSparse := y.(*sparse.CSR)
	if isSparse && bothSparse {
		return func(i, j int) float64 {
			ac, av := a.Row(i)
			bc, bv := b.Row(j)
			sum := 0.0
			for p, q := 0, 0; p < len(ac) || q < len(bc); {
				var diff float64
				switch {
				case q == len(bc) || p < len(ac) && ac[p] < bc[q]:
					diff = av[p]
					p++
				case p == len(ac) || bc[q] < ac[p]:
					diff = bv[q]
					q++
				default:
					diff = av[p] - bv[q]
					p++
					q++
				}
				sum += diff * diff
			}
			return sum
		}
	}
	dense := func(m mat.Matrix) *mat.Dense {
		switch m := m.(type) {
		case *mat.Dense:
			return m
		case *sparse.CSR:
			return m.ToDense()
		}
		return mat.DenseCopyOf(m)
	}
	da := dense(x)
	db := da
	if x != y {
		db = dense(y)
	}
	return func(i, j int) float64 {
		sum := 0.0
		q := db.RawRowView(j)
		for c, v := range da.RawRowView(i) {
			diff := v - q[c]
			sum += diff * diff
		}
		return sum
	}
}

// Union makes an undirected graph from directed edges. It has an edge if either direction has one,
// with the smaller of the two lengths.
func Union(edges *sparse.CSR) *sparse.CSR {
	t := edges.Transpose()
	out := &sparse.CSR{NumRows: edges.NumRows, NumCols: edges.NumCols, RowPtr: make([]int, edges.NumRows+1),
		Col: make([]int32, 0, 2*len(edges.Col)), Val: make([]float64, 0, 2*len(edges.Val))}
	for i := range edges.NumRows {
		ac, av := edges.Row(i)
		bc, bv := t.Row(i)
		for p, q := 0, 0; p < len(ac) || q < len(bc); {
			switch {
			case q == len(bc) || p < len(ac) && ac[p] < bc[q]:
				out.Col, out.Val = append(out.Col, ac[p]), append(out.Val, av[p])
				p++
			case p == len(ac) || bc[q] < ac[p]:
				out.Col, out.Val = append(out.Col, bc[q]), append(out.Val, bv[q])
				q++
			default:
				out.Col, out.Val = append(out.Col, ac[p]), append(out.Val, min(av[p], bv[q]))
				p++
				q++
			}
		}
		out.RowPtr[i+1] = len(out.Col)
	}
	return out
}

// Components labels the connected components of a graph of lengths like sparse.CSR.Components,
// except that edges of length 0 also connect.
func Components(lengths *sparse.CSR) (label []int32, count int) {
	ones := make([]float64, len(lengths.Val))
	for k := range ones {
		ones[k] = 1
	}
	pattern := &sparse.CSR{NumRows: lengths.NumRows, NumCols: lengths.NumCols, RowPtr: lengths.RowPtr, Col: lengths.Col, Val: ones}
	return pattern.Components()
}

// MaxParts is the largest number of components that Join accepts.
const MaxParts = 512

// link is an edge between components.
type link struct {
	a, b   int // a < b
	length float64
}

func (l link) compare(m link) int {
	return cmp.Or(cmp.Compare(l.length, m.length), cmp.Compare(l.a, m.a), cmp.Compare(l.b, m.b))
}

// Join connects the components of a graph with the shortest links between their points. It joins
// every component to its nearest other one and repeats this until one is left (Borůvka's method);
// the result is the minimum spanning tree of the components. It returns the joined graph and the
// number of links. Of links with equal length it takes the one with the lower points.
//
// Each round costs one search for nearest neighbours between all components (graph.NearestAmong),
// n²·d flops on dense rows; the number of rounds is at most log₂ of the number of components. More
// than MaxParts components are an error: the graph has too few neighbours.
func Join(ctx context.Context, x mat.Matrix, lengths *sparse.CSR) (*sparse.CSR, int, error) {
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, 0, err
	}
	joined := 0
	for {
		label, count := Components(lengths)
		if count <= 1 {
			return lengths, joined, nil
		}
		if count > MaxParts {
			return nil, 0, invalid.Errorf("the graph has %d components, too many to join: use more neighbours, or keep the largest component", count)
		}
		links, err := shortestLinks(ctx, x, label, count)
		if err != nil {
			return nil, 0, err
		}
		b := sparse.NewBuilder(lengths.NumRows, lengths.NumCols)
		for _, l := range links {
			b.Add(l.a, l.b, 1)
		}
		pattern, err := b.Build()
		if err != nil {
			return nil, 0, err
		}
		added, err := Lengths(ctx, x, pattern)
		if err != nil {
			return nil, 0, err
		}
		joined += len(links)
		lengths = merged(lengths, Union(added))
	}
}

// shortestLinks returns for every component the shortest link to another one, ascending and without
// duplicates.
func shortestLinks(ctx context.Context, x mat.Matrix, label []int32, count int) ([]link, error) {
	members := make([][]int, count)
	for i, c := range label {
		members[c] = append(members[c], i)
	}
	links := make([]link, 0, count)
	for c, in := range members {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out := make([]int, 0, len(label)-len(in))
		for i, other := range label {
			if int(other) != c {
				out = append(out, i)
			}
		}
		near, err := graph.NearestAmong(ctx, selected(x, in), selected(x, out), 1, nil)
		if err != nil {
			return nil, err
		}
		var best link
		for r, i := range in {
			index, dist2, _ := near.Row(r)
			j := out[index[0]]
			l := link{min(i, j), max(i, j), dist2[0]}
			if r == 0 || l.compare(best) < 0 {
				best = l
			}
		}
		links = append(links, best)
	}
	slices.SortFunc(links, link.compare)
	return slices.Compact(links), nil
}

// selected returns some rows of x.
func selected(x mat.Matrix, rows []int) mat.Matrix {
	if s, ok := x.(*sparse.CSR); ok {
		return s.SelectRows(rows)
	}
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for r, i := range rows {
		mat.Row(out.RawRowView(r), i, x)
	}
	return out
}

// merged returns the edges of two graphs that have no edge in common.
func merged(a, b *sparse.CSR) *sparse.CSR {
	out := &sparse.CSR{NumRows: a.NumRows, NumCols: a.NumCols, RowPtr: make([]int, a.NumRows+1)}
	for i := range a.NumRows {
		ac, av := a.Row(i)
		bc, bv := b.Row(i)
		p := 0
		for q, j := range bc {
			for ; p < len(ac) && ac[p] < j; p++ {
				out.Col, out.Val = append(out.Col, ac[p]), append(out.Val, av[p])
			}
			out.Col, out.Val = append(out.Col, j), append(out.Val, bv[q])
		}
		out.Col, out.Val = append(out.Col, ac[p:]...), append(out.Val, av[p:]...)
		out.RowPtr[i+1] = len(out.Col)
	}
	return out
}

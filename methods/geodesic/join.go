package geodesic

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

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
// every component but the largest to its nearest other one and repeats this until one is left
// (Borůvka's method); the result is the minimum spanning tree of the components. It returns the
// joined graph and the number of links. Of links with equal length it takes the one with the lower
// points.
//
// Each round costs one search for the nearest neighbours of the points outside of the largest
// component (graph.NearestAmong), n·m·d flops on dense rows for m such points; the number of rounds
// is at most log₂ of the number of components. More than MaxParts components are an error: the
// graph has too few neighbours. Single rows without entries stay alone ([Parts]).
func Join(ctx context.Context, x mat.Matrix, lengths *sparse.CSR) (*sparse.CSR, int, error) {
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, 0, err
	}
	joined := 0
	for {
		parts := Parts(x, lengths)
		if len(parts) <= 1 {
			return lengths, joined, nil
		}
		if len(parts) > MaxParts {
			return nil, 0, invalid.Errorf("the graph has %d components, too many to join: use more neighbours, or keep the largest component", len(parts))
		}
		links, err := shortestLinks(ctx, x, parts)
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

// Parts lists the points of each component that [Join] joins, ascending: all components but a
// single row of x without entries, which nothing places (a dense row of zeros has none if it has
// more than three columns).
func Parts(x mat.Matrix, lengths *sparse.CSR) [][]int {
	label, count := Components(lengths)
	members := make([][]int, count)
	for i, c := range label {
		members[c] = append(members[c], i)
	}
	empty := rows.WithoutEntries(x)
	return slices.DeleteFunc(members, func(in []int) bool {
		_, none := slices.BinarySearch(empty, in[0])
		return len(in) == 1 && none
	})
}

// shortestLinks returns for every part but the largest (ties: the first) the shortest link to
// another one, ascending and without duplicates. The shortest link of the largest one, if no other
// part has it too, is found in a later round.
func shortestLinks(ctx context.Context, x mat.Matrix, parts [][]int) ([]link, error) {
	n, _ := x.Dims()
	of, most := make([]int, n), 0 // the part of each point, counted from 1; 0: none
	for c, in := range parts {
		for _, i := range in {
			of[i] = c + 1
		}
		if len(in) > len(parts[most]) {
			most = c
		}
	}
	links := make([]link, 0, len(parts))
	for c, in := range parts {
		if c == most {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var out []int
		for i, other := range of {
			if other > 0 && other != c+1 {
				out = append(out, i)
			}
		}
		best, err := shortest(ctx, x, in, out)
		if err != nil {
			return nil, err
		}
		links = append(links, best)
	}
	slices.SortFunc(links, link.compare)
	return slices.Compact(links), nil
}

// shortest returns the shortest link between two sets of points.
func shortest(ctx context.Context, x mat.Matrix, in, out []int) (best link, err error) {
	near, err := graph.NearestAmong(ctx, sparse.SelectRows(x, in), sparse.SelectRows(x, out), 1, nil)
	if err != nil {
		return best, err
	}
	for r, i := range in {
		index, dist2, _ := near.Row(r)
		j := out[index[0]]
		l := link{min(i, j), max(i, j), dist2[0]}
		if r == 0 || l.compare(best) < 0 {
			best = l
		}
	}
	return best, nil
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

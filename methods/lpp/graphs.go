package lpp

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/blas/blas64"
)

// Graph is a weighted graph over the documents, known by its products.
type Graph interface {
	// Degrees are the row sums of W, not negative, one per document.
	Degrees() []float64
	// MulBlock sets dst = W·x for blocks of one row per document.
	MulBlock(dst, x blas64.General)
}

type affinity struct {
	degrees []float64
	eigen.Operator
}

func (a affinity) Degrees() []float64 { return a.degrees }

// Of is a neighbour graph, or any other of package graph. Of one that ranks share it is the part of
// the own documents; all ranks call it.
func Of(g *graph.Graph) Graph { return affinity{g.Degrees, eigen.SharedMatrix(g.Share, g.W)} }

// groups is W_ij = 1/m_t for i and j of the same group t, i = j included, else 0: the projection on
// the groups' indicators.
type groups struct {
	n       int
	members [][]int32 // that are here
	counts  []int     // of all ranks
	degrees []float64
	share   *ranks.Share
}

// PCAGraph joins every two of n documents, each with itself too, with the weight 1/n (He et al.
// 2005). It takes no memory beyond its degrees, 1.
func PCAGraph(n int) Graph {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return newGroups(n, [][]int32{all})
}

// ClassGraph joins the documents of each class t, each with itself too, with the weight 1/m_t: the
// LDA graph. Documents labelled labels.Unknown have degree 0. Errors are as for labels.Check: one
// class, classes without documents.
func ClassGraph(of []int, classes int) (Graph, error) {
	members, err := labels.Check(of, len(of), classes, nil)
	if err != nil {
		return nil, err
	}
	return newGroups(len(of), members), nil
}

func newGroups(n int, members [][]int32) groups {
	g := groups{n: n, members: members, degrees: make([]float64, n)}
	for _, of := range members {
		g.counts = append(g.counts, len(of))
		for _, i := range of {
			g.degrees[i] = 1
		}
	}
	return g
}

// part is the graph of this rank's documents, of a graph of all documents.
func (g groups) part(share *ranks.Share) groups {
	if g.n != share.Total() {
		return g // refused by its size
	}
	own := groups{n: share.Own(), counts: g.counts, degrees: ranks.Own(share, g.degrees), share: share}
	first := int32(share.First())
	for _, of := range g.members {
		var here []int32
		for _, i := range of {
			if at := i - first; at >= 0 && int(at) < own.n {
				here = append(here, at)
			}
		}
		own.members = append(own.members, here)
	}
	return own
}

func (g groups) Degrees() []float64 { return g.degrees }

// MulBlock gives each document the mean of its group. Groups are disjoint, so each goroutine takes
// some. Ranks add up their sums.
func (g groups) MulBlock(dst, x blas64.General) {
	for i, d := range g.degrees {
		if d == 0 {
			clear(dst.Data[i*dst.Stride:][:x.Cols])
		}
	}
	means := make([]float64, len(g.members)*x.Cols)
	each := func(body func(mean []float64, t int)) {
		_ = parallel.For(context.Background(), len(g.members), 1, func(_, t, _ int) error {
			body(means[t*x.Cols:][:x.Cols], t)
			return nil
		})
	}
	each(func(mean []float64, t int) {
		for _, i := range g.members[t] {
			for j, v := range x.Data[int(i)*x.Stride:][:x.Cols] {
				mean[j] += v
			}
		}
	})
	g.share.Sum(means)
	each(func(mean []float64, t int) {
		for j := range mean {
			mean[j] /= float64(g.counts[t])
		}
		for _, i := range g.members[t] {
			copy(dst.Data[int(i)*dst.Stride:], mean)
		}
	})
}

// roots returns D^½ of the own documents, and refuses negative or infinite degrees.
func roots(g Graph, n int, share *ranks.Share) ([]float64, error) {
	f, edges, err := ownRoots(g, n)
	if err = rows.Agreed(share, err); err != nil {
		return nil, err
	}
	if ranks.Count(share, edges) == 0 {
		return nil, graph.ErrNoEdges
	}
	return f, nil
}

// ownRoots also counts the own documents with an edge.
func ownRoots(g Graph, n int) (f []float64, edges int, err error) {
	degrees := g.Degrees()
	if len(degrees) != n {
		return nil, 0, invalid.Errorf("the graph has %d points, but there are %d documents", len(degrees), n)
	}
	f = make([]float64, n)
	for i, d := range degrees {
		if !(d >= 0) || math.IsInf(d, 0) {
			return nil, 0, invalid.At(i, -1, "the degree of {} is %v; weights must be finite and not negative", d)
		}
		if f[i] = math.Sqrt(d); d > 0 {
			edges++
		}
	}
	return f, edges, nil
}

// middle is the symmetric operator between Bᵀ and B: S = D^-½WD^-½, or L = D − W for the identity.
type middle struct {
	g       Graph
	root    []float64 // D^½
	degrees bool
}

// mul sets dst = S·x or L·x. It overwrites x.
func (m middle) mul(dst, x blas64.General) {
	scale := func(b blas64.General) {
		for i, f := range m.root {
			row := b.Data[i*b.Stride:][:b.Cols]
			for j := range row {
				if f > 0 {
					row[j] /= f
				} else {
					row[j] = 0
				}
			}
		}
	}
	if m.degrees {
		scale(x)
		m.g.MulBlock(dst, x)
		scale(dst)
		return
	}
	m.g.MulBlock(dst, x)
	for i, f := range m.root {
		to, from := dst.Data[i*dst.Stride:][:x.Cols], x.Data[i*x.Stride:][:x.Cols]
		for j, v := range from {
			to[j] = f*f*v - to[j]
		}
	}
}

package lpp

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/graph"
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

type affinity struct{ *graph.Graph }

func (a affinity) Degrees() []float64             { return a.Graph.Degrees }
func (a affinity) MulBlock(dst, x blas64.General) { a.W.MulBlock(dst, x) }

// Of is a neighbour graph, or any other of package graph.
func Of(g *graph.Graph) Graph { return affinity{g} }

// groups is W_ij = 1/m_t for i and j of the same group t, i = j included, else 0: the projection on
// the groups' indicators.
type groups struct {
	n       int
	members [][]int32
	degrees []float64
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
// LDA graph. Documents labelled labels.Unknown have degree 0. Errors are those of labels.Check: one
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
		for _, i := range of {
			g.degrees[i] = 1
		}
	}
	return g
}

func (g groups) Degrees() []float64 { return g.degrees }

// MulBlock gives each document the mean of its group. Groups are disjoint, so each goroutine takes
// some.
func (g groups) MulBlock(dst, x blas64.General) {
	for i, d := range g.degrees {
		if d == 0 {
			clear(dst.Data[i*dst.Stride:][:x.Cols])
		}
	}
	_ = parallel.For(context.Background(), len(g.members), 1, func(_, t, _ int) error {
		of := g.members[t]
		mean := make([]float64, x.Cols)
		for _, i := range of {
			for j, v := range x.Data[int(i)*x.Stride:][:x.Cols] {
				mean[j] += v
			}
		}
		for j := range mean {
			mean[j] /= float64(len(of))
		}
		for _, i := range of {
			copy(dst.Data[int(i)*dst.Stride:], mean)
		}
		return nil
	})
}

// roots returns D^½, and refuses negative or infinite degrees.
func roots(g Graph, n int) ([]float64, error) {
	degrees := g.Degrees()
	if len(degrees) != n {
		return nil, invalid.Errorf("the graph has %d points, but there are %d documents", len(degrees), n)
	}
	f := make([]float64, n)
	any := false
	for i, d := range degrees {
		if !(d >= 0) || math.IsInf(d, 0) {
			return nil, invalid.Errorf("the degree of document %d is %v; weights must be finite and not negative", i, d)
		}
		f[i] = math.Sqrt(d)
		any = any || d > 0
	}
	if !any {
		return nil, invalid.Errorf("no document has a neighbour in the graph; there is nothing to embed")
	}
	return f, nil
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

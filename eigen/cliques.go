package eigen

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// cliqued is the matrix scale·(A + weight·Σ_c (1_c 1_cᵀ − I_c))·scale for disjoint sets c of
// points: every two points of a set are joined. It is given scale·A·scale as a sparse matrix. The
// |c|² entries are never formed; a product costs 4 more flops for each point of a set and each
// column.
type cliqued struct {
	*sparse.CSR
	cliques
}

// cliques is the part of cliqued that its sets make: scale·weight·Σ_c (1_c 1_cᵀ − I_c)·scale.
type cliques struct {
	members [][]int32
	weight  float64
	scale   []float64 // nil means 1
}

// NNZ counts the entries that a product reads.
func (a *cliqued) NNZ() int {
	n := a.CSR.NNZ()
	for _, c := range a.members {
		n += len(c)
	}
	return n
}

// MulBlock sets dst = A·x.
func (a *cliqued) MulBlock(dst, x blas64.General) {
	a.CSR.MulBlock(dst, x)
	a.cliques.add(dst, x)
}

// add adds the product with x to dst. The sets are disjoint, so each can be added by its own
// goroutine.
func (a *cliques) add(dst, x blas64.General) {
	cols := x.Cols
	mustRun(parallel.For(context.Background(), len(a.members), 1, func(_, c, _ int) error {
		sum := make([]float64, cols)
		for _, i := range a.members[c] {
			f := a.at(i)
			for k, v := range x.Data[int(i)*x.Stride:][:cols] {
				sum[k] += f * v
			}
		}
		for _, i := range a.members[c] {
			f := a.at(i)
			to, from := dst.Data[int(i)*dst.Stride:][:cols], x.Data[int(i)*x.Stride:][:cols]
			for k, s := range sum {
				to[k] += a.weight * f * (s - f*from[k])
			}
		}
		return nil
	}))
}

func (a *cliques) at(i int32) float64 {
	if a.scale == nil {
		return 1
	}
	return a.scale[i]
}

// NewCliquePencil makes the pencil L y = λ D y of the graph with weights W and additional edges of
// the given weight between every two points of each set (for example the labelled documents of a
// class). The sets are disjoint; W should have no edges inside them, because the weights would add
// up. D holds the degrees of all edges. Memory and the cost of products are O(nnz(W) + points in
// the sets), not quadratic in the sets.
func NewCliquePencil(w *sparse.CSR, sets [][]int32, weight float64) (*Pencil, error) {
	n, _ := w.Dims()
	members, err := checkSets(n, sets, weight)
	if err != nil {
		return nil, err
	}
	return newPencil(w, nil, members, weight)
}

// checkSets returns the sets of more than one point.
func checkSets(n int, sets [][]int32, weight float64) ([][]int32, error) {
	if !(weight > 0) || math.IsInf(weight, 0) {
		return nil, invalid.Errorf("the weight inside a set of joined points is %v; it must be positive and finite", weight)
	}
	in := make([]bool, n)
	var members [][]int32
	for _, set := range sets {
		for _, i := range set {
			if i < 0 || int(i) >= n {
				return nil, invalid.Errorf("point %d of a set of joined points is not among the %d of the graph", i, n)
			}
			if in[i] {
				return nil, invalid.Errorf("point %d is in two sets of joined points", i)
			}
			in[i] = true
		}
		if len(set) > 1 {
			members = append(members, set)
		}
	}
	return members, nil
}

// joined merges the components that a set connects, and numbers them by lowest point again.
func joined(label []int32, count int, members [][]int32) ([]int32, int) {
	if len(members) == 0 {
		return label, count
	}
	parent := make([]int32, count)
	for c := range parent {
		parent[c] = int32(c)
	}
	find := func(c int32) int32 {
		for parent[c] != c {
			parent[c] = parent[parent[c]]
			c = parent[c]
		}
		return c
	}
	for _, set := range members {
		for _, i := range set {
			parent[find(label[i])] = find(label[set[0]])
		}
	}
	number := make([]int32, count)
	for c := range number {
		number[c] = -1
	}
	out, next := make([]int32, len(label)), int32(0)
	for i, c := range label {
		r := find(c)
		if number[r] < 0 {
			number[r] = next
			next++
		}
		out[i] = number[r]
	}
	return out, int(next)
}

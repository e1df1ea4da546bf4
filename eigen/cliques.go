package eigen

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
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
	share   *ranks.Share // of the points
	members [][]int32    // of each set, the points that are here
	size    []float64    // of each set, with the points of all ranks
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
	sums := make([]float64, len(a.members)*cols)
	space.MustRun(parallel.For(context.Background(), len(a.members), 1, func(_, c, _ int) error {
		sum := sums[c*cols:][:cols]
		for _, i := range a.members[c] {
			f := a.at(i)
			for k, v := range x.Data[int(i)*x.Stride:][:cols] {
				sum[k] += f * v
			}
		}
		return nil
	}))
	a.share.Sum(sums)
	space.MustRun(parallel.For(context.Background(), len(a.members), 1, func(_, c, _ int) error {
		sum := sums[c*cols:][:cols]
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

// newCliques takes the sets of more than one point, each of which has the points that are here, of
// n. Ranks have the sets in the same order.
func newCliques(share *ranks.Share, n int, sets [][]int32, weight float64) (cliques, error) {
	if err := ranks.Agree(share, checkSets(n, sets, weight)); err != nil {
		return cliques{}, err
	}
	size := make([]float64, len(sets))
	for s, set := range sets {
		size[s] = float64(len(set))
	}
	share.Sum(size)
	c := cliques{share: share, weight: weight}
	for s, set := range sets {
		if size[s] > 1 {
			c.members, c.size = append(c.members, set), append(c.size, size[s])
		}
	}
	return c, nil
}

// checkSets refuses sets that are not disjoint sets of n points, and their weight.
func checkSets(n int, sets [][]int32, weight float64) error {
	if !(weight > 0) || math.IsInf(weight, 0) {
		return invalid.Errorf("the weight inside a set of joined points is %v; it must be positive and finite", weight)
	}
	in := make([]bool, n)
	for _, set := range sets {
		for _, i := range set {
			if i < 0 || int(i) >= n {
				return invalid.Errorf("point %d of a set of joined points is not among the %d of the graph", i, n)
			}
			if in[i] {
				return invalid.Errorf("point %d is in two sets of joined points", i)
			}
			in[i] = true
		}
	}
	return nil
}

// joined merges the components that the sets connect, and numbers them by lowest point again. label
// has the components of the points that are here.
func (a *cliques) joined(label []int32, count int) ([]int32, int) {
	if len(a.members) == 0 {
		return label, count
	}
	forest := sparse.NewForest(count)
	one := slices.Repeat([]int32{-1}, len(a.members)) // a component of each set
	for s, set := range a.members {
		for _, i := range set {
			if one[s] < 0 {
				one[s] = label[i]
			}
			forest.Join(one[s], label[i])
		}
	}
	var own []byte
	for _, c := range slices.Concat(one, forest) {
		own = binary.LittleEndian.AppendUint32(own, uint32(c))
	}
	for _, part := range ranks.Gather(a.share, own) {
		theirs := ranks.Ints(part)
		for s, c := range theirs[:len(one)] {
			switch {
			case c >= 0 && one[s] >= 0:
				forest.Join(one[s], c)
			case c >= 0:
				one[s] = c
			}
		}
		for c, to := range theirs[len(one):] {
			forest.Join(int32(c), to)
		}
	}
	// Components are numbered by lowest point, and roots are the lowest of their trees.
	number, next := make([]int32, count), int32(0)
	for c := range number {
		if root := forest.Root(int32(c)); int(root) < c {
			number[c] = number[root]
		} else {
			number[c] = next
			next++
		}
	}
	out := make([]int32, len(label))
	for i, c := range label {
		out[i] = number[c]
	}
	return out, int(next)
}

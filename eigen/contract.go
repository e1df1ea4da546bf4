package eigen

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Contraction is the pencil PᵀLP z = λ PᵀMP z of a graph whose points are merged into nodes. P is
// the n×q indicator of a partition, so y = P z takes one value on all points of a node. Use it for
// points that must share a coordinate exactly (must-link groups, labelled documents of a class).
//
// The problem belongs to a smaller graph: PᵀWP without its diagonal holds the weights between
// nodes, and PᵀMP is the diagonal matrix of summed masses. Weights inside a node vanish from L but
// count in the masses.
type Contraction struct {
	*Pencil
	node []int32
}

// Contract merges the points of each node. node[i], 0 to q−1, is the node of point i, and every
// number must occur. The mass of a node is the sum of the masses of its points; nil masses mean the
// degrees W·1.
//
// Cost: O(nnz) time and memory. Errors are as for NewPencil, and a partition with unused numbers.
func Contract(w *sparse.CSR, mass []float64, node []int32) (*Contraction, error) {
	if n, c := w.Dims(); n != c || len(node) != n || mass != nil && len(mass) != n {
		return nil, invalid.Errorf("a %d×%d affinity matrix does not fit the nodes of %d points and %d masses", n, c, len(node), len(mass))
	}
	if _, err := checkWeights(w); err != nil {
		return nil, err
	}
	if mass == nil {
		mass = w.RowSums()
	}
	nodes, err := countNodes(node)
	if err != nil {
		return nil, err
	}
	merged := make([]float64, nodes)
	for i, v := range node {
		merged[v] += mass[i]
	}
	p, err := NewPencil(mergeWeights(w, node, nodes), merged)
	if err != nil {
		return nil, err
	}
	return &Contraction{Pencil: p, node: node}, nil
}

// countNodes returns the number of nodes of a partition.
func countNodes(node []int32) (int, error) {
	nodes := 0
	if len(node) > 0 {
		nodes = int(slices.Max(node)) + 1
	}
	if nodes > len(node) {
		return 0, invalid.Errorf("node %d is the largest of a partition of %d points; number the nodes from 0 without gaps", nodes-1, len(node))
	}
	seen := make([]bool, nodes)
	for i, v := range node {
		if v < 0 {
			return 0, invalid.Errorf("point %d is in no node of the partition", i+1)
		}
		seen[v] = true
	}
	if hole := slices.Index(seen, false); hole >= 0 {
		return 0, invalid.Errorf("no point is in node %d of the partition; number the nodes from 0 without gaps", hole)
	}
	return nodes, nil
}

// Expand returns y = P z with one row per point.
func (c *Contraction) Expand(z *mat.Dense) *mat.Dense {
	_, k := z.Dims()
	if k == 0 {
		return new(mat.Dense)
	}
	y := mat.NewDense(len(c.node), k, nil)
	for i, v := range c.node {
		copy(y.RawRowView(i), z.RawRowView(int(v)))
	}
	return y
}

// mergeWeights returns PᵀWP without its diagonal for the partition of Contract: the summed weights
// between nodes. It is symmetric bit for bit if W is. O(nnz + q).
func mergeWeights(w *sparse.CSR, node []int32, nodes int) *sparse.CSR {
	from, members := membersOf(node, nodes)
	// Only the upper triangle is summed, because the lower one would add the same weights in
	// another order.
	upper := &sparse.CSR{NumRows: nodes, NumCols: nodes, RowPtr: make([]int, 1, nodes+1)}
	sum, seen := make([]float64, nodes), make([]int32, nodes)
	for v := range seen {
		seen[v] = -1
	}
	for v := range int32(nodes) {
		start := len(upper.Col)
		for _, i := range members[from[v]:from[v+1]] {
			cols, vals := w.Row(int(i))
			for k, j := range cols {
				u := node[j]
				if u <= v {
					continue
				}
				if seen[u] != v {
					seen[u], sum[u] = v, 0
					upper.Col = append(upper.Col, u)
				}
				sum[u] += vals[k]
			}
		}
		row := upper.Col[start:]
		slices.Sort(row)
		for _, u := range row {
			upper.Val = append(upper.Val, sum[u])
		}
		upper.RowPtr = append(upper.RowPtr, len(upper.Col))
	}
	return addTransposed(upper)
}

// addTransposed returns U + Uᵀ for a strictly upper triangular matrix: each row holds the
// transposed part, then the part of U.
func addTransposed(upper *sparse.CSR) *sparse.CSR {
	lower := upper.Transpose()
	out := &sparse.CSR{
		NumRows: upper.NumRows, NumCols: upper.NumCols, RowPtr: make([]int, 1, upper.NumRows+1),
		Col: make([]int32, 0, 2*len(upper.Col)), Val: make([]float64, 0, 2*len(upper.Val)),
	}
	for i := range upper.NumRows {
		for _, part := range []*sparse.CSR{lower, upper} {
			cols, vals := part.Row(i)
			out.Col, out.Val = append(out.Col, cols...), append(out.Val, vals...)
		}
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	return out
}

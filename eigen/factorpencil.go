package eigen

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
)

// NewFactoredPencil makes the pencil L y = λ M y of the complete graph f, as NewPencil does of a
// sparse one; a nil mass means the degrees. With
//
//	S = M^-1/2 (F·Fᵀ) M^-1/2 + diag(1 − (W·1 + ‖f_i‖²)/M)
//
// nothing but F, its transpose and vectors of n numbers is held.
func NewFactoredPencil(f *Factor, mass []float64) (*Pencil, error) {
	return newFactoredPencil(f, mass, nil, 0)
}

// NewFactoredCliquePencil is NewCliquePencil of the complete graph f: it adds edges of the given
// weight between every two points of each set. If the points of the sets are to have no other edges
// to one another, they are apart in f.
func NewFactoredCliquePencil(f *Factor, sets [][]int32, weight float64) (*Pencil, error) {
	members, err := checkSets(f.Size(), sets, weight)
	if err != nil {
		return nil, err
	}
	return newFactoredPencil(f, nil, members, weight)
}

func newFactoredPencil(f *Factor, mass []float64, members [][]int32, weight float64) (*Pencil, error) {
	n := f.Size()
	if mass != nil && len(mass) != n {
		return nil, invalid.Errorf("%d masses were given for %d points", len(mass), n)
	}
	p := &Pencil{degree: slices.Clone(f.degree)}
	if err := p.weigh(mass, members, weight); err != nil {
		return nil, err
	}
	p.connect(f.label, f.count, members)
	plain, shift := make([]float64, n), make([]float64, n)
	for i, m := range p.mass {
		plain[i] = -f.square[i]
		if m > 0 {
			shift[i] = 1 - p.degree[i]/m - f.square[i]/m
		}
	}
	sets := cliques{members: members, weight: weight}
	p.w = &factored{Factor: f, cliques: sets, shift: plain}
	sets.scale = p.invSqrt
	p.s = &factored{Factor: f, cliques: sets, shift: shift}
	return p, nil
}

// ContractFactor is Contract of a complete graph without apart points, with its degrees as masses:
// the rows of the points of a node are added up. What F·Fᵀ then has on its diagonal cancels in L.
func ContractFactor(f *Factor, node []int32) (*Contraction, error) {
	if len(node) != f.Size() || f.apart != nil {
		return nil, invalid.Errorf("the nodes of %d points do not fit a complete graph of %d points without apart ones", len(node), f.Size())
	}
	nodes, err := countNodes(node)
	if err != nil {
		return nil, err
	}
	merged := make([]float64, nodes)
	for i, v := range node {
		merged[v] += f.degree[i]
	}
	z, err := NewFactor(mergeRows(f.rows, node, nodes), nil)
	if err != nil {
		return nil, err
	}
	p, err := NewFactoredPencil(z, merged)
	if err != nil {
		return nil, err
	}
	return &Contraction{Pencil: p, node: node}, nil
}

// mergeRows returns PᵀF for a partition: the sums of the rows of each node. Points of no node (−1)
// are left out. O(nnz + columns), and sorting the columns of each node.
func mergeRows(f *sparse.CSR, node []int32, nodes int) *sparse.CSR {
	from := make([]int, nodes+1)
	for _, v := range node {
		if v >= 0 {
			from[v+1]++
		}
	}
	for v := range nodes {
		from[v+1] += from[v]
	}
	members, fill := make([]int32, from[nodes]), slices.Clone(from[:nodes])
	for i, v := range node {
		if v >= 0 {
			members[fill[v]] = int32(i)
			fill[v]++
		}
	}
	out := &sparse.CSR{NumRows: nodes, NumCols: f.NumCols, RowPtr: make([]int, 1, nodes+1)}
	sum, seen := make([]float64, f.NumCols), make([]int32, f.NumCols)
	for v := range int32(nodes) {
		start := len(out.Col)
		for _, i := range members[from[v]:from[v+1]] {
			cols, vals := f.Row(int(i))
			for k, j := range cols {
				if seen[j] != v+1 {
					seen[j], sum[j] = v+1, 0
					out.Col = append(out.Col, j)
				}
				sum[j] += vals[k]
			}
		}
		slices.Sort(out.Col[start:])
		for _, j := range out.Col[start:] {
			out.Val = append(out.Val, sum[j])
		}
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	return out
}

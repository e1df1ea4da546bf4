package eigen

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// NewFactoredPencil makes the pencil L y = λ M y of the complete graph f, as NewPencil does of a
// sparse one; a nil mass means the degrees. With
//
//	S = M^-1/2 (F·Fᵀ) M^-1/2 + diag(1 − (W·1 + ‖f_i‖²)/M)
//
// nothing but F, its transpose and vectors of n numbers is held.
func NewFactoredPencil(f *Factor, mass []float64) (*Pencil, error) {
	return newFactoredPencil(f, mass, cliques{share: f.share})
}

// NewFactoredCliquePencil is NewCliquePencil of the complete graph f: it adds edges of the given
// weight between every two points of each set. If the points of the sets are to have no other edges
// to one another, they are apart in f.
func NewFactoredCliquePencil(f *Factor, sets [][]int32, weight float64) (*Pencil, error) {
	c, err := newCliques(f.share, f.Size(), sets, weight)
	if err != nil {
		return nil, err
	}
	return newFactoredPencil(f, nil, c)
}

func newFactoredPencil(f *Factor, mass []float64, sets cliques) (*Pencil, error) {
	n := f.Size()
	if mass != nil && len(mass) != n {
		return nil, invalid.Errorf("%d masses were given for %d points", len(mass), n)
	}
	p := &Pencil{degree: slices.Clone(f.degree), space: space.Space{Share: f.share}}
	if err := ranks.Agree(f.share, p.weigh(mass, sets)); err != nil {
		return nil, err
	}
	p.connect(f.label, f.count, sets)
	plain, shift := make([]float64, n), make([]float64, n)
	for i, m := range p.mass {
		plain[i] = -f.square[i]
		if m > 0 {
			shift[i] = 1 - p.degree[i]/m - f.square[i]/m
		}
	}
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
// are left out.
func mergeRows(f *sparse.CSR, node []int32, nodes int) *sparse.CSR {
	p := &sparse.CSR{NumRows: len(node), NumCols: nodes, RowPtr: make([]int, 1, len(node)+1)}
	for _, v := range node {
		if v >= 0 {
			p.Col, p.Val = append(p.Col, v), append(p.Val, 1)
		}
		p.RowPtr = append(p.RowPtr, len(p.Col))
	}
	return timesSparse(p.Transpose(), f)
}

// timesSparse is a·b as a sparse matrix. O(products of entries), and sorting the columns of each
// row.
func timesSparse(a, b *sparse.CSR) *sparse.CSR {
	out := &sparse.CSR{NumRows: a.NumRows, NumCols: b.NumCols, RowPtr: make([]int, 1, a.NumRows+1)}
	sum, seen := make([]float64, b.NumCols), make([]int, b.NumCols)
	for i := range a.NumRows {
		start := len(out.Col)
		points, factors := a.Row(i)
		for l, p := range points {
			cols, vals := b.Row(int(p))
			for k, j := range cols {
				if seen[j] != i+1 {
					seen[j], sum[j] = i+1, 0
					out.Col = append(out.Col, j)
				}
				sum[j] += factors[l] * vals[k]
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

// energy returns Σ w_ij·(y_i − y_j)² over all edges, for every column, without forming one: the
// pairs of a column of F with entries a_i add Σ a_i·a_j·(y_i − y_j)² = s·Σ a_i·(y_i − ȳ)², where s
// is the sum of a and ȳ the mean of y under it. All terms are positive. The pairs of points p with
// apart points q add s_q·Σ a_p·(y_p − ȳ_q)² + s_p·Σ a_q·(y_q − ȳ_q)². With ranks it is the part of
// the own points, to be summed over the ranks.
func (a *Factor) energy(y blas64.General) []float64 {
	b := y.Cols
	if b > ghostColumns {
		return append(a.energy(space.Columns(y, 0, ghostColumns)), a.energy(space.Columns(y, ghostColumns, b))...)
	}
	means := a.means(y)
	const grain = 256
	partial := make([]float64, parallel.Chunks(a.joins, grain)*b)
	space.MustRun(parallel.For(context.Background(), a.joins, grain, func(_, lo, hi int) error {
		out := partial[lo/grain*b:][:b]
		add := func(under, of, about int) {
			a.addSpread(out, a.sum[under], of, means.Data[about*means.Stride:][:b], y)
		}
		for j := lo; j < hi; j++ {
			if a.apart == nil {
				add(j, j, j)
				continue
			}
			free := a.joins + j
			add(free, free, free)
			add(j, free, j)
			add(free, j, j)
		}
		return nil
	}))
	return space.SumParts(partial, b)
}

// means has the mean of y under the entries of each row of cols, of all ranks; a row without
// entries has zeros.
func (a *Factor) means(y blas64.General) blas64.General {
	const grain = 256
	means := space.NewBlock(a.cols.NumRows, y.Cols)
	space.MustRun(parallel.For(context.Background(), means.Rows, grain, func(_, lo, hi int) error {
		for j := lo; j < hi; j++ {
			points, vals := a.cols.Row(j)
			mean := means.Data[j*means.Stride:][:y.Cols]
			for k, i := range points {
				for l, v := range y.Data[int(i)*y.Stride:][:len(mean)] {
					mean[l] += vals[k] / a.sum[j] * v
				}
			}
		}
		return nil
	}))
	a.share.Sum(means.Data)
	return means
}

// addSpread adds s·Σ a_i·(y_i − mean)² over row j of cols.
func (a *Factor) addSpread(out []float64, s float64, j int, mean []float64, y blas64.General) {
	points, vals := a.cols.Row(j)
	for k, i := range points {
		for l, v := range y.Data[int(i)*y.Stride:][:len(mean)] {
			d := v - mean[l]
			out[l] += s * vals[k] * d * d
		}
	}
}

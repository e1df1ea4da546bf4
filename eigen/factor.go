package eigen

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// Factor is a complete graph that is given by the rows of its points: W = F·Fᵀ without its
// diagonal, for a sparse non-negative F with n rows. The n² weights are never formed; every product
// with W is one with Fᵀ and one with F (Zhang et al. 2024, SnapATAC2). Rows of unit length make W
// the cosine of every two points.
//
// Columns with entries in one point only join nothing and are left out; so they do not round off
// what the others say. Two points are connected if a chain of shared columns joins them, which
// union-find over points and columns decides exactly, in O(nnz).
//
// Memory: F and its transpose, 24 bytes per entry (12 if F can be used as it is, for which every
// column has two entries), and O(n). A Factor is safe for concurrent use.
//
// Ranks may each have the rows of their own points ([NewSharedFactor]). A product then sums Fᵀx
// over the ranks.
type Factor struct {
	share  *ranks.Share // which points are here
	nnz    int          // entries that a product reads, of all ranks
	rows   *sparse.CSR  // F; with apart points n×2c, see below
	cols   *sparse.CSR  // Fᵀ by the columns of F; with apart points 2c×n
	joins  int          // c, the number of columns that join points
	apart  []bool       // nil: none
	square []float64    // what F·Fᵀ has on its diagonal, 0 for apart points
	degree []float64    // W·1
	sum    []float64    // sums of the columns; with apart points of both halves, see weigh
	label  []int32
	count  int
	pool   sync.Pool // of []float64, scratch of products
}

// NewFactor makes the graph of the rows of f. Points marked in apart have no edges to one another
// (nil: no such points); their edges to other points follow from f.
//
// With apart points rows 0..c−1 of cols hold the apart points, rows c..2c−1 the others. A product
// adds the second half of its sums to the first, so that the first has all points and the second
// the others; rows of apart points read the second half, the others the first.
//
// Errors (fs.ErrInvalid): no points, and entries that are negative or not finite, with their place.
func NewFactor(f *sparse.CSR, apart []bool) (*Factor, error) {
	return NewSharedFactor(ranks.Evenly(ranks.Alone{}, f.NumRows), f, apart)
}

// NewSharedFactor is NewFactor of the points of all ranks, of which f has the rows that are here,
// with the columns of all. apart, which is nil on all ranks or on none, marks own points. All ranks
// make it and call its methods together; degrees and components cover the own points. A product
// receives 16 bytes per column of F and vector; making it 4 bytes per column from each rank, and
// takes 4 bytes per point of all ranks.
func NewSharedFactor(share *ranks.Share, f *sparse.CSR, apart []bool) (*Factor, error) {
	var err error
	switch n := f.NumRows; {
	case share.Total() == 0:
		err = invalid.Errorf("the matrix of rows is empty; there must be at least one point")
	case apart != nil && len(apart) != n:
		err = invalid.Errorf("%d marks of points that are apart were given for %d points", len(apart), n)
	default:
		err = checkFactor(f)
	}
	if err = ranks.Agree(share, err); err != nil {
		return nil, err
	}
	a := &Factor{share: share, apart: apart}
	a.reduce(f)
	a.cols = a.rows.Transpose()
	a.nnz = ranks.Count(share, a.rows.NNZ()+a.cols.NNZ())
	a.weigh()
	a.connect()
	return a, nil
}

// checkFactor refuses entries that are negative or not finite.
func checkFactor(f *sparse.CSR) error {
	return parallel.For(context.Background(), f.NumRows, 1<<13, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			cols, vals := f.Row(i)
			for k, v := range vals {
				if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
					return invalid.At(i, int(cols[k]), "{} is %v: a complete graph of products needs values that are finite and not negative", v)
				}
			}
		}
		return nil
	})
}

func (a *Factor) isApart(i int) bool { return a.apart != nil && a.apart[i] }

// reduce sets rows to the columns of f that join two points, one of them not apart.
func (a *Factor) reduce(f *sparse.CSR) {
	counts := make([]float64, 2*f.NumCols)
	points, open := counts[:f.NumCols], counts[f.NumCols:]
	for i := range f.NumRows {
		cols, vals := f.Row(i)
		for k, j := range cols {
			if vals[k] > 0 {
				points[j]++
				if !a.isApart(i) {
					open[j]++
				}
			}
		}
	}
	own := slices.Clone(points)
	a.share.Sum(counts)
	number, entries := make([]int32, f.NumCols), 0
	for j := range number {
		number[j] = -1
		if points[j] > 1 && open[j] > 0 {
			number[j] = int32(a.joins)
			a.joins++
			entries += int(own[j])
		}
	}
	if a.joins == f.NumCols && entries == f.NNZ() && a.apart == nil {
		a.rows = f
		return
	}
	width := a.joins
	if a.apart != nil {
		width *= 2
	}
	a.rows = &sparse.CSR{NumRows: f.NumRows, NumCols: width, RowPtr: make([]int, 1, f.NumRows+1),
		Col: make([]int32, 0, entries), Val: make([]float64, 0, entries)}
	for i := range f.NumRows {
		cols, vals := f.Row(i)
		shift := int32(0)
		if a.apart != nil && !a.apart[i] {
			shift = int32(a.joins) // for the transpose; swap exchanges the halves
		}
		for k, j := range cols {
			if at := number[j]; at >= 0 && vals[k] > 0 {
				a.rows.Col, a.rows.Val = append(a.rows.Col, at+shift), append(a.rows.Val, vals[k])
			}
		}
		a.rows.RowPtr = append(a.rows.RowPtr, len(a.rows.Col))
	}
}

// swap makes rows of apart points read the second half and the others the first, once cols, which
// is the other way round, has been made.
func (a *Factor) swap() {
	if a.apart == nil {
		return
	}
	for i := range a.rows.NumRows {
		cols, _ := a.rows.Row(i)
		shift := -int32(a.joins)
		if a.apart[i] {
			shift = int32(a.joins)
		}
		for k := range cols {
			cols[k] += shift
		}
	}
}

// weigh computes degrees and squares. A weight of a point with itself is taken out of every sum
// before it is multiplied, so that the degree is a sum of terms that are not negative.
func (a *Factor) weigh() {
	a.swap()
	n := a.rows.NumRows
	sum := a.cols.RowSums()
	a.share.Sum(sum)
	a.sum = slices.Clone(sum)
	a.addHalves(blas64.General{Rows: len(sum), Cols: 1, Stride: 1, Data: sum})
	a.square, a.degree = make([]float64, n), make([]float64, n)
	space.MustRun(parallel.For(context.Background(), n, 1<<13, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			cols, vals := a.rows.Row(i)
			own := !a.isApart(i)
			for k, j := range cols {
				v, others := vals[k], sum[j]
				if own {
					others -= v
					a.square[i] += v * v
				}
				a.degree[i] += v * others
			}
		}
		return nil
	}))
}

// connect finds the components: the own points of each column are joined, then the points by which
// the ranks have a column. The lower root of two stays, so roots are the lowest points of all.
func (a *Factor) connect() {
	first := int32(a.share.First())
	forest := sparse.NewForest(a.share.Total())
	lowest := make([]int32, a.joins) // point here that has the column, -1 for none
	for j := range lowest {
		lowest[j] = -1
		for at := j; at < a.cols.NumRows; at += a.joins {
			points, _ := a.cols.Row(at)
			for _, i := range points {
				if lowest[j] < 0 {
					lowest[j] = first + i
				}
				forest.Join(lowest[j], first+i)
			}
		}
	}
	own := make([]byte, 0, 4*a.joins)
	for _, i := range lowest {
		if i >= 0 {
			i = forest.Root(i)
		}
		own = binary.LittleEndian.AppendUint32(own, uint32(i))
	}
	for _, part := range ranks.Gather(a.share, own) {
		for j, i := range ranks.Ints(part) {
			switch {
			case i >= 0 && lowest[j] >= 0:
				forest.Join(lowest[j], i)
			case i >= 0:
				lowest[j] = i
			}
		}
	}
	a.label, a.count = numbered(a.share, forest)
}

// numbered numbers the trees of a forest of the points of all ranks by their lowest points. It
// returns the numbers of the own points' trees, and the number of all trees. The trees of own
// points must be whole.
func numbered(share *ranks.Share, forest sparse.Forest) (label []int32, count int) {
	first := int32(share.First())
	label, number := make([]int32, share.Own()), make([]int32, share.Own())
	for i := range label {
		if label[i] = forest.Root(first + int32(i)); label[i] == first+int32(i) {
			number[i] = int32(count)
			count++
		}
	}
	roots := ranks.NewShare(share, count)
	for i := range number {
		number[i] += int32(roots.First())
	}
	return share.Look(label, number), roots.Total()
}

// Size is the number of points that are here.
func (a *Factor) Size() int { return a.rows.NumRows }

// Degrees are the sums of each point's weights, W·1. The caller must not change them.
func (a *Factor) Degrees() []float64 { return a.degree }

// Components returns the component of each point, numbered by lowest point, and their number.
func (a *Factor) Components() (label []int32, count int) { return a.label, a.count }

// NNZ is the number of entries that a product reads, of all ranks.
func (a *Factor) NNZ() int { return a.nnz }

// addHalves adds the second half of the rows of h to the first if there are apart points.
func (a *Factor) addHalves(h blas64.General) {
	if a.apart == nil {
		return
	}
	for j := range a.joins {
		from := h.Data[(a.joins+j)*h.Stride:][:h.Cols]
		for k, v := range from {
			h.Data[j*h.Stride+k] += v
		}
	}
}

// scratch is a block of no particular content; the caller returns its data to the pool.
func (a *Factor) scratch(rows, cols int) blas64.General {
	data, _ := a.pool.Get().(*[]float64)
	if data == nil || cap(*data) < rows*cols {
		fresh := make([]float64, rows*cols)
		data = &fresh
	}
	return blas64.General{Rows: rows, Cols: cols, Stride: max(1, cols), Data: (*data)[:rows*cols]}
}

func (a *Factor) release(b blas64.General) { a.pool.Put(&b.Data) }

// factored is the operator scale·(F·Fᵀ + cliques)·scale + shift of a Factor, without what F·Fᵀ has
// among apart points.
type factored struct {
	*Factor
	cliques
	shift []float64 // diagonal
}

// Dims returns the number of points, twice.
func (a *factored) Dims() (r, c int) { return a.Size(), a.Size() }

// MulBlock sets dst = A·x by two sparse block products: 4·nnz(F) flops and 24·nnz(F) bytes of F and
// Fᵀ per block of columns, 8·(c + n) bytes of scratch per column for c columns of F. Each entry of
// both products is a sum in a fixed order, so the bits are the same at any number of threads. With
// ranks, x and dst have their own rows.
func (a *factored) MulBlock(dst, x blas64.General) {
	b := x.Cols
	if b == 0 {
		return
	}
	const grain = 1 << 13
	from := x
	if a.scale != nil {
		from = a.scratch(x.Rows, b)
		defer a.release(from)
		space.MustRun(parallel.For(context.Background(), x.Rows, grain, func(_, lo, hi int) error {
			for i := lo; i < hi; i++ {
				to, s := from.Data[i*from.Stride:][:b], a.scale[i]
				for k, v := range x.Data[i*x.Stride:][:b] {
					to[k] = s * v
				}
			}
			return nil
		}))
	}
	h := a.scratch(a.cols.NumRows, b)
	defer a.release(h)
	a.cols.MulBlock(h, from)
	a.Factor.share.Sum(h.Data)
	a.addHalves(h)
	a.rows.MulBlock(dst, h)
	space.MustRun(parallel.For(context.Background(), x.Rows, grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			to, s, d := dst.Data[i*dst.Stride:][:b], a.at(int32(i)), a.shift[i]
			for k, v := range x.Data[i*x.Stride:][:b] {
				to[k] = s*to[k] + d*v
			}
		}
		return nil
	}))
	a.cliques.add(dst, x)
}

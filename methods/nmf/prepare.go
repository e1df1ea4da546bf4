package nmf

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	docs "github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// The sizes of entries whose squares neither overflow nor vanish.
const largestEntry, smallestEntry = 1e150, 1e-150

// rowData are checked rows of one storage.
type rowData interface {
	dims() (n, m int)
	// row returns the values of row i and their columns; nil for columns means all of them.
	row(i int) (cols []int32, vals []float64)
	// selected returns the given rows and columns, nil for all of them, with row i multiplied by
	// scale[i] (of the selected ones): new values.
	selected(rows, cols []int, scale []float64) rowData
	// operator returns X, or Xᵀ if trans is set, for blocks of the given number of columns. It may
	// share the memory of x.
	operator(width int, trans bool) operator
}

type sparseRows struct{ *sparse.CSR }

func (s sparseRows) dims() (n, m int)               { return s.Dims() }
func (s sparseRows) row(i int) ([]int32, []float64) { return s.Row(i) }

func (s sparseRows) selected(rows, cols []int, scale []float64) rowData {
	a := s.CSR
	if rows != nil {
		a = a.SelectRows(rows)
	}
	if cols != nil {
		a = a.SelectCols(cols)
	}
	return sparseRows{a.ScaleRows(scale)}
}

type denseRows struct{ blas64.General }

func (d denseRows) dims() (n, m int) { return d.Rows, d.Cols }

func (d denseRows) row(i int) ([]int32, []float64) {
	return nil, d.Data[i*d.Stride:][:d.Cols]
}

func (d denseRows) selected(rows, cols []int, scale []float64) rowData {
	c := newBlock(len(scale), d.Cols, d.Cols)
	if cols != nil {
		c = newBlock(len(scale), len(cols), len(cols))
	}
	for i, s := range scale {
		from := i
		if rows != nil {
			from = rows[i]
		}
		_, vals := d.row(from)
		to := c.Data[i*c.Stride:][:c.Cols]
		for j := range to {
			if cols == nil {
				to[j] = s * vals[j]
			} else {
				to[j] = s * vals[cols[j]]
			}
		}
	}
	return denseRows{c}
}

// readRows takes the rows of any matrix, dense ones and CSR without copying.
func readRows(x mat.Matrix) (rowData, error) {
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to factorise")
	}
	if n, m := x.Dims(); n == 0 || m == 0 {
		return nil, invalid.Errorf("the matrix to factorise is empty (%d × %d)", n, m)
	} else if n > sparse.MaxDim || m > sparse.MaxDim {
		return nil, invalid.Errorf("a matrix of %d × %d is larger than the factorisation takes (%d rows or columns)", n, m, sparse.MaxDim)
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	if s, ok := x.(*sparse.CSR); ok {
		return sparseRows{s}, s.CheckColumns()
	}
	return denseRows{x.(*mat.Dense).RawMatrix()}, nil
}

// usage is the result of a first pass over the data.
type usage struct {
	rows, cols []bool // those with an entry above zero
	largest    float64
}

// inspect visits every entry and refuses those that no factorisation has.
func inspect(ctx context.Context, x rowData) (usage, error) {
	n, m := x.dims()
	u := usage{rows: make([]bool, n), cols: make([]bool, m)}
	seen := 0
	for i := range n {
		cols, vals := x.row(i)
		if seen += len(vals) + 1; seen > 1<<20 {
			if err := ctx.Err(); err != nil {
				return u, err
			}
			seen = 0
		}
		for p, v := range vals {
			if v == 0 {
				continue
			}
			j := p
			if cols != nil {
				j = int(cols[p])
			}
			if !(v > 0) || math.IsInf(v, 1) {
				if v < 0 && !math.IsInf(v, -1) {
					return u, &NegativeError{Row: i, Col: j, Value: v}
				}
				return u, &sparse.NotFiniteError{Row: i, Col: j, Value: v}
			}
			u.rows[i], u.cols[j] = true, true
			u.largest = max(u.largest, v)
		}
	}
	return u, nil
}

// check refuses entries that are too large or too small.
func (u usage) check() error {
	if u.largest > largestEntry {
		return invalid.Errorf("the entries reach %.3g, too large to square: divide the data by a constant", u.largest)
	}
	if u.largest < smallestEntry && u.largest > 0 {
		return invalid.Errorf("no entry is larger than %.3g, too small to square: multiply the data by a constant", u.largest)
	}
	return nil
}

// join takes the columns that any rank uses, and the largest entry of all.
func (u *usage) join(share *ranks.Share) {
	of := make([]float64, len(u.cols)+1)
	of[len(u.cols)] = u.largest
	for j, used := range u.cols {
		if used {
			of[j] = 1
		}
	}
	ranks.Largest(share, of)
	for j := range u.cols {
		u.cols[j] = of[j] > 0
	}
	u.largest = of[len(u.cols)]
}

// kept returns the positions of true; nil if all are.
func kept(used []bool) []int {
	places := []int{}
	for i, b := range used {
		if b {
			places = append(places, i)
		}
	}
	if len(places) == len(used) {
		return nil
	}
	return places
}

// problem is the data that the solvers work on: rows and columns with entries only, weighted, and
// divided by scale so that the largest entry lies in [1, 4).
type problem struct {
	n, m       int   // of the matrix: own rows, and columns
	rows, cols []int // those that are kept; nil for all
	// share divides all rows, and kept those that are kept.
	share, kept *ranks.Share
	x, xt       operator
	scale       float64 // a power of 4, so that it and its square root are exact
	square      float64 // ‖X‖² of the scaled data, of all ranks
	entries     int     // that are stored, of all ranks
	weights     []float64
	termSums    []float64
}

// newProblem prepares the own rows for factors of the given number of columns (padding included).
// zero says that no rank has an entry.
func newProblem(ctx context.Context, share *ranks.Share, data rowData, weighting Weighting, width int) (p *problem, zero bool, err error) {
	ctx, stopped := share.Watch(ctx)
	u, err := inspect(ctx, data)
	if err = docs.Agreed(share, err); err != nil {
		return nil, false, err
	}
	if u.join(share); u.check() != nil {
		return nil, false, u.check()
	}
	p = &problem{share: share, scale: powerOf4(u.largest), rows: kept(u.rows), cols: kept(u.cols)}
	p.n, p.m = data.dims()
	if weighting == NCW {
		p.termSums = columnSums(data)
		share.Sum(p.termSums)
		p.weights, err = ncwWeights(data, p.termSums)
		if err = docs.Agreed(share, err); err != nil {
			return nil, false, err
		}
	}
	if u.largest == 0 {
		return p, true, nil
	}
	count, _ := p.size()
	p.kept = ranks.NewShare(share, count)
	if weighting == NCW {
		// Weighted rows are no longer than 1; their largest entry sets the scale.
		largest := []float64{0}
		for i := range p.n {
			_, vals := data.row(i)
			for _, v := range vals {
				largest[0] = max(largest[0], v*p.weights[i])
			}
		}
		ranks.Largest(share, largest)
		p.scale = powerOf4(largest[0])
	}
	scale := make([]float64, count)
	for i := range scale {
		scale[i] = 1 / p.scale
		if weighting == NCW {
			scale[i] *= p.weights[p.row(i)]
		}
	}
	data = data.selected(p.rows, p.cols, scale)
	sums := make([]float64, 2)
	for i := range count {
		s := 0.0
		_, vals := data.row(i)
		for _, v := range vals {
			s += v * v
		}
		sums[0] += s
		sums[1] += float64(len(vals))
	}
	share.Sum(sums)
	p.square, p.entries = sums[0], int(sums[1])
	if err := stopped(); err != nil {
		return nil, false, err
	}
	if math.IsInf(p.scale*p.scale*p.square, 1) {
		return nil, false, invalid.Errorf("the sum of the squared entries overflows (the largest entry is %.3g): divide the data by a constant", u.largest)
	}
	p.x, p.xt = data.operator(width, false), data.operator(width, true)
	return p, false, nil
}

// row returns the position of kept row i in the whole matrix, and col the position of a kept
// column.
func (p *problem) row(i int) int {
	if p.rows == nil {
		return i
	}
	return p.rows[i]
}

func (p *problem) col(j int) int {
	if p.cols == nil {
		return j
	}
	return p.cols[j]
}

// powerOf4 returns the largest power of 4 that is not above v > 0, and 1 for 0.
func powerOf4(v float64) float64 {
	if v == 0 {
		return 1
	}
	_, e := math.Frexp(v) // v in [2^(e-1), 2^e)
	return math.Ldexp(1, (e-1)&^1)
}

// columnSums returns Xᵀ·1, summed in row order.
func columnSums(x rowData) []float64 {
	n, m := x.dims()
	sums := make([]float64, m)
	for i := range n {
		cols, vals := x.row(i)
		for p, v := range vals {
			if cols == nil {
				sums[p] += v
			} else {
				sums[cols[p]] += v
			}
		}
	}
	return sums
}

// ncwWeights returns 1/√(x_i·t) for every row, with t = Xᵀ·1 of the rows that the model is fitted
// on; 1 if the product is zero. Rows are divided by their largest entry first, against overflow.
func ncwWeights(x rowData, termSums []float64) ([]float64, error) {
	n, _ := x.dims()
	weights := make([]float64, n)
	for i := range weights {
		cols, vals := x.row(i)
		largest, s := 0.0, 0.0
		for _, v := range vals {
			largest = max(largest, v)
		}
		for p, v := range vals {
			j := p
			if cols != nil {
				j = int(cols[p])
			}
			if v > 0 {
				s += v / largest * termSums[j]
			}
		}
		weights[i] = 1
		if s > 0 {
			weights[i] = 1 / (math.Sqrt(largest) * math.Sqrt(s))
		}
		if math.IsInf(weights[i], 1) {
			return nil, invalid.At(i, -1, "{} is too small to be weighted (its largest entry is %.3g): leave it out or multiply the data by a constant", largest)
		}
	}
	return weights, nil
}

package model

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// JoinDirections puts the images of weighted terms in their leading directions behind them, before
// vectors or columns follow, and scales each row to length 1. So the product of two rows is that of
// the terms and of their topics, where they have some. Memory: 12 bytes for each entry.
func JoinDirections(terms, images mat.Matrix) (*sparse.CSR, error) {
	rows, err := sparse.FromMatrix(terms)
	if err != nil {
		return nil, err
	}
	_, width := images.Dims()
	return behind(rows, width, func(vals, more []float64, i int) {
		mat.Row(more, i, images)
		scaleBoth(vals, more)
	}), nil
}

// scaleBoth scales a vector in two parts to length 1, unless it is zeros.
func scaleBoth(a, b []float64) {
	if length := math.Hypot(floats.Norm(a, 2), floats.Norm(b, 2)); length > 0 {
		floats.Scale(1/length, a)
		floats.Scale(1/length, b)
	}
}

// JoinVectors puts vectors behind the terms of documents. Both have length 1, or are zeros; where
// neither is zeros each counts times √½, so that the product of two rows is the mean of their
// cosines. Memory: 12 bytes for each entry.
func JoinVectors(terms *sparse.CSR, vectors mat.Matrix) *sparse.CSR {
	_, width := vectors.Dims()
	return behind(terms, width, func(vals, more []float64, i int) {
		mat.Row(more, i, vectors)
		if zeros(vals) || zeros(more) {
			return
		}
		floats.Scale(math.Sqrt2/2, vals)
		floats.Scale(math.Sqrt2/2, more)
	})
}

// behindRows is the number of rows that get more columns at a time.
const behindRows = 256

// behind puts more columns behind those of x. put gets copies of the values of row i and a vector
// of zeros for the further ones, and may change both. Several goroutines call it, twice for each
// row.
func behind(x sparse.Rows, width int, put func(vals, more []float64, i int)) *sparse.CSR {
	p := x.Pattern()
	out := &sparse.CSR{NumRows: p.NumRows, NumCols: p.NumCols + width, RowPtr: make([]int, p.NumRows+1)}
	each := func(take func(i int, vals, more []float64)) {
		// The background context never ends, and bodies return no errors.
		_ = parallel.For(context.Background(), p.NumRows, behindRows, func(_, lo, hi int) error {
			more, buf := make([]float64, width), []float64(nil)
			for i := lo; i < hi; i++ {
				vals := append(buf[:0], x.Values(i, buf)...)
				clear(more)
				put(vals, more, i)
				take(i, vals, more)
				buf = vals
			}
			return nil
		})
	}
	each(func(i int, vals, more []float64) {
		out.RowPtr[i+1] = len(vals)
		for _, v := range more {
			if v != 0 {
				out.RowPtr[i+1]++
			}
		}
	})
	for i := range p.NumRows {
		out.RowPtr[i+1] += out.RowPtr[i]
	}
	out.Col, out.Val = make([]int32, out.RowPtr[p.NumRows]), make([]float64, out.RowPtr[p.NumRows])
	each(func(i int, vals, more []float64) {
		at := out.RowPtr[i]
		copy(out.Col[at:], p.Col[p.RowPtr[i]:p.RowPtr[i+1]])
		copy(out.Val[at:], vals)
		at += len(vals)
		for j, v := range more {
			if v != 0 {
				out.Col[at], out.Val[at] = int32(p.NumCols+j), v
				at++
			}
		}
	})
	return out
}

// zeros reports whether all values are 0.
func zeros(x []float64) bool { return floats.Norm(x, math.Inf(1)) == 0 }

// MissingNumbers is how many numbers of a row stand for missing values, if documents of the fit
// lack some.
const MissingNumbers = 64

// missingWidth is the width of the kernel of the numbers for missing values.
const missingWidth = .1

// JoinColumns puts the numbers of the columns of the view behind rows of length 1, or of zeros, by
// the square roots of their weights, and scales each row to length 1. The result is sparse if the
// rows are.
//
// A document without a value gets the mean of the numbers of those that have one: its product with
// each other document is what it is on average. What the mean lacks to length 1 is in further
// numbers, if documents of the fit lacked values, or such documents would be nearer to each other
// than to those that lack none. They are random Fourier features (Rahimi and Recht, "Random
// features for large-scale kernel machines", 2007) of the row, of a Gaussian kernel so narrow that
// the features of two documents have a product of about 0. Memory: 8 bytes for each number of dense
// rows, 12 for each entry of sparse ones.
func (r *Rows) JoinColumns(rows, columns mat.Matrix) mat.Matrix {
	n, left := rows.Dims()
	f := newFeatures(r.Missing)
	if s, ok := rows.(sparse.Rows); ok {
		p := s.Pattern()
		f.meet(p.Col)
		return behind(s, r.viewWidth(), func(vals, more []float64, i int) {
			r.putColumns(f, p.Col[p.RowPtr[i]:p.RowPtr[i+1]], vals, more, columns, i)
		})
	}
	for c := range left {
		f.meet([]int32{int32(c)})
	}
	out := mat.NewDense(n, left+r.viewWidth(), nil)
	for i := range n {
		row := out.RawRowView(i)
		mat.Row(row[:left], i, rows)
		r.putColumns(f, nil, row[:left], row[left:], columns, i)
	}
	return out
}

// putColumns sets more to the numbers of the columns of document i behind its values of some
// columns, nil for all, and scales both.
func (r *Rows) putColumns(f *features, cols []int32, vals, more []float64, columns mat.Matrix, i int) {
	_, width := columns.Dims()
	mat.Row(more[:width], i, columns)
	if zeros(vals) && zeros(more) {
		return
	}
	first, lacks := 0, 0.0
	for k := range r.View {
		v := &r.View[k]
		part := more[first : first+v.Width()]
		if zeros(part) {
			copy(part, v.Mean)
			lacks += v.Weight * (1 - floats.Dot(v.Mean, v.Mean))
		}
		floats.Scale(math.Sqrt(v.Weight), part)
		first += v.Width()
	}
	f.put(more[first:], cols, vals, math.Sqrt(max(0, lacks)))
	scaleBoth(vals, more)
}

// features make numbers of rows whose products are about 0 for different rows.
type features struct {
	waves  map[int32][]float64 // of each column that was met, by feature
	phases []float64
}

// newFeatures are so many features of rows; always the same ones.
func newFeatures(many int) *features {
	rng := rand.New(rand.NewPCG(0x6d697373, 0x696e67))
	f := &features{make(map[int32][]float64), make([]float64, many)}
	for k := range f.phases {
		f.phases[k] = 2 * math.Pi * rng.Float64()
	}
	return f
}

// meet makes the waves of columns.
func (f *features) meet(cols []int32) {
	if len(f.phases) == 0 {
		return
	}
	for _, c := range cols {
		if f.waves[c] != nil {
			continue
		}
		rng := rand.New(rand.NewPCG(0x77617665, uint64(c)))
		w := make([]float64, len(f.phases))
		for k := range w {
			w[k] = rng.NormFloat64() / missingWidth
		}
		f.waves[c] = w
	}
}

// put writes the features of a row with values of some columns, nil for all, of the given length.
func (f *features) put(out []float64, cols []int32, vals []float64, length float64) {
	if length == 0 || len(f.phases) == 0 {
		return
	}
	copy(out, f.phases)
	for p, v := range vals {
		c := int32(p)
		if cols != nil {
			c = cols[p]
		}
		if v != 0 {
			floats.AddScaled(out, v, f.waves[c])
		}
	}
	for k, v := range out {
		out[k] = math.Cos(v)
	}
	floats.Scale(length/floats.Norm(out, 2), out)
}

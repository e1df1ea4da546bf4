package lda

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// shrinkageRows is the number of documents, evenly spaced within each class, from whose products
// with all others the squared length of a covariance is estimated; it is exact if there are no
// more.
const shrinkageRows = 1000

// scatterColumns is the most columns of dense rows whose scatter within classes is written out.
const scatterColumns = 1024

// mostShrinkage keeps the ridge finite where nothing but noise is seen.
const mostShrinkage = 1 - 1e-6

// ledoitWolf is the γ that Ledoit and Wolf (2004, "A well-conditioned estimator for
// large-dimensional covariance matrices") estimate for the scatter within classes, from 0 to
// mostShrinkage.
//
// Of n documents x_i less their mean, with S = Σ x_i·x_iᵀ/n and m = tr S/p, it is γ = β/δ, at most
// 1, with δ = (‖S‖² − p·m²)/p and β = (Σ‖x_i‖⁴/n − ‖S‖²)/(p·n). As in scikit-learn's
// LinearDiscriminantAnalysis(shrinkage='auto') it is estimated for each class; the mean over the
// classes counts each by its documents less one. Of two documents a class says nothing, so the
// estimate from all documents, each less the mean of its class, is taken if it is larger.
// scikit-learn also scales every column to unit variance first, which we do not: rare terms of a
// few labelled documents would get the weight of frequent ones.
//
// b has the labelled rows x. Cost: 4·entries·min(n, shrinkageRows) flops, and some 32 MiB. Of dense
// rows of few columns it is n·p² flops and 16·p² bytes, and no document is left out.
func ledoitWolf(ctx context.Context, b *svd.Matrix, x mat.Matrix, of [][]int32) (float64, error) {
	stats := make([]moments, len(of)+1) // the last one is of all documents
	var err error
	if dense, ok := x.(*mat.Dense); ok && b.Cols <= min(scatterColumns, 4*min(b.Rows, shrinkageRows)) {
		err = byScatter(ctx, dense.RawMatrix(), b.Scale, of, stats)
	} else {
		err = byProducts(ctx, b, of, stats)
	}
	if err != nil {
		return 0, err
	}
	mean, weight := 0.0, 0.0
	for c, set := range of {
		free := float64(len(set) - 1)
		mean += free * stats[c].shrinkage(float64(len(set)), float64(b.Cols))
		weight += free
	}
	if weight > 0 {
		mean /= weight
	}
	return min(max(mean, stats[len(of)].shrinkage(float64(b.Rows), float64(b.Cols))), mostShrinkage), nil
}

// byScatter sets the moments of every class, and of all, of scale·x: the squared products of all
// pairs are those of the entries of the scatter.
func byScatter(ctx context.Context, x blas64.General, scale float64, of [][]int32, stats []moments) error {
	whole := &stats[len(of)]
	p := x.Cols
	symmetric := func() blas64.Symmetric {
		return blas64.Symmetric{N: p, Stride: p, Uplo: blas.Upper, Data: make([]float64, p*p)}
	}
	own, all := symmetric(), symmetric()
	z := panel.New(max(1, (1<<18)/p), p) // 2 MiB
	for c, set := range of {
		if err := ctx.Err(); err != nil {
			return err
		}
		m := &stats[c]
		mean := classMean(x, scale, set)
		clear(own.Data)
		for lo := 0; lo < len(set); lo += z.Rows {
			part := panel.Rows(z, 0, min(z.Rows, len(set)-lo))
			for r := range part.Rows {
				row := part.Data[r*p:][:p]
				for j, v := range x.Data[int(set[lo+r])*x.Stride:][:p] {
					row[j] = v*scale - mean[j]
				}
				square := floats.Dot(row, row)
				m.second += square
				m.fourth += square * square
			}
			native.Default().Syrk(blas.Trans, 1, part, 1, own)
		}
		m.products = squaredEntries(own)
		whole.second += m.second
		whole.fourth += m.fourth
		floats.Add(all.Data, own.Data)
	}
	whole.products = squaredEntries(all)
	return nil
}

// classMean is the mean of some rows of scale·x, by their differences to the first of them.
func classMean(x blas64.General, scale float64, set []int32) []float64 {
	first := x.Data[int(set[0])*x.Stride:][:x.Cols]
	mean := make([]float64, x.Cols)
	for _, i := range set {
		for j, v := range x.Data[int(i)*x.Stride:][:x.Cols] {
			mean[j] += v*scale - first[j]*scale
		}
	}
	for j := range mean {
		mean[j] = first[j]*scale + mean[j]/float64(len(set))
	}
	return mean
}

// squaredEntries is the sum of the squares of all entries.
func squaredEntries(a blas64.Symmetric) float64 {
	sum := 0.0
	for i := range a.N {
		row := a.Data[i*a.Stride+i:][:a.N-i]
		sum += 2*floats.Dot(row, row) - row[0]*row[0]
	}
	return sum
}

// byProducts estimates the moments of every class, and of all, from products of documents.
func byProducts(ctx context.Context, b *svd.Matrix, of [][]int32, stats []moments) error {
	whole := &stats[len(of)]
	class := make([]int, b.Rows)
	share := min(1, float64(shrinkageRows)/float64(b.Rows))
	for c, set := range of {
		for _, i := range set {
			class[i] = c
		}
	}
	for c, set := range of {
		taken := min(int(share*float64(len(set))+1), len(set))
		if err := products(ctx, b, of, class, c, taken, &stats[c], whole); err != nil {
			return err
		}
	}
	return nil
}

// moments are sums over the documents of a set, each less the mean of its class: squared lengths,
// their squares, and the squared products of all pairs.
type moments struct{ second, fourth, products float64 }

// shrinkage is γ of n documents of p columns.
func (m moments) shrinkage(n, p float64) float64 {
	mean, length := m.second/n/p, m.products/n/n
	delta := (length - p*mean*mean) / p
	beta := (m.fourth/n - length) / (p * n)
	if !(delta > 0) || !(beta > 0) {
		return 0
	}
	return min(1, beta/delta)
}

// products adds the moments of class c from the given number of its documents, to the moments of
// the class and of all classes.
func products(ctx context.Context, b *svd.Matrix, of [][]int32, class []int, c, taken int, own, all *moments) error {
	// Panels of at most 64 columns, and of some 32 MiB.
	width := max(1, min(64, (4<<20)/(2*b.Rows+b.Cols)))
	set := of[c]
	factor := float64(len(set)) / float64(taken)
	for lo := 0; lo < taken; lo += width {
		w := min(width, taken-lo)
		unit, row, dot := panel.New(b.Rows, w), panel.New(b.Cols, w), panel.New(b.Rows, w)
		at := make([]int32, w)
		for k := range at {
			at[k] = set[(lo+k)*len(set)/taken]
			for _, i := range set {
				unit.Data[int(i)*w+k] = -1 / float64(len(set))
			}
			unit.Data[int(at[k])*w+k]++
		}
		if err := b.MulT(ctx, row, unit); err != nil {
			return err
		}
		if err := b.Mul(ctx, dot, row); err != nil {
			return err
		}
		means := make([]float64, len(of)*w)
		for i, t := range class {
			for k, v := range dot.Data[i*w:][:w] {
				means[t*w+k] += v / float64(len(of[t]))
			}
		}
		for i, t := range class {
			for k, v := range dot.Data[i*w:][:w] {
				v -= means[t*w+k]
				all.products += factor * v * v
				if t == c {
					own.products += factor * v * v
				}
				if int32(i) == at[k] {
					for _, m := range []*moments{own, all} {
						m.second += factor * v
						m.fourth += factor * v * v
					}
				}
			}
		}
	}
	return nil
}

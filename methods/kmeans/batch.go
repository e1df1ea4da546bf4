package kmeans

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Batches is k-means on rows that come in batches and are not kept, by the learning rates of
// Sculley ("Web-scale k-means clustering", 2010, algorithm 1): each row of a batch goes to the
// nearest of the centres before the batch, and then moves that centre towards itself by 1/v, where
// v counts the rows that the centre has had, this one among them. So after each batch a centre is
// the mean of all rows that it ever got, and the order of the rows in a batch changes nothing but
// rounding.
//
// The first batch is clustered by [Fit], which makes the first centres and counts: its centres are
// Lloyd's, and stay the whole data's if the first batch is all there is. Later batches are
// assigned once each, so a batch is never seen twice unless it is given twice. The result depends
// on the batches, their order and the seed alone.
//
// A centre that gets no rows stays. Rows far from all centres move the nearest one: data that
// change over time need a new fit, because old rows count as much as new ones.
type Batches struct {
	opt     Options
	centers *mat.Dense
	counts  []int
	rows    int
}

// NewBatches makes an empty one. K, Restarts, MaxIter, Init, Seed, Start and Observer of the
// options are for the fit of the first batch. Errors (fs.ErrInvalid): options that [Fit]
// refuses, and Seeds, Clamp and Share.
func NewBatches(opt Options) (*Batches, error) {
	if opt.Seeds != nil || opt.Clamp || opt.Share != nil {
		return nil, invalid.Errorf("k-means by batches takes no known clusters and no rows that are divided among ranks: leave them out")
	}
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	return &Batches{opt: opt}, nil
}

// Add takes the next batch, rows as of [Fit], and returns the cluster of each by the centres
// before the batch; of the first batch by its fit. A batch without rows changes nothing.
//
// Cost: of the first batch a fit, of later ones rows·k·d multiplications (entries·k for sparse
// rows). Memory: 8·k·d bytes, and what a fit or a prediction of the batch takes. Errors
// (fs.ErrInvalid): a first batch of fewer rows than clusters, another number of columns than
// before, values that are not finite; and the context's. After an error the centres are as they
// were.
func (b *Batches) Add(ctx context.Context, x mat.Matrix) ([]int, error) {
	if x != nil && b.centers != nil {
		if n, _ := x.Dims(); n == 0 {
			return []int{}, nil
		}
	}
	if b.centers == nil {
		m, err := Fit(ctx, x, b.opt)
		if err != nil {
			return nil, err
		}
		b.centers, b.counts, b.rows = m.Centers, m.Sizes, len(m.Labels)
		return m.Labels, nil
	}
	labels, err := (&Model{Centers: b.centers}).Predict(ctx, x)
	if err != nil {
		return nil, err
	}
	k, d := b.centers.Dims()
	sums, sizes := mat.NewDense(k, d, nil), make([]int, k)
	add := rowAdder(x)
	for i, j := range labels {
		add(i, sums.RawRowView(j))
		sizes[j]++
	}
	moved := mat.DenseCopyOf(b.centers)
	for j, n := range sizes {
		if n == 0 {
			continue
		}
		all := float64(b.counts[j] + n)
		to := moved.RawRowView(j)
		for t, s := range sums.RawRowView(j) {
			to[t] += (s - float64(n)*to[t]) / all
			if to[t]-to[t] != 0 {
				return nil, invalid.Errorf("column %d of the centre of cluster %d is beyond the largest number: divide the data by a constant", t, j)
			}
		}
	}
	b.centers, b.rows = moved, b.rows+len(labels)
	for j, n := range sizes {
		b.counts[j] += n
	}
	return labels, nil
}

// rowAdder adds row i of a matrix to a sum.
func rowAdder(x mat.Matrix) func(i int, sum []float64) {
	if s, ok := x.(sparse.Rows); ok {
		p := s.Pattern()
		var values []float64
		return func(i int, sum []float64) {
			values = s.Values(i, values[:0])
			for k, c := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
				sum[c] += values[k]
			}
		}
	}
	var row []float64
	return func(i int, sum []float64) {
		if row == nil {
			row = make([]float64, len(sum))
		}
		mat.Row(row, i, x)
		for t, v := range row {
			sum[t] += v
		}
	}
}

// Model is the clustering so far: its centres, and in Sizes the rows that each has had. It has no
// Labels, and Objective, Iterations and Converged say nothing. Errors (fs.ErrInvalid): no batch
// came yet.
func (b *Batches) Model() (*Model, error) {
	if b.centers == nil {
		return nil, invalid.Errorf("k-means by batches has no centres: add a batch of %s or more first", words.Counted(b.opt.K, "row"))
	}
	return &Model{Centers: mat.DenseCopyOf(b.centers), Sizes: append([]int{}, b.counts...)}, nil
}

// Rows is the number of rows so far.
func (b *Batches) Rows() int { return b.rows }

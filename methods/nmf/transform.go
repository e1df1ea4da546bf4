package nmf

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Transform returns the coefficients of new documents, rows of x, n×k: for each the non-negative
// least squares solution of x_i ≈ c·H, exact to rounding. With [NCW] a row is divided by √(x_i·t)
// first, where t are the column sums of the documents of the fit, as those were. Rows without terms
// of any topic get zeros.
//
// 2·k flops per entry for the products, and O(k³) per row for each topic in it; 8·(n+m)·k bytes.
// Errors are as for [Fit], and a number of columns other than H's. x is not written.
func (p *Placer) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	if p.H == nil || p.H.IsEmpty() {
		return nil, invalid.Errorf("the model has no topics: fit it first")
	}
	data, err := readRows(x)
	if err != nil {
		return nil, err
	}
	k, terms := p.H.Dims()
	n, c := data.dims()
	if c != terms {
		return nil, invalid.Errorf("the rows have %d columns, but the model was fitted on %d", c, terms)
	}
	u, err := inspect(ctx, data)
	if err == nil {
		err = u.check()
	}
	if err != nil {
		return nil, err
	}
	var weights []float64
	if p.TermSums != nil {
		if weights, err = ncwWeights(data, p.TermSums); err != nil {
			return nil, err
		}
	}
	defer native.Parallel()()
	coefficients := mat.NewDense(n, k, nil)
	products := block(coefficients.RawMatrix())
	topics := mat.DenseCopyOf(p.H.T()).RawMatrix()
	if err := data.operator(topics.Stride, false).mul(ctx, products, topics, parallel.For); err != nil {
		return nil, err
	}
	gram := newBlock(k, k, k)
	(&side{f: topics, join: ranks.Alone{}.Sum}).gram(gram)
	const grain = 64
	solvers := make([]*nnls, parallel.Workers(n, grain))
	return coefficients, parallel.For(ctx, n, grain, func(worker, lo, hi int) error {
		if solvers[worker] == nil {
			solvers[worker] = newNNLS(gram)
		}
		products := make([]float64, k)
		for i := lo; i < hi; i++ {
			row := coefficients.RawRowView(i)
			copy(products, row)
			if weights != nil {
				for j := range products {
					products[j] *= weights[i]
				}
			}
			solvers[worker].solve(row, products)
		}
		return nil
	})
}

// Predict returns the topic of the largest coefficient of each row of x, the lower one on a tie,
// and 0 if [Placer.Transform] gives no coefficient above zero. Errors are as for Transform.
func (p *Placer) Predict(ctx context.Context, x mat.Matrix) ([]int, error) {
	c, err := p.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	return rows.Largest(c), nil
}

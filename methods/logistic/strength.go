package logistic

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// leastC and mostC bound the C that follows the rows, and manyDirections are those of rows for
	// which it is leastC.
	leastC, mostC  = 1, 100
	manyDirections = 250
	// mostLooked are the labelled rows by which the directions are counted, at most, and one of each
	// class that is rarer.
	mostLooked = 500
)

// strength is the C that suits the labelled rows own of the classes class, of which data are the
// deviations: the fewer
// directions they have, the larger. Rows of few directions have few ways to follow labels by
// chance, and classes that differ in the short ones need large weights; docs/methods/logistic.md
// has figures. 4·entries·min(mostLooked, rows, columns) flops.
func strength(ctx context.Context, own mat.Matrix, data *svd.Matrix, class []int, classes int) (float64, error) {
	if n := looked(data.Rows, data.Cols); n < data.Rows {
		var err error
		if data, err = svd.New(ctx, rows.Select(own, labels.Spread(class, classes, n)), true); err != nil {
			return 0, err
		}
	}
	d, err := directions(ctx, data)
	return min(max(manyDirections/d, leastC), mostC), err
}

// looked is how many of m rows of q columns strength looks at.
func looked(m, q int) int {
	if min(m, q) > mostLooked {
		return mostLooked
	}
	return m
}

// directions are (tr Σ)²/tr Σ² of the covariance Σ of rows: in so many directions rows would spread
// that spread evenly in each of them. tr Σ² is estimated as by Bai and Saranadasa (1996, "Effect of
// high dimension: by an example of a two sample problem"), without the part that a sample has by
// chance; the square of the degrees of freedom is the most that can be seen.
func directions(ctx context.Context, data *svd.Matrix) (float64, error) {
	q, other, first, second := data.Cols, data.Rows, data.Mul, data.MulT
	if data.Rows < data.Cols {
		q, other, first, second = other, q, second, first
	}
	g, err := panel.Gram(ctx, q, other, first, second)
	if err != nil {
		return 0, err
	}
	m := float64(data.Rows - 1)
	floats.Scale(1/data.Total, g.Data) // its trace is 1, and no square underflows
	square := m * m / ((m + 2) * (m - 1)) * (floats.Dot(g.Data, g.Data) - 1/m)
	if m < 2 || !(square > 1/m/m) { // or NaN, of equal rows
		return m * m, nil
	}
	return 1 / square, nil
}

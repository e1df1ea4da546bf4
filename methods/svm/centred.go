package svm

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Long rows: their mean ‖x−x̄‖², times a C below 1, is above steady, and the time of a machine
// grows with C times it, by any solver: with 10 times as much it is some 5 times as long on tables
// of 150 to 1,800 rows. Their columns are divided by units ([Options.C]), by and by: a machine
// changes little where the data do.
const (
	// steady is what ‖x−x̄‖² becomes, of rows for which it is 10 to the power of decades times as
	// large, or larger.
	steady  = 30
	decades = 1
	// unlike is the part of the columns that vary which have nearly all of the variance in units
	// unlike those of the others.
	unlike = 1.0 / 8
)

// centred is the rows less the mean of the rows by, and the mean, if coordinate descent is quick on
// them and not on the rows as they are; else the rows and nil. With a free b the machine is the
// same. Long rows are divided by scale besides, which has an entry for each column. O(n·d).
func (o Options) centred(ctx context.Context, data, by *pairs.Rows) (rows *pairs.Rows, mean, scale []float64, err error) {
	quick := func(square float64) bool {
		return o.withDefaults(data.N, data.D, data.Sparse(), square).Solver == CD
	}
	all := o.withDefaults(data.N, data.D, data.Sparse(), 1)
	if data.Sparse() || all.Bias != Free || all.Kernel != Linear || max(1, all.C)*max(meanSquare(data), meanSquare(by)) <= steady {
		return data, nil, nil, nil
	}
	mean, variance := moments(by)
	square, least := floats.Sum(variance), min(1, all.C)
	long := length(least*square, by.N, varying(variance))
	if long == 0 && (quick(meanSquare(data)) || !quick(square)) {
		return data, nil, nil, nil
	}
	scale = units(variance, long, steady/least)
	x := mat.NewDense(data.N, data.D, nil)
	for i := range data.N {
		_, vals := data.Row(i)
		row := x.RawRowView(i)
		floats.SubTo(row, vals, mean)
		floats.Div(row, scale)
	}
	rows, err = pairs.New(ctx, x)
	return rows, mean, scale, err
}

// length is by how much n rows of this mean ‖x−x̄‖² are long, from 0 to 1: the share of its
// logarithm above steady that is taken off. Rows that are at most half as many as the columns that
// vary stay as they are: a plane parts these, and the machine is soon found.
func length(square float64, n, vary int) float64 {
	if !(square > steady) || vary == 0 {
		return 0
	}
	return unit(math.Log10(square/steady)/decades) * unit(1+math.Log2(float64(n)/float64(vary)))
}

// unit cuts a number to the range from 0 to 1.
func unit(v float64) float64 { return min(max(v, 0), 1) }

// noise is the deviation of a column, as a share of its mean, up to which it is rounding alone.
const noise = 0x1p-46

// moments are mean and variance of each column of dense rows, the variance 0 of a column whose
// values are one but for rounding. Sums are of what the rows have beyond the first one, so that the
// mean of equal values is their value.
func moments(data *pairs.Rows) (mean, variance []float64) {
	mean, variance = make([]float64, data.D), make([]float64, data.D)
	_, first := data.Row(0)
	for i := range data.N {
		_, vals := data.Row(i)
		for j, v := range vals {
			mean[j] += (v - first[j]) / float64(data.N)
		}
	}
	floats.Add(mean, first)
	for i := range data.N {
		_, vals := data.Row(i)
		for j, v := range vals {
			variance[j] += (v - mean[j]) * ((v - mean[j]) / float64(data.N))
		}
	}
	for j, m := range mean {
		if math.Sqrt(variance[j]) <= noise*math.Abs(m) {
			variance[j] = 0
		}
	}
	return mean, variance
}

// varying is the number of columns of more than one value.
func varying(variance []float64) (n int) {
	for _, v := range variance {
		if v > 0 {
			n++
		}
	}
	return n
}

// units returns what columns of these variances are divided by. The sum of the variances that are
// left is their sum to the power of 1 − long, times total to the power of long. It is one number
// for all columns, or each one's own deviation to a power up to long, the more so the fewer
// columns have nearly all of the variance. Few are columns that are together as even as fewer than
// 1 + unlike·(d−1) of the d columns that vary would be. A column of one value is left, and changes
// nothing for the others.
func units(variance []float64, long, total float64) []float64 {
	largest, sum, squares, vary := floats.Max(variance), 0.0, 0.0, varying(variance)
	for _, v := range variance {
		sum += v / largest
		squares += (v / largest) * (v / largest)
	}
	own := long * unit(0.5+math.Log2((1+unlike*float64(vary-1))*squares/(sum*sum)))
	left := 0.0
	for _, v := range variance {
		if v > 0 {
			left += math.Pow(v/largest, 1-own)
		}
	}
	// one is what a column of the largest variance is divided by.
	one := math.Sqrt(left/sum) * math.Pow(largest/total, long/2) * math.Pow(sum, long/2)
	scale := make([]float64, len(variance))
	for j, v := range variance {
		if scale[j] = one; v > 0 {
			scale[j] *= math.Pow(v/largest, own/2)
		}
	}
	return scale
}

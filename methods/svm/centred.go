package svm

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// steady is the mean ‖x−x̄‖² of long rows after they were divided, with a C of at least 1
// ([Options.C]). The time of a machine grows with C times it, by any solver: with 10 times as much
// it is some 5 times as long on tables of 150 to 1,800 rows.
const steady = 30

// centred is the rows less their mean, and the mean, if coordinate descent is quick on them and not
// on the rows as they are; else the rows and nil. With a free b the machine is the same. Long rows
// are divided by scale besides, which has an entry for each column ([Options.C]), unless they are
// no more than the columns that vary: a plane parts these, and the machine is soon found. O(n·d).
func (o Options) centred(ctx context.Context, data *pairs.Rows) (rows *pairs.Rows, mean, scale []float64, err error) {
	quick := func(square float64) bool {
		return o.withDefaults(data.N, data.D, data.Sparse(), square).Solver == CD
	}
	all := o.withDefaults(data.N, data.D, data.Sparse(), 1)
	if data.Sparse() || all.Bias != Free || all.Kernel != Linear || max(1, all.C)*meanSquare(data) <= steep {
		return data, nil, nil, nil
	}
	mean, variance := moments(data)
	square, least := floats.Sum(variance), min(1, all.C)
	long := least*square > steep && data.N > varying(variance)
	if !long && (quick(meanSquare(data)) || !quick(square)) {
		return data, nil, nil, nil
	}
	scale = make([]float64, data.D)
	for j := range scale {
		scale[j] = 1
	}
	if long {
		units(scale, variance, steady/least)
	}
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

// units sets scale to what columns of these variances are divided by, so that the variances left
// have the sum total: all by one number; each by its own deviation where few columns have nearly
// all of the variance, in units unlike those of the others. Few are columns that are together as
// even as fewer than 1 + (d−1)/8 of the d columns that vary would be. A column of one value is
// left, and changes nothing for the others.
func units(scale, variance []float64, total float64) {
	largest, sum, squares, vary := floats.Max(variance), 0.0, 0.0, varying(variance)
	for _, v := range variance {
		sum += v / largest
		squares += (v / largest) * (v / largest)
	}
	few := sum*sum/squares < 1+float64(vary-1)/8
	for j, v := range variance {
		switch {
		case !few:
			scale[j] = math.Sqrt(largest) * math.Sqrt(sum/total)
		case v > 0:
			scale[j] = math.Sqrt(v) * math.Sqrt(float64(vary)/total)
		}
	}
}

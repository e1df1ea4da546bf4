package papers

import "math"

// Estimate is a mean with its standard error.
type Estimate struct {
	Mean, Error float64
	N           int // values that were averaged
}

// estimate averages values. The standard error is s/√n with s from n−1 degrees of freedom; it is 0
// for a single value.
func estimate(x []float64) Estimate {
	e := Estimate{N: len(x)}
	n := float64(len(x))
	e.Mean = mean(x)
	if len(x) < 2 {
		return e
	}
	var sum float64
	for _, v := range x {
		sum += (v - e.Mean) * (v - e.Mean)
	}
	e.Error = math.Sqrt(sum / (n - 1) / n)
	return e
}

// mean of at least one value.
func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// ofTests averages a metric over the cases of each test first and over the tests then; tests[t]
// holds the cases of test t.
func ofTests(tests [][]float64) Estimate {
	means := make([]float64, len(tests))
	for t, cases := range tests {
		means[t] = mean(cases)
	}
	return estimate(means)
}

// average is the mean of independent estimates: the last row of a table, over the others. Its N is
// their smallest N.
func average(rows []Estimate) Estimate {
	out := Estimate{N: rows[0].N}
	n := float64(len(rows))
	variance := 0.0
	for _, r := range rows {
		out.Mean += r.Mean
		variance += r.Error * r.Error
		out.N = min(out.N, r.N)
	}
	out.Mean /= n
	out.Error = math.Sqrt(variance) / n
	return out
}

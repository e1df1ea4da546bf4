package space

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// largestOf sets each entry of largest to the largest magnitude of its column, if that is larger.
func largestOf(largest []float64, raw blas64.General) {
	for i := 0; i < raw.Rows; i++ {
		for j, x := range raw.Data[i*raw.Stride:][:raw.Cols] {
			if a := math.Abs(x); a > largest[j] {
				largest[j] = a
			}
		}
	}
}

// signsOf returns, for each column, the sign of the first entry whose magnitude is within a
// millionth of the largest; 0 if no row here has one.
func signsOf(raw blas64.General, largest []float64) []float64 {
	sign := make([]float64, raw.Cols)
	for i := 0; i < raw.Rows; i++ {
		for j, x := range raw.Data[i*raw.Stride:][:raw.Cols] {
			if sign[j] == 0 && x != 0 && math.Abs(x) >= largest[j]*(1-1e-6) {
				sign[j] = math.Copysign(1, x)
			}
		}
	}
	return sign
}

// flip changes the sign of the columns whose sign is negative.
func flip(raw blas64.General, sign []float64) {
	for i := 0; i < raw.Rows; i++ {
		row := raw.Data[i*raw.Stride:][:raw.Cols]
		for j := range row {
			if sign[j] < 0 {
				row[j] = -row[j]
			}
		}
	}
}

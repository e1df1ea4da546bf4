package eigen

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// CanonicalSigns fixes the sign of every column of v: it makes the first entry whose magnitude is
// within a millionth of the column's largest positive. The margin keeps the choice the same if
// several entries are equal up to rounding. Zero columns do not change.
func CanonicalSigns(v *mat.Dense) { space{}.canonicalSigns(v.RawMatrix()) }

// largestOf raises largest to the magnitudes of each column's entries.
func largestOf(largest []float64, raw blas64.General) {
	for i := 0; i < raw.Rows; i++ {
		for j, x := range raw.Data[i*raw.Stride:][:raw.Cols] {
			if a := math.Abs(x); a > largest[j] {
				largest[j] = a
			}
		}
	}
}

// signsOf are the signs of the first entries within a millionth of the largest; 0 without one.
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

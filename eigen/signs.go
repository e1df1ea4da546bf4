package eigen

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// CanonicalSigns fixes the sign of every column of v: the first entry that comes within a
// millionth of the column's largest magnitude is made positive. The margin keeps the choice the same
// where several entries are equal but for rounding. Zero columns stay.
func CanonicalSigns(v *mat.Dense) {
	raw := v.RawMatrix()
	largest := make([]float64, raw.Cols)
	for i := 0; i < raw.Rows; i++ {
		for j, x := range raw.Data[i*raw.Stride:][:raw.Cols] {
			if a := math.Abs(x); a > largest[j] {
				largest[j] = a
			}
		}
	}
	sign := make([]float64, raw.Cols)
	for i := 0; i < raw.Rows; i++ {
		for j, x := range raw.Data[i*raw.Stride:][:raw.Cols] {
			if sign[j] == 0 && x != 0 && math.Abs(x) >= largest[j]*(1-1e-6) {
				sign[j] = math.Copysign(1, x)
			}
		}
	}
	for i := 0; i < raw.Rows; i++ {
		row := raw.Data[i*raw.Stride:][:raw.Cols]
		for j := range row {
			if sign[j] < 0 {
				row[j] = -row[j]
			}
		}
	}
}

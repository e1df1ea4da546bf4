package words

import "strconv"

// SixDigits rounds x to six significant digits.
func SixDigits(x float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64) // as it was written
	return v
}

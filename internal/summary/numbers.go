package summary

import (
	"math"
	"strconv"
)

// Numbers is a list of float64 that JSON can always hold: a value that is not finite becomes null.
type Numbers []float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, x := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, x, 'g', -1, 64)
		}
	}
	return append(b, ']'), nil
}

package svd

// Worst is the larger of the left and the right residual of each singular value.
func Worst(left, right []float64) []float64 {
	worst := make([]float64, len(left))
	for i := range left {
		worst[i] = max(left[i], right[i])
	}
	return worst
}

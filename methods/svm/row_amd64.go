//go:build amd64 && !purego

package svm

//go:noescape
func dotSSE(cols *int32, vals *float64, n int, w *float64) float64

//go:noescape
func addSSE(cols *int32, vals *float64, n int, w *float64, s float64)

//go:noescape
func fetchSSE(cols *int32, vals *float64, n int)

// dotRow is dotRowGo. The caller guarantees columns within w.
func dotRow(cols []int32, vals, w []float64) float64 {
	if len(cols) == 0 {
		return 0
	}
	_ = vals[:len(cols)]
	return dotSSE(&cols[0], &vals[0], len(cols), &w[0])
}

// addRow is addRowGo. The caller guarantees different columns within w.
func addRow(cols []int32, vals, w []float64, s float64) {
	if len(cols) == 0 {
		return
	}
	_ = vals[:len(cols)]
	addSSE(&cols[0], &vals[0], len(cols), &w[0], s)
}

// fetchRow starts to bring a row into the cache.
func fetchRow(cols []int32, vals []float64) {
	if len(cols) > 0 {
		fetchSSE(&cols[0], &vals[0], len(cols))
	}
}

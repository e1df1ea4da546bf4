//go:build !amd64 || purego

package geodesic

func relax(dist []float64, dirty []byte, u int, cols []int32, vals []float64) bool {
	return relaxGo(dist, dirty, u, cols, vals)
}

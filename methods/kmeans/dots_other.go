//go:build !amd64 || purego

package kmeans

func dots(dst []float64, cols []int32, vals, c []float64, stride int) {
	dotsGo(dst, cols, vals, c, stride)
}

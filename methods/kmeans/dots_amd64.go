//go:build amd64 && !purego

package kmeans

import "golang.org/x/sys/cpu"

var haveAVX = cpu.X86.HasAVX

//go:noescape
func dots32AVX(dst *float64, cols *int32, vals *float64, n int, c *float64, stride int)

//go:noescape
func dots16AVX(dst *float64, cols *int32, vals *float64, n int, c *float64, stride int)

//go:noescape
func dots8AVX(dst *float64, cols *int32, vals *float64, n int, c *float64, stride int)

//go:noescape
func dots4AVX(dst *float64, cols *int32, vals *float64, n int, c *float64, stride int)

// dots is dotsGo, with the same bits. The caller guarantees columns within c.
func dots(dst []float64, cols []int32, vals, c []float64, stride int) {
	if !haveAVX || len(cols) == 0 {
		dotsGo(dst, cols, vals, c, stride)
		return
	}
	kernel := dots4AVX
	switch _ = vals[len(cols)-1]; len(dst) {
	case 32:
		kernel = dots32AVX
	case 16:
		kernel = dots16AVX
	case 8:
		kernel = dots8AVX
	}
	kernel(&dst[0], &cols[0], &vals[0], len(cols), &c[0], 8*stride)
}

//go:build !amd64 || purego

package approx

import "github.com/eigenmap/eigenmap/methods/graph/internal/exact"

func sparseProducts(first []int, block []exact.TermBlock, open []float32, js []int32, out []float32) {
	sparseProductsGo(first, block, open, js, out)
}

func denseDistances(rows []denseStep, steps, i int, js []int32, out []float32) {
	denseDistancesGo(rows, steps, i, js, out)
}

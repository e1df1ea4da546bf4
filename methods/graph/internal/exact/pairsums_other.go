//go:build !amd64 || purego

package exact

func squares(a []float64, b *[togetherRows][]float64, sum *partSums) { squaresGo(a, b, sum) }

func products(a []float64, b *[togetherRows][]float64, sum *partSums) { productsGo(a, b, sum) }

//go:build !amd64 || purego

package exact

func squares[T number](a []T, b *[togetherRows][]T, sum *partSums) { squaresGo(a, b, sum) }

func products[T number](a []T, b *[togetherRows][]T, sum *partSums) { productsGo(a, b, sum) }

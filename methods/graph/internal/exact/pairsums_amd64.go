//go:build amd64 && !purego

package exact

import "unsafe"

// sumArgs holds the arguments of the functions in assembly: the values, a multiple of four above 0,
// and places of rows.
type sumArgs struct {
	count int
	a     unsafe.Pointer
	b     [togetherRows]unsafe.Pointer
	sum   *partSums
}

//go:noescape
func squaresAVX(a *sumArgs)

//go:noescape
func productsAVX(a *sumArgs)

// squaresSingleAVX is squaresAVX of rows in single precision.
//
//go:noescape
func squaresSingleAVX(a *sumArgs)

// productsSingleAVX is productsAVX of rows in single precision.
//
//go:noescape
func productsSingleAVX(a *sumArgs)

// squares is squaresGo. The rows are as long as a.
func squares[T number](a []T, b *[togetherRows][]T, sum *partSums) {
	args, ok := sumArgsOf(a, b, sum)
	switch {
	case !ok:
		squaresGo(a, b, sum)
	case unsafe.Sizeof(a[0]) == 4:
		squaresSingleAVX(&args)
	default:
		squaresAVX(&args)
	}
}

// products is productsGo. The rows are as long as a.
func products[T number](a []T, b *[togetherRows][]T, sum *partSums) {
	args, ok := sumArgsOf(a, b, sum)
	switch {
	case !ok:
		productsGo(a, b, sum)
	case unsafe.Sizeof(a[0]) == 4:
		productsSingleAVX(&args)
	default:
		productsAVX(&args)
	}
}

func sumArgsOf[T number](a []T, b *[togetherRows][]T, sum *partSums) (args sumArgs, ok bool) {
	count := len(a) &^ 3
	if !haveFMA || count == 0 {
		return args, false
	}
	args = sumArgs{count: count, a: unsafe.Pointer(&a[0]), sum: sum}
	for r := range b {
		args.b[r] = unsafe.Pointer(&b[r][:len(a)][0])
	}
	return args, true
}

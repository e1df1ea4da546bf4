//go:build amd64 && !purego

package exact

// sumArgs holds the arguments of squaresAVX and productsAVX: the values, a multiple of four above
// 0, and places of rows.
type sumArgs struct {
	count int
	a     *float64
	b     [togetherRows]*float64
	sum   *partSums
}

//go:noescape
func squaresAVX(a *sumArgs)

//go:noescape
func productsAVX(a *sumArgs)

// squares is squaresGo. The rows are as long as a.
func squares(a []float64, b *[togetherRows][]float64, sum *partSums) {
	if args, ok := sumArgsOf(a, b, sum); ok {
		squaresAVX(&args)
		return
	}
	squaresGo(a, b, sum)
}

// products is productsGo. The rows are as long as a.
func products(a []float64, b *[togetherRows][]float64, sum *partSums) {
	if args, ok := sumArgsOf(a, b, sum); ok {
		productsAVX(&args)
		return
	}
	productsGo(a, b, sum)
}

func sumArgsOf(a []float64, b *[togetherRows][]float64, sum *partSums) (args sumArgs, ok bool) {
	count := len(a) &^ 3
	if !haveFMA || count == 0 {
		return args, false
	}
	args = sumArgs{count: count, a: &a[0], sum: sum}
	for r := range b {
		args.b[r] = &b[r][:len(a)][0]
	}
	return args, true
}

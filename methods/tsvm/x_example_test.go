package tsvm_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/methods/tsvm"
	"gonum.org/v1/gonum/mat"
)

func ExampleFit() {
	// Two rows of documents, above and below; the two labels alone would draw a slanting line between
	// them.
	x := mat.NewDense(10, 2, []float64{0, 0.6, 0.5, 1, 1, 1.2, 1.4, 1.1, 1.8, 0.8, -0.2, -0.8, 0.2, -1.1, 0.6, -1.2, 1.1, -1, 1.6, -0.6})
	known := []int{0, -1, -1, -1, -1, -1, -1, -1, -1, 1}
	ctx := context.Background()
	alone, err := svm.OneVsRest(ctx, x, known, 2, svm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	together, err := tsvm.Fit(ctx, x, known, 2, tsvm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(alone.Labels)
	fmt.Println(together.Labels)
	// Output:
	// [0 0 0 0 1 0 1 1 1 1]
	// [0 0 0 0 0 1 1 1 1 1]
}

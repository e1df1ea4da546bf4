package kernelkmeans_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"gonum.org/v1/gonum/mat"
)

// A ring around a lump: no straight line parts them, the quadratic kernel does.
func ExampleFit() {
	x := mat.NewDense(9, 2, []float64{0.1, 0, -0.1, 0, 0, 0.1, 0, -0.1, 0, 0, 3, 0, -3, 0, 0, 3, 0, -3})
	zero := 0.0
	m, err := kernelkmeans.Fit(context.Background(), x, kernelkmeans.Options{K: 3, Kernel: kernelkmeans.Polynomial, Offset: &zero})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Labels, m.Sizes, m.Converged)
	// Output: [0 0 0 0 0 1 1 2 2] [5 2 2] true
}

package ckmeans_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"gonum.org/v1/gonum/mat"
)

// The last row is labelled 1 though it lies with class 0: clamped it stays, as a seed it moves.
func ExampleFit() {
	x := mat.NewDense(6, 1, []float64{0, 1, 2, 20, 21, 3})
	known := []int{0, -1, -1, 1, -1, 1}
	for _, rule := range []ckmeans.Rule{ckmeans.Constrained, ckmeans.Seeded} {
		m, err := ckmeans.Fit(context.Background(), x, known, 2, ckmeans.Options{Rule: rule})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-11s %v, centres %.3g and %.3g\n", rule, m.Labels, m.Centers.At(0, 0), m.Centers.At(1, 0))
	}
	// Output:
	// constrained [0 0 0 1 1 1], centres 1 and 14.7
	// seeded      [0 0 0 1 1 0], centres 1.5 and 20.5
}

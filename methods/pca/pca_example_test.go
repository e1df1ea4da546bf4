package pca_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"gonum.org/v1/gonum/mat"
)

// Points on a line, but for one column that does not vary: one component says it all.
func ExampleFit() {
	x := mat.NewDense(4, 3, []float64{
		1, 2, 7,
		2, 4, 7,
		3, 6, 7,
		4, 8, 7,
	})
	ctx := context.Background()
	m, err := pca.Fit(ctx, x, pca.Options{Amount: method.Amount{Share: 0.95}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n%.3f %.3f\n", m.Mean, m.ExplainedVariance, m.ExplainedVarianceRatio)
	fmt.Printf("%.3f\n", m.Components.RawRowView(0))
	y, err := m.Transform(ctx, mat.NewDense(1, 3, []float64{5, 10, 7}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", y.RawRowView(0))
	// Output:
	// [2.500 5.000 7.000]
	// [8.333] [1.000]
	// [0.447 0.894 0.000]
	// [5.590]
}

package logistic_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/logistic"
	"gonum.org/v1/gonum/mat"
)

func ExampleFit() {
	x := mat.NewDense(6, 2, []float64{0, 1, 0.2, 0.9, 1, 0, 0.9, 0.2, 0.1, 0.8, 0.5, 0.5})
	known := []int{0, 0, 1, 1, -1, -1}
	m, err := logistic.Fit(context.Background(), x, known, 2, logistic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Labels[4])
	fmt.Printf("%.2f %.2f\n", m.Posterior.At(4, 0), m.Posterior.At(5, 0))
	// Output:
	// 0
	// 0.99 0.50
}

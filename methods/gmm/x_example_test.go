package gmm_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/gmm"
	"gonum.org/v1/gonum/mat"
)

func ExampleFit() {
	x := mat.NewDense(7, 1, []float64{0, 1, 2, 3, 20, 21, 22})
	m, err := gmm.Fit(context.Background(), x, gmm.Options{K: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Labels, m.Sizes)
	fmt.Printf("weights %.3f, means %.2f and %.2f\n", m.Weights, m.Means.At(0, 0), m.Means.At(1, 0))
	posterior, _, err := m.Evaluate(context.Background(), mat.NewDense(2, 1, []float64{5, 17}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", mat.Formatted(posterior))
	// Output:
	// [0 0 0 0 1 1 1] [4 3]
	// weights [0.571 0.429], means 1.50 and 21.00
	// ⎡1.000  0.000⎤
	// ⎣0.000  1.000⎦
}

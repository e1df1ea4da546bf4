package svm_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/svm"
	"gonum.org/v1/gonum/mat"
)

func ExampleFit() {
	x := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 2, 0, 2, 1})
	m, err := svm.Fit(context.Background(), x, []float64{-1, -1, 1, 1}, svm.Options{C: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := m.Decision(context.Background(), mat.NewDense(2, 2, []float64{1.5, 7, 3, -7}))
	fmt.Printf("w = %.2f, b = %.2f, f = %.2f %v\n", m.Weights, m.Bias, f, err)
	// Output: w = [1.00 0.00], b = -1.00, f = [0.50 2.00] <nil>
}

func ExampleOneVsRest() {
	// Three groups on a circle; a label in each. The scores are where methods/graphssl starts.
	x := mat.NewDense(6, 2, []float64{1, 0, 0.9, 0.1, -1, 1, -0.9, 1.1, -1, -1, -1.1, -0.9})
	e, err := svm.OneVsRest(context.Background(), x, []int{0, -1, 1, -1, 2, -1}, 3, svm.Options{Kernel: svm.Gaussian})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Labels)
	// Output: [0 0 1 1 2 2]
}

package kernelridge_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/kernelridge"
	"gonum.org/v1/gonum/mat"
)

// No line divides the classes: one has opposite corners of a square, the other the other two.
func ExampleFit() {
	x := mat.NewDense(10, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0, 0.1, 0, 0.9, 1, 0, 0.9, 1, 0.1, 0.1, 0.1, 0.1, 0.9})
	known := []int{0, 0, 1, 1, 0, 0, 1, 1, -1, -1}
	m, err := kernelridge.Fit(context.Background(), x, known, 2, kernelridge.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Labels[8], m.Labels[9])
	// Output: 0 1
}

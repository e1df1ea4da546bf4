package graphssl_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/graphssl"
	"gonum.org/v1/gonum/mat"
)

func ExampleFit() {
	// Two groups on a line, one label in each, and a classifier that errs near the middle: it draws
	// the line at 3.5.
	x := mat.NewDense(10, 1, []float64{0, 1, 2, 3, 4, 10, 11, 12, 13, 14})
	known := []int{0, -1, -1, -1, -1, -1, -1, -1, -1, 1}
	start := mat.NewDense(10, 2, nil)
	for i := range 10 {
		score := (x.At(i, 0) - 3.5) / 10
		start.SetRow(i, []float64{-score, score})
	}
	m, err := graphssl.Fit(context.Background(), x, known, 2, start, graphssl.Options{Neighbors: 2, Alpha: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Labels)
	// Output: [0 0 0 0 0 1 1 1 1 1]
}

package lsi_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/lsi"
	"gonum.org/v1/gonum/mat"
)

// Two topics: the first two documents share their terms, and so do the last two.
func ExampleFit() {
	x := mat.NewDense(4, 4, []float64{
		2, 2, 0, 0,
		1, 1, 0, 0,
		0, 0, 1, 1,
		0, 0, 1, 1,
	})
	m, err := lsi.Fit(context.Background(), x, lsi.Options{Dims: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", m.Singular)
	for i := range 4 {
		fmt.Printf("%.3f\n", m.Embedding.RawRowView(i))
	}
	// Output:
	// [3.162 2.000]
	// [2.828 0.000]
	// [1.414 0.000]
	// [0.000 1.414]
	// [0.000 1.414]
}

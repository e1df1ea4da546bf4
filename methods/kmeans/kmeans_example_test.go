package kmeans_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/kmeans"
	"gonum.org/v1/gonum/mat"
)

func ExampleFit() {
	x := mat.NewDense(5, 2, []float64{
		0, 0,
		9, 9,
		0, 1,
		9, 8,
		1, 0,
	})
	m, err := kmeans.Fit(context.Background(), x, kmeans.Options{K: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Labels, m.Sizes)
	fmt.Printf("%.3f\n", m.Objective)
	// Output:
	// [0 1 0 1 0] [3 2]
	// 1.833
}

package labelprop_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/mat"
)

func ExampleFit() {
	// Two groups on a line; one label in each.
	x := mat.NewDense(8, 1, []float64{0, 1, 2, 3, 10, 11, 12, 13})
	known := []int{0, -1, -1, -1, -1, -1, -1, 1}
	m, err := labelprop.Fit(context.Background(), x, known, 2, labelprop.Options{Graph: graph.Options{Neighbors: 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Labels, m.Unreached)
	fmt.Printf("%.2f\n", m.Posterior.At(3, 0))

	// A harmonic function on the path of five documents between the labels.
	x = mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	known = []int{0, labels.Unknown, labels.Unknown, labels.Unknown, 1}
	m, err = labelprop.Fit(context.Background(), x, known, 2, labelprop.Options{
		Form:  labelprop.Zhu,
		Graph: graph.Options{Epsilon: 1, Weight: graph.Binary},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", mat.Formatted(m.Posterior.T()))
	// Output:
	// [0 0 0 0 1 1 1 1] []
	// 1.00
	// ⎡1.00  0.75  0.50  0.25  0.00⎤
	// ⎣0.00  0.25  0.50  0.75  1.00⎦
}

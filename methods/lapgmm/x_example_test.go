package lapgmm_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/lapgmm"
	"gonum.org/v1/gonum/mat"
)

// Two rows of points, long and close to each other: no neighbour graph has an edge between them.
func ExampleFit() {
	const length = 40
	x := mat.NewDense(2*length, 2, nil)
	for i := range length {
		at := float64(i) / 4
		x.SetRow(i, []float64{at, float64(i%3) / 10})
		x.SetRow(length+i, []float64{at + 2, 3 + float64(i%3)/10})
	}
	ctx := context.Background()
	alone, err := gmm.Fit(ctx, x, gmm.Options{K: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	smooth, err := lapgmm.Fit(ctx, x, lapgmm.Options{K: 2, Lambda: 50, Graph: graph.Options{Neighbors: 4}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("mixture:", alone.Sizes, "ends of the first row together:", alone.Labels[0] == alone.Labels[length-1])
	fmt.Println("on the graph:", smooth.Sizes, "ends of the first row together:", smooth.Labels[0] == smooth.Labels[length-1])
	// Output:
	// mixture: [40 40] ends of the first row together: false
	// on the graph: [40 40] ends of the first row together: true
}

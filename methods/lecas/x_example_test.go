package lecas_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"gonum.org/v1/gonum/mat"
)

// Two groups on a line. The edges between them lose weight, so they are farther apart than by the
// graph alone.
func ExampleFit() {
	x := mat.NewDense(8, 1, []float64{0, 1, 2, 3, 6, 7, 8, 9})
	opt := lecas.Options{Search: lecas.Search{MaxClusters: 4}, LE: le.Options{Dims: 1}}
	opt.LE.Graph.Neighbors = 3
	m, err := lecas.Fit(context.Background(), x, opt)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := 3, 4 // the two points at the gap
	fmt.Printf("%d clusters, σ = %.2f\n", m.Choice.Clusters, m.Sigma)
	fmt.Printf("weight across the gap %.3f, adjusted %.3f\n", m.Graph.W.At(a, b), m.Adjusted.W.At(a, b))
	// Output:
	// 2 clusters, σ = 23.43
	// weight across the gap 0.681, adjusted 0.146
}

package geodesic_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// Three sides of a square: along them the ends are at distance 3, not 1.
func ExampleDistances() {
	ctx := context.Background()
	x := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 1, 1.1, 0})
	lengths, err := geodesic.FromPoints(ctx, x, graph.Options{Epsilon: 1.05})
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := geodesic.Distances(ctx, lengths, geodesic.Options{Sources: []int{0}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", t.D.RawRowView(0))
	// Output: [0.000 1.000 2.000 3.005]
}

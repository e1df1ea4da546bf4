package graph_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

func ExampleBuild() {
	// Two pairs of points, far apart.
	x := mat.NewDense(4, 1, []float64{0, 1, 10, 12})
	g, err := graph.Build(context.Background(), x, graph.Options{Neighbors: 1, Weight: graph.Binary})
	if err != nil {
		panic(err)
	}
	fmt.Println(mat.Formatted(g.W))
	fmt.Println(g.Components, g.Component)
	// Output:
	// ⎡0  1  0  0⎤
	// ⎢1  0  0  0⎥
	// ⎢0  0  0  1⎥
	// ⎣0  0  1  0⎦
	// 2 [0 0 1 1]
}

func ExampleNearest() {
	x := mat.NewDense(4, 1, []float64{0, 2, 1, 10})
	g, err := graph.Nearest(context.Background(), x, 2, nil)
	if err != nil {
		panic(err)
	}
	for i := range g.N {
		index, dist2, _ := g.Row(i)
		fmt.Println(i, index, dist2)
	}
	// Output:
	// 0 [2 1] [1 4]
	// 1 [2 0] [1 4]
	// 2 [0 1] [1 1]
	// 3 [1 2] [64 81]
}

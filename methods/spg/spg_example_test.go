package spg_test

import (
	"context"
	"fmt"
	"log"

	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/eigenmap/eigenmap/sparse"
)

// Documents about cooking and about sailing: the direction that separates them is two terms long.
func Example() {
	terms := []string{"boat", "butter", "flour", "sail", "the"}
	counts := [][]float64{
		{0, 2, 1, 0, 3}, {0, 1, 2, 0, 1}, {0, 1, 1, 0, 2}, {0, 3, 0, 0, 2},
		{2, 0, 0, 1, 3}, {1, 0, 0, 2, 1}, {2, 0, 0, 3, 1},
	}
	b := sparse.NewBuilder(len(counts), len(terms))
	for i, row := range counts {
		for j, v := range row {
			b.Add(i, j, v)
		}
	}
	x, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	opt := spg.Options{Dims: 1, Terms: method.Amount{Count: 2}}
	opt.Graph.Neighbors = 3
	m, err := spg.Fit(context.Background(), x.NormalizeRows(), opt)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range m.Directions(terms, 0)[0].Weights {
		fmt.Printf("%s %.3f\n", w.Term, w.Weight)
	}
	fmt.Printf("%.0f %% of the weights are zero\n", 100*m.Sparsity())
	// Output:
	// sail 0.432
	// butter -0.391
	// 60 % of the weights are zero
}

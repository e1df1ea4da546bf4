package semildc_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/semildc"
	"gonum.org/v1/gonum/mat"
)

// One labelled document of each of two subjects; the columns are the terms goal, team, vote, law
// and today.
func ExampleFit() {
	counts := mat.NewDense(6, 5, []float64{
		3, 1, 0, 0, 1, // labelled 0
		0, 0, 2, 2, 1, // labelled 1
		0, 4, 0, 0, 2,
		0, 0, 0, 3, 3,
		1, 2, 0, 1, 0,
		0, 1, 3, 1, 2,
	})
	known := []int{0, 1, -1, -1, -1, -1}
	ctx := context.Background()
	m, err := semildc.Fit(ctx, counts, nil, known, 2, semildc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("labels", m.Labels)
	fmt.Printf("%d components, %d direction\n", m.Dims, len(m.Lambda))
	fresh, err := m.Predict(ctx, mat.NewDense(2, 5, []float64{
		0, 2, 0, 0, 1,
		0, 0, 1, 1, 1,
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("new documents", fresh)
	// Output:
	// labels [0 1 0 1 0 1]
	// 4 components, 1 direction
	// new documents [0 1]
}

package plsa_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/plsa"
	"gonum.org/v1/gonum/mat"
)

// Six documents of four terms: wine, cheese, engine, wheel. One document of each class is labelled.
func ExampleFit() {
	x := mat.NewDense(6, 4, []float64{
		3, 1, 0, 0,
		0, 2, 0, 0,
		2, 0, 0, 1,
		0, 0, 2, 2,
		0, 0, 0, 3,
		0, 1, 1, 1,
	})
	ctx := context.Background()
	m, err := plsa.Fit(ctx, x, plsa.Options{K: 2, Labels: []int{0, -1, -1, 1, -1, -1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Labels, m.Converged)
	fmt.Printf("P(w|z)\n%.2f\n", mat.Formatted(m.Terms))
	// A new document: one wine, one engine.
	posterior, err := m.FoldIn(ctx, mat.NewDense(1, 4, []float64{1, 0, 1, 0}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("P(z|d) %.2f\n", mat.Formatted(posterior))
	// Output:
	// [0 0 0 1 1 1] true
	// P(w|z)
	// ⎡0.55  0.30  0.02  0.13⎤
	// ⎣0.02  0.14  0.29  0.56⎦
	// P(z|d) [0.70  0.30]
}

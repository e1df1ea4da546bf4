package softlda_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/softlda"
	"gonum.org/v1/gonum/mat"
)

// Two classes that differ along the first column; the second varies more. The last document is
// undecided, and lies between them.
func ExampleFit() {
	x := mat.NewDense(5, 2, []float64{0, 9, 1, -8, 4, 7, 5, -9, 2.5, 0})
	q := mat.NewDense(5, 2, []float64{1, 0, .9, .1, .1, .9, 0, 1, .5, .5})
	m, err := softlda.Fit(context.Background(), x, q, softlda.Options{Ridge: 1e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d direction, λ = %.2f, documents per class %.1f\n", len(m.Values), m.Values[0], m.Masses)
	fmt.Printf("undecided: %.2f\n", m.Embedding.At(4, 0))
	// Output:
	// 1 direction, λ = 1.91, documents per class [2.5 2.5]
	// undecided: 0.01
}

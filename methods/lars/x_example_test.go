package lars_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/lars"
	"gonum.org/v1/gonum/mat"
)

// The response is twice the first column less the third; the second is a copy of the first and can
// add nothing.
func ExampleFit() {
	x := mat.NewDense(4, 3, []float64{
		1, 1, 1,
		2, 2, 0,
		3, 3, 0,
		4, 4, 1,
	})
	y := mat.NewDense(4, 1, []float64{1, 4, 6, 7})
	paths, err := lars.Fit(context.Background(), x, y, lars.Options{Intercept: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := paths[0]
	for knot, penalty := range p.Penalty {
		terms, coefficients, intercept := p.At(knot)
		fmt.Printf("%.2f %v %.2f %.2f\n", penalty, terms, coefficients, intercept)
	}
	fmt.Println(p.Dependent, p.Stopped)
	// Output:
	// 10.00 [] [] 4.50
	// 1.00 [0] [1.80] 0.00
	// 0.00 [0 2] [2.00 -1.00] 0.00
	// [{1 0 -1}] the penalty is zero
}

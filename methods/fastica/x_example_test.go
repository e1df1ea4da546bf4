package fastica_test

import (
	"context"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/methods/fastica"
	"gonum.org/v1/gonum/mat"
)

// Two signals, a sine and a square wave, reach two microphones in different strengths.
func ExampleFit() {
	x := mat.NewDense(1000, 2, nil)
	for i := range 1000 {
		sine, square := math.Sin(float64(i)/7), float64(1-i/50%2*2)
		x.SetRow(i, []float64{2*sine + square, sine - 3*square})
	}
	m, err := fastica.Fit(context.Background(), x, fastica.Options{Dims: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("converged: %v\n", m.Converged)
	for i := range 2 {
		// The ratio of a column's entries gives the strengths: 1 to -3 for the square wave, the
		// least Gaussian, and 2 to 1 for the sine.
		fmt.Printf("source %d: %.1f\n", i+1, m.Mixing.At(0, i)/m.Mixing.At(1, i))
	}
	// Output:
	// converged: true
	// source 1: -0.3
	// source 2: 2.0
}

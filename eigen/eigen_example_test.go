package eigen_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/sparse"
)

// Two separate triangles: eigenvalue 0 twice, and 3/2 four times.
func ExamplePencil_Solve() {
	b := sparse.NewBuilder(6, 6)
	for _, e := range [][2]int{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}} {
		b.Add(e[0], e[1], 1)
		b.Add(e[1], e[0], 1)
	}
	w, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := eigen.NewPencil(w, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := p.Solve(context.Background(), eigen.Options{K: 4, Solver: eigen.Lanczos})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f, %d null vectors\n", r.Values, r.Stats.Deflated)
	// Output: [0.000000 0.000000 1.500000 1.500000], 2 null vectors
}

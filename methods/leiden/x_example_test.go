package leiden_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/sparse"
)

// Two triangles that one light edge joins are two communities.
func ExampleFind() {
	b := sparse.NewBuilder(6, 6)
	for _, e := range [][3]float64{{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {3, 4, 1}, {4, 5, 1}, {3, 5, 1}, {2, 3, 0.2}} {
		b.Add(int(e[0]), int(e[1]), e[2])
		b.Add(int(e[1]), int(e[0]), e[2])
	}
	w, err := b.Build()
	if err != nil {
		panic(err)
	}
	g, err := graph.FromAffinity(w)
	if err != nil {
		panic(err)
	}
	p, err := leiden.Find(context.Background(), g, leiden.Search{})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Labels)
	fmt.Printf("modularity %.3f\n", p.Modularity)
	// Output:
	// [0 0 0 1 1 1]
	// modularity 0.468
}

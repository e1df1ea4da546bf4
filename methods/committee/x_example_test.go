package committee_test

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/committee"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// Two methods agree on a document, and the third does not.
func ExampleCount() {
	found := map[string]*method.Clusters{
		"label-propagation": {Labels: []int{0, 1, 1}, Posterior: mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.4, 0.6})},
		"semi-ldc":          {Labels: []int{0, 1, 0}},
		"tsvm":              {Labels: []int{0, 1, 0}},
	}
	votes, err := committee.Votes(found, []int{0, 1, -1}, 2, []int{2})
	if err != nil {
		fmt.Println(err)
		return
	}
	posterior, labels := committee.Count(votes, map[string]float64{"label-propagation": 1, "semi-ldc": 1, "tsvm": 2})
	fmt.Printf("class %d, %.2f of the votes\n", labels[0], posterior.At(0, 0))
	// Output: class 0, 0.75 of the votes
}

func ExampleOptions_Fit() {
	x := mat.NewDense(8, 2, []float64{0, 1, 0.2, 0.9, 0.1, 1.1, 0.1, 0.8, 1, 0, 0.9, 0.2, 1.1, 0.1, 0.8, 0.1})
	in := &method.Input{X: x, Given: &method.Given{Labels: []int{0, 0, -1, -1, 1, 1, -1, -1}, Names: []string{"up", "right"}}}
	opt := &committee.Options{Members: "tsvm,logistic"}
	opt.Graph.Neighbors = 3
	fitted, err := committee.Spec.Fit(context.Background(), opt, in)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fitted.Clusters.Labels)
	// Output: [0 0 0 0 1 1 1 1]
}

package graph

import (
	"context"
	"reflect"

	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"gonum.org/v1/gonum/mat"
)

var background = context.Background()

// bruteForce ranks all other rows of every row by the definition; exact on dyadic numbers.
func bruteForce(x *mat.Dense, k int) *KNN {
	n, _ := x.Dims()
	index, dist2, dot := graphtest.BruteForce(x, k)
	return &KNN{N: n, K: k, Index: index, Dist2: dist2, Dot: dot}
}

func equalKNN(a, b *KNN) bool { return reflect.DeepEqual(a, b) }

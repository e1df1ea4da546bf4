package exact

import (
	"context"
	"reflect"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"gonum.org/v1/gonum/mat"
)

var background = context.Background()

// nearestAlone searches rows of any kind in one process.
func nearestAlone(ctx context.Context, x mat.Matrix, k int) (*Lists, error) {
	x, err := Stored(x)
	if err != nil {
		return nil, err
	}
	return Nearest(ctx, ranks.Alone{}, x, nil, k, nil)
}

// bruteLists ranks all other rows of every row by the definition; exact on dyadic numbers.
func bruteLists(x *mat.Dense, k int) *Lists {
	n, _ := x.Dims()
	index, dist2, dot := graphtest.BruteForce(x, k)
	return &Lists{N: n, K: k, Index: index, Dist2: dist2, Dot: dot}
}

func equalLists(a, b *Lists) bool { return reflect.DeepEqual(a, b) }

package kmeans

import (
	"context"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// The second cluster is the one of the nearest other centre that has documents, or the most
// probable other one.
func TestSecondCluster(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0.1, 0.9, 5.2, 3.1})
	c := &method.Clusters{Labels: []int{0, 1, 2, 2}, Sizes: []int{1, 1, 2, 0}, Centers: mat.NewDense(4, 1, []float64{0, 1, 4, 3})}
	sure, err := Certain(context.Background(), method.Certainty{}, c, x, nil)
	if err != nil || !slices.Equal(sure.Second, []int{1, 0, 1, 1}) {
		t.Errorf("%v: %v", sure.Second, err)
	}
	alone := &method.Clusters{Labels: []int{0, 0, 0, 0}, Sizes: []int{4}, Centers: mat.NewDense(1, 1, nil)}
	if sure, err = Certain(context.Background(), method.Certainty{}, alone, x, nil); err != nil || !slices.Equal(sure.Second, []int{-1, -1, -1, -1}) {
		t.Errorf("one cluster: %v: %v", sure.Second, err)
	}
	soft := &method.Clusters{Labels: []int{0, 2}, Sizes: []int{1, 0, 1}, Posterior: mat.NewDense(2, 3, []float64{0.6, 0.1, 0.3, 0, 0, 1})}
	if sure, err = Certain(context.Background(), method.Certainty{}, soft, nil, nil); err != nil || !slices.Equal(sure.Second, []int{2, -1}) {
		t.Errorf("probabilities: %v: %v", sure.Second, err)
	}
	own := method.Certainty{Confidence: make([]float64, 4)}
	if sure, err = Certain(context.Background(), own, c, x, nil); err != nil || sure.Second != nil {
		t.Errorf("a confidence of its own: %v: %v", sure.Second, err)
	}
}

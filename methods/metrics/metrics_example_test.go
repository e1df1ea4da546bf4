package metrics_test

import (
	"fmt"

	"github.com/eigenmap/eigenmap/methods/metrics"
)

func ExampleScore() {
	truth := []int{1, 1, 1, 2, 2, 2, -1} // the last row is unlabelled
	predicted := []int{0, 0, 3, 3, 3, 3, 0}
	s, err := metrics.Score(truth, predicted)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("accuracy %.3f, NMI %.3f, ARI %.3f\n", s.Accuracy, s.NMI, s.ARI)
	// Output: accuracy 0.833, NMI 0.459, ARI 0.324
}

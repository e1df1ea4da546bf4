package labels_test

import (
	"fmt"

	"github.com/eigenmap/eigenmap/methods/labels"
)

func ExampleDraw() {
	truth := []int{0, 0, 0, 0, 1, 1, 1, 1, labels.Unknown}
	drawn, err := labels.Draw(truth, 0.5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	of, err := labels.Check(drawn, len(truth), 2, nil)
	fmt.Println(len(of[0]), len(of[1]), drawn[8], err)
	// Output: 2 2 -1 <nil>
}

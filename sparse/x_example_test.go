package sparse_test

import (
	"fmt"

	"github.com/eigenmap/eigenmap/sparse"
)

func Example() {
	b := sparse.NewBuilder(3, 4) // 3 documents, 4 terms
	b.Add(0, 2, 1)
	b.Add(0, 2, 1) // a second time: counts add up
	b.Add(0, 0, 1)
	b.Add(2, 3, 5)
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	y := make([]float64, 3)
	x.MulVec(y, []float64{1, 10, 100, 1000})
	fmt.Println(y, x.ColCounts(), x.EmptyRows())
	// Output: [201 0 5000] [1 0 1 1] [1]
}

func ExampleNewCSR() {
	_, err := sparse.NewCSR(1, 3, []int{0, 2}, []int32{1, 3}, []float64{1, 1})
	fmt.Println(err)
	// Output: matrix entry (0, 3) (counted from 0) lies outside 1 × 3
}

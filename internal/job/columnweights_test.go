package job

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The contrast of sparse rows is that of the same dense ones, and takes the time of their entries:
// a row may have a million columns.
func TestContrastOfSparseRows(t *testing.T) {
	const n, cols = 300, 1_000_000
	wide, narrow := sparse.NewBuilder(n, cols), mat.NewDense(n, 40, nil)
	for i := range n {
		for c := range 5 {
			at, v := (i+c*c)%40, float64(1+(i*c)%3)
			wide.Add(i, at*(cols/40), v)
			narrow.Set(i, at, narrow.At(i, at)+v)
		}
	}
	x, err := wide.Build()
	if err != nil {
		t.Fatal(err)
	}
	lists, err := graph.Nearest(context.Background(), x, 5, progress.Observer(nil))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	got := contrast(x, lists)
	if took := time.Since(start); took > time.Second {
		t.Errorf("%d entries took %v", x.NNZ(), took)
	}
	if want := contrast(narrow, lists); got != want {
		t.Errorf("the contrast is %v, of dense rows %v", got, want)
	}
}

// A weight that is hardly above 0 is not shown as 0, which columns have that take no part.
func TestSmallWeights(t *testing.T) {
	j := &Job{Views: []View{{Name: "product", Kind: "category", Weight: .004}, {Name: "price", Kind: "number", Weight: .006}}}
	if got := strings.Join(j.viewsRow(), ": "); got != "columns: product below 0.01 (category), price 0.01 (number), weights beside 1 of the texts" {
		t.Error(got)
	}
}

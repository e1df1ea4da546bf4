package lda

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// The contract's fit is Fit with its defaults, the shrinkage of Ledoit and Wolf among them, and the
// papers' settings have the ridge 1.
func TestFitOfTheContract(t *testing.T) {
	x, known := classes(rand.New(rand.NewPCG(3, 3)), 60, 12, 3, false)
	in := &method.Input{X: x, Clusters: 3, Given: &method.Given{Labels: known, Names: []string{"a", "b", "c"}}}
	for _, opt := range []Options{{}, {NormalizeRows: true, Dims: 1}} {
		out := must.Get(opt.Fit(ctx, in))(t)
		if want := fit(t, x, known, 3, opt); !mat.Equal(out.Embedding, want.Embedding) || !want.Estimated || want.Ridge == 1 {
			t.Error("the contract's fit differs from Fit")
		}
		if got := out.Used.(*Options).Dims; got != out.Embedding.RawMatrix().Cols {
			t.Errorf("%d dimensions used", got)
		}
	}
	if got := fmt.Sprint(Spec.Paper); got != "[{init k-means++ } {alpha 1 }]" {
		t.Error(got)
	}
}

package spca

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

func TestFitOfTheContract(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	x := mat.NewDense(40, 10, nil)
	for i := range 40 {
		for j := range 10 {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	in := &method.Input{X: x, Clusters: 3, Seed: 2}
	out := must.Get((&Options{Terms: method.Amount{Share: 0.4}}).Fit(ctx, in))(t)
	want, err := Fit(ctx, x, Options{Dims: 3, Terms: method.Amount{Count: 4}, Seed: 2})
	if err != nil || !mat.Equal(out.Embedding, want.Embedding) || len(out.Directions) != 3 || len(out.Directions[0]) != 4 {
		t.Errorf("%v, or the contract's fit differs from Fit", err)
	}
	for name, opt := range map[string]Options{"rank": {Dims: 11}, "amount": {Terms: method.Amount{Count: 3, Share: 0.5}}} {
		if _, err := opt.Fit(ctx, in); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

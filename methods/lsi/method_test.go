package lsi

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// The contract gives what Fit gives, with one dimension per cluster unless another number is asked
// for.
func TestMethod(t *testing.T) {
	x := texts(30, 12, rand.New(rand.NewPCG(4, 4)))
	in := &method.Input{X: x, Clusters: 3, Seed: 5}
	out, err := new(Options).Fit(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	want := fit(t, x, Options{Dims: 3, Seed: 5})
	if !mat.Equal(out.Embedding, want.Embedding) || out.Values.Kind != method.SingularValue || out.Values.Worst() > 1e-8*want.Singular[0] {
		t.Errorf("the embedding is %v, the values %+v", mat.Formatted(out.Embedding), out.Values)
	}
	if used := out.Used.(*Options); used.Dims != 3 {
		t.Errorf("%d dimensions were used", used.Dims)
	}
	_, err = (&Options{Dims: 13}).Fit(ctx, in)
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "give ‹dims› 12") {
		t.Errorf("more dimensions than terms: %v", err)
	}
	if err := new(Options).Validate(); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
}

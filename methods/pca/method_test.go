package pca

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// A number of components by either option, or a share of the variance, gives what Fit gives.
func TestMethod(t *testing.T) {
	x := rowsOf(30, 12, 0.6, rand.New(rand.NewPCG(4, 4)))
	in := &method.Input{X: x, Clusters: 3, Seed: 5}
	for _, c := range []struct {
		opt   Options
		typed Options
		dims  int // used
	}{
		{Options{}, Options{Dims: 3}, 3},
		{Options{Dims: 5}, Options{Dims: 5}, 5},
		{Options{Amount: method.Amount{Count: 5}}, Options{Dims: 5}, 5},
		{Options{Dims: 5, Amount: method.Amount{Count: 5}}, Options{Amount: method.Amount{Count: 5}}, 5},
		{Options{Amount: method.Amount{Share: 0.5}}, Options{Amount: method.Amount{Share: 0.5}}, 0},
	} {
		out := must.Get(c.opt.Fit(ctx, in))(t)
		c.typed.Seed = 5
		if want := fit(t, x, c.typed); !mat.Equal(out.Embedding, want.Embedding) || !strings.Contains(out.Values.How, "% of the variance") {
			t.Errorf("%+v: another embedding, or values found by %q", c.opt, out.Values.How)
		}
		if used := out.Used.(*Options); used.Dims != c.dims {
			t.Errorf("%+v: %d dimensions were used", c.opt, used.Dims)
		}
	}
	for want, opt := range map[string]Options{
		"give ‹dims› 12":                {Dims: 13},
		"give ‹pca› 12":                 {Amount: method.Amount{Count: 13}},
		"leave ‹dims› out":              {Dims: 4, Amount: method.Amount{Count: 5}},
		"‹dims› and ‹pca› 0.5 are two ": {Dims: 4, Amount: method.Amount{Share: 0.5}},
	} {
		if out, err := opt.Fit(ctx, in); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) || out != nil {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}

package spg

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

// given labels the first twelve of n documents.
func given(n int) *method.Given {
	g := &method.Given{Labels: make([]int, n), Names: []string{"a", "b", "c"}}
	for i := range g.Labels {
		if g.Labels[i] = -1; i < 12 {
			g.Labels[i] = i % 3
		}
	}
	return g
}

func TestFitOfTheContract(t *testing.T) {
	x := topics(rand.New(rand.NewPCG(3, 3)), 60, 30, 3, false)
	in := &method.Input{X: x, Clusters: 3, Terms: strings.Split(strings.Repeat("w ", 30), " ")}
	for origin, opt := range map[string]Options{FromNeighbors: {Terms: count(9)}, FromPCA: {Responses: FromPCA, NormalizeRows: true}} {
		out := must.Get(opt.Fit(ctx, in))(t)
		opt.Dims = 2
		want, err := Fit(ctx, x, opt)
		if err != nil || !mat.Equal(out.Embedding, want.Embedding) {
			t.Errorf("%s: %v, or the contract's fit differs from Fit", origin, err)
		}
		used := out.Used.(*Options)
		if used.Responses != origin || used.Dims != 2 || used.Terms.IsZero() || len(out.Directions) != 2 || out.Directions[0][0].Term != "w" {
			t.Errorf("%s: used %+v", origin, used)
		}
		again, err := used.Fit(ctx, in)
		if err != nil || !mat.Equal(again.Embedding, out.Embedding) {
			t.Errorf("%s: %v, or the options used give another embedding", origin, err)
		}
	}
	in.Given = given(60)
	out, err := new(Options).Fit(ctx, in)
	if err != nil || out.Used.(*Options).Responses != FromLabels || out.Graph == nil {
		t.Errorf("%v, %+v", err, out)
	}
	if out, err = (&Options{Responses: FromClasses}).Fit(ctx, in); err != nil || out.Graph != nil || out.Embedding.RawMatrix().Cols != 2 {
		t.Errorf("%v, %+v", err, out)
	}
}

func TestRefusalsOfTheContract(t *testing.T) {
	x := topics(rand.New(rand.NewPCG(4, 3)), 60, 30, 3, false)
	for says, c := range map[string]struct {
		opt   Options
		given *method.Given
	}{
		"does not look at labels":      {Options{Responses: FromNeighbors}, given(60)},
		"needs labels":                 {Options{Responses: FromClasses}, nil},
		"one direction fewer":          {Options{Responses: FromClasses, Dims: 5}, given(60)},
		"makes an elastic net a lasso": {Options{Penalty: ElasticNet, Ridge: ridge(0)}, nil},
		"‹alpha› is the ridge":         {Options{Ridge: ridge(2)}, nil},
		"no number of terms":           {Options{Penalty: Ridge, Terms: count(3)}, nil},
		"more than its 60 documents":   {Options{Dims: 61}, nil},
	} {
		_, err := c.opt.Fit(ctx, &method.Input{X: x, Clusters: 3, Given: c.given})
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

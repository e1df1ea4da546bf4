package graphssl

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/svm"
)

func TestFitOfTheContract(t *testing.T) {
	x, known, _ := sample(60, 5, 3, 2)
	zero := 0.0
	for _, opt := range []MethodOptions{{}, {SVM: svm.Options{Kernel: svm.Gaussian}, Graph: Options{Beta: &zero, Weight: graph.Heat, Alpha: 3}}} {
		out := must.Get(opt.Fit(ctx, &method.Input{X: x, Given: &method.Given{Labels: known, Names: []string{"a", "b", "c"}}, Seed: 3}))(t)
		machines := opt.SVM
		machines.Seed = 3
		start := must.Get(svm.OneVsRest(ctx, x, known, 3, machines))(t)
		want, err := Fit(ctx, x, known, 3, start.Scores, opt.Graph)
		if err != nil || !slices.Equal(out.Clusters.Labels, want.Labels) {
			t.Errorf("%v: the contract's fit differs from Fit", err)
		}
		again, err := out.Used.Fit(ctx, &method.Input{X: x, Given: &method.Given{Labels: known, Names: []string{"a", "b", "c"}}, Seed: 3})
		if err != nil || !slices.Equal(again.Clusters.Labels, want.Labels) {
			t.Errorf("%v: the options used give another result", err)
		}
	}
}

func TestOptionsOfTheContract(t *testing.T) {
	if err := Spec.New().Validate(); err != nil {
		t.Error(err)
	}
	var names []string
	for _, f := range option.Of(Spec.New()) {
		names = append(names, f.Name)
	}
	want := []string{"kernel", "sigma", "poly-degree", "poly-offset", "c", "labeled-neighbors", "neighbors", "lambda", "beta", "edge-weight", "heat-width", "symmetry", "class-shares"}
	if !slices.Equal(names, want) {
		t.Errorf("options %v, want %v", names, want)
	}
	bad := &MethodOptions{Graph: Options{Weight: graph.Poly, Symmetry: graph.Mutual}}
	if err := bad.Validate(); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("poly and mutual: %v", err)
	}
}

package ckmeans

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

func TestContractIsFit(t *testing.T) {
	x, truth := groups(300, 6, 3, 2, 3)
	known := must.Get(labels.Draw(truth, 0.2, 1))(t)
	given := &method.Given{Labels: known, Names: []string{"a", "b", "c"}}
	for _, spec := range []method.Spec{Spec, SeededSpec} {
		var names []string
		for _, f := range option.Of(spec.New()) {
			names = append(names, f.Name)
		}
		if !slices.Equal(names, []string{"restarts", "kmeans-iter"}) {
			t.Errorf("%s has the flags %v", spec.Name, names)
		}
		if err := spec.New().Validate(); err != nil {
			t.Error(err)
		}
		rule := Constrained
		if spec.Name == "seeded-kmeans" {
			rule = Seeded
		}
		for _, k := range []int{3, 5} {
			in := &method.Input{X: x, Given: given, Clusters: k, Seed: 4}
			out := must.Get(spec.New().Fit(ctx, in))(t)
			want := must.Get(Fit(ctx, x, known, k, Options{Rule: rule, Seed: 4}))(t)
			if c := out.Clusters; !slices.Equal(c.Labels, want.Labels) || !mat.Equal(c.Centers, want.Centers) || c.Objective != want.Objective {
				t.Errorf("%s: the contract clusters otherwise", spec.Name)
			}
			if !slices.Equal(out.Clusters.Classes, append([]string{"a", "b", "c"}, make([]string, k-3)...)) {
				t.Errorf("classes %q", out.Clusters.Classes)
			}
			if strings.Contains(out.Clusters.How, "stay") != (rule == Constrained) {
				t.Error(out.Clusters.How)
			}
			restarts := option.Find(option.Of(out.Used), "restarts").String()
			if k == 3 && restarts != "1" || k == 5 && restarts != "" {
				t.Errorf("%d clusters: %s starts", k, restarts)
			}
			again, err := out.Used.Fit(ctx, in)
			if err != nil || !slices.Equal(again.Clusters.Labels, want.Labels) {
				t.Errorf("%s: the options used give other clusters: %v", spec.Name, err)
			}
		}
	}
}

// Labels that start every cluster leave one start to plan, and more clusters than classes all
// restarts, with the memory that Fit asks for them.
func TestPlanCountsStarts(t *testing.T) {
	x, _ := groups(300, 6, 3, 2, 3)
	given := &method.Given{Labels: []int{}, Names: []string{"a", "b", "c"}}
	at := method.Rates{Threads: 1, Entries: 300 * 6, Dense: true}
	for _, c := range []struct{ clusters, restarts, starts, k int }{{0, 0, 1, 3}, {3, 0, 1, 3}, {5, 0, 10, 5}, {5, 4, 4, 5}} {
		got, err := (&Options{Restarts: c.restarts}).Plan(&method.Input{X: x, Given: given, Clusters: c.clusters}, at)
		if err != nil || len(got) != 1 {
			t.Fatalf("%+v: %v", got, err)
		}
		one := kmeans.Options{K: c.k, Restarts: c.starts}
		if c.starts == 1 {
			one.Start = method.Shape(c.k, 6)
		}
		if want := kmeans.Planned(x, at, one); got[0].Bytes != want.Bytes || got[0].Seconds != want.Seconds {
			t.Errorf("%+v: %d bytes and %g s, want %d and %g", c, got[0].Bytes, got[0].Seconds, want.Bytes, want.Seconds)
		}
	}
}

func TestContractRefuses(t *testing.T) {
	x, truth := groups(300, 6, 3, 2, 3)
	known := must.Get(labels.Draw(truth, 0.2, 1))(t)
	given := &method.Given{Labels: known, Names: []string{"a", "b", "c"}}
	if _, err := new(Options).Fit(ctx, &method.Input{X: x, Given: given, Clusters: 2}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "‹clusters› 2") {
		t.Errorf("fewer clusters than classes: %v", err)
	}
	if _, err := (&Options{Restarts: 5}).Fit(ctx, &method.Input{X: x, Given: given, Clusters: 3}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "‹restarts›") {
		t.Errorf("restarts without a cluster to draw: %v", err)
	}
	for name, o := range map[string]Options{"rule": {Rule: "x"}, "restarts": {Restarts: -1}, "iterations": {MaxIter: -1}} {
		if err := o.Validate(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// A seeded cluster that leaves the labels that started it loses its name: the label of class b lies
// among documents of class a, and its cluster moves to others.
func TestNamesFollowLabels(t *testing.T) {
	x := mat.NewDense(9, 1, []float64{0, 1, 2, 1.5, 20, 21, 22, 40, 41})
	given := &method.Given{Labels: []int{0, 0, 0, -1, 1, 1, -1, 2, -1}, Names: []string{"a", "b", "c"}}
	m := &kmeans.Model{Labels: []int{1, 1, 1, 1, 0, 0, 0, 3, 3}, Sizes: []int{3, 4, 0, 2}, Centers: x}
	if got := Found(m, Seeded, given).Classes; !slices.Equal(got, []string{"b", "a", "", "c"}) {
		t.Errorf("seeded: %q", got)
	}
	if got := Found(m, Constrained, given).Classes; !slices.Equal(got, []string{"a", "b", "c", ""}) {
		t.Errorf("constrained: %q", got)
	}
	m.Labels = []int{0, 0, 0, 0, 0, 0, 0, 3, 3} // a has three labels in cluster 0, b two
	if got := Found(m, Seeded, given).Classes; !slices.Equal(got, []string{"a", "", "", "c"}) {
		t.Errorf("seeded, two classes in one: %q", got)
	}
}

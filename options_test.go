package eigenmap_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/registry"
	"gonum.org/v1/gonum/mat"
)

// The settings that a run used repeat it, for every method: the result and the settings are equal.
func TestSettingsRepeatTheRun(t *testing.T) {
	for _, s := range registry.Specs {
		t.Run(s.Name, func(t *testing.T) {
			first := cluster(t, train, options(t, s.Name, needed(s)...))
			var opt eigenmap.Options
			for _, v := range first.Settings() {
				if v.Name == eigenmap.FileKey {
					if v.Text != train {
						t.Errorf("the file is %q", v.Text)
					}
					continue
				}
				set(t, &opt, v.Name, v.Text)
			}
			second := cluster(t, train, opt)
			if !slices.Equal(first.Labels, second.Labels) || !same(first.Embedding, second.Embedding) || !same(first.Posterior, second.Posterior) {
				t.Error("the result is another one")
			}
			a, b := eigenmap.Config(first.Settings()), eigenmap.Config(second.Settings())
			for name, value := range a {
				if !reflect.DeepEqual(b[name], value) {
					t.Errorf("%s is %v, and was %v", name, b[name], value)
				}
			}
			if len(a) != len(b) {
				t.Errorf("there are %d settings, and were %d", len(b), len(a))
			}
		})
	}
}

// Names that no option has and values outside of an option's range are refused by Set.
func TestSetRefuses(t *testing.T) {
	for _, c := range []struct{ name, value, part string }{
		{"neighbours", "10", "did you mean neighbors?"},
		{"", "10", "there is no option"},
		{"metod", "le", "did you mean method?"},
		{"neighbors", "0", "at least 1"},
		{"neighbors", "many", "whole number"},
		{"clusters", "-1", "at least 1"},
		{"seed", "-1", "whole number"},
		{"edge-weight", "cold", "one of"},
		{"input-format", "word", "one of"},
		{"weighting", "bm25", "tf, tfidf, hellinger, binary"},
		{"labeled-fraction", "1.5", "share"},
		{"labeled-fraction", "NaN", "share"},
		{"precomputed", "maybe", "true or false"},
		{"strip", "headers,,quotes", "empty"},
		{"min-df", "0", "at least 1"},
		{"labels", "", "empty"},
	} {
		var opt eigenmap.Options
		err := opt.Set(c.name, c.value)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s %q: %v, want fs.ErrInvalid and %q", c.name, c.value, err, c.part)
		}
		if !errors.As(err, new(*eigenmap.Error)) || strings.ContainsAny(err.Error(), "‹›") {
			t.Errorf("%s %q: %v is no *Error", c.name, c.value, err)
		}
	}
}

// A request is refused before the file is read: it need not be there.
func TestWrongRequests(t *testing.T) {
	const missing = "no-such-file.jsonl"
	for _, c := range []struct {
		what  string
		opt   eigenmap.Options
		pairs []string
		parts []string
	}{
		{"a method that is not there", eigenmap.Options{Method: "isomab"}, nil, []string{"did you mean isomap?"}},
		{"options of another method", eigenmap.Options{Method: "kmeans"}, []string{"neighbors", "5"}, []string{"kmeans has no use for neighbors"}},
		{"labels for a method without", eigenmap.Options{Method: "le"}, []string{"labeled-fraction", "0.5"}, []string{"le has no use for labeled-fraction"}},
		{"labels as a field", eigenmap.Options{Method: "le", LabeledFraction: 0.5}, nil, []string{"le has no use for labeled-fraction"}},
		{"k-means beside k-means", eigenmap.Options{Method: "kmeans", KMeans: eigenmap.KMeans{Restarts: 3}}, nil, []string{"kmeans has restarts of its own"}},
		{"no labels", eigenmap.Options{Method: "semi-le"}, nil, []string{"labels FILE or labeled-fraction"}},
		{"labels twice", eigenmap.Options{Method: "semi-le", Labels: "x", LabeledFraction: 0.5}, nil, []string{"give one of them"}},
		{"the width of a graph without", eigenmap.Options{Method: "le"}, []string{"edge-weight", "dot", "heat-width", "2"}, []string{"heat-width has no effect", "edge-weight heat"}},
		{"a radius and neighbours", eigenmap.Options{Method: "le"}, []string{"epsilon", "2", "neighbors", "5"}, []string{"neighbors has no effect", "epsilon"}},
		{"two ways to leave out", eigenmap.Options{Method: "le"}, []string{"drop-first", "true", "drop-zeros", "true"}, []string{"drop-first and drop-zeros exclude each other"}},
		{"two ways, the other first", eigenmap.Options{Method: "le-cas"}, []string{"drop-zeros", "true", "drop-first", "true"}, []string{"exclude each other"}},
		{"graph options of a graph", eigenmap.Options{Method: "le"}, []string{"precomputed", "true", "neighbors", "5"}, []string{"neighbors has no effect", "precomputed"}},
		{"weights of a graph", eigenmap.Options{Method: "le", Source: eigenmap.Source{Precomputed: true}, Weighting: "tf"}, nil, []string{"weighting has no effect"}},
		{"text of a vocabulary", eigenmap.Options{Method: "le", Text: eigenmap.Text{Vocabulary: "x"}}, []string{"min-df", "3"}, []string{"min-df has no effect", "vocabulary"}},
		{"a negative field", eigenmap.Options{Method: "le", Clusters: -1}, nil, []string{"clusters is -1"}},
		{"a fraction above 1", eigenmap.Options{Method: "semi-le", LabeledFraction: 2}, nil, []string{"labeled-fraction is 2"}},
		{"an unknown weighting", eigenmap.Options{Method: "le", Weighting: "bm25"}, nil, []string{"bm25"}},
		{"an unknown start", eigenmap.Options{Method: "le", KMeans: eigenmap.KMeans{Init: "far"}}, nil, []string{"far"}},
		{"a wrong typed option", eigenmap.Options{Method: "le", Config: &le.Options{Dims: -1}}, nil, []string{"dims is -1"}},
		{"options of another type", eigenmap.Options{Method: "le", Config: new(isomap.Options)}, nil, []string{"le", "*isomap.Options"}},
		{"options that are nil", eigenmap.Options{Method: "le", Config: (*le.Options)(nil)}, nil, []string{"nil"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			opt := c.opt
			set(t, &opt, c.pairs...)
			run, err := eigenmap.Cluster(context.Background(), missing, opt)
			if run != nil {
				t.Error("there is a run")
			}
			refused(t, err, c.parts...)
		})
	}
	_, err := eigenmap.Cluster(context.Background(), missing, eigenmap.Options{Method: "le"})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("no file: %v", err)
	}
	_, err = eigenmap.Embed(context.Background(), missing, eigenmap.Options{Method: "kmeans"})
	refused(t, err, "makes no embedding", "isomap")
}

// A switch that is set to false contradicts nothing.
func TestSwitchesOff(t *testing.T) {
	x, _ := blobs(40, 1)
	for _, c := range []struct {
		pairs []string
		want  le.Skip
	}{
		{[]string{"drop-first", "true", "drop-zeros", "false"}, le.SkipConstant},
		{[]string{"drop-first", "false", "drop-zeros", "true"}, le.SkipZeros},
		{[]string{"drop-zeros", "true", "drop-first", "false"}, le.SkipZeros},
		{[]string{"drop-first", "true", "drop-first", "true"}, le.SkipConstant},
		{[]string{"drop-first", "false"}, le.SkipNone},
	} {
		run, err := eigenmap.ClusterMatrix(context.Background(), x, options(t, "le", c.pairs...))
		if err != nil {
			t.Errorf("%v: %v", c.pairs, err)
			continue
		}
		if got := run.Fitted.Used.(*le.Options).Skip; got != c.want && !(got == "" && c.want == le.SkipNone) {
			t.Errorf("%v: %q is left out, want %q", c.pairs, got, c.want)
		}
	}
}

// An embedding leaves the constant eigenvector out, unless the switch says that it must not.
func TestConstantIsKept(t *testing.T) {
	ring := mat.NewDense(6, 6, nil)
	for i := range 6 {
		ring.Set(i, (i+1)%6, 1)
		ring.Set((i+1)%6, i, 1)
	}
	for _, c := range []struct {
		pairs []string
		first float64 // 1 - cos 2πk/6
	}{
		{nil, 0.5},
		{[]string{"drop-first", "false"}, 0},
		{[]string{"drop-zeros", "false"}, 0.5},
		{[]string{"drop-first", "false", "drop-zeros", "true"}, 0.5},
	} {
		opt := eigenmap.Options{Method: "le"}
		set(t, &opt, append([]string{"dims", "2", "precomputed", "true"}, c.pairs...)...)
		run, err := eigenmap.EmbedMatrix(context.Background(), ring, opt)
		if err != nil {
			t.Errorf("%v: %v", c.pairs, err)
			continue
		}
		if got := run.Fitted.Values.Values[0]; math.Abs(got-c.first) > 1e-12 {
			t.Errorf("%v: the first eigenvalue is %g, want %g", c.pairs, got, c.first)
		}
	}
}

// Typed options give what the same options by name give, and are not changed.
func TestTypedOptionsEqualOptionsByName(t *testing.T) {
	for _, c := range []struct {
		method string
		config method.Options
		pairs  []string
	}{
		{"le", &le.Options{Dims: 4, NormalizeRows: true, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 7, Weight: graph.Heat}}},
			[]string{"dims", "4", "normalize-rows", "true", "neighbors", "7", "edge-weight", "heat"}},
		{"kmeans", &kmeans.Options{Restarts: 3, Init: "random"}, []string{"restarts", "3", "init", "random"}},
		{"isomap", &isomap.Options{Dims: 2, Landmarks: 20, Parts: isomap.Join}, []string{"dims", "2", "landmarks", "20", "parts", "join"}},
	} {
		before := reflect.ValueOf(c.config).Elem().Interface()
		typed := options(t, c.method)
		typed.Config = c.config
		a, b := cluster(t, train, typed), cluster(t, train, options(t, c.method, c.pairs...))
		if !slices.Equal(a.Labels, b.Labels) || !same(a.Embedding, b.Embedding) {
			t.Errorf("%s: the results differ", c.method)
		}
		if !reflect.DeepEqual(eigenmap.Config(a.Settings()), eigenmap.Config(b.Settings())) {
			t.Errorf("%s: the settings are\n%v by type and\n%v by name", c.method, a.Settings(), b.Settings())
		}
		if !reflect.DeepEqual(before, reflect.ValueOf(c.config).Elem().Interface()) {
			t.Errorf("%s: the options were changed", c.method)
		}
	}
	opt := options(t, "le", "neighbors", "9") // a name beside the type changes that option alone
	opt.Config = &le.Options{Dims: 2}
	run := cluster(t, train, opt)
	used := run.Fitted.Used.(*le.Options)
	if _, dims := run.Embedding.Dims(); dims != 2 || used.Graph.Neighbors != 9 {
		t.Errorf("%d dimensions, %d neighbours", dims, used.Graph.Neighbors)
	}
	if opt.Config.(*le.Options).Graph.Neighbors != 0 {
		t.Error("the typed options were changed")
	}
}

// Options can be used again: a run changes neither them nor what a second run finds.
func TestOptionsAreNotChanged(t *testing.T) {
	opt := options(t, "kmeans", "random-classes", "2", "classes", "kitchen,sky")
	_, err := eigenmap.Cluster(context.Background(), train, opt)
	refused(t, err, "exclude each other")
	opt = eigenmap.Options{Method: "kmeans", Seed: 3, Source: eigenmap.Source{RandomClasses: 2}}
	first := cluster(t, train, opt)
	if len(opt.Source.Classes) != 0 || opt.Source.RandomClasses != 2 || opt.Weighting != "" || opt.Clusters != 0 {
		t.Errorf("the options are %+v", opt)
	}
	second := cluster(t, train, opt)
	if len(first.Labels) >= 60 || len(first.Sizes) != 2 || !slices.Equal(first.Labels, second.Labels) {
		t.Errorf("%v, and then %v", first.Labels, second.Labels)
	}
}

// A request that was prepared can be run again, over any corpus.
func TestPreparedRunsAgain(t *testing.T) {
	p := must.Get(eigenmap.Prepare(eigenmap.Options{Method: "le", Seed: 3, Source: eigenmap.Source{RandomClasses: 2}}, "cluster"))(t)
	ctx := context.Background()
	x, labels := blobs(40, 3)
	c := &corpus.Corpus{Name: "blobs", X: x, Labels: labels, ClassNames: []string{"a", "b", "c"}}
	if _, err := p.OnFile(ctx, train); err != nil {
		t.Fatal(err)
	}
	second := must.Get(p.OnCorpus(ctx, c))(t)
	if weight := eigenmap.Config(second.Settings())["edge-weight"]; weight != "heat" || len(second.Sizes) != 2 {
		t.Errorf("the second run has edges of weight %v, clusters of %v documents", weight, second.Sizes)
	}
}

// Every method lists its own options and the options of every run, each once, and takes what it
// lists.
func TestFields(t *testing.T) {
	if got, want := len(eigenmap.Methods()), len(registry.Specs); got != want {
		t.Errorf("%d methods, want %d", got, want)
	}
	for _, s := range registry.Specs {
		seen := map[string]bool{}
		for _, f := range eigenmap.Fields(s.Name) {
			if seen[f.Name] && eigenmap.Takes(s, f.Name) {
				t.Errorf("%s: %s is listed twice", s.Name, f.Name)
			}
			seen[f.Name] = true
			if f.Help == "" || f.Group == "" {
				t.Errorf("%s: %s has help %q, group %q", s.Name, f.Name, f.Help, f.Group)
			}
		}
	}
	if f := eigenmap.Fields("le", "neighbors"); len(f) != 1 || f[0].Name != "neighbors" {
		t.Errorf("neighbors of le is %v", f)
	}
	if f := eigenmap.GraphFields(); !slices.ContainsFunc(f, func(f *option.Field) bool { return f.Name == "neighbors" }) {
		t.Error("a graph has no neighbors")
	}
}

// MaxBytes bounds the arrays of a method, and of a run that builds a graph alone.
func TestMaxBytes(t *testing.T) {
	x, _ := blobs(300, 3)
	opt := options(t, "gmm")
	opt.MaxBytes = 1000
	_, err := eigenmap.ClusterMatrix(context.Background(), x, opt)
	refused(t, err)
	own := eigenmap.Options{MaxBytes: 1000}
	_, err = eigenmap.Graph(context.Background(), "testdata/golden/train.jsonl", own, graph.Options{})
	refused(t, err)
	opt.MaxBytes = 1 << 30
	if _, err := eigenmap.ClusterMatrix(context.Background(), x, opt); err != nil {
		t.Error(err)
	}
	opt.MaxBytes = -1
	_, err = eigenmap.ClusterMatrix(context.Background(), mat.NewDense(3, 1, nil), opt)
	refused(t, err)
}

package eigenmap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// threeGroups are points in three groups, point i in group i mod 3.
func threeGroups(n int) *mat.Dense {
	x := mat.NewDense(n, 3, nil)
	for i := range n {
		for j := range 3 {
			x.Set(i, j, float64((i*7+j*5)%11)/11)
		}
		x.Set(i, i%3, x.At(i, i%3)+6)
	}
	return x
}

// Options from JSON are those that Set sets.
func TestSetJSON(t *testing.T) {
	x := threeGroups(60)
	var asked, plain eigenmap.Options
	threads := ""
	err := asked.SetJSON([]byte(` {"method": "le", "clusters": 3, "neighbors": 7, "threads": 2, "normalize-rows": true, "tol": 1e-9, "weighting": null}`),
		func(name, value string) (bool, error) {
			if name == "threads" {
				threads = value
			}
			return name == "threads", nil
		})
	if err != nil || threads != "2" {
		t.Fatalf("%v, threads %q", err, threads)
	}
	plain.Method, plain.Clusters = "le", 3
	for name, value := range map[string]string{"neighbors": "7", "normalize-rows": "true", "tol": "1e-9"} {
		must.Do(t, plain.Set(name, value))
	}
	a := must.Get(eigenmap.ClusterMatrix(context.Background(), x, asked))(t)
	b := must.Get(eigenmap.ClusterMatrix(context.Background(), x, plain))(t)
	if !mat.Equal(a.Embedding, b.Embedding) || !slices.Equal(a.Labels, b.Labels) {
		t.Error("the options from JSON give another result")
	}
	for text, want := range map[string]string{`[]`: "JSON", `{"clusters": 3`: "JSON", `{"a": 1}`: `"a"`, `{"clusters": {}}`: "object", `{"clusters": [[]]}`: "list",
		`{"clusters": 2, "clusters": 2}`: "twice", `{"clusters": 0}`: "at least 1", `{} x`: "JSON", `{} {}`: "JSON", ``: "JSON"} {
		var o eigenmap.Options
		if err := o.SetJSON([]byte(text), nil); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A list for an option that takes one value is that value with commas, and refused where the option
// takes no commas: the last of the list was taken alone.
func TestSetJSONListOfOne(t *testing.T) {
	texts := []string{"das Haus und der Garten sind nicht alt", "the house and the garden are not old", "das Haus und die Straße sind nicht alt", "the house and the street are not old"}
	for _, list := range []string{`["de", "en"]`, `["german,english"]`, `"german,english"`} {
		var o eigenmap.Options
		must.Do(t, o.SetJSON([]byte(`{"clusters": 2, "method": "kmeans", "language": `+list+`, "min-df": 1}`), nil))
		run, err := eigenmap.ClusterTexts(context.Background(), texts, o)
		if err != nil || slices.Contains(run.Corpus.Terms, "und") || slices.Contains(run.Corpus.Terms, "the") {
			t.Errorf("%s: %v, %q", list, err, run.Corpus.Terms)
		}
	}
	var o eigenmap.Options
	if err := o.SetJSON([]byte(`{"neighbors": [5, 6]}`), nil); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "5,6") {
		t.Errorf("two numbers for one: %v", err)
	}
}

// Lists of labels and constraints in JSON set Options.Known and Links.
func TestSetJSONLists(t *testing.T) {
	ctx, x := context.Background(), threeGroups(6)
	for _, c := range []struct {
		text string
		want []int
	}{
		{`{"labels": [7, 3.0, null, -1, 12, 3]}`, []int{1, 0, -1, -1, 2, 0}},
		{`{"labels": ["b", "a", "", null, "c", "nan"]}`, []int{1, 0, -1, -1, 2, -1}},
	} {
		var o eigenmap.Options
		if err := o.SetJSON([]byte(c.text), nil); err != nil || !slices.Equal(o.Known.Labels, c.want) || len(o.Known.ClassNames) != 3 {
			t.Errorf("%s: %v, %+v", c.text, err, o.Known)
		}
	}
	var o eigenmap.Options
	must.Do(t, o.SetJSON([]byte(`{"constraints": [[0, 3], [1, 2.0, "cannot"], [2, 5, "must"]], "clusters": 2.0, "seed": 3e0, "max-df": 1.0}`), nil))
	if want := []corpus.Constraint{{A: 0, B: 3, Line: 1}, {A: 1, B: 2, Cannot: true, Line: 2}, {A: 2, B: 5, Line: 3}}; !slices.Equal(o.Links, want) {
		t.Errorf("constraints %+v", o.Links)
	}
	for text, want := range map[string]string{
		`{"labels": [0, 1.5]}`:                              "labels: item 1",
		`{"labels": [0, true]}`:                             "labels: item 1",
		`{"labels": [0, 1, -1]}`:                            "3 labels given for 6 documents",
		`{"labels": [-1, -1, -1, -1, -1, -1]}`:              "labels",
		`{"labels": [0, 1, 0, 1, 0, 1], "labels": "x.csv"}`: "twice",
		`{"constraints": [[0]]}`:                            "item 0",
		`{"constraints": [3]}`:                              "item 0",
		`{"constraints": [[0, "b"]]}`:                       "item 0",
		`{"constraints": [[0, 1, "maybe"]]}`:                "item 0",
		`{"constraints": [[0, 6]], "clusters": 2}`:          "line 1",
		`{"clusters": 2.5}`:                                 "whole number",
		`{"k": 2}`:                                          "short for clusters",
	} {
		var o eigenmap.Options
		err := o.SetJSON([]byte(text), nil)
		if err == nil {
			_, err = eigenmap.ClusterMatrix(ctx, x, o)
		}
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Labels and constraints in memory act as in a file; wrong ones are refused by their place.
func TestKnownInMemory(t *testing.T) {
	ctx, x := context.Background(), threeGroups(60)
	given := &corpus.Given{Labels: make([]int, 60), ClassNames: []string{"a", "b", "c"}}
	for i := range given.Labels {
		if given.Labels[i] = -1; i < 12 {
			given.Labels[i] = i % 3
		}
	}
	run := must.Get(eigenmap.ClusterMatrix(ctx, x, eigenmap.Options{Method: "label-propagation", Known: given}))(t)
	for i, k := range run.Labels {
		if run.Classes[k] != given.ClassNames[i%3] {
			t.Fatalf("document %d is in the cluster of class %s", i, run.Classes[k])
		}
	}
	links := []corpus.Constraint{{A: 0, B: 3, Line: 1}, {A: 1, B: 4, Line: 2}, {A: 2, B: 5, Line: 3}}
	if _, err := eigenmap.ClusterMatrix(ctx, x, eigenmap.Options{Method: "cle", Clusters: 3, Links: links}); err != nil {
		t.Error(err)
	}
	short := &corpus.Given{Labels: given.Labels[:5], ClassNames: given.ClassNames}
	for want, opt := range map[string]eigenmap.Options{
		"5 labels given for 60 documents": {Method: "cle", Known: short},
		"document 2 is 1, and there are":  {Method: "cle", Known: &corpus.Given{Labels: given.Labels, ClassNames: given.ClassNames[:1]}},
		"has no use for labels":           {Method: "le", Clusters: 3, Known: given},
		"has no use for constraints":      {Method: "le", Clusters: 3, Links: links},
		"in one way":                      {Method: "cle", Known: given, Labels: "file.csv"},
		"line 9":                          {Method: "cle", Clusters: 3, Links: []corpus.Constraint{{A: 0, B: 60, Line: 9}}},
		"two ways":                        {Method: "cle", Clusters: 3, Known: given, Links: links},
	} {
		if _, err := eigenmap.ClusterMatrix(ctx, x, opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A run's model equals its file, byte for byte, and shares nothing with the matrix.
func TestModelInMemory(t *testing.T) {
	ctx, x := context.Background(), threeGroups(60)
	run := must.Get(eigenmap.ClusterMatrix(ctx, x, eigenmap.Options{Method: "le", Clusters: 3}))(t)
	m := must.Get(run.Model(ctx))(t)
	again := threeGroups(60)
	x.Zero()
	placed := must.Get(m.PredictMatrix(ctx, again))(t)
	if !slices.Equal(placed.Labels, run.Labels) {
		t.Error("the model places the training rows in other clusters")
	}
	var first, second bytes.Buffer
	must.Do(t, m.Encode(&first))
	file := filepath.Join(t.TempDir(), "model.npz")
	must.Do(t, m.Save(file))
	loaded := must.Get(eigenmap.LoadModel(ctx, file))(t)
	if err := loaded.Encode(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("%v: the model of the file has other bytes", err)
	}
	if _, err := eigenmap.DecodeModel(ctx, first.Bytes()[:100]); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a cut model: %v", err)
	}
}

// Statuses of errors are the program's.
func TestExitStatus(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, wrong := eigenmap.ClusterMatrix(context.Background(), threeGroups(9), eigenmap.Options{Method: "none"})
	_, stopped := eigenmap.ClusterMatrix(ctx, threeGroups(60), eigenmap.Options{Method: "le", Clusters: 3})
	for _, c := range []struct {
		err  error
		want int
	}{{nil, 0}, {errors.New("disk"), 1}, {wrong, 2}, {fs.ErrNotExist, 2}, {stopped, 130}} {
		if got := eigenmap.ExitStatus(c.err); got != c.want {
			t.Errorf("%v: status %d, not %d", c.err, got, c.want)
		}
	}
}

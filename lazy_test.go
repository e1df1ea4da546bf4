package eigenmap_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Second looks that are left to later give the confidences and the model that they give during the
// run, also where copies count once, and where the caller's matrix is overwritten in between.
func TestLazyConfidence(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		method string
		sparse bool
		labels int // one of so many documents has a known label
	}{{"dense", "gmm", false, 0}, {"labels", "label-propagation", false, 8}, {"labels enough to hide", "label-propagation", false, 2},
		{"hidden labels and regressions", "semi-ldc", false, 2}, {"counts with copies", "kmeans", true, 0}} {
		t.Run(c.name, func(t *testing.T) {
			fit := func(lazy bool) (*eigenmap.Run, func()) {
				x, groups := blobs(120, 3)
				opt := eigenmap.Options{Method: c.method, Clusters: 3, LazyConfidence: lazy}
				if c.labels > 0 {
					known := slices.Clone(groups)
					for i := range known {
						if i%c.labels != 0 {
							known[i] = -1
						}
					}
					opt.Clusters, opt.Known = 0, &corpus.Given{Labels: known, ClassNames: []string{"a", "b", "c"}}
				}
				var rows mat.Matrix = x
				spoil := func() { x.Zero() }
				if c.sparse {
					n, cols := x.Dims()
					b := sparse.NewBuilder(n+20, cols)
					for i := range n + 20 { // the last are copies of the first
						for j := range cols {
							if v := math.Round(math.Abs(x.At(i%n, j))); v > 0 {
								b.Add(i, j, v)
							}
						}
					}
					m := must.Get(b.Build())(t)
					rows, spoil = m, func() { clear(m.Val) }
				}
				run := must.Get(eigenmap.ClusterMatrix(ctx, rows, opt))(t)
				return run, spoil
			}
			want, _ := fit(false)
			run, spoil := fit(true)
			if slices.Equal(run.Confidence, want.Confidence) {
				t.Error("the confidence is calibrated before anything asks for it")
			}
			lazy := must.Get(run.Model(ctx))(t)
			spoil()
			stopped, cancel := context.WithCancel(ctx)
			cancel()
			if _, err := lazy.Confidence(stopped); !errors.Is(err, context.Canceled) {
				t.Errorf("a cancelled look gives %v", err)
			}
			sure, err := lazy.Confidence(ctx)
			if err != nil || !slices.Equal(sure, want.Confidence) {
				t.Errorf("the model's confidence is not the run's: %v", err)
			}
			if err := run.Calibrate(ctx); err != nil || !slices.Equal(run.Confidence, want.Confidence) {
				t.Errorf("Calibrate gives another confidence: %v", err)
			}
			eager := must.Get(want.Model(ctx))(t)
			var files [2]bytes.Buffer
			for i, m := range []*eigenmap.Model{eager, lazy} {
				must.Do(t, m.Encode(&files[i]))
			}
			if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
				t.Error("the models' files differ")
			}
		})
	}
}

// A run that rejects documents by their confidence takes its second looks at once.
func TestLazyConfidenceRejects(t *testing.T) {
	x, _ := blobs(120, 3)
	var found [2]*eigenmap.Run
	for i := range found {
		run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, eigenmap.Options{Method: "gmm", Clusters: 3, RejectShare: 0.2, LazyConfidence: i == 1}))(t)
		found[i] = run
	}
	if !slices.Equal(found[0].Labels, found[1].Labels) || !slices.Equal(found[0].Confidence, found[1].Confidence) {
		t.Error("lazy confidences reject other documents")
	}
}

// Where second looks that were left to later fail, the run and its model say why. A run and its
// models share the looks, which several goroutines may ask for.
func TestLazyConfidenceFails(t *testing.T) {
	ctx := context.Background()
	x := mat.NewDense(120, 1, nil)
	for i := range 120 { // the documents of a look lack the only neighbours of many
		x.Set(i, 0, float64(i/2)+0.1*float64(i%2))
	}
	opt := eigenmap.Options{Method: "le", Clusters: 3, LazyConfidence: true}
	must.Do(t, opt.Set("dims", "100"))
	must.Do(t, opt.Set("epsilon", "0.5"))
	run, err := eigenmap.ClusterMatrix(ctx, x, opt)
	if err != nil {
		t.Fatal(err)
	}
	raw := slices.Clone(run.Confidence)
	var models [2]*eigenmap.Model
	for i := range models {
		if models[i], err = run.Model(ctx); err != nil {
			t.Fatal(err)
		}
		if why := models[i].Uncalibrated(); why != "" {
			t.Errorf("before the looks are taken: %s", why)
		}
	}
	var wait sync.WaitGroup
	wait.Add(3)
	for _, m := range models {
		go func() {
			defer wait.Done()
			sure, err := m.Confidence(ctx)
			if err != nil || !slices.Equal(sure, raw) || !strings.Contains(m.Uncalibrated(), "not calibrated: ") {
				t.Errorf("%v; the reason is %q", err, m.Uncalibrated())
			}
		}()
	}
	go func() {
		defer wait.Done()
		if err := run.Calibrate(ctx); err != nil {
			t.Error(err)
		}
	}()
	wait.Wait()
	if notes := strings.Join(run.Notes(), "\n"); !strings.Contains(notes, models[0].Uncalibrated()) {
		t.Errorf("the run does not say %q: %s", models[0].Uncalibrated(), notes)
	}
}

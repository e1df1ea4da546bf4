package ckmeans

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

// groups draws n rows around the corners of a simplex, one for each class; far is the length of its
// edges relative to the noise.
func groups(n, d, classes int, far float64, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, truth := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		truth[i] = rng.IntN(classes)
		for q := range d {
			x.Set(i, q, rng.NormFloat64())
		}
		x.Set(i, truth[i], x.At(i, truth[i])+far/math.Sqrt2)
	}
	return x, truth
}

// TestSeededIsKMeansFromTheMeans: the labels choose the starts only, so k-means from labels.Means
// gives the same clusters.
func TestSeededIsKMeansFromTheMeans(t *testing.T) {
	for seed := range uint64(5) {
		x, truth := groups(400, 9, 4, 4, seed)
		known := must.Get(labels.Draw(truth, 0.05, seed))(t)
		m := must.Get(Fit(ctx, x, known, 4, Options{Rule: Seeded}))(t)
		want := must.Get(kmeans.Fit(ctx, x, kmeans.Options{K: 4, Start: labels.Means(x, known, 4)}))(t)
		if math.Abs(m.Objective-want.Objective) > 1e-10*want.Objective || m.Iterations != want.Iterations {
			t.Errorf("objective %v after %d moves, from the means %v after %d", m.Objective, m.Iterations, want.Objective, want.Iterations)
		}
		agree := 0
		for i, c := range m.Labels {
			if c == truth[i] {
				agree++
			}
		}
		if agree < 360 {
			t.Errorf("%d of 400 rows are in the cluster of their class's number", agree)
		}
	}
}

// TestConstrainedIsAFixedPoint: labelled rows keep their labels, free rows are with the nearest
// centre, and centres are the means: a fixed point of the paper's algorithm.
func TestConstrainedIsAFixedPoint(t *testing.T) {
	x, truth := groups(300, 6, 3, 2, 3) // overlapping classes
	known := must.Get(labels.Draw(truth, 0.3, 1))(t)
	a := must.Get(sparse.FromMatrix(x))(t)
	for _, rows := range []mat.Matrix{x, a} {
		m := must.Get(Fit(ctx, rows, known, 3, Options{}))(t)
		near := must.Get(m.Predict(ctx, rows))(t)
		against := 0
		for i, c := range m.Labels {
			switch {
			case known[i] == labels.Unknown && near[i] != c:
				t.Errorf("row %d is free, in %d, but nearest to %d", i, c, near[i])
			case known[i] != labels.Unknown && c != known[i]:
				t.Errorf("row %d is labelled %d and came to %d", i, known[i], c)
			case near[i] != c:
				against++
			}
		}
		if against == 0 {
			t.Error("no labelled row was held back: the test shows nothing")
		}
		if !mat.EqualApprox(m.Centers, labels.Means(x, m.Labels, 3), 1e-12) || !m.Converged {
			t.Error("centres are not the means of their rows")
		}
	}
}

// TestOneClassLabelled: the other clusters are found away from the labelled one, under the other
// numbers.
func TestOneClassLabelled(t *testing.T) {
	x, truth := groups(300, 8, 3, 30, 5)
	known := make([]int, len(truth))
	for i, c := range truth {
		if known[i] = labels.Unknown; c == 2 && i < 50 {
			known[i] = 2
		}
	}
	var notes []string
	m := must.Get(Fit(ctx, x, known, 3, Options{Observer: func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
		}
	}}))(t)
	other := map[int]int{2: 2}
	for i, c := range m.Labels {
		if was, ok := other[truth[i]]; ok && was != c {
			t.Fatalf("class %d is split over %d and %d", truth[i], was, c)
		}
		other[truth[i]] = c
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "2 of 3") {
		t.Errorf("notes %q", notes)
	}
}

func TestAllLabelledAndMoreClusters(t *testing.T) {
	x, truth := groups(60, 5, 3, 1, 7)
	m, err := Fit(ctx, x, truth, 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Labels, truth) || !m.Converged {
		t.Error("all rows are labelled, and some moved")
	}
	if _, err := Fit(ctx, x, truth, 4, Options{}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a fourth class without any free row: error %v", err)
	}
	if m, err := Fit(ctx, x, truth, 4, Options{Rule: Seeded}); err != nil || m.Sizes[3] == 0 {
		t.Errorf("a fourth class takes rows where labels only start: %v, error %v", m, err)
	}
	// Two classes beyond the labelled ones among free rows.
	known := must.Get(labels.Draw(truth, 0.5, 1))(t)
	m, err = Fit(ctx, x, known, 5, Options{})
	if err != nil || slices.Min(m.Sizes) == 0 {
		t.Errorf("five clusters: sizes %v, error %v", m.Sizes, err)
	}
	// Free rows that equal the mean of the class cannot fill another cluster: it stays empty, and
	// nothing fails.
	same := mat.NewDense(4, 2, []float64{1, 1, 1, 1, 1, 1, 1, 1})
	m, err = Fit(ctx, same, []int{0, -1, -1, -1}, 2, Options{})
	if err != nil || !slices.Equal(m.Sizes, []int{4, 0}) || m.Objective != 0 {
		t.Errorf("equal rows: %+v, error %v", m, err)
	}
}

func TestErrors(t *testing.T) {
	x, truth := groups(20, 4, 2, 1, 1)
	none := slices.Repeat([]int{labels.Unknown}, 20)
	for name, c := range map[string]struct {
		x     mat.Matrix
		known []int
		k     int
		opt   Options
		says  string
	}{
		"no label":   {x, none, 2, Options{}, "none of the 20"},
		"nil labels": {x, nil, 2, Options{}, "0 labels for 20"},
		"short":      {x, truth[:9], 2, Options{}, "9 labels for 20"},
		"outside":    {x, truth, 1, Options{}, "between 0 and 0"},
		"negative":   {x, append(slices.Clone(truth[:19]), -7), 2, Options{}, "document 19"},
		"rule":       {x, truth, 2, Options{Rule: "hard", MaxIter: -1}, "\n"},
		"no matrix":  {nil, truth, 2, Options{}, "no matrix"},
		"too many":   {x, truth, 1 << 40, Options{Rule: Seeded}, "clusters"},
	} {
		if _, err := Fit(ctx, c.x, c.known, c.k, c.opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: error %v, want an invalid one with %q", name, err, c.says)
		}
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(done, x, truth, 2, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

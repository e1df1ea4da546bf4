package pckmeans

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"gonum.org/v1/gonum/mat"
)

// blobs are four overlapping clouds in the plane, and the cloud of each point.
func blobs(n int, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	x, truth := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		truth[i] = rng.IntN(4)
		x.SetRow(i, []float64{2.2*float64(truth[i]%2) + rng.NormFloat64(), 2.2*float64(truth[i]/2) + rng.NormFloat64()})
	}
	return x, truth
}

// drawn are links between random pairs, as the clouds say.
func drawn(truth []int, count int, seed uint64) (list []links.Link) {
	rng := rand.New(rand.NewPCG(seed, 4))
	for len(list) < count {
		a, b := rng.IntN(len(truth)), rng.IntN(len(truth))
		if a != b {
			list = append(list, links.Link{A: a, B: b, Cannot: truth[a] != truth[b], Line: len(list) + 1})
		}
	}
	return list
}

func fit(t *testing.T, x mat.Matrix, n int, list []links.Link, known []int, opt Options) *Model {
	t.Helper()
	groups := must.Get(links.MustOnly(n, list))(t)
	m := must.Get(Fit(context.Background(), x, groups, known, opt))(t)
	return m
}

// All links hold under Enforce, for four clusters, and clusters are nearer to the truth than
// without links.
func TestLinksHold(t *testing.T) {
	x, truth := blobs(300, 1)
	list := drawn(truth, 250, 2)
	m := fit(t, x, 300, list, nil, Options{K: 4, Seed: 1})
	for _, l := range list {
		if together := m.Labels[l.A] == m.Labels[l.B]; together == l.Cannot {
			t.Fatalf("the link of line %d is not kept", l.Line)
		}
	}
	plain := must.Get(kmeans.Fit(context.Background(), x, kmeans.Options{K: 4, Seed: 1}))(t)
	with, without := accuracy(t, truth, m.Labels), accuracy(t, truth, plain.Labels)
	t.Logf("accuracy %.3f, without links %.3f", with, without)
	if with < without+0.03 {
		t.Errorf("accuracy %.3f, without links %.3f", with, without)
	}
	if !slices.IsSortedFunc(m.Sizes, func(a, b int) int { return b - a }) {
		t.Errorf("sizes %v do not fall", m.Sizes)
	}
}

func accuracy(t *testing.T, truth, found []int) float64 {
	t.Helper()
	s := must.Get(metrics.Score(truth, found))(t)
	return s.Accuracy
}

// Without links it is a k-means: every row is with its nearest centre, which is the mean of its
// rows.
func TestWithoutLinks(t *testing.T) {
	x, _ := blobs(200, 5)
	m := fit(t, x, 200, nil, nil, Options{K: 3, Restarts: 4})
	nearest, err := m.Predict(context.Background(), x)
	if err != nil || !slices.Equal(nearest, m.Labels) || !m.Converged {
		t.Errorf("rows are not with their nearest centres: %v", err)
	}
}

// A small weight lets links go, a large one keeps as many as Enforce.
func TestWeigh(t *testing.T) {
	x, truth := blobs(300, 1)
	list := drawn(truth, 250, 2)
	light := fit(t, x, 300, list, nil, Options{K: 4, Links: Weigh, Weight: 1e-9})
	heavy := fit(t, x, 300, list, nil, Options{K: 4, Links: Weigh, Weight: 100})
	if light.Broken == 0 || heavy.Broken >= light.Broken/4 {
		t.Errorf("%d links are not kept by a small weight, %d by a large one", light.Broken, heavy.Broken)
	}
}

// Five rows that are all apart: five clusters keep them, though the nearest centres of all are one,
// and four do not.
func TestSearch(t *testing.T) {
	x := mat.NewDense(8, 1, []float64{0, 0.1, 0.2, 0.3, 0.4, 10, 20, 30})
	var list []links.Link
	for a := range 5 {
		for b := range a {
			list = append(list, links.Link{A: a, B: b, Cannot: true})
		}
	}
	m := fit(t, x, 8, list, nil, Options{K: 5})
	found := slices.Clone(m.Labels[:5])
	slices.Sort(found)
	if !slices.Equal(found, []int{0, 1, 2, 3, 4}) {
		t.Errorf("clusters %v", m.Labels)
	}
	groups, err := links.MustOnly(8, list)
	if err != nil {
		t.Fatal(err)
	}
	name := func(i int) string { return "paper-" + string(rune('a'+i)) }
	_, err = Fit(context.Background(), x, groups, nil, Options{K: 4, Name: name})
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "no 4 clusters keep all cannot-links: at paper-") {
		t.Errorf("four clusters: %v", err)
	}
	if m := fit(t, x, 8, list, nil, Options{K: 4, Links: Weigh, Weight: 1000}); m.Broken != 1 {
		t.Errorf("four clusters keep all but %d links, want 1", m.Broken)
	}
}

// The search finds a way wherever one exists, on small random graphs: compared with trying all.
func TestSearchIsComplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for range 60 {
		const n, k = 7, 3
		x := mat.NewDense(n, 1, nil)
		var list []links.Link
		for a := range n {
			x.Set(a, 0, rng.Float64())
			for b := range a {
				if rng.Float64() < 0.55 {
					list = append(list, links.Link{A: a, B: b, Cannot: true})
				}
			}
		}
		possible := false
		for code := range int(math.Pow(k, n)) {
			of := func(i int) int { return code / int(math.Pow(k, float64(i))) % k }
			if !slices.ContainsFunc(list, func(l links.Link) bool { return of(l.A) == of(l.B) }) {
				possible = true
				break
			}
		}
		groups, err := links.MustOnly(n, list)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = Fit(context.Background(), x, groups, nil, Options{K: k, Restarts: 1}); (err == nil) != possible {
			t.Fatalf("%v: %v, and three clusters are possible: %v", list, err, possible)
		}
	}
}

// Labels that contradict links are refused with the documents' names.
func TestLabelsAgainstLinks(t *testing.T) {
	x, _ := blobs(6, 1)
	for _, c := range []struct {
		list  []links.Link
		known []int
		says  string
	}{
		{[]links.Link{{A: 0, B: 1}, {A: 1, B: 2}}, []int{0, -1, 1, -1, -1, -1}, "must-links join document 2 to documents with the label of another class"},
		{[]links.Link{{A: 0, B: 1, Cannot: true}}, []int{1, 1, 0, -1, -1, -1}, "document 0 and document 1 have labels of one class"},
	} {
		groups := must.Get(links.MustOnly(6, c.list))(t)
		if _, err := Fit(context.Background(), x, groups, c.known, Options{K: 2}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
	m := fit(t, x, 6, []links.Link{{A: 0, B: 1}, {A: 0, B: 2, Cannot: true}}, []int{1, -1, -1, 0, -1, -1}, Options{K: 2})
	if m.Labels[0] != 1 || m.Labels[1] != 1 || m.Labels[2] != 0 || m.Labels[3] != 0 {
		t.Errorf("clusters %v", m.Labels)
	}
}

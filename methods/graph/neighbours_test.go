package graph

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/progress"
)

// The time of a pair is near what was measured: of documents of terms, and of terms beside a
// vector.
func TestPairSeconds(t *testing.T) {
	for mean, measured := range map[float64]float64{43: 2.0e-9, 82: 3.4e-9, 127: 7.5e-9, 430: 15e-9} {
		if got := PairSeconds(mean, false); got > 1.5*measured || 1.5*got < measured {
			t.Errorf("%v entries: %.3g s, and %.3g s were measured", mean, got, measured)
		}
	}
}

// The option decides, the automatic choice depends on the number of rows, and both say so.
func TestBuildApproximate(t *testing.T) {
	const many = 10 * ApproxRows
	for _, c := range []struct {
		search Search
		n      int
		mean   float64
		dense  bool
		want   bool
	}{
		{"", ApproxRows - 1, 1e4, false, false}, {AutoSearch, ApproxRows, 200, false, true}, {AutoSearch, ApproxRows, 40, false, false},
		{AutoSearch, ApproxRows, 82, false, true}, {AutoSearch, 2 * ApproxRows, 43, false, true},
		{AutoSearch, many, 40, false, true}, {AutoSearch, DenseApproxRows, 784, true, true}, {AutoSearch, DenseApproxRows - 1, 784, true, false},
		{AutoSearch, ApproxRows, 64, true, true}, {AutoSearch, ApproxRows, 20, true, false},
		{AutoSearch, many, 20, true, true}, {ExactSearch, many, 1e4, false, false}, {ApproxSearch, 2, 1, false, true},
	} {
		if got := c.search.approximate(c.n, c.mean, c.dense); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	x := graphtest.Stories(400, 5, 100, 40, rand.New(rand.NewPCG(4, 4)))
	var notes []string
	obs := progress.Observer(func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
		}
	})
	got := must.Get(Build(background, x, Options{Search: ApproxSearch, Observer: obs}))(t)
	want, err := Build(background, x, Options{})
	if err != nil || !slices.Equal(got.W.Col, want.W.Col) || !slices.Equal(got.W.Val, want.W.Val) {
		t.Errorf("the graph of few rows differs (%v)", err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "100.0 % of the exact neighbours of 400 sampled documents") {
		t.Errorf("notes %q", notes)
	}
}

// Neighbours are what Nearest finds by the exact search, and of few rows by the approximate one
// too, which says how many it found.
func TestNeighbours(t *testing.T) {
	x := graphtest.Stories(300, 5, 100, 40, rand.New(rand.NewPCG(4, 4)))
	want := must.Get(Nearest(background, x, 7, nil))(t)
	said := 0
	obs := progress.Observer(func(e progress.Event) {
		if strings.Contains(e.Message, "100.0 % of the exact neighbours") {
			said++
		}
	})
	for _, search := range []Search{"", ExactSearch, ApproxSearch} {
		got, err := Options{Search: search, Observer: obs}.Neighbours(background, x, 7)
		if err != nil || !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist2, want.Dist2) {
			t.Errorf("%q: other neighbours (%v)", search, err)
		}
	}
	if said != 1 {
		t.Errorf("the recall was said %d times", said)
	}
	if _, err := (Options{Search: "fast"}).Neighbours(background, x, 7); err == nil {
		t.Error("an unknown search is taken")
	}
}

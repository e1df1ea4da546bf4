package kmeans

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/progress"
	"pgregory.net/rapid"
)

// TestPlusPlusDistances: after the starts are drawn, each row's weight is its squared distance to
// the nearest of them, although some distances were skipped, and starts are different rows.
func TestPlusPlusDistances(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 100).Draw(t, "n"), rapid.IntRange(1, 14).Draw(t, "d")
		k := rapid.IntRange(1, min(n, 12)).Draw(t, "k")
		both := must.Get(storages(randomRows(t, n, d)))(t)
		for name, p := range both {
			r := newRun(p, k, 1, parallel.Serial)
			must.Do(t, r.startPlusPlus(ctx, rand.New(rand.NewPCG(uint64(n), 0))))
			r.separations()
			for i := range n {
				want := math.Inf(1)
				for j := range k {
					want = min(want, r.c.exact(i, j))
				}
				spread := r.xx[i] + r.ccMax
				if math.Abs(r.upper[i]-want) > 1e-9*(want+1e-4*spread) {
					t.Fatalf("%s: row %d has weight %v, nearest start at %v", name, i, r.upper[i], want)
				}
			}
		}
	})
}

func TestRandomStartsAreDifferentRows(t *testing.T) {
	x := blobs(20, 2, 3, 1, 1)
	p := must.Get(newDensePoints(ctx, x))(t)
	hit := make([]int, 20)
	for seed := range uint64(600) {
		r := newRun(p, 6, 1, parallel.Serial)
		r.startRandom(rand.New(rand.NewPCG(seed, 0)))
		seen := map[float64]bool{}
		for j := range 6 {
			c := r.c.(*denseCenters).center(j)[0]
			if seen[c] {
				t.Fatalf("a row was drawn twice")
			}
			seen[c] = true
			for i := range hit {
				if x.At(i, 0) == c {
					hit[i]++
				}
			}
		}
	}
	for i, h := range hit { // 180 expected each, standard deviation 11
		if h < 120 || h > 240 {
			t.Errorf("row %d was drawn %d times of 600, expected about 180", i, h)
		}
	}
}

// TestDrawFollowsTheWeights compares how often a row is drawn with its weight.
func TestDrawFollowsTheWeights(t *testing.T) {
	weight := []float64{0, 3, 0, 0, 1, 0, 4, 2, 0}
	const g, total = 2, 10.
	sums := []float64{3, 0, 1, 6, 0}
	count := make([]float64, len(weight))
	for q := range 1000 {
		count[draw(weight, sums, 1, g, (float64(q)+0.5)/1000*total)]++
	}
	for i, w := range weight {
		if math.Abs(count[i]-100*w) > 1 {
			t.Errorf("row %d of weight %v drawn %v times of 1000", i, w, count[i])
		}
	}
	if got := draw(weight, sums, 1, g, total); got != 7 {
		t.Errorf("rounding beyond the total draws row %d, want the last of positive weight", got)
	}
}

// TestProgressOfManyCentres: from 100 centres on each that k-means++ places is a step, since a
// start may take minutes; fewer are counted by their starts.
func TestProgressOfManyCentres(t *testing.T) {
	x := blobs(500, 3, 5, 1, 1)
	for k, unit := range map[int]string{99: "restarts", 100: "centres"} {
		events, last := 0, progress.Event{}
		must.Get(Fit(t.Context(), x, Options{K: k, Restarts: 2, Observer: func(e progress.Event) {
			if e.Message == "" {
				if e.Unit != unit || e.Done < last.Done {
					t.Errorf("k %d: %v after %v, want %s that grow", k, e, last, unit)
				}
				events, last = events+1, e
			}
		}}))(t)
		if last.Done != last.Total || unit == "centres" && (last.Total != int64(2*k) || events < 2*k-2) {
			t.Errorf("k %d: %d events, the last %v", k, events, last)
		}
	}
}

package approx

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// approximated finds neighbours approximately in one process, by cells of the given size.
func approximated(ctx context.Context, x mat.Matrix, k, cell int, seed uint64) (*exact.Lists, float64, error) {
	return Search(ctx, ranks.Alone{}, x, nil, Options{Neighbors: k, Cell: cell, Seed: seed})
}

// A single cell holds all rows: the lists equal Nearest's, ties and copies included.
func TestApproximateOfFewRowsIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	docs := graphtest.Documents(500, 60, rng)
	points := mat.NewDense(300, 3, nil)
	points.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(4)) }, points)
	for name, x := range map[string]mat.Matrix{"counts": docs, "unit": docs.NormalizeRows(), "dense": points} {
		want := must.Get(exact.Nearest(background, ranks.Alone{}, x, nil, 9, nil))(t)
		got, recall, err := approximated(background, x, 9, CellRows, 1)
		if err != nil || recall != 1 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: recall %v, %v; equal: %v", name, recall, err, reflect.DeepEqual(got, want))
		}
	}
}

// Over many cells most neighbours are found, the returned recall is the recall over all rows up to
// sampling, and distances are exact.
func TestApproximateRecall(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	const k = 10
	for name, x := range map[string]mat.Matrix{"documents": graphtest.Stories(3000, 40, 2000, 40, rng), "points": graphtest.Blobs(3000, 8, rng),
		"directions": sheet(3000, 200, 9, 0.1, rng), "coordinates": sheet(3000, 50, 9, 0.5, rng), "tight": tight(3000, 40, rng),
	} {
		want := must.Get(exact.Nearest(background, ranks.Alone{}, x, nil, k, nil))(t)
		got, recall, err := approximated(background, x, k, 150, 7)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i := range want.N {
			index, dist2, _ := want.Row(i)
			listed, measured, _ := got.Row(i)
			exact := map[int32]float64{}
			for c, j := range index {
				exact[j] = dist2[c]
			}
			for c, j := range listed {
				if d, ok := exact[j]; ok {
					found++
					if d != measured[c] {
						t.Fatalf("%s: distance² of %d and %d is %v, not %v", name, i, j, measured[c], d)
					}
				}
			}
		}
		whole := float64(found) / float64(want.N*k)
		if whole < 0.95 || recall < whole-0.02 || recall > whole+0.03 {
			t.Errorf("%s: recall %.4f on the sample, %.4f on all", name, recall, whole)
		}
		t.Logf("%s: recall %.4f on the sample, %.4f on all", name, recall, whole)
	}
}

func TestApproximateAtAnyThreads(t *testing.T) {
	defer native.SetThreads(native.Threads())
	rng := rand.New(rand.NewPCG(4, 3))
	for name, x := range map[string]mat.Matrix{"documents": graphtest.Stories(1500, 20, 500, 40, rng), "points": graphtest.Blobs(1500, 5, rng), "directions": sheet(1500, 150, 6, 0.1, rng)} {
		native.SetThreads(1)
		want, recall, err := approximated(background, x, 8, 100, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{5, 2} {
			if testing.Short() && threads == 2 {
				break
			}
			native.SetThreads(threads)
			got, again, err := approximated(background, x, 8, 100, 3)
			if err != nil || again != recall || !reflect.DeepEqual(got, want) {
				t.Errorf("%s with %d threads: another result (%v)", name, threads, err)
			}
		}
	}
}

// Copies that no pivot separates do not make an endless division.
func TestApproximateOfCopies(t *testing.T) {
	x := mat.NewDense(900, 2, nil)
	for i := range 900 {
		x.SetRow(i, []float64{1, float64(i / 850)})
	}
	g, _, err := approximated(background, x, 3, 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 900 {
		if _, dist2, _ := g.Row(i); dist2[2] != 0 {
			t.Fatalf("row %d: %v", i, dist2)
		}
	}
}

// The first row is in the middle of a sphere that all others lie on: it is everyone's nearest.
func TestApproximateFindsTheMiddle(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	const n, d = 1500, 200
	x := mat.NewDense(n, d, nil)
	for i := 1; i < n; i++ {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		length := mat.Norm(x.RowView(i), 2)
		for j := range row {
			row[j] /= length
		}
	}
	g, _, err := approximated(background, x, 8, 100, 5)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for i := 1; i < n; i++ {
		if index, _, _ := g.Row(i); index[0] == 0 {
			found++
		}
	}
	if found < 99*(n-1)/100 {
		t.Errorf("%d of %d rows found the first one", found, n-1)
	}
}

package graph

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// stories draws documents of topics: half of the words of each come from the 30 words of its topic.
func stories(n, topics, terms, words int, rng *rand.Rand) *sparse.CSR {
	b := sparse.NewBuilder(n, terms)
	for i := range n {
		topic := rng.IntN(topics)
		for w := range words {
			u := rng.Float64()
			if w%2 == 0 {
				b.Add(i, (topic*997+int(30*u*u))%terms, 1)
			} else {
				b.Add(i, int(float64(terms)*u*u*u), 1)
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x.NormalizeRows()
}

// blobs draws points of Gaussian clusters.
func blobs(n, d int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	centres := mat.NewDense(30, d, nil)
	normal := func(_, _ int, _ float64) float64 { return rng.NormFloat64() }
	centres.Apply(normal, centres)
	x.Apply(func(i, j int, _ float64) float64 { return 3*centres.At(i%30, j) + rng.NormFloat64() }, x)
	return x
}

// A single cell holds all rows: the lists are those of Nearest, ties and copies included.
func TestApproximateOfFewRowsIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	docs := documents(500, 60, rng)
	points := mat.NewDense(300, 3, nil)
	points.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(4)) }, points)
	for name, x := range map[string]mat.Matrix{"counts": docs, "unit": docs.NormalizeRows(), "dense": points} {
		want, err := Nearest(background, x, 9, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, recall, err := Approximate(background, x, 9, 1, nil)
		if err != nil || recall != 1 || !equalKNN(got, want) {
			t.Errorf("%s: recall %v, %v; equal: %v", name, recall, err, equalKNN(got, want))
		}
	}
}

// Over many cells most neighbours are found, the recall that is returned is that of all rows up to
// sampling, and distances are exact.
func TestApproximateRecall(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	const k = 10
	for name, x := range map[string]mat.Matrix{"documents": stories(3000, 40, 2000, 40, rng), "points": blobs(3000, 8, rng)} {
		want, err := Nearest(background, x, k, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, recall, err := approximate(background, x, k, 150, 7, nil)
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
	for name, x := range map[string]mat.Matrix{"documents": stories(1500, 20, 500, 40, rng), "points": blobs(1500, 5, rng)} {
		native.SetThreads(1)
		want, recall, err := approximate(background, x, 8, 100, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{2, 5} {
			native.SetThreads(threads)
			got, again, err := approximate(background, x, 8, 100, 3, nil)
			if err != nil || again != recall || !equalKNN(got, want) {
				t.Errorf("%s with %d threads: another result (%v)", name, threads, err)
			}
		}
	}
}

// Copies that no pivot tells apart do not make an endless division.
func TestApproximateOfCopies(t *testing.T) {
	x := mat.NewDense(900, 2, nil)
	for i := range 900 {
		x.SetRow(i, []float64{1, float64(i / 850)})
	}
	g, _, err := approximate(background, x, 3, 50, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 900 {
		if _, dist2, _ := g.Row(i); dist2[2] != 0 {
			t.Fatalf("row %d: %v", i, dist2)
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
		{AutoSearch, many, 40, false, true}, {AutoSearch, ApproxRows, 784, true, true}, {AutoSearch, ApproxRows, 20, true, false},
		{AutoSearch, many, 20, true, true}, {ExactSearch, many, 1e4, false, false}, {ApproxSearch, 2, 1, false, true},
	} {
		if got := c.search.approximate(c.n, c.mean, c.dense); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	x := stories(400, 5, 100, 40, rand.New(rand.NewPCG(4, 4)))
	var notes []string
	obs := progress.Observer(func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
		}
	})
	got, err := Build(background, x, Options{Search: ApproxSearch, Observer: obs})
	if err != nil {
		t.Fatal(err)
	}
	want, err := Build(background, x, Options{})
	if err != nil || !slices.Equal(got.W.Col, want.W.Col) || !slices.Equal(got.W.Val, want.W.Val) {
		t.Errorf("the graph of few rows differs (%v)", err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "100.0 % of the exact neighbours of 400 sampled documents") {
		t.Errorf("notes %q", notes)
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
	g, _, err := approximate(background, x, 8, 100, 5, nil)
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

package exact

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// plainNearest is the search in float64 alone.
func plainNearest(t interface{ Fatal(...any) }, x *sparse.CSR, k int) *Lists {
	m := must.Get(newSparseRows(x, 0))(t)
	g := must.Get(m.plain(background, k, NewTicker(nil, x.NumRows)))(t)
	return g
}

// screenedNearest is the search by shortlists, whatever the number of rows.
func screenedNearest(t interface{ Fatal(...any) }, x *sparse.CSR, k int) *Lists {
	m := must.Get(newSparseRows(x, 0))(t)
	if !m.unit {
		t.Fatal("rows of length 1 are not seen as such")
	}
	g := must.Get(m.screened(background, k, NewTicker(nil, x.NumRows)))(t)
	return g
}

// drawDocuments draws unit rows of any shape: few or many rows and columns, copies, near copies,
// rows without a common term, frequent and rare columns, equal and different values, and of some
// documents negative ones and columns that all rows have.
func drawDocuments(t *rapid.T) *sparse.CSR {
	n := rapid.IntRange(2, 330).Draw(t, "n")
	terms := rapid.SampledFrom([]int{1, 3, 20, 300, 5000}).Draw(t, "terms")
	length := rapid.SampledFrom([]int{1, 3, 12, 60}).Draw(t, "length")
	values := rapid.SampledFrom([]int{1, 3, 1 << 30}).Draw(t, "values")
	copies := rapid.SampledFrom([]int{0, 0, 3, 40}).Draw(t, "copies of 100")
	signed := rapid.Bool().Draw(t, "signed")
	full := rapid.SampledFrom([]int{0, 0, 2, 30}).Draw(t, "full columns")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	b := sparse.NewBuilder(n, terms+full)
	docs := make([]map[int]float64, n)
	for i := range docs {
		if i > 0 && rng.IntN(100) < copies {
			docs[i] = docs[rng.IntN(i)]
		} else {
			docs[i] = map[int]float64{}
			for range 1 + rng.IntN(length) {
				u := rng.Float64()
				docs[i][int(float64(terms)*u*u*u)] = float64(1 + rng.IntN(values))
				if signed && rng.IntN(3) == 0 {
					docs[i][int(float64(terms)*u*u*u)] *= -1
				}
			}
			for c := range full {
				docs[i][terms+c] = float64(values) * rng.NormFloat64()
			}
		}
		for c, v := range docs[i] {
			b.Add(i, c, v)
		}
	}
	x := must.Get(b.Build())(t)
	return x.NormalizeRows()
}

// The screen decides nothing: its lists have the bits of the search in float64.
func TestScreenedIsPlain(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x := drawDocuments(t)
		k := rapid.IntRange(1, min(x.NumRows-1, 30)).Draw(t, "k")
		if got, want := screenedNearest(t, x, k), plainNearest(t, x, k); !equalLists(got, want) {
			t.Fatalf("%d × %d, k = %d: got %v\nwant %v", x.NumRows, x.NumCols, k, got, want)
		}
	})
}

// The same over several spans of the index, the last one short, with the last group and its last
// block short too, and with terms of every class.
func TestScreenedSpansArePlain(t *testing.T) {
	if testing.Short() {
		t.Skip("9,000 rows are not for -short")
	}
	const n, terms = spanRows + 3*groupRows + Lanes + 5, 30_000
	rng := rand.New(rand.NewPCG(7, 2))
	b := sparse.NewBuilder(n, terms)
	for i := range n {
		row := map[int]bool{}
		for range 15 {
			u := rng.Float64()
			row[int(terms*u*u*u*u)] = true
		}
		for c := range row {
			b.Add(i, c, float64(1+(i*c)%5))
		}
	}
	x := must.Get(b.Build())(t)
	x = x.NormalizeRows()
	s := newSparseScreen(x, parallel.For)
	for k := range s.class {
		if len(s.class[k].Index) < n {
			t.Fatalf("class %d has only %d entries", k, len(s.class[k].Index))
		}
	}
	if got, want := screenedNearest(t, x, 10), plainNearest(t, x, 10); !equalLists(got, want) {
		t.Error("not the lists of the search in float64")
	}
}

// The dense screen decides nothing either: copies, ties, small integers, large offsets, rows of
// very different lengths.
func TestDenseScreenedIsPlain(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(screenRows, 700).Draw(t, "n")
		d := rapid.IntRange(2, 40).Draw(t, "d")
		kind := rapid.SampledFrom([]string{"normal", "integers", "far", "lengths", "copies"}).Draw(t, "kind")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x := mat.NewDense(n, d, nil)
		x.Apply(func(i, j int, _ float64) float64 {
			switch kind {
			case "integers":
				return float64(rng.IntN(5))
			case "far":
				return float64(i%2<<20) + rng.Float64()
			case "lengths":
				return rng.NormFloat64() * math.Exp2(float64(i%40))
			case "copies":
				if i >= 10 {
					return x.At(rng.IntN(10), j)
				}
			}
			return rng.NormFloat64()
		}, x)
		k := rapid.IntRange(1, 30).Draw(t, "k")
		m := must.Get(newDenseRows(x, nil))(t)
		want := must.Get(m.plain(background, k, NewTicker(nil, n)))(t)
		screen := newDenseScreen(m)
		if screen == nil {
			t.Fatal("no screen")
		}
		got, err := m.screened(background, screen, k, NewTicker(nil, n))
		if err != nil || !equalLists(got, want) {
			t.Fatalf("%s %d × %d, k = %d: not the lists of the search in float64 (%v)", kind, n, d, k, err)
		}
	})
}

// The kernels in assembly agree with their twins, up to the rounding that callers allow for.
func TestKernelsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	const rows, terms, columns = 37, 50, 24
	a := LaneRows{terms: terms, Ptr: make([]int, rows+1)}
	for r := range rows {
		for range rng.IntN(20) {
			a.Index, a.Val = append(a.Index, int32(rng.IntN(terms))), append(a.Val, rng.Float32())
		}
		a.Ptr[r+1] = len(a.Index)
	}
	random := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = rng.Float32()
		}
		return x
	}
	tile := random(terms * Lanes)
	got, want := random(rows*Lanes), random(rows*Lanes)
	MulLanes(&a, 3, rows, tile, got)
	mulLanesGo(&a, 3, rows, tile, want)
	for i := range (rows - 3) * Lanes {
		if math.Abs(float64(got[i]-want[i])) > 30*0x1p-24*float64(want[i]) {
			t.Fatalf("product %d: %v, twin %v", i, got[i], want[i])
		}
	}
	sums := random(Lanes * columns)
	copy(got, want)
	addTransposed(got, sums, columns)
	addTransposedGo(want, sums, columns)
	for i, v := range want {
		if got[i] != v {
			t.Fatalf("sum %d: %v, twin %v", i, got[i], v)
		}
	}
	s := screenTile{product: got, stride: Lanes, width: 40, rowFloor: random(rows), rowShift: random(rows), laneFloor: random(Lanes), laneShift: random(Lanes)}
	for i := range s.rowFloor {
		s.rowFloor[i] += 4 // few pass
	}
	for i := range s.laneFloor {
		s.laneFloor[i] += 4
	}
	found := 0
	for row, lane := 0, 0; row < rows; lane += laneStep {
		r, l, mask := passing(&s, row, lane)
		wr, wl, wmask := passingGo(&s, row, lane)
		if r != wr || r < rows && (l != wl || mask != wmask) {
			t.Fatalf("from (%d, %d): (%d, %d) %b, twin (%d, %d) %b", row, lane, r, l, mask, wr, wl, wmask)
		}
		row, lane = r, l
		found++
	}
	if found < 5 {
		t.Errorf("only %d places pass", found)
	}
}

// BenchmarkScreen reports the time of the searches in float32 relative to those in float64.
func BenchmarkScreen(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 8))
	docs := graphtest.Stories(20000, 200, 5000, 200, rng)
	points := graphtest.Blobs(6000, 300, rng)
	sparseRows := must.Get(newSparseRows(docs, 0))(b)
	denseRows := must.Get(newDenseRows(points, nil))(b)
	for name, search := range map[string][2]func() (*Lists, error){
		"sparse": {
			func() (*Lists, error) { return sparseRows.screened(background, 15, NewTicker(nil, 0)) },
			func() (*Lists, error) { return sparseRows.plain(background, 15, NewTicker(nil, 0)) },
		},
		"dense": {
			func() (*Lists, error) {
				return denseRows.screened(background, newDenseScreen(denseRows), 15, NewTicker(nil, 0))
			},
			func() (*Lists, error) { return denseRows.plain(background, 15, NewTicker(nil, 0)) },
		},
	} {
		b.Run(name, func(b *testing.B) {
			var spent [2]time.Duration
			for b.Loop() {
				for way, run := range search {
					start := time.Now()
					if _, err := run(); err != nil {
						b.Fatal(err)
					}
					spent[way] += time.Since(start)
				}
			}
			b.ReportMetric(float64(spent[1])/float64(spent[0]), "times-as-fast")
		})
	}
}

// Products too small to change a distance: such rows tie with rows that have no common term, and
// the lower index decides.
func TestScreenedTinyProducts(t *testing.T) {
	for _, shared := range []int{1, 5, 60} {
		const n, k = 200, 7
		b := sparse.NewBuilder(n, n+shared)
		for i := range n {
			b.Add(i, i, 1)
			b.Add(i, n+(i*7)%shared, 1e-9)
		}
		x := must.Get(b.Build())(t)
		if got, want := screenedNearest(t, x, k), plainNearest(t, x, k); !equalLists(got, want) {
			t.Errorf("%d shared columns: row 150: got %v, want %v", shared, got.Index[150*k:151*k], want.Index[150*k:151*k])
		}
	}
}

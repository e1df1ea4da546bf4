package layout

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// ringGraph joins each of n nodes to the two next ones on a ring.
func ringGraph(t *testing.T, n int) *sparse.CSR {
	t.Helper()
	w := mat.NewDense(n, n, nil)
	for i := range n {
		for _, step := range []int{1, 2} {
			j := (i + step) % n
			w.Set(i, j, 1/float64(step))
			w.Set(j, i, 1/float64(step))
		}
	}
	return fromDense(t, w)
}

func fromDense(t *testing.T, w *mat.Dense) *sparse.CSR {
	t.Helper()
	n, cols := w.Dims()
	s := &sparse.CSR{NumRows: n, NumCols: cols, RowPtr: []int{0}}
	for i := range n {
		for j, v := range w.RawRowView(i) {
			if v != 0 {
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
			}
		}
		s.RowPtr = append(s.RowPtr, len(s.Col))
	}
	return s
}

// blobs are rows around k centres in d dimensions, with the centre of each.
func blobs(n, k, d int, spread float64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	centers := mat.NewDense(k, d, nil)
	for i := range centers.RawMatrix().Data {
		centers.RawMatrix().Data[i] = rng.NormFloat64()
	}
	x, of := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		of[i] = i % k
		for j, c := range centers.RawRowView(of[i]) {
			x.Set(i, j, c+spread*rng.NormFloat64())
		}
	}
	return x, of
}

// neighbourGraph is the graph of the nearest neighbours of rows.
func neighbourGraph(t *testing.T, x mat.Matrix) *sparse.CSR {
	t.Helper()
	g := must.Get(graph.Build(context.Background(), x, graph.Options{Weight: graph.Heat, HeatRule: graph.LocalWidth}))(t)
	return g.W
}

func mustFit(t *testing.T, w *sparse.CSR, coords *mat.Dense, opt Options) *mat.Dense {
	t.Helper()
	y := must.Get(Fit(context.Background(), w, coords, opt))(t)
	return y
}

// agreement is the share of the ten nearest in the plane that are of the same group.
func agreement(t *testing.T, y mat.Matrix, of []int) float64 {
	t.Helper()
	g := must.Get(graph.Nearest(context.Background(), y, 10, nil))(t)
	hit := 0
	for i := range of {
		near, _, _ := g.Row(i)
		for _, j := range near {
			if of[j] == of[i] {
				hit++
			}
		}
	}
	return float64(hit) / float64(10*len(of))
}

// TestGradient holds the forces against finite differences of the energies.
func TestGradient(t *testing.T) {
	w := ringGraph(t, 40)
	s := &plane{n: 40, ptr: w.RowPtr, col: w.Col, seed: 3}
	must.Do(t, s.weigh(context.Background(), w, nil))
	rng := rand.New(rand.NewPCG(5, 6))
	start := make([]float64, 80)
	for k := range start {
		start[k] = rng.NormFloat64()
	}
	s.begin(start)
	energyOf := func(i, pass int) (sum float64) {
		d2 := func(j int) float32 {
			dx, dy := s.at[2*i]-s.at[2*j], s.at[2*i+1]-s.at[2*j+1]
			return dx*dx + dy*dy
		}
		weights := 0.0
		for e := s.ptr[i]; e < s.ptr[i+1]; e++ {
			v := pull(d2(int(s.col[e])))
			sum += float64(s.weight[e] * v)
			weights += float64(s.weight[e])
		}
		for o := range s.others(i, pass) {
			if o != i {
				v := push(d2(o))
				sum += pushWeight * weights / pushes * float64(v)
			}
		}
		return sum
	}
	for i := range 40 {
		gx, gy := s.gradient(i, 2)
		for c, g := range []float32{gx, gy} {
			const h = 1e-2
			was := s.at[2*i+c]
			s.at[2*i+c] = was + h
			up := energyOf(i, 2)
			s.at[2*i+c] = was - h
			down := energyOf(i, 2)
			s.at[2*i+c] = was
			if got := (up - down) / (2 * h); math.Abs(got-float64(g)) > 2e-2*(1+math.Abs(float64(g))) {
				t.Errorf("document %d, coordinate %d: gradient %g, by differences %g", i, c, g, got)
			}
		}
	}
}

// One seed gives the same bits at any number of threads, and another seed others.
func TestOneResultAtAnyThreads(t *testing.T) {
	defer native.SetThreads(0)
	n := 5000
	if race.On {
		n = 2500 // three chunks
	}
	x, _ := blobs(n, 6, 8, 0.3)
	w := neighbourGraph(t, x)
	for _, coords := range []*mat.Dense{x, nil} {
		var first *mat.Dense
		for _, threads := range race.Threads(1, 2, 7) {
			native.SetThreads(threads)
			y := mustFit(t, w, coords, Options{Seed: 4})
			if first == nil {
				first = y
			} else if !slices.Equal(first.RawMatrix().Data, y.RawMatrix().Data) {
				t.Errorf("%d threads give another map", threads)
			}
		}
		if race.On {
			continue
		}
		if y := mustFit(t, w, coords, Options{Seed: 5}); mat.Equal(first, y) {
			t.Error("another seed gives the same map")
		}
	}
}

// TestTurnedStart: turning the start turns what the passes make of it.
func TestTurnedStart(t *testing.T) {
	w := ringGraph(t, 300)
	rng := rand.New(rand.NewPCG(8, 9))
	start := make([]float64, 600)
	for k := range start {
		start[k] = rng.NormFloat64()
	}
	sin, cos := math.Sincos(0.7)
	after := func(turned bool) []float32 {
		s := &plane{n: 300, ptr: w.RowPtr, col: w.Col}
		must.Do(t, s.weigh(context.Background(), w, nil))
		s.begin(start)
		if turned {
			for i := range 300 {
				x, y := float64(s.at[2*i]), float64(s.at[2*i+1])
				s.at[2*i], s.at[2*i+1] = float32(cos*x-sin*y), float32(sin*x+cos*y)
			}
		}
		for pass := range 5 { // more of them make rounding grow
			must.Do(t, s.move(context.Background(), pass, Passes))
		}
		return s.at
	}
	plain, turned := after(false), after(true)
	for i := range 300 {
		x, y := float64(plain[2*i]), float64(plain[2*i+1])
		if math.Hypot(cos*x-sin*y-float64(turned[2*i]), sin*x+cos*y-float64(turned[2*i+1])) > 1e-3 {
			t.Fatalf("document %d is at %v, %v and turned at %v, %v", i, x, y, turned[2*i], turned[2*i+1])
		}
	}
}

// TestRing: a ring stays one. With its spectral coordinates the places go once around their centre,
// and without them nearly all steps along it are short.
func TestRing(t *testing.T) {
	const n = 400
	spectral := mat.NewDense(n, 2, nil)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		spectral.SetRow(i, []float64{cos, sin})
	}
	y := mustFit(t, ringGraph(t, n), spectral, Options{})
	var cx, cy float64
	for i := range n {
		cx, cy = cx+y.At(i, 0)/n, cy+y.At(i, 1)/n
	}
	turns := 0.0
	for i := range n {
		j := (i + 1) % n
		a, b := math.Atan2(y.At(i, 1)-cy, y.At(i, 0)-cx), math.Atan2(y.At(j, 1)-cy, y.At(j, 0)-cx)
		turns += math.Remainder(b-a, 2*math.Pi) / (2 * math.Pi)
		far := (i + n/2) % n
		if step, across := distance(y, i, j), distance(y, i, far); step > across/5 {
			t.Errorf("%d and %d are %.2f apart, %d and %d across the ring %.2f", i, j, step, i, far, across)
		}
	}
	if math.Abs(math.Abs(turns)-1) > 1e-6 {
		t.Errorf("the ring goes %.3f times around its centre", turns)
	}
	y = mustFit(t, ringGraph(t, n), nil, Options{})
	torn := 0
	for i := range n {
		if distance(y, i, (i+1)%n) > 2 {
			torn++
		}
	}
	if torn > n/25 {
		t.Errorf("%d of %d steps along the ring are long", torn, n)
	}
}

func distance(y *mat.Dense, i, j int) float64 {
	return math.Hypot(y.At(i, 0)-y.At(j, 0), y.At(i, 1)-y.At(j, 1))
}

// TestBlobs: groups that are well apart stay apart, with coordinates and without.
func TestBlobs(t *testing.T) {
	x, of := blobs(2000, 7, 20, 0.2)
	w := neighbourGraph(t, x)
	for name, coords := range map[string]*mat.Dense{"coordinates": x, "graph alone": nil} {
		if got := agreement(t, mustFit(t, w, coords, Options{}), of); got < 0.995 {
			t.Errorf("%s: %.3f of the ten nearest are of the same group", name, got)
		}
	}
}

// TestComponents: parts of a graph that no edge joins do not lie on each other, even if all
// coordinates of a part are equal, as in the null space of its Laplacian.
func TestComponents(t *testing.T) {
	const parts, size = 5, 60
	w, null, of := mat.NewDense(parts*size, parts*size, nil), mat.NewDense(parts*size, 2, nil), make([]int, parts*size)
	for i := range parts * size {
		of[i] = i / size
		null.Set(i, 0, math.Cos(float64(of[i])))
		null.Set(i, 1, math.Sin(float64(of[i])))
		for step := 1; step < 5; step++ {
			j := of[i]*size + (i%size+step)%size
			w.Set(i, j, 1)
			w.Set(j, i, 1)
		}
	}
	for name, coords := range map[string]*mat.Dense{"null space": null, "graph alone": nil} {
		y := mustFit(t, fromDense(t, w), coords, Options{})
		if got := agreement(t, y, of); got < 0.9 {
			t.Errorf("%s: %.3f of the ten nearest are of the same part", name, got)
		}
	}
}

// TestIsolated: nodes without an edge lie around the others, and all places are finite.
func TestIsolated(t *testing.T) {
	w := mat.NewDense(103, 103, nil)
	for i := range 100 {
		j := (i + 1) % 100
		w.Set(i, j, 1)
		w.Set(j, i, 1)
	}
	y := mustFit(t, fromDense(t, w), nil, Options{})
	radius, middle := 0.0, [2]float64{}
	for j := range 100 {
		radius = max(radius, distance(y, 0, j)/2)
		middle[0], middle[1] = middle[0]+y.At(j, 0)/100, middle[1]+y.At(j, 1)/100
	}
	for i := 100; i < 103; i++ {
		for j := range 100 {
			if distance(y, i, j) < radius/20 {
				t.Errorf("node %d alone is at %d", i, j)
			}
		}
		// It lies outside of what the others have in its direction.
		x, z := y.At(i, 0)-middle[0], y.At(i, 1)-middle[1]
		for j := range 100 {
			a, b := y.At(j, 0)-middle[0], y.At(j, 1)-middle[1]
			if from := math.Hypot(a, b); a*x+b*z > .99*from*math.Hypot(x, z) && from > math.Hypot(x, z) {
				t.Errorf("node %d alone is inside of %d", i, j)
			}
		}
	}
	none := mustFit(t, fromDense(t, mat.NewDense(4, 4, nil)), mat.NewDense(4, 3, nil), Options{})
	for _, v := range slices.Concat(y.RawMatrix().Data, none.RawMatrix().Data) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatal("a place is not finite")
		}
	}
}

// TestExtremes: weights of any size, and coordinates that are all equal.
func TestExtremes(t *testing.T) {
	w := ringGraph(t, 50)
	for i := range w.Val {
		w.Val[i] *= math.Pow(10, float64(i%600-300))
	}
	same := mat.NewDense(50, 3, nil)
	for i := range 50 {
		same.SetRow(i, []float64{1e150, -1e150, 2e150})
	}
	for _, coords := range []*mat.Dense{nil, same, mat.NewDense(50, 1, nil)} {
		for _, v := range mustFit(t, w, coords, Options{}).RawMatrix().Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatal("a place is not finite")
			}
		}
	}
}

// TestErrors: sizes that do not fit, too little memory, and a context that ends.
func TestErrors(t *testing.T) {
	w := ringGraph(t, 30)
	if _, err := Fit(context.Background(), w, mat.NewDense(29, 2, nil), Options{}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("29 rows of 30: %v", err)
	}
	if _, err := Fit(memory.Bound(context.Background(), 1000), w, nil, Options{}); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("1,000 bytes: %v", err)
	}
	for _, looks := range []int64{0, 40, 200} {
		ctx := countdown.New(context.Background(), looks)
		if _, err := Fit(ctx, w, nil, Options{}); !errors.Is(err, context.Canceled) || ctx.Late() > 0 {
			t.Errorf("ended after %d looks: %v, %d looks later", looks, err, ctx.Late())
		}
	}
}

// TestKept: a finished map is kept in a folder of stages.
func TestKept(t *testing.T) {
	w := ringGraph(t, 60)
	storetest.Same(t, func(ctx context.Context, o progress.Observer) ([]float64, error) {
		y, err := Fit(ctx, w, nil, Options{Observer: o})
		if err != nil {
			return nil, err
		}
		return y.RawMatrix().Data, nil
	})
}

// TestBytes holds the estimate against the heap.
func TestBytes(t *testing.T) {
	x, _ := blobs(20000, 5, 10, 0.5)
	w := neighbourGraph(t, x)
	for name, coords := range map[string]*mat.Dense{"coordinates": x, "graph alone": nil} {
		most := Bytes(20000, w.NNZ())
		if least, held := memory.PeakHeap(func() { mustFit(t, w, coords, Options{}) }); least > most || 3*held < most {
			t.Errorf("%s: %d to %d bytes at the peak, %d expected", name, least, held, most)
		}
	}
}

// TestPlace: a document of the map is placed where it is, and new ones near others of their group.
func TestPlace(t *testing.T) {
	x, of := blobs(1500, 6, 10, 0.25)
	old := mat.DenseCopyOf(x.Slice(0, 1200, 0, 10))
	at := mustFit(t, neighbourGraph(t, old), old, Options{})
	y := must.Get(Place(context.Background(), at, old, x, nil))(t)
	if !mat.Equal(y.Slice(0, 1200, 0, 2), at) {
		t.Error("documents of the map were moved")
	}
	if got := agreement(t, y, of); got < 0.98 {
		t.Errorf("%.3f of the ten nearest are of the same group", got)
	}
	one, err := Place(context.Background(), at, old, mat.DenseCopyOf(x.Slice(1300, 1301, 0, 10)), nil)
	if err != nil || !mat.Equal(one, y.Slice(1300, 1301, 0, 2)) {
		t.Errorf("alone a row is placed elsewhere: %v", err)
	}
	if _, err := Place(context.Background(), at, old, mat.NewDense(2, 9, nil), nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("rows of 9 coordinates: %v", err)
	}
}

// pull is the energy of an edge of weight 1 at the squared distance d2.
func pull(d2 float32) float32 { return float32(math.Log1p(float64(curve * d2))) }

// push is the energy between two documents that push each other apart.
func push(d2 float32) float32 {
	return -float32(math.Log(float64((soft+d2)/(1+curve*d2)))) / (1 - curve*soft)
}

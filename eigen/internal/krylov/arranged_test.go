package krylov

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// A filter in one pass a step gives the polynomial of the matrix, and in a new order the polynomial
// of the vectors in this order.
func TestArrangedFilter(t *testing.T) {
	ctx := context.Background()
	a := shuffledTorus(t, 200, 260)
	near, order, err := nearOrder(ctx, a, memory.Unknown)
	if err != nil || order == nil {
		t.Fatalf("a torus in a random order stays as it is, %v", err)
	}
	if old, now := a.Spread(), near.Spread(); now > old/10 {
		t.Errorf("mean distance from the diagonal %v, was %v", now, old)
	}
	const c = 3
	n := a.NumRows
	rng := rand.New(rand.NewPCG(1, 1))
	x := space.NewBlock(n, c)
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	for _, degree := range []int{1, 3, 9} {
		f := &filter{low: -1, high: 0.6, degree: degree}
		apply := func(op problem.Operator, x blas64.General) blas64.General {
			w, own := space.NewBlock(n, c), space.NewBlock(n, c)
			space.CopyBlock(own, x)
			must.Do(t, f.apply(ctx, op, w, own, [2]blas64.General{space.NewBlock(n, c), space.NewBlock(n, c)}))
			return w
		}
		plain := apply(byProducts{n, a.MulBlock}, x)
		steps, other := apply(a, x), apply(near, space.InOrder(x, order))
		moved := space.InOrder(plain, order)
		for i, want := range plain.Data {
			if steps.Data[i] != want {
				t.Fatalf("degree %d: in one pass entry %d is %v, not %v", degree, i, steps.Data[i], want)
			}
			if math.Abs(other.Data[i]-moved.Data[i]) > 1e-10 {
				t.Fatalf("degree %d: in the new order entry %d is %v, not %v", degree, i, other.Data[i], moved.Data[i])
			}
		}
	}
}

// Small matrices, and those without a better order, stay as they are.
func TestArrangeOnlyWhereItPays(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 3))
	n := leastArranged
	var edges [][2]int
	for i := range n {
		for range 4 {
			edges = append(edges, [2]int{i, rng.IntN(n)})
		}
	}
	for name, a := range map[string]*sparse.CSR{"random": symmetricOf(t, n, edges, 1), "small": shuffledTorus(t, 100, 100)} {
		if _, order, err := nearOrder(ctx, a, memory.Unknown); err != nil || order != nil {
			t.Errorf("%s: another order, or %v", name, err)
		}
	}
	cancelled, stop := context.WithCancel(ctx)
	stop()
	if _, _, err := nearOrder(cancelled, shuffledTorus(t, 250, 250), memory.Unknown); err == nil {
		t.Error("a cancelled order has no error")
	}
}

// The copy has room beside the basis, which takes its memory only after it.
func TestArrangedBesideTheBasis(t *testing.T) {
	a := shuffledTorus(t, 250, 250)
	task := testTask(a, a.NumRows, 5, 0)
	task.Tol = 1e-3
	task.Block, task.Subspace = problem.LanczosSizes(task, 0)
	copied := int64(12*a.NNZ() + 16*a.NumRows)
	for _, c := range []struct {
		beside int64
		want   bool
	}{{copied, false}, {5 * copied / 2, true}} {
		k := &krylov{Task: task, basis: space.NewBasis(a.NumRows, 0, nil, 1), x: make([]float64, 4*a.NumRows), w: make([]float64, 4*a.NumRows)}
		if err := k.begin(memory.Bound(context.Background(), task.Bytes(problem.Lanczos)+c.beside), blas64.General{Rows: a.NumRows}); err != nil || k.filter == nil {
			t.Fatalf("no filter, %v", err)
		}
		if got := k.Space.Order != nil; got != c.want {
			t.Errorf("%d bytes beside the basis, and the copy takes %d: in a new order %v", c.beside, copied, got)
		}
	}
}

// BenchmarkFilterStep prints how many times as fast a step of a filter's recurrence is in one pass
// as a product and a pass over three blocks, and how many times with the rows in the new order too:
// a torus of 490,000 points in a random order, blocks of 4.
func BenchmarkFilterStep(b *testing.B) {
	a := shuffledTorus(b, 700, 700)
	near, _, err := nearOrder(context.Background(), a, memory.Unknown)
	if err != nil || near == nil {
		b.Fatalf("no order, %v", err)
	}
	x, y, z := space.NewBlock(a.NumRows, 4), space.NewBlock(a.NumRows, 4), space.NewBlock(a.NumRows, 4)
	for i := range x.Data {
		x.Data[i], y.Data[i], z.Data[i] = float64(i%7), float64(i%5), 1
	}
	ways := []func(){
		func() { a.MulBlock(z, x); space.Combine(z, 2, x, -1, y, -1) },
		func() { a.MulStep(y, x, 2, -1, -0.5) },
		func() { near.MulStep(y, x, 2, -1, -0.5) },
	}
	took := make([][]float64, len(ways))
	for b.Loop() {
		for w, step := range ways {
			began := time.Now()
			step()
			took[w] = append(took[w], time.Since(began).Seconds())
		}
	}
	median := func(w int) float64 {
		slices.Sort(took[w])
		return took[w][len(took[w])/2]
	}
	b.ReportMetric(median(0)/median(1), "times-in-one-pass")
	b.ReportMetric(median(0)/median(2), "times-in-order")
}

// A task in a new order measures its vectors as in the old one, takes its start and its null space
// along, and drops its scaled matrix, whose bits are the same when it is made again.
func TestArrangedTask(t *testing.T) {
	a := shuffledTorus(t, 200, 260)
	n := a.NumRows
	rng := rand.New(rand.NewPCG(5, 5))
	scale := make([]float64, n)
	for i := range scale {
		scale[i] = 0.5 + rng.Float64()
	}
	made := 0
	op := &problem.Scaled{W: a, Make: func(w *sparse.CSR) *sparse.CSR {
		made++
		return w.Scale(scale, scale)
	}}
	known := space.NewNullspace(make([]int32, n), space.VolumesOf(make([]int32, n), 1, scale), scale)
	measure := func(s space.Space, u, r blas64.General) []float64 {
		sums := make([]float64, u.Cols)
		for i := range u.Rows {
			for j := range u.Cols {
				sums[j] += scale[s.Row(i)] * math.Abs(u.Data[i*u.Stride+j]*r.Data[i*r.Stride+j])
			}
		}
		return sums
	}
	random := func(c int) blas64.General {
		x := space.NewBlock(n, c)
		for i := range x.Data {
			x.Data[i] = rng.NormFloat64()
		}
		return x
	}
	u, r, before := random(3), random(3), space.NewBlock(n, 3)
	op.MulBlock(before, u)
	task := testTask(op, n, 3, 0)
	task.Known, task.Measure, task.Start = known, measure, random(2)
	k := &krylov{Task: task, basis: space.NewBasis(n, 0, known, 1)}
	old := k.Start
	if err := k.arrange(context.Background(), memory.Unknown); err != nil || k.Space.Order == nil {
		t.Fatalf("no order, %v", err)
	}
	order := k.Space.Order
	for i, want := range measure(space.Space{}, u, r) {
		if got := k.Measure(k.Space, space.InOrder(u, order), space.InOrder(r, order))[i]; math.Abs(got-want) > 1e-13*want {
			t.Errorf("measure %v, not %v", got, want)
		}
	}
	if !slices.Equal(k.Start.Data, space.InOrder(old, order).Data) {
		t.Error("the start is in another order")
	}
	null := space.NewBlock(n, 1)
	copy(null.Data, known.Weight)
	null = space.InOrder(null, order)
	if k.basis.Known.Project(null); space.LongestColumn(null) > 1e-12 {
		t.Error("the null space is in another order")
	}
	now := space.NewBlock(n, 3)
	k.Op.MulBlock(now, space.InOrder(u, order))
	moved := space.InOrder(before, order)
	for i, want := range moved.Data {
		if math.Abs(now.Data[i]-want) > 1e-14 {
			t.Fatalf("entry %d of the product is %v, not %v", i, now.Data[i], want)
		}
	}
	again, makes := space.NewBlock(n, 3), made
	if op.MulBlock(again, u); !slices.Equal(again.Data, before.Data) {
		t.Error("the matrix has other bits when it is made again")
	}
	if made != makes+1 {
		t.Error("the matrix was kept beside its copy")
	}
}

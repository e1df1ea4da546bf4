package eigen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
)

// torus is the graph of a torus of rows × cols points under a random numbering, as a scaled
// adjacency: entries 1/4.
func torus(t testing.TB, r, c int) *sparse.CSR {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	number := rng.Perm(r * c)
	b := sparse.NewBuilder(r*c, r*c)
	for i := range r {
		for j := range c {
			at := number[i*c+j]
			for _, to := range []int{number[(i+1)%r*c+j], number[i*c+(j+1)%c]} {
				b.Add(at, to, 0.25)
				b.Add(to, at, 0.25)
			}
		}
	}
	return built(t, b)
}

func built(t testing.TB, b *sparse.Builder) *sparse.CSR {
	t.Helper()
	a := must.Get(b.Build())(t)
	return a
}

// The torus has the eigenvalues (cos 2πi/r + cos 2πj/c)/2, most of them four times. Pairs that are
// far from the others lock before the filter becomes sharper.
func TestArrangedSpectrum(t *testing.T) {
	if testing.Short() {
		t.Skip("a torus of 52,000 points takes seconds")
	}
	const r, c, k = 200, 260, 30
	p := must.Get(NewPencil(torus(t, r, c), nil))(t)
	got := must.Get(p.Solve(context.Background(), Options{K: k, Solver: Lanczos, Tol: 1e-9}))(t)
	var want []float64
	for i := range r {
		for j := range c {
			want = append(want, 1-(math.Cos(2*math.Pi*float64(i)/r)+math.Cos(2*math.Pi*float64(j)/c))/2)
		}
	}
	slices.Sort(want)
	for i, v := range got.Values {
		if math.Abs(v-want[i]) > 1e-10 {
			t.Errorf("value %d is %v, not %v", i, v, want[i])
		}
	}
}

// A solve that is stopped goes on in the order that it had, whatever memory is left then: another
// one has other bits.
func TestResumedInTheSameOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("a torus of 50,176 points, each with 48 neighbours, takes seconds")
	}
	const side, reach = 224, 3
	rng := rand.New(rand.NewPCG(9, 9))
	number := rng.Perm(side * side)
	b := sparse.NewBuilder(side*side, side*side)
	for p := range side * side {
		for q := range (2*reach + 1) * (2*reach + 1) {
			i, j := (p/side+q/(2*reach+1)+side-reach)%side, (p+q%(2*reach+1)+side-reach)%side
			if to := i*side + j; to != p {
				b.Add(number[p], number[to], 1)
			}
		}
	}
	p := must.Get(NewPencil(built(t, b), nil))(t)
	opt := Options{K: 4, Solver: Lanczos, Tol: 1e-12, MaxIter: 2} // what it has after two restarts
	run := func(ctx context.Context, o progress.Observer) ([]float64, error) {
		with := opt
		with.Observer = o
		_, err := p.Solve(ctx, with)
		var partial *NotConvergedError
		if !errors.As(err, &partial) {
			return nil, err
		}
		return partial.Result.Vectors.RawMatrix().Data, nil
	}
	tight := memory.Bound(context.Background(), 11*Bytes(p.Size(), opt.K, opt)/10)
	for name, c := range map[string]struct{ first, then context.Context }{
		"old order": {tight, context.Background()}, "new order": {context.Background(), tight},
	} {
		events := 0
		want := must.Get(run(c.first, func(progress.Event) { events++ }))(t)
		st := storetest.Open(t)
		ctx, cancel := context.WithCancel(store.With(c.first, st))
		n := 0
		if _, err := run(ctx, func(progress.Event) {
			if n++; n == 1+events/2 {
				cancel()
			}
		}); err == nil || len(storetest.Files(t, st)) == 0 {
			t.Fatalf("%s: stopped after %d of %d events: %v, nothing is kept", name, n, events, err)
		}
		cancel()
		got, err := run(store.With(c.then, st), func(progress.Event) {})
		if err != nil || len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s, resumed with another limit of memory: other bits, %v", name, err)
		}
	}
}

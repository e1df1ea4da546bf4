package eigen

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
)

// ringOf is the graph of n points in a row, each joined to the next width points.
func ringOf(t testing.TB, n, width int) *sparse.CSR {
	t.Helper()
	w := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, 1, n+1)}
	for i := range n {
		for d := -width; d <= width; d++ {
			if j := i + d; d != 0 && j >= 0 && j < n {
				w.Col, w.Val = append(w.Col, int32(j)), append(w.Val, 1/float64(1+(i*j)%7))
			}
		}
		w.RowPtr = append(w.RowPtr, len(w.Col))
	}
	return w
}

// TestBytesIsWhatSolversTake: the heap of a solve stays within the estimate times 1.5, and the
// estimate is not many times too large.
func TestBytesIsWhatSolversTake(t *testing.T) {
	for _, c := range []struct {
		n, k   int
		solver Solver
	}{{30000, 20, Lanczos}, {8000, 200, Lanczos}, {1200, 30, Dense}} {
		if c.k > 100 && testing.Short() {
			continue
		}
		w := ringOf(t, c.n, 4)
		p := must.Get(NewPencil(w, nil))(t)
		opt := Options{K: c.k, Solver: c.solver, MaxIter: 2, Tol: 1e-3}
		least, most := memory.PeakHeap(func() {
			var stopped *NotConvergedError
			r, err := p.Solve(context.Background(), opt)
			if err != nil && !errors.As(err, &stopped) {
				t.Error(err)
			}
			if r != nil && c.solver == Lanczos {
				opt.Subspace = r.Stats.Subspace // it may have grown
			}
		})
		told := Bytes(c.n, c.k, opt)
		t.Logf("%s, n = %d, k = %d: told %d, took %d to %d", c.solver, c.n, c.k, told, least, most)
		if least > told*3/2 || most < told/3 {
			t.Errorf("%s, n = %d, k = %d: took %d to %d bytes, told %d", c.solver, c.n, c.k, least, most, told)
		}
	}
}

// TestSolversRefuse: a solve that the budget has no room for is refused before it begins, with both
// numbers of bytes.
func TestSolversRefuse(t *testing.T) {
	p, err := NewPencil(ringOf(t, 5000, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range []Solver{Auto, Lanczos, Dense} {
		_, err = p.Solve(memory.Bound(context.Background(), 1<<20), Options{K: 100, Solver: solver})
		if !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "1.0 MiB are allowed") {
			t.Errorf("%s: %v", solver, err)
		}
	}
}

// sharedPart returns a rank's rows of a connected graph.
func sharedPart(w *sparse.CSR, share *ranks.Share) Shared {
	part := Shared{Share: share, Component: make([]int32, share.Own()), Components: 1,
		W: &sparse.CSR{NumRows: share.Own(), NumCols: w.NumCols, RowPtr: []int{0}}}
	for i := share.First(); i < share.First()+share.Own(); i++ {
		cols, vals := w.Row(i)
		part.W.Col, part.W.Val = append(part.W.Col, cols...), append(part.W.Val, vals...)
		part.W.RowPtr = append(part.W.RowPtr, len(part.W.Col))
	}
	return part
}

// TestSharedBytesIsWhatRanksTake: the heap of ranks that have parts of a graph stays within 1.5
// times the estimates, which are not many times too large.
func TestSharedBytesIsWhatRanksTake(t *testing.T) {
	if race.On {
		t.Skip("the race detector takes memory of its own")
	}
	const n, k = 8000, 20
	w := ringOf(t, n, 4)
	for _, size := range []int{2, 4} {
		if size > 2 && testing.Short() {
			continue
		}
		opt := Options{K: k, Solver: Lanczos, MaxIter: 1, Tol: 1e-3}
		first := sharedPart(w, ranks.Evenly(ranks.Planned(size), n))
		told := int64(size) * SharedBytes(first.Share.Own(), first.W.NNZ(), len(first.Share.Others(first.W.Col)), k, opt)
		least, most := memory.PeakHeap(func() {
			ranks.Together(size, func(team ranks.Team) {
				p, err := NewSharedPencil(sharedPart(w, ranks.Evenly(team, n)))
				if err != nil {
					t.Error(err)
					return
				}
				var stopped *NotConvergedError
				if _, err := p.Solve(ranks.With(context.Background(), team), opt); err != nil && !errors.As(err, &stopped) {
					t.Error(err)
				}
			})
		})
		t.Logf("%d ranks: told %d, took %d to %d", size, told, least, most)
		if least > told*3/2 || most < told/3 {
			t.Errorf("%d ranks: took %d to %d bytes, told %d", size, least, most, told)
		}
	}
	own := SharedBytes(n/4, 8*n/4, n/2, k, Options{Solver: Lanczos})
	if slepc := SharedBytes(n/4, 8*n/4, n/2, k, Options{Solver: SLEPc}); slepc != own+8*n/4*k {
		t.Errorf("with the pairs of SLEPc a rank takes %d bytes, %d without", slepc, own)
	}
	if whole := WholeBytes(n, k, 4, Options{Solver: SLEPc}); whole <= Bytes(n/4, k, Options{Solver: Lanczos}) || whole >= Bytes(n, k, Options{Solver: Lanczos}) {
		t.Errorf("a quarter of the basis and all vectors take %d bytes", whole)
	}
}

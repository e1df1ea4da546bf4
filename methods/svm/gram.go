package svm

import (
	"container/list"
	"context"
	"sync"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// gram gives rows of the kernel matrix of the training rows, to several goroutines at once.
type gram struct {
	kernel kernel
	rows   *pairs.Rows
	diag   []float64
	whole  []float64 // the matrix if it fits, else nil

	mu    sync.Mutex
	panel *pairs.Panel
	room  int                     // rows that may be kept
	kept  map[int32]*list.Element // of *line
	used  *list.List              // the most recently used in front
}

// line is one row of the matrix. A pinned one is in use and is not given up.
type line struct {
	row    int32
	pins   int
	values []float64
}

// newGram forms the matrix if 8·n² bytes fit, in panels: a row then costs about an eighth of a
// single row. Each panel begins at the diagonal, and its mirror image completes the matrix.
func newGram(ctx context.Context, k kernel, rows *pairs.Rows, bytes int64, obs progress.Observer) (*gram, error) {
	diag, err := k.diagonal(rows)
	if err != nil {
		return nil, err
	}
	g := &gram{kernel: k, rows: rows, diag: diag, panel: pairs.NewPanel(rows, rows)}
	n := int64(rows.N)
	if !fits(rows.N, bytes) {
		g.room = max(2, int(min(n, bytes/8/n)))
		g.kept, g.used = make(map[int32]*list.Element), list.New()
		obs.Notef("kernel", "The kernel matrix of %d rows would take %d MiB, more than the %d MiB allowed: %d rows are kept at a time.", n, n*n>>17, bytes>>20, g.room)
		return g, nil
	}
	g.whole = make([]float64, n*n)
	size := g.panel.Size()
	for first := 0; first < rows.N; first += size {
		panel := pairs.Span(first, min(first+size, rows.N))
		g.panel.Load(panel)
		if err := g.fill(ctx, g.whole[first*rows.N:], len(panel), first); err != nil {
			return nil, err
		}
		if err := g.mirror(ctx, first, first+len(panel)); err != nil {
			return nil, err
		}
		obs.Report("kernel", int64(first+len(panel)), n, "rows")
	}
	g.panel = nil
	return g, nil
}

// fits says whether 8·n² bytes are allowed.
func fits(n int, bytes int64) bool { return int64(n) <= bytes/8/int64(n) }

// fill writes the rows of the panel from column from on.
func (g *gram) fill(ctx context.Context, dst []float64, count, from int) error {
	n := g.rows.N
	return parallel.For(ctx, n-from, columns, func(_, lo, hi int) error {
		g.kernel.tile(g.panel, from+lo, blas64.General{Rows: count, Cols: hi - lo, Stride: n, Data: dst[from+lo:]})
		return nil
	})
}

// mirror copies what is right of the panel [first, last) to below it.
func (g *gram) mirror(ctx context.Context, first, last int) error {
	n := g.rows.N
	return parallel.For(ctx, n-last, 256, func(_, lo, hi int) error {
		const block = 16 // two lines of the cache of each row of the panel
		for ; lo < hi; lo += block {
			for j := last + lo; j < last+min(lo+block, hi); j++ {
				to := g.whole[j*n+first : j*n+last]
				for i := range to {
					to[i] = g.whole[(first+i)*n+j]
				}
			}
		}
		return nil
	})
}

// row returns row i, to be read until the same goroutine calls done(i).
func (g *gram) row(i int) []float64 {
	n := g.rows.N
	if g.whole != nil {
		return g.whole[i*n : (i+1)*n]
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if e, ok := g.kept[int32(i)]; ok {
		g.used.MoveToFront(e)
		l := e.Value.(*line)
		l.pins++
		return l.values
	}
	var values []float64
	for e := g.used.Back(); e != nil && g.used.Len() >= g.room; e = e.Prev() {
		if l := e.Value.(*line); l.pins == 0 {
			values = l.values
			delete(g.kept, l.row)
			g.used.Remove(e)
			break
		}
	}
	if values == nil { // room left, or every row is in use
		values = make([]float64, n)
	}
	g.panel.Load([]int32{int32(i)})
	_ = g.fill(context.Background(), values, 1, 0) // one row: short
	g.kept[int32(i)] = g.used.PushFront(&line{row: int32(i), pins: 1, values: values})
	return values
}

// done ends the use of row i.
func (g *gram) done(i int) {
	if g.whole != nil {
		return
	}
	g.mu.Lock()
	g.kept[int32(i)].Value.(*line).pins--
	g.mu.Unlock()
}

package eigen

import (
	"slices"
	"sync"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Products of a panel of the basis, some hundred rows of a hundred columns, with a block of a few
// columns. They are bound by reading the basis, which OpenBLAS copies first: it takes 1.1 to 1.3
// times as long (BenchmarkTall). Blocks of up to eight columns have own kernels, four columns at a
// time.

// The most columns of a block for them, and the bytes of the basis in a panel, so that it is in
// cache when it is read for the second time.
const (
	mostTall   = 8
	panelBytes = 512 << 10
)

// panelRows is the number of rows of a panel of so many columns.
func panelRows(columns int) int { return max(64, panelBytes/(8*max(columns, 1))&^7) }

// tall does these products; it holds the columns of a block in fours. For one goroutine.
type tall struct {
	engine native.Engine
	h, w   []float64
}

// talls keeps the memory of them.
var talls = sync.Pool{New: func() any { return new(tall) }}

// addDots sets h += vᵀ·w.
func (t *tall) addDots(h, v, w blas64.General) {
	if !haveTall || w.Cols > mostTall || v.Rows == 0 || v.Cols == 0 {
		t.engine.Gemm(blas.Trans, blas.NoTrans, 1, v, w, 1, h)
		return
	}
	t.inFours(h, w, func(h, w []float64) { tallDots4(tallOf(v, w, h)) }, true)
}

// subtract sets w −= v·h.
func (t *tall) subtract(w, v, h blas64.General) {
	if !haveTall || w.Cols > mostTall || v.Rows == 0 || v.Cols == 0 {
		t.engine.Gemm(blas.NoTrans, blas.NoTrans, -1, v, h, 1, w)
		return
	}
	t.inFours(h, w, func(h, w []float64) { tallSubtract4(tallOf(v, w, h)) }, false)
}

func tallOf(v blas64.General, w, h []float64) *tallArgs {
	return &tallArgs{v: &v.Data[0], vStride: 8 * v.Stride, rows: v.Rows, columns: v.Cols, w: &w[0], h: &h[0]}
}

// inFours calls body for each four columns of h and w as contiguous blocks, with zeros where they
// have fewer. body sets h or else w.
func (t *tall) inFours(h, w blas64.General, body func(h, w []float64), setsH bool) {
	if w.Cols == 4 && w.Stride == 4 && h.Stride == 4 {
		body(h.Data, w.Data)
		return
	}
	t.h, t.w = slices.Grow(t.h[:0], 4*h.Rows)[:4*h.Rows], slices.Grow(t.w[:0], 4*w.Rows)[:4*w.Rows]
	fourH, fourW := asBlock(t.h, h.Rows, 4), asBlock(t.w, w.Rows, 4)
	for from := 0; from < w.Cols; from += 4 {
		to := min(from+4, w.Cols)
		if to-from < 4 {
			clear(t.h)
			clear(t.w)
		}
		copyBlock(columns(fourH, 0, to-from), columns(h, from, to))
		copyBlock(columns(fourW, 0, to-from), columns(w, from, to))
		if body(t.h, t.w); setsH {
			copyBlock(columns(h, from, to), columns(fourH, 0, to-from))
		} else {
			copyBlock(columns(w, from, to), columns(fourW, 0, to-from))
		}
	}
}

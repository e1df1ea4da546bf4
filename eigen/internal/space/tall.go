package space

import (
	"sync"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Products of a panel of the basis, some hundred rows of a hundred columns, with a block of a few
// columns. They are bound by reading the basis, which OpenBLAS copies first: it takes 1.1 to 1.3
// times as long (BenchmarkTall). Blocks of up to eight columns have own kernels, four columns at a
// time, or both columns of a block of two.

// The most columns of a block for them, and the bytes of the basis in a panel, so that it is in
// cache when it is read for the second time.
const (
	mostTall   = 8
	panelBytes = 512 << 10
)

// panelRows is the number of rows of a panel of so many columns.
func panelRows(columns int) int { return max(64, panelBytes/(8*max(columns, 1))&^7) }

// tall does these products with a panel of a block, in groups of width columns: of four or
// two for the kernels, else of all. For one goroutine.
type tall struct {
	engine native.Engine
	width  int
	groups []blas64.General // of the panel that is loaded
	w, v   []float64        // scratch memory
}

// talls keeps the memory of them.
var talls = sync.Pool{New: func() any { return new(tall) }}

// groupsOf is the width of the groups of a block of so many columns, and their number.
func groupsOf(columns int) (width, groups int) {
	switch {
	case !haveTall || columns > mostTall:
		return columns, 1
	case columns <= 2:
		return 2, 1
	}
	return 4, (columns + 3) / 4
}

// load takes a panel of a block; the last group ends with columns of zeros.
func (t *tall) load(panel blas64.General) {
	t.groups = t.groups[:0]
	if panel.Cols == t.width && panel.Stride == t.width {
		t.groups = append(t.groups, panel)
		return
	}
	count := (panel.Cols + t.width - 1) / t.width
	all := block(&t.w, count*panel.Rows, t.width)
	if count*t.width > panel.Cols {
		clear(all.Data)
	}
	for from := 0; from < panel.Cols; from += t.width {
		group := Rows(all, len(t.groups)*panel.Rows, (len(t.groups)+1)*panel.Rows)
		to := min(from+t.width, panel.Cols)
		CopyBlock(Columns(group, 0, to-from), Columns(panel, from, to))
		t.groups = append(t.groups, group)
	}
}

// store copies the groups back to the panel.
func (t *tall) store(panel blas64.General) {
	if panel.Cols == t.width && panel.Stride == t.width {
		return
	}
	for g, group := range t.groups {
		from := g * t.width
		to := min(from+t.width, panel.Cols)
		CopyBlock(Columns(panel, from, to), Columns(group, 0, to-from))
	}
}

// addDots adds vᵀw to the rows of h from the given one on; each group of h has so many rows.
func (t *tall) addDots(h []float64, v blas64.General, at, rows int) {
	for g, w := range t.groups {
		to := h[(g*rows+at)*t.width:][:v.Cols*t.width]
		switch {
		case haveTall && t.width == 4:
			tallDots4(tallOf(v, w.Data, to))
		case haveTall && t.width == 2:
			tallDots2(tallOf(v, w.Data, to))
		default:
			t.engine.Gemm(blas.Trans, blas.NoTrans, 1, v, w, 1, AsBlock(to, v.Cols, t.width))
		}
	}
}

// subtract sets w −= v·h, with the rows of h from the given one on.
func (t *tall) subtract(v blas64.General, h []float64, at, rows int) {
	for g, w := range t.groups {
		by := h[(g*rows+at)*t.width:][:v.Cols*t.width]
		switch {
		case haveTall && t.width == 4:
			tallSubtract4(tallOf(v, w.Data, by))
		case haveTall && t.width == 2:
			tallSubtract2(tallOf(v, w.Data, by))
		default:
			t.engine.Gemm(blas.NoTrans, blas.NoTrans, -1, v, AsBlock(by, v.Cols, t.width), 1, w)
		}
	}
}

// tallOf is for a v that is not empty.
func tallOf(v blas64.General, w, h []float64) *tallArgs {
	return &tallArgs{v: &v.Data[0], vStride: 8 * v.Stride, rows: v.Rows, columns: v.Cols, w: &w[0], h: &h[0]}
}

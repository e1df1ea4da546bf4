package kmeans

import (
	"slices"
	"sync"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas32"
)

// From how many columns and clusters on rows are screened in single precision, and up to how many
// columns: for fewer, tiles in double precision are as fast; for more, the bound of the error is
// large.
const (
	screenColumns  = 64
	screenClusters = 16
	screenMost     = 1 << 18
)

// Squared lengths of rows, at most, and of the longest centre, for which nothing overflows or
// vanishes in single precision.
const (
	screenLongest  = 0x1p80
	screenShortest = 0x1p-60
)

// screen has the centres in single precision; nil if rows are not screened.
type screen struct {
	first sync.Once // rough: many centres never see it
	c     []float32 // k×d; nil before
	room  sync.Pool // of *screenRoom
}

// screenRoom is the memory of one tile.
type screenRoom struct{ x, out []float32 }

// screened reports whether rows like these may be screened against k centres.
func (p *densePoints) screened(k int) bool {
	return k >= screenClusters && p.x.Cols >= screenColumns && p.x.Cols <= screenMost
}

func (p *densePoints) newScreen(k int) *screen {
	if !p.screened(k) || len(p.norms) > 0 && slices.Max(p.norms) > screenLongest {
		return nil
	}
	return &screen{}
}

// screenAbs bounds how far screened distances are from what [denseCenters.tile] finds, relative to
// ‖x‖² + max ‖c‖². A product of d numbers rounded to 24 bits, added up in any order, has an
// error of at most (d+3)/(1−d·2⁻²⁴)·2⁻²⁴·‖x‖·‖c‖, and twice that is at most as much of ‖x‖² + ‖c‖².
func (c *denseCenters) screenAbs() float64 {
	if c.screen == nil {
		return 0
	}
	return 1.25 * float64(c.d+8) * 0x1p-24
}

// rough is tile with a larger error, by screenAbs, in half of the time: products in single
// precision. The rows ascend, no two alike.
func (c *denseCenters) rough(rows []int32, out, gather []float64) {
	longest := slices.Max(c.norms)
	if c.screen == nil || !(longest >= screenShortest && longest <= screenLongest) {
		c.tile(rows, out, gather)
		return
	}
	k, d, m := c.k, c.d, len(rows)
	c.screen.first.Do(func() {
		c.screen.c = make([]float32, k*d)
		narrow(c.screen.c, c.c)
	})
	room, _ := c.screen.room.Get().(*screenRoom)
	if room == nil {
		room = &screenRoom{}
	}
	defer c.screen.room.Put(room)
	room.out = slices.Grow(room.out[:0], m*k)[:m*k]
	from := blas32.General{Rows: m, Cols: d, Stride: d}
	if at := int(rows[0]); c.p.single != nil && int(rows[m-1])-at == m-1 {
		from.Data = c.p.single.Val[at*d : (at+m)*d]
	} else {
		room.x = slices.Grow(room.x[:0], m*d)[:m*d]
		from.Data = room.x
		for r, i := range rows {
			c.p.narrow(int(i), room.x[r*d:(r+1)*d])
		}
	}
	native.Default().GemmFloat32(from, blas32.General{Rows: k, Cols: d, Stride: d, Data: c.screen.c},
		blas32.General{Rows: m, Cols: k, Stride: k, Data: room.out})
	for r, i := range rows {
		xx := c.p.norms[i]
		o, dots := out[r*k:(r+1)*k], room.out[r*k:(r+1)*k]
		for j, cc := range c.norms {
			o[j] = xx + cc - 2*float64(dots[j])
		}
	}
}

// narrow writes row i in single precision.
func (p *densePoints) narrow(i int, dst []float32) {
	if p.single != nil {
		copy(dst, p.single.Row(i))
		return
	}
	narrow(dst, p.row(i, nil))
}

func narrow(dst []float32, src []float64) {
	src = src[:len(dst)]
	for t, v := range src {
		dst[t] = float32(v)
	}
}

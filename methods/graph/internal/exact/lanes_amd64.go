//go:build amd64 && !purego

package exact

import "golang.org/x/sys/cpu"

// mulArgs holds the arguments of mulLanesAVX.
type mulArgs struct {
	ptr   *int
	rows  int
	index *int32
	val   *float32
	terms *float32
	out   *float32
}

// passArgs holds the arguments of passingAVX and its result in row, lane and mask.
type passArgs struct {
	product   *float32
	step      int // bytes between rows
	rows      int
	width     int
	rowFloor  *float32
	rowShift  *float32
	laneFloor *float32
	laneShift *float32
	row, lane int
	mask      uint64
}

//go:noescape
func mulLanesAVX(a *mulArgs)

//go:noescape
func passingAVX(a *passArgs)

//go:noescape
func addTransposedAVX(tile, a *float32, step int)

var haveFMA = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// MulLanes is mulLanesGo with fused multiply-adds. The caller guarantees the indices.
func MulLanes(a *LaneRows, lo, hi int, terms, out []float32) {
	if !haveFMA || lo >= hi || len(a.Index) == 0 {
		mulLanesGo(a, lo, hi, terms, out)
		return
	}
	_, _, _ = a.Ptr[lo:hi+1], a.Val[:len(a.Index)], out[:(hi-lo)*Lanes]
	mulLanesAVX(&mulArgs{&a.Ptr[lo], hi - lo, &a.Index[0], &a.Val[0], &terms[0], &out[0]})
}

// passing is passingGo.
func passing(t *screenTile, row, lane int) (int, int, uint32) {
	rows := len(t.rowFloor)
	if !haveFMA || row >= rows || t.width == 0 {
		return passingGo(t, row, lane)
	}
	_, _, _, _ = t.product[:(rows-1)*t.stride+t.width], t.rowShift[:rows], t.laneFloor[:t.width], t.laneShift[:t.width]
	a := passArgs{&t.product[0], 4 * t.stride, rows, t.width, &t.rowFloor[0], &t.rowShift[0], &t.laneFloor[0], &t.laneShift[0], row, lane, 0}
	passingAVX(&a)
	return a.row, a.lane, uint32(a.mask)
}

// addTransposed is addTransposedGo.
func addTransposed(tile, a []float32, stride int) {
	if !haveFMA {
		addTransposedGo(tile, a, stride)
		return
	}
	_, _ = tile[:laneStep*Lanes], a[:(Lanes-1)*stride+laneStep]
	addTransposedAVX(&tile[0], &a[0], 4*stride)
}

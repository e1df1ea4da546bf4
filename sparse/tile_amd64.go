//go:build amd64 && !purego

package sparse

import (
	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// tileArgs holds the arguments of the kernels in tile_amd64.s.
type tileArgs struct {
	ptr     *int
	rows    int
	col     *int32
	val     *float64
	x       *float64
	xStep   int // bytes
	xRows   int
	dst     *float64
	dstStep int // bytes
}

//go:noescape
func tile4(a *tileArgs) bool

//go:noescape
func tile8(a *tileArgs) bool

//go:noescape
func tile16(a *tileArgs) bool

//go:noescape
func tile32(a *tileArgs) bool

var haveAVX = cpu.X86.HasAVX

// mulTiles sets rows lo..hi of the leading columns of dst with AVX and returns the number of
// columns it set: all but the last 0 to 3, or 0 without AVX. It checks the slices; the kernels
// check column indices.
func mulTiles(a *CSR, lo, hi int, dst, x blas64.General) (done int) {
	if !haveAVX || x.Cols < 4 || lo >= hi {
		return 0
	}
	ptr := a.RowPtr[lo : hi+1]
	first, last := ptr[0], ptr[hi-lo]
	for i, p := range ptr[1:] {
		if p < ptr[i] {
			panic(mat.ErrShape)
		}
	}
	if first == last || first < 0 || last > len(a.Col) || last > len(a.Val) {
		return 0 // no entry, or arrays that the Go kernels reject
	}
	t := tileArgs{ptr: &ptr[0], rows: hi - lo, col: &a.Col[0], val: &a.Val[0],
		xStep: 8 * x.Stride, xRows: x.Rows, dstStep: 8 * dst.Stride}
	for ok := true; x.Cols-done >= 4; {
		t.x, t.dst = &x.Data[done], &dst.Data[lo*dst.Stride+done]
		switch left := x.Cols - done; {
		case left >= 32:
			ok = tile32(&t)
			done += 32
		case left >= 16:
			ok = tile16(&t)
			done += 16
		case left >= 8:
			ok = tile8(&t)
			done += 8
		default:
			ok = tile4(&t)
			done += 4
		}
		if !ok {
			panic(mat.ErrColAccess)
		}
	}
	return done
}

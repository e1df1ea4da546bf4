//go:build amd64 && !purego

package sparse

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// stepArgs holds the arguments of the kernels in step_amd64.s.
type stepArgs struct {
	ptr                *int
	rows               int
	col                *int32
	val                *float64
	x                  *float64
	xRows              int
	own                *float64 // the row of x beside the first row of y
	y                  *float64
	alpha, beta, gamma float64
	add                int // 0: γ = 0, and y is not read
}

//go:noescape
func step4(a *stepArgs) bool

//go:noescape
func step8(a *stepArgs) bool

//go:noescape
func step4ahead(a *stepArgs) bool

//go:noescape
func step8ahead(a *stepArgs) bool

// ahead is how many entries before they are needed the rows of x are fetched: a miss of the cache
// takes as long as some 30 entries. Blocks of at most inCache bytes are not fetched so.
const (
	ahead   = 64
	inCache = 1 << 20
)

// stepTiles does the rows lo..hi of a step with AVX if the blocks have 4 or 8 columns, and reports
// whether it did. It checks the slices; the kernels check column indices.
func (a *CSR) stepTiles(lo, hi int, y, x blas64.General, alpha, beta, gamma float64) bool {
	b := x.Cols
	if !haveAVX || b != 4 && b != 8 || lo >= hi {
		return false
	}
	ptr := a.RowPtr[lo : hi+1]
	first, last := ptr[0], ptr[hi-lo]
	for i, p := range ptr[1:] {
		if p < ptr[i] {
			panic(mat.ErrShape)
		}
	}
	if first == last || first < 0 || last > len(a.Col) || last > len(a.Val) {
		return false // no entry, or arrays that the Go kernels reject
	}
	t := stepArgs{ptr: &ptr[0], rows: hi - lo, col: &a.Col[0], val: &a.Val[0], x: &x.Data[0], xRows: x.Rows,
		own: &x.Data[lo*b], y: &y.Data[lo*b], alpha: alpha, beta: beta, gamma: gamma}
	if gamma != 0 {
		t.add = 1
	}
	far := 8*len(x.Data) > inCache && last+ahead <= len(a.Col)
	ok := false
	switch {
	case b == 4 && far:
		ok = step4ahead(&t)
	case b == 4:
		ok = step4(&t)
	case far:
		ok = step8ahead(&t)
	default:
		ok = step8(&t)
	}
	if !ok {
		panic(mat.ErrColAccess)
	}
	return true
}

//go:build amd64 && !purego

package approx

import (
	"slices"

	"golang.org/x/sys/cpu"
)

var haveVNNI = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VNNI

// shortArgs holds the arguments of shortProductsAVX.
type shortArgs struct {
	rows  *int16
	steps int
	own   *int16
	js    *int32
	count int
	out   *int32
}

// tileArgs holds the arguments of shortTileAVX.
type tileArgs struct {
	own      *int16
	ownNorm2 *int32
	steps    int
	packed   *int16
	norm2    *int32
	count    int // a multiple of blockLanes
	out      *int32
}

//go:noescape
func shortProductsAVX(a *shortArgs)

//go:noescape
func shortTileAVX(a *tileArgs)

//go:noescape
func shortTileVNNI(a *tileArgs)

// groupTopsAVX is groupTopsGo for count blocks of blockLanes keys.
//
//go:noescape
func groupTopsAVX(keys *int32, count, group int, tops *int32)

// atLeastAVX is atLeastGo for count blocks of blockLanes keys; it returns how many are least or
// more.
//
//go:noescape
func atLeastAVX(keys *int32, count int, least int32, passed *int32) int

// shortProducts is shortProductsGo. The caller guarantees the rows.
func shortProducts(rows []int16, steps, i int, js, out []int32) {
	if !haveAVX || len(js) == 0 || steps == 0 {
		shortProductsGo(rows, steps, i, js, out)
		return
	}
	_ = out[:len(js)]
	shortProductsAVX(&shortArgs{&rows[0], steps, &rows[i*steps*shortStep], &js[0], len(js), &out[0]})
}

// shortTile is shortTileGo.
func shortTile(own []int16, ownNorm2 []int32, steps int, packed []int16, norm2 []int32, count int, out []int32) {
	if !haveAVX || count == 0 || steps == 0 {
		shortTileGo(own, ownNorm2, steps, packed, norm2, count, out)
		return
	}
	width := steps * shortStep
	_, _, _, _, _ = own[:ownRows*width], ownNorm2[:ownRows], packed[:count*width], norm2[:count], out[:ownRows*count]
	a := tileArgs{&own[0], &ownNorm2[0], steps, &packed[0], &norm2[0], count, &out[0]}
	if haveVNNI {
		shortTileVNNI(&a)
		return
	}
	shortTileAVX(&a)
}

// groupTops is groupTopsGo. The number of keys is a multiple of blockLanes.
func groupTops(keys []int32, group int, tops []int32) []int32 {
	if !haveAVX || len(keys) == 0 {
		return groupTopsGo(keys, group, tops)
	}
	blocks, at := len(keys)/blockLanes, len(tops)
	size := (blocks + group - 1) / group * blockLanes
	tops = slices.Grow(tops, size)[:at+size]
	groupTopsAVX(&keys[0], blocks, group, &tops[at])
	return tops
}

// atLeast is atLeastGo. The number of keys is a multiple of blockLanes.
func atLeast(keys []int32, least int32, passed []int32) []int32 {
	if !haveAVX || len(keys) == 0 {
		return atLeastGo(keys, least, passed)
	}
	at := len(passed)
	passed = slices.Grow(passed, len(keys))[:at+len(keys)]
	return passed[:at+atLeastAVX(&keys[0], len(keys)/blockLanes, least, &passed[at])]
}

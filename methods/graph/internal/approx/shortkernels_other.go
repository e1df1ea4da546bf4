//go:build !amd64 || purego

package approx

func shortProducts(rows []int16, steps, i int, js, out []int32) {
	shortProductsGo(rows, steps, i, js, out)
}

func shortTile(own []int16, ownNorm2 []int32, steps int, packed []int16, norm2 []int32, count int, out []int32) {
	shortTileGo(own, ownNorm2, steps, packed, norm2, count, out)
}

func groupTops(keys []int32, group int, tops []int32) []int32 { return groupTopsGo(keys, group, tops) }

func atLeast(keys []int32, least int32, passed []int32) []int32 {
	return atLeastGo(keys, least, passed)
}

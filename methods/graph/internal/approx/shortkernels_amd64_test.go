//go:build amd64 && !purego

package approx

// secondTile is the kernel that processors without VNNI use.
func secondTile(own []int16, ownNorm2 []int32, steps int, packed []int16, norm2 []int32, count int, out []int32) {
	defer func(had bool) { haveVNNI = had }(haveVNNI)
	haveVNNI = false
	shortTile(own, ownNorm2, steps, packed, norm2, count, out)
}

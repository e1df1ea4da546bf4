package approx

// The kernels of this file have twins in assembly (shortkernels_amd64.s). They compute in integers
// that do not overflow, so all have the same result.

// shortProductsGo sets out[c] to the dot product of rows i and js[c], of some steps each. 2 flops
// and 2 bytes per value.
func shortProductsGo(rows []int16, steps, i int, js, out []int32) {
	width := steps * shortStep
	a := rows[i*width : (i+1)*width]
	for c, j := range js {
		sum := int32(0)
		for p, v := range rows[int(j)*width : (int(j)+1)*width] {
			sum += int32(v) * int32(a[p])
		}
		out[c] = sum
	}
}

// shortTileGo sets out[r·count + c], for ownRows rows r and count packed rows c, to
// 2·a·b − ‖a‖² − ‖b‖². 2 flops per pair and value; the packed rows are read once for ownRows rows,
// from the second-level cache.
func shortTileGo(own []int16, ownNorm2 []int32, steps int, packed []int16, norm2 []int32, count int, out []int32) {
	width := steps * shortStep
	for r := range ownRows {
		a := own[r*width : (r+1)*width]
		for c := range count {
			block := packed[c/blockLanes*blockLanes*width:][:blockLanes*width]
			at, sum := c%blockLanes*2, int32(0)
			for p := 0; p < width; p += 2 {
				b := block[p*blockLanes+at:][:2]
				sum += int32(a[p])*int32(b[0]) + int32(a[p+1])*int32(b[1])
			}
			out[r*count+c] = 2*sum - ownNorm2[r] - norm2[c]
		}
	}
}

// groupTopsGo appends the largest keys of groups of keys: lane l of the blocks of a group, each of
// blockLanes keys. 4 bytes per key.
func groupTopsGo(keys []int32, group int, tops []int32) []int32 {
	for len(keys) > 0 {
		some := keys[:min(len(keys), group*blockLanes)]
		keys = keys[len(some):]
		at := len(tops)
		tops = append(tops, some[:blockLanes]...)
		for some = some[blockLanes:]; len(some) > 0; some = some[blockLanes:] {
			for l, v := range some[:blockLanes] {
				tops[at+l] = max(tops[at+l], v)
			}
		}
	}
	return tops
}

// atLeastGo appends the numbers of the keys that are least or more. 4 bytes per key.
func atLeastGo(keys []int32, least int32, passed []int32) []int32 {
	for c, v := range keys {
		if v >= least {
			passed = append(passed, int32(c))
		}
	}
	return passed
}

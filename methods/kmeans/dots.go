package kmeans

// most is the largest number of centres whose products with a row are summed in one pass over it.
const most = 32

// widths are the numbers of centres of a pass, the largest first.
var widths = [...]int{most, 16, 8, 4}

// products sets dst to the products of a sparse row with the centres: c holds their coordinates,
// stride of each column of the data one after another, of which len(dst), a multiple of 4, are
// taken. Each product and each sum is rounded, in the order of the entries. 2 flops for an entry
// and a centre, and 8 bytes of c.
func products(dst []float64, cols []int32, vals, c []float64, stride int) {
	for j := 0; j < len(dst); {
		for _, w := range widths {
			if w <= len(dst)-j {
				dots(dst[j:j+w], cols, vals, c[j:], stride)
				j += w
				break
			}
		}
	}
}

// dotsGo is products of 4, 8, 16 or 32 centres.
func dotsGo(dst []float64, cols []int32, vals, c []float64, stride int) {
	for ; len(dst) >= 8; dst, c = dst[8:], c[8:] {
		dots8((*[8]float64)(dst), cols, vals, c, stride)
	}
	if len(dst) > 0 {
		dots4((*[4]float64)(dst), cols, vals, c, stride)
	}
}

func dots8(dst *[8]float64, cols []int32, vals, c []float64, stride int) {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for p, t := range cols {
		v, r := vals[p], (*[8]float64)(c[int(t)*stride:])
		s0 += float64(v * r[0])
		s1 += float64(v * r[1])
		s2 += float64(v * r[2])
		s3 += float64(v * r[3])
		s4 += float64(v * r[4])
		s5 += float64(v * r[5])
		s6 += float64(v * r[6])
		s7 += float64(v * r[7])
	}
	*dst = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

func dots4(dst *[4]float64, cols []int32, vals, c []float64, stride int) {
	var s0, s1, s2, s3 float64
	for p, t := range cols {
		v, r := vals[p], (*[4]float64)(c[int(t)*stride:])
		s0 += float64(v * r[0])
		s1 += float64(v * r[1])
		s2 += float64(v * r[2])
		s3 += float64(v * r[3])
	}
	*dst = [4]float64{s0, s1, s2, s3}
}

package sparse

// The Go kernels set the first 1, 2, 4 or 8 columns of rows lo..hi of dst. Converting a slice to an
// array pointer checks the bounds once for all columns of a tile. One comparison per entry remains
// in the loops: the column index, because matrices may be handmade.

func mul1(a *CSR, lo, hi int, dst []float64, ds int, x []float64, xs int) {
	for i := lo; i < hi; i++ {
		cols, vals := a.Row(i)
		vals = vals[:len(cols)]
		s := 0.0
		if xs == 1 {
			for k, c := range cols {
				s += vals[k] * x[c]
			}
		} else {
			for k, c := range cols {
				s += vals[k] * x[int(c)*xs]
			}
		}
		dst[i*ds] = s
	}
}

func mul2(a *CSR, lo, hi int, dst []float64, ds int, x []float64, xs int) {
	for i := lo; i < hi; i++ {
		cols, vals := a.Row(i)
		vals = vals[:len(cols)]
		var s0, s1 float64
		for k, c := range cols {
			v, r := vals[k], (*[2]float64)(x[int(c)*xs:])
			s0 += v * r[0]
			s1 += v * r[1]
		}
		*(*[2]float64)(dst[i*ds:]) = [2]float64{s0, s1}
	}
}

func mul4(a *CSR, lo, hi int, dst []float64, ds int, x []float64, xs int) {
	for i := lo; i < hi; i++ {
		cols, vals := a.Row(i)
		vals = vals[:len(cols)]
		var s0, s1, s2, s3 float64
		for k, c := range cols {
			v, r := vals[k], (*[4]float64)(x[int(c)*xs:])
			s0 += v * r[0]
			s1 += v * r[1]
			s2 += v * r[2]
			s3 += v * r[3]
		}
		*(*[4]float64)(dst[i*ds:]) = [4]float64{s0, s1, s2, s3}
	}
}

func mul8(a *CSR, lo, hi int, dst []float64, ds int, x []float64, xs int) {
	for i := lo; i < hi; i++ {
		cols, vals := a.Row(i)
		vals = vals[:len(cols)]
		var s0, s1, s2, s3, s4, s5, s6, s7 float64
		for k, c := range cols {
			v, r := vals[k], (*[8]float64)(x[int(c)*xs:])
			s0 += v * r[0]
			s1 += v * r[1]
			s2 += v * r[2]
			s3 += v * r[3]
			s4 += v * r[4]
			s5 += v * r[5]
			s6 += v * r[6]
			s7 += v * r[7]
		}
		*(*[8]float64)(dst[i*ds:]) = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	}
}

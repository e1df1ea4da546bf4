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

// mul2 takes two rows at a time while both have entries: their sums do not wait for each other.
func mul2(a *CSR, lo, hi int, dst []float64, ds int, x []float64, xs int) {
	for ; lo+2 <= hi; lo += 2 {
		cols, vals := a.Row(lo)
		cols2, vals2 := a.Row(lo + 1)
		n := min(len(cols), len(cols2))
		var s0, s1, t0, t1 float64
		with, vals := cols2[:n], vals[:len(cols)]
		for k, c := range cols[:n] {
			v, r := vals[k], (*[2]float64)(x[int(c)*xs:])
			u, q := vals2[k], (*[2]float64)(x[int(with[k])*xs:])
			s0 += v * r[0]
			s1 += v * r[1]
			t0 += u * q[0]
			t1 += u * q[1]
		}
		for k := n; k < len(cols); k++ {
			v, r := vals[k], (*[2]float64)(x[int(cols[k])*xs:])
			s0 += v * r[0]
			s1 += v * r[1]
		}
		for k := n; k < len(cols2); k++ {
			u, q := vals2[k], (*[2]float64)(x[int(cols2[k])*xs:])
			t0 += u * q[0]
			t1 += u * q[1]
		}
		*(*[2]float64)(dst[lo*ds:]) = [2]float64{s0, s1}
		*(*[2]float64)(dst[(lo+1)*ds:]) = [2]float64{t0, t1}
	}
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

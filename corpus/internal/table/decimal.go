package table

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// mostDigits is the most digits of a number that fit into 64 bits whatever they are.
const mostDigits = 19

// powers are the powers of ten that 64 bits hold, and tens those that float64 holds exactly.
var (
	powers = func() (p [mostDigits + 1]uint64) {
		p[0] = 1
		for i := 1; i < len(p); i++ {
			p[i] = 10 * p[i-1]
		}
		return p
	}()
	tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
)

// decimal reads the decimal number at b[at:] and returns where it ends. Its value has the bits that
// strconv.ParseFloat gives. ok is false for what it leaves to strconv: no number, more than 19
// digits, or an exponent for which 64 bits do not do.
func decimal(b []byte, at int) (v float64, end int, ok bool) {
	negative := false
	if at < len(b) && (b[at] == '-' || b[at] == '+') {
		negative = b[at] == '-'
		at++
	}
	start := at
	w, at := digitsAt(b, at, 0)
	count, exponent := at-start, 0
	if at < len(b) && b[at] == '.' {
		point := at + 1
		w, at = digitsAt(b, point, w)
		exponent = point - at
		count -= exponent
	}
	if count == 0 || count > mostDigits && count-zerosAt(b[start:at]) > mostDigits {
		return 0, start, false
	}
	if at < len(b) && b[at]|0x20 == 'e' {
		sign, first := 1, at+1
		if first < len(b) && (b[first] == '-' || b[first] == '+') {
			if b[first] == '-' {
				sign = -1
			}
			first++
		}
		var e uint64
		if e, at = digitsAt(b, first, 0); at == first || at-first > 4 {
			return 0, start, false
		}
		exponent += sign * int(e)
	}
	if v, ok = scaled(w, exponent); negative {
		v = -v
	}
	return v, at, ok
}

// digitsAt appends the digits at b[at:] to w, and returns where they end. What does not fit into 64
// bits is lost.
func digitsAt(b []byte, at int, w uint64) (uint64, int) {
	for at+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[at:])
		// Eight digits: the high half of each byte is 3, also with 6 added to the low half.
		if x&0xf0f0f0f0f0f0f0f0|(x+0x0606060606060606)&0xf0f0f0f0f0f0f0f0>>4 != 0x3333333333333333 {
			break
		}
		x -= 0x3030303030303030
		x = 10*x + x>>8 // pairs
		const mask = 0x000000ff000000ff
		x = ((x&mask)*(100+1000000<<32) + (x>>16&mask)*(1+10000<<32)) >> 32
		w = 100000000*w + x&0xffffffff
		at += 8
	}
	for ; at < len(b); at++ {
		c := b[at] - '0'
		if c > 9 {
			break
		}
		w = 10*w + uint64(c)
	}
	return w, at
}

// zerosAt counts the zeros before the first other digit.
func zerosAt(b []byte) (n int) {
	for _, c := range b {
		switch c {
		case '0':
			n++
		case '.':
		default:
			return n
		}
	}
	return n
}

// scaled returns w·10^e, rounded once, to the nearest and to even in the middle. ok is false where
// 64 bits do not do.
func scaled(w uint64, e int) (v float64, ok bool) {
	switch {
	case w == 0:
		return 0, true
	case w < 1<<53 && 0 <= e && e < len(tens):
		return float64(w) * tens[e], true // both are exact
	case w < 1<<53 && -len(tens) < e && e < 0:
		return float64(w) / tens[-e], true
	case e == 0:
		return float64(w), true
	case -mostDigits <= e && e < 0:
		return quotient(w, powers[-e]), true
	}
	return 0, false
}

// quotient returns w/d, rounded to the nearest and to even in the middle. Both are positive.
func quotient(w, d uint64) float64 {
	up, down := bits.LeadingZeros64(w), bits.LeadingZeros64(d)
	w, d = w<<up, d<<down
	exponent := down - up - 64
	hi, lo := w, uint64(0)
	if w >= d { // 64 bits of the quotient, the first of which is 1
		hi, lo = w>>1, w<<63
		exponent++
	}
	q, rest := bits.Div64(hi, lo, d)
	const dropped = 64 - 53
	m, tail := q>>dropped, q&(1<<dropped-1)
	const half = 1 << (dropped - 1)
	if tail > half || tail == half && (rest != 0 || m&1 == 1) {
		m++
	}
	return float64(m) * math.Float64frombits(uint64(1023+exponent+dropped)<<52)
}

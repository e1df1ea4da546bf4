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
	var minus, plus int // no branch on the sign, which a processor would have to guess
	if at < len(b) {
		if b[at] == '-' {
			minus = 1
		}
		if b[at] == '+' {
			plus = 1
		}
	}
	at += minus + plus
	start := at
	var w uint64
	if at+1 < len(b) && b[at+1] == '.' && b[at]-'0' <= 9 { // 0.123 and 1.234 are the usual case
		w, at = uint64(b[at]-'0'), at+1
	} else {
		w, at = digitsAt(b, at, 0)
	}
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
	v, ok = scaled(w, exponent)
	return math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63), at, ok
}

// digitsAt appends the digits at b[at:] to w, and returns where they end. What does not fit into 64
// bits is lost. It takes eight bytes at a time, of which the digits before the first other byte
// count, so that numbers of like lengths take the same branches.
func digitsAt(b []byte, at int, w uint64) (uint64, int) {
	for at+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[at:]) ^ 0x3030303030303030
		// The first bit of a byte that is above 9. A sum beyond a byte changes only bytes behind it.
		other := (x | (x + 0x7676767676767676)) & 0x8080808080808080
		if other != 0 {
			n := uint(bits.TrailingZeros64(other)) / 8
			return powers[n]*w + eight(x<<(8*(7-n)&63)<<8), at + int(n)
		}
		w = powers[8]*w + eight(x)
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

// eight returns the number of eight decimal digits, the first in the lowest byte.
func eight(x uint64) uint64 {
	x = 10*x + x>>8 // pairs
	const mask = 0x000000ff000000ff
	return ((x&mask)*(100+1000000<<32) + (x>>16&mask)*(1+10000<<32)) >> 32 & 0xffffffff
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
	case -mostDigits <= e && e < 0:
		return quotient(w, &divisors[-e]), true
	case w < 1<<53 && 0 <= e && e < len(tens):
		return float64(w) * tens[e], true // both are exact
	case w < 1<<53 && -len(tens) < e && e < 0:
		return float64(w) / tens[-e], true
	case e == 0:
		return float64(w), true
	}
	return 0, false
}

// divisor is a power of ten d, above 1, by which [quotient] divides.
type divisor struct {
	d       uint64 // shifted left until its first bit is 1
	inverse uint64 // ⌊2¹²⁷/d⌋
	zeros   int    // by how many bits d was shifted
}

// divisors has the divisor of each of powers above 1.
var divisors = func() (list [mostDigits + 1]divisor) {
	for i, p := range powers[1:] {
		zeros := bits.LeadingZeros64(p)
		d := p << zeros
		inverse, _ := bits.Div64(1<<63, 0, d)
		list[i+1] = divisor{d, inverse, zeros}
	}
	return list
}()

// quotient returns w/by, rounded to the nearest and to even in the middle. w is positive. The
// product with the inverse has 63 or 64 bits before the point and is too low by more than 0 and
// less than 1. Only where that could change the rounding is there a division: for one number in
// 512, and where the quotient has few bits. The conversion rounds, without a branch on the digits.
// Cost: a product of 128 bits, a shift and a conversion.
func quotient(w uint64, by *divisor) float64 {
	up := bits.LeadingZeros64(w)
	w <<= up & 63
	q, _ := bits.Mul64(w, by.inverse)
	rest := uint64(1)
	const middles = 1 << 9 // they are multiples of it
	if q%middles == middles-1 {
		q, rest = bits.Div64(w>>1, w<<63, by.d)
	}
	if rest != 0 { // what follows the last bit
		q |= 1
	}
	return float64(int64(q>>1|q&1)) * math.Float64frombits(uint64(1023+by.zeros-up-62)<<52)
}

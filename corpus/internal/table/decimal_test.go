package table

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// A number is read with the bits that strconv gives, or is left to it.
func TestDecimalIsStrconv(t *testing.T) {
	check := func(s string) (read bool) {
		t.Helper()
		v, end, ok := decimal([]byte(s), 0)
		if !ok {
			return false
		}
		want, err := strconv.ParseFloat(s[:end], 64)
		if err != nil || math.Float64bits(v) != math.Float64bits(want) {
			t.Fatalf("%q: %v of %q, want %v, %v", s, v, s[:end], want, err)
		}
		return end == len(s)
	}
	for _, s := range []string{"0", "-0", "+7", "1.", ".5", "00012.500", "1e5", "1E-5", "1.5e+22", "9007199254740993", "9007199254740992.5",
		"9007199254740993.0", "0.9007199254740993", "18446744073709551615", "9999999999999999999", "0.00000000000000000001234", "12345678", "123456789012345678",
		"0.1", "1.7976931348623157", "0.5000000000000001", "4503599627370496.5", "4503599627370497.5", "4503599627370498.5", "1e-19"} {
		check(s)
	}
	for _, s := range []string{"", "-", ".", "e5", "1e", "1e+", "x", "nan", "inf", "--1"} {
		if _, _, ok := decimal([]byte(s), 0); ok {
			t.Errorf("%q is read as a number", s)
		}
	}
	rnd := rand.New(rand.NewPCG(36, 1))
	read := 0
	const rounds = 200000
	for range rounds {
		var s string
		switch rnd.IntN(5) {
		case 0:
			s = strconv.FormatFloat(rnd.NormFloat64(), 'g', -1, 64)
		case 1:
			s = fmt.Sprintf("%d.%0*d", rnd.Int64N(1<<uint(rnd.IntN(40))+1), 1+rnd.IntN(9), rnd.IntN(10))
		case 2:
			s = fmt.Sprintf("%de%d", rnd.Uint64()>>uint(rnd.IntN(64)), rnd.IntN(60)-30)
		case 3: // in the middle of two numbers, and beside it
			m := uint64(1)<<53 | rnd.Uint64()>>11
			s = fmt.Sprintf("%d.%d", (2*m+1)/4, []int{25, 5, 75, 250, 500}[rnd.IntN(5)])
		default:
			s = fmt.Sprintf("-%.*e", rnd.IntN(20), rnd.NormFloat64())
		}
		if check(s) {
			read++
		}
	}
	if read < rounds*6/10 {
		t.Errorf("%d of %d numbers are read", read, rounds)
	}
}

// A quotient is the rounded rational number, also in the middle of two numbers and just beside it.
func TestQuotientIsRational(t *testing.T) {
	rnd := rand.New(rand.NewPCG(36, 4))
	check := func(w uint64, e int) {
		t.Helper()
		if w == 0 {
			return
		}
		exact := new(big.Rat).SetFrac(new(big.Int).SetUint64(w), new(big.Int).SetUint64(powers[e]))
		if want, _ := exact.Float64(); quotient(w, &divisors[e]) != want {
			t.Fatalf("%d/10^%d: %v, want %v", w, e, quotient(w, &divisors[e]), want)
		}
	}
	for e := 1; e <= mostDigits; e++ {
		check(1, e)
		check(math.MaxUint64, e)
		for range 3000 {
			w := rnd.Uint64() >> rnd.IntN(64)
			check(w, e)
			// w/10^e is close to m/2^k, whose last bit is half of a number's last place.
			m := uint64(1)<<53 | rnd.Uint64()>>11 | 1
			k := 53 + rnd.IntN(11)
			near := new(big.Int).Mul(new(big.Int).SetUint64(m), new(big.Int).SetUint64(powers[e]))
			if near.Rsh(near, uint(k)); near.IsUint64() {
				for d := range uint64(3) {
					check(near.Uint64()+d-1, e)
				}
			}
		}
	}
}

// Any byte that is no digit ends the digits, at every place and before every byte, the bytes of
// letters beyond ASCII too.
func TestDigitsEndAtEveryOtherByte(t *testing.T) {
	for c := range 256 {
		for at := range 18 {
			b := []byte("123456789012345678,4")
			b[at] = byte(c)
			end, want := 0, uint64(0)
			for ; end < len(b) && '0' <= b[end] && b[end] <= '9'; end++ {
				want = 10*want + uint64(b[end]-'0')
			}
			if w, got := digitsAt(b, 0, 0); w != want || got != end {
				t.Errorf("%q: %d, which ends at %d, want %d at %d", b, w, got, want, end)
			}
		}
	}
}

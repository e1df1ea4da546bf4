// Package lexical reads and prints numbers, times and names as text files spell them.
package lexical

import (
	"math"
	"strconv"
	"time"
)

// Number reads a finite decimal number as people and programs write it. Words that strconv accepts
// as numbers (inf, nan, 0x1p-2) are not numbers here. A number beyond the largest float64 gives an
// infinity and false.
func Number(s string) (float64, bool) {
	if s == "" {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c == '+', c == '-', c == '.', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// AllNumbers reports whether every field is a number. If whole is false, the last field may be cut
// off and is not checked.
func AllNumbers(fields [][]byte, whole bool) bool {
	if !whole {
		fields = fields[:len(fields)-1]
	}
	for _, f := range fields {
		if _, ok := Number(string(f)); !ok {
			return false
		}
	}
	return true
}

// Value reads a decimal number, or nan or inf, which the caller refuses by name. A number beyond
// the largest float64 gives an infinity and no error.
func Value(b []byte) (float64, error) {
	if len(b) > 0 && len(b) < 10 { // counts, the usual case, without strconv
		v := 0
		for i, c := range b {
			if c < '0' || c > '9' {
				break
			}
			v = 10*v + int(c-'0')
			if i == len(b)-1 {
				return float64(v), nil
			}
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, err
	}
	return v, nil
}

// Moment prints a time to the second; midnight as its day.
func Moment(at time.Time) string {
	if at.Hour()+at.Minute()+at.Second() == 0 {
		return at.Format("2006-01-02")
	}
	return at.Format("2006-01-02 15:04:05")
}

// Print prints a number in its short form: 3, -1, 0.25.
func Print(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v+0, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Index reads a decimal integer of at most 18 digits, with or without a sign.
func Index(b []byte) (int64, bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative || len(b) > 0 && b[0] == '+' {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	var v int64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = 10*v + int64(c-'0')
	}
	if negative {
		v = -v
	}
	return v, true
}

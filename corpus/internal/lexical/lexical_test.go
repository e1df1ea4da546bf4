package lexical

import (
	"math"
	"testing"
)

func TestTidy(t *testing.T) {
	for name, want := range map[string]string{"": "", " \t": "", "a\r\n": "a", "a \n b": "a b", "\x1b[1m": "[1m", "a  b": "a  b", "\u00a0a\u00a0": "a"} {
		if got := Tidy(name); got != want || Tidy(got) != got {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for word, want := range map[string]float64{"3": 3, "-1e3": -1000, "+.5": 0.5, "0x1p-2": math.NaN(), "nan": math.NaN(),
		"inf": math.NaN(), "": math.NaN(), "1e999": math.NaN(), "1 2": math.NaN()} {
		if got, ok := Number(word); ok != (want == want) || ok && got != want {
			t.Errorf("%q is %v, %v", word, got, ok)
		}
	}
	if v, err := Value([]byte("1e999")); !math.IsInf(v, 1) || err != nil {
		t.Errorf("beyond the largest number: %v, %v", v, err)
	}
}

func TestIndex(t *testing.T) {
	for word, want := range map[string]int64{"7": 7, "+7": 7, "-7": -7, "999999999999999999": 999999999999999999} {
		if got, ok := Index([]byte(word)); !ok || got != want {
			t.Errorf("%q is %d, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "-", "1.0", "1e3", "1234567890123456789"} {
		if got, ok := Index([]byte(word)); ok {
			t.Errorf("%q is %d", word, got)
		}
	}
}

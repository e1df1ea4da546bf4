package option

import (
	"errors"
	"strconv"
)

// Amount is a count or a share of a whole: 12 components, or 0.9 of the variance. At most one of
// the two is set; the zero value is unset.
type Amount struct {
	Count int     `json:"count,omitempty"` // at least 1; 0 = unset
	Share float64 `json:"share,omitempty"` // above 0, at most 1; 0 = unset
}

// IsZero says whether the amount is unset.
func (a Amount) IsZero() bool { return a == Amount{} }

// String writes a count as 12, a share as 0.9, the share of all as 1.0, and unset as "".
func (a Amount) String() string {
	switch {
	case a.Count > 0:
		return strconv.Itoa(a.Count)
	case a.Share == 1:
		return "1.0"
	case a.Share > 0:
		return strconv.FormatFloat(a.Share, 'g', -1, 64)
	}
	return ""
}

// ParseAmount reads 12 as a count, 0.9 and 1.0 as shares.
func ParseAmount(s string) (Amount, error) {
	if n, err := strconv.Atoi(s); err == nil && n >= 1 {
		return Amount{Count: n}, nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x > 0 && x <= 1) {
		return Amount{}, errors.New("it is a whole number of at least 1, or a share above 0 and at most 1.0")
	}
	return Amount{Share: x}, nil
}

// parseDocuments reads a number or a share of documents. As the most of them, 1 is all: a term of
// one document separates nothing.
func parseDocuments(s string, most bool) (Amount, error) {
	if most && s == "1" {
		s = "1.0"
	}
	a, err := ParseAmount(s)
	if err != nil {
		return a, errors.New("it is a whole number of documents of at least 1, or a share of them above 0 and at most 1.0")
	}
	return a, nil
}

package lexical

import (
	"strings"
	"unicode"
)

// IsMissing recognises the usual marks of a missing number: the empty field, NA, N/A, NaN, null,
// None, ?, dashes, two points (of the World Bank), \N (of MySQL), the errors of spreadsheets such
// as #DIV/0! and their like, in any case.
func IsMissing(field string) bool {
	if field = strings.TrimSpace(field); len(field) > 1 && field[0] == '#' {
		switch strings.ToLower(field[1:]) { // errors of spreadsheets in German, French and Spanish
		case "nv", "n/d", "wert!", "bezug!", "zahl!", "valeur!", "nombre!", "valor!":
			return true
		}
	}
	switch strings.ToLower(strings.Trim(field, " \t<>#")) {
	case "", "na", "n/a", "n.a.", "n/a n/a", "nan", "-nan", "+nan", "nat", "null", "none", "?", "-", "--", ".",
		"1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", "..", "...", "…", "–", "—", "n.d.", "n.v.", "k.a.", "k. a.", "keine angabe", "not available", "not applicable", "undefined", `\n`, "div/0!", "value!", "ref!", "name?", "num!", "null!":
		return true
	}
	return false
}

// IsInfinite recognises the words for an infinite number, which no column of numbers may hold.
func IsInfinite(field string) bool {
	switch strings.ToLower(strings.TrimLeft(strings.TrimSpace(field), "+-")) {
	case "inf", "infinity":
		return true
	}
	return false
}

// HasWord reports whether a text has a letter or a digit.
func HasWord(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

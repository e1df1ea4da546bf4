package table

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// Numbers says how a table writes numbers, beside the way of programs (1234.5).
type Numbers struct {
	Comma bool // a comma before the fraction: 1,5
	Group rune // between groups of three digits: 1.234,5 or 1,234.5; 0: none
	Truth bool // true is 1, and false is 0
	Signs bool // of percent or of money: 12.5%, $1,234.50; they are left out
}

// signs are the signs that may stand before or behind a number: of percent and of money.
const signs = "%‰$€£¥₹"

// unsigned cuts one of the signs off a number, behind it or before it; ok is false for another
// field.
func unsigned(field string) (number string, ok bool) {
	c, size := utf8.DecodeLastRuneInString(field)
	if strings.ContainsRune(signs, c) {
		number = strings.TrimRight(field[:len(field)-size], groupMarks)
		return number, number != ""
	}
	minus := len(field) - len(strings.TrimLeft(field, "+-"))
	if c, size = utf8.DecodeRuneInString(field[minus:]); !strings.ContainsRune(signs, c) {
		return field, false
	}
	number = strings.TrimLeft(field[minus+size:], groupMarks)
	return field[:minus] + number, number != ""
}

// maySign reports whether a field has a byte that one of the signs has. It is there to be fast.
func maySign(field string) bool {
	for i := range len(field) {
		if c := field[i]; c == '%' || c == '$' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// signed reports whether a field is a number with a sign.
func signed(field string) bool {
	number, ok := unsigned(field)
	if !ok {
		return false
	}
	_, plain := lexical.Number(number)
	return plain || shapeOf(number) != notWritten
}

// truth is the number of true or false as programs write them; "" for another field.
func truth(field string) string {
	switch {
	case strings.EqualFold(field, "true"):
		return "1"
	case strings.EqualFold(field, "false"):
		return "0"
	}
	return ""
}

// shape is how a field writes a number that programs would write otherwise.
type shape int

const (
	notWritten  shape = iota // it is no such number
	commaPart                // 1,5: a comma before the fraction
	commaEither              // 1,234: before the fraction, or between groups
	commaGroups              // 1,234.5 or 1,234,567: between groups
	pointGroups              // 1.234,5 or 1.234.567: points between groups, a comma before the fraction
	blankGroups              // 1 234,5 or 1 234.5
)

// groupMarks are what stands between groups of digits other than commas and points: blanks, also
// those that do not break lines, and the apostrophe of Switzerland.
const groupMarks = " \u00a0\u202f'"

// shapeOf finds out how a field writes a number.
func shapeOf(field string) shape {
	if plainMarks(field) {
		return notWritten
	}
	s := strings.TrimLeft(field, "+-")
	if s == "" || s[0] < '0' || s[0] > '9' {
		if len(s) < 2 || s[0] != ',' {
			return notWritten
		}
	}
	s, _, _ = strings.Cut(strings.ToLower(s), "e")
	switch points, commas := strings.Count(s, "."), strings.Count(s, ","); {
	case strings.ContainsAny(s, groupMarks):
		mark := firstMark(s)
		whole, _, _ := strings.Cut(strings.Replace(s, ",", ".", 1), ".")
		if points+commas <= 1 && groups(whole, string(mark)) && digits(strings.NewReplacer(string(mark), "", ".", "", ",", "").Replace(s)) {
			return blankGroups
		}
	case !digits(strings.NewReplacer(",", "", ".", "").Replace(s)):
	case commas == 1 && points == 0:
		if groups(s, ",") {
			return commaEither
		}
		return commaPart
	case commas >= 1 && points <= 1:
		whole, _, _ := strings.Cut(s, ".")
		if groups(whole, ",") && !strings.Contains(s[len(whole):], ",") {
			return commaGroups
		}
		if whole, _, _ := strings.Cut(s, ","); commas == 1 && groups(whole, ".") {
			return pointGroups
		}
	case points >= 2 && commas <= 1:
		if whole, part, _ := strings.Cut(s, ","); groups(whole, ".") && !strings.Contains(part, ".") {
			return pointGroups
		}
	}
	return notWritten
}

// plainMarks reports whether a field is written as programs write numbers: no comma, nothing that
// groups digits, and at most one point.
func plainMarks(field string) bool {
	points := 0
	for _, c := range []byte(field) {
		switch {
		case c == '.':
			points++
		case c == ',', c == ' ', c == '\'', c >= 0x80:
			return false
		}
	}
	return points < 2
}

// firstMark is the first mark between groups in a field, which has one.
func firstMark(field string) rune {
	for _, r := range field {
		if strings.ContainsRune(groupMarks, r) {
			return r
		}
	}
	return 0
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// groups reports whether digits are in groups of three behind the first, which has one to three and
// does not begin with 0.
func groups(s, mark string) bool {
	parts := strings.Split(s, mark)
	if len(parts) < 2 || len(parts[0]) > 3 || !digits(parts[0]) || parts[0][0] == '0' {
		return false
	}
	for _, p := range parts[1:] {
		if len(p) != 3 || !digits(p) {
			return false
		}
	}
	return true
}

// writing counts the fields of a table by shape.
type writing struct {
	count   [blankGroups + 1]int
	example [blankGroups + 1]string
	mark    rune
}

func (w *writing) look(field string) {
	k := shapeOf(field)
	if w.count[k]++; w.count[k] == 1 {
		w.example[k] = field
	}
	if k == blankGroups && w.mark == 0 {
		w.mark = firstMark(field)
	}
}

// numbers decides how the numbers are written. example is one of them, "" if all are as programs
// write them.
func (w *writing) numbers(comma rune) (n Numbers, example string) {
	switch c := &w.count; {
	case c[pointGroups] > 0:
		return Numbers{Comma: true, Group: '.'}, w.example[pointGroups]
	case c[blankGroups] > 0:
		return Numbers{Comma: c[commaPart]+c[commaEither] > 0 || strings.Contains(w.example[blankGroups], ","), Group: w.mark}, w.example[blankGroups]
	case c[commaGroups] > 0 && c[commaPart] == 0:
		return Numbers{Group: ','}, w.example[commaGroups]
	case c[commaPart] > 0:
		return Numbers{Comma: true}, w.example[commaPart]
	case c[commaEither] > 0 && comma == ',':
		return Numbers{Group: ','}, w.example[commaEither]
	case c[commaEither] > 0:
		return Numbers{Comma: true}, w.example[commaEither]
	}
	return Numbers{}, ""
}

// plain writes a number as programs do; other fields, and plain numbers, stay as they are.
func (n Numbers) plain(field string) string {
	if n.Truth {
		if v := truth(field); v != "" {
			return v
		}
	}
	if n.Signs {
		field, _ = unsigned(field)
	}
	if n == (Numbers{}) || shapeOf(field) == notWritten {
		if n.Comma && n.Group == '.' && groups(strings.TrimLeft(field, "+-"), ".") {
			return strings.ReplaceAll(field, ".", "") // 1.234 beside 1.234,5
		}
		return field
	}
	if n.Group != 0 {
		field = strings.ReplaceAll(field, string(n.Group), "")
	}
	if n.Comma {
		field = strings.Replace(field, ",", ".", 1)
	}
	return field
}

// Value reads a field as a number as strconv does, and as the table writes numbers. A number beyond
// the largest float64 gives an infinity and no error.
func (n Numbers) Value(field string) (float64, error) {
	if len(field) == 1 && field[0] >= '0' && field[0] <= '9' {
		return float64(field[0] - '0'), nil
	}
	field = strings.TrimSpace(field)
	if v, ok := n.decimal(field); ok {
		return v, nil
	}
	v, err := strconv.ParseFloat(n.plain(field), 64)
	if err != nil && math.IsInf(v, 0) {
		err = nil
	}
	return v, err
}

// decimal reads a field that [decimal] reads as a whole; ok is false for another one.
func (n Numbers) decimal(field string) (v float64, ok bool) {
	var b [32]byte // more than decimal reads of most numbers
	if !n.asPrograms() || len(field) > len(b) {
		return 0, false
	}
	v, end, ok := decimal(b[:copy(b[:], field)], 0)
	return v, ok && end == len(field)
}

// asPrograms reports whether digits, points and exponents alone mean what they do in programs.
func (n Numbers) asPrograms() bool { return !n.Comma && n.Group == 0 }

// isNumber reports whether a field is a finite number as the table writes them.
func (n Numbers) isNumber(field string) (v float64, ok bool) {
	if v, ok = n.decimal(field); ok {
		return v, true
	}
	return lexical.Number(n.plain(field))
}

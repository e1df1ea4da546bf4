package table

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// dateFormats are the formats that Excel knows by numbers and that show days.
var dateFormats = []int{14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58}

// readStyles finds out which styles of cells show a number as a date. A spreadsheet whose styles
// cannot be read has none.
func (s *sheet) readStyles() {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if s.files["xl/styles.xml"] == nil || s.parse("xl/styles.xml", &styles) != nil {
		return
	}
	dates := make(map[int]bool)
	for _, id := range dateFormats {
		dates[id] = true
	}
	for _, f := range styles.Formats {
		dates[f.ID] = isDateFormat(f.Code)
	}
	for _, c := range styles.Cells {
		s.dates = append(s.dates, dates[c.Format])
	}
}

// isDateFormat reports whether a format shows a day or a year: a y or a d outside quotes, brackets
// and escapes.
func isDateFormat(code string) bool {
	quoted, bracketed := false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i] | 0x20; {
		case code[i] == '"':
			quoted = !quoted
		case quoted:
		case code[i] == '\\' || code[i] == '_' || code[i] == '*':
			i++
		case code[i] == '[':
			bracketed = true
		case code[i] == ']':
			bracketed = false
		case !bracketed && (c == 'y' || c == 'd'):
			return true
		}
	}
	return false
}

// date writes the number of a cell as the date that its style shows. Day 1 is 1 January 1900, and
// day 60 the 29th of February of that year, which never was; or day 0 is 1 January 1904. A number
// that is no day stays as it is.
func (s *sheet) date(value, style string) string {
	k, err := strconv.Atoi(style)
	if err != nil || k < 0 || k >= len(s.dates) || !s.dates[k] {
		return value
	}
	days, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	const last = 2958466 // the first day of the year 10000
	first, from := 1.0, time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case s.from1904:
		first, from = 0, time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		from = from.AddDate(0, 0, 1)
	case days < 61:
		return value
	}
	if err != nil || !(days >= first && days < last) {
		return value
	}
	whole, part := math.Modf(days)
	return lexical.Moment(from.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round(part*86400)) * time.Second))
}

// Package spreadsheet keeps text from being run as a formula when a CSV file is opened in a
// spreadsheet, and takes that back when the file is read.
package spreadsheet

import (
	"regexp"
	"strings"
)

// Mark is the head of the column of a table whose texts are escaped: of its rows with a cell that
// was changed the value is Changed.
const (
	Mark    = "escaped"
	Changed = "yes"
)

// starts are the characters that begin a formula, with those that a spreadsheet skips or widens.
const starts = "=+-@\t\r\n＝＋－＠"

var number = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// runs says whether a spreadsheet may run a text, or a text that Escape has made of one.
func runs(text string) bool {
	rest := strings.TrimLeft(text, "'")
	return rest != "" && strings.ContainsAny(firstRune(rest), starts) && (len(rest) < len(text) || !number.MatchString(text))
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// Escape puts an apostrophe before a text that a spreadsheet may run. Numbers stay numbers. A text
// that has apostrophes there gets one more, so that Unescape gives each text back.
func Escape(text string) string {
	if runs(text) {
		return "'" + text
	}
	return text
}

// Unescape takes back what Escape did.
func Unescape(text string) string {
	if rest, has := strings.CutPrefix(text, "'"); has && runs(text) {
		return rest
	}
	return text
}

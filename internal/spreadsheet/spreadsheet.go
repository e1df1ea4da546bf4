// Package spreadsheet keeps text from being run as a formula when a CSV file is opened in a
// spreadsheet, and takes that back when the file is read.
package spreadsheet

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/pattern"
)

// A table with a cell that [Escape] changed says so, and only then can [Unescape] be applied to
// what is read: a text of another table may begin with an apostrophe of its own.
const (
	// Mark is the head of a last column, whose value is Changed in the rows with a cell that was
	// changed.
	Mark    = "escaped"
	Changed = "yes"
	// MarkedID is the head of a column of names some of which were changed, in place of "id": for
	// tables whose other columns are numbers.
	MarkedID = "escaped id"
)

// starts are the characters that begin a formula, with those that a spreadsheet skips or widens.
const starts = "=+-@\t\r\n＝＋－＠"

var number = pattern.Lazy(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// runs says whether a spreadsheet may run a text, or a text that Escape has made of one.
func runs(text string) bool {
	rest := strings.TrimLeft(text, "'")
	return rest != "" && strings.ContainsAny(firstRune(rest), starts) && (len(rest) < len(text) || !number().MatchString(text))
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

// Changes reports whether Escape changes one of the texts.
func Changes(texts ...string) bool {
	return slices.ContainsFunc(texts, runs)
}

// Unescape takes back what Escape did.
func Unescape(text string) string {
	if rest, has := strings.CutPrefix(text, "'"); has && runs(text) {
		return rest
	}
	return text
}

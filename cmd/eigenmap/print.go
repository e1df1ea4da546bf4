package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"
)

// printJSON prints v as the one JSON object of a run.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// printable replaces what a terminal would obey instead of showing it: control characters, but for
// the ends of lines and tabs, and marks that turn the direction of text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || r == utf8.RuneError) {
			return '?'
		}
		return r
	}, s)
}

// oneCell keeps a text within its cell of a table.
var oneCell = strings.NewReplacer("\n", " ", "\t", " ")

// table prints rows with aligned columns. Errors of standard output show when it is flushed.
func (a *app) table(rows [][]string) {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		for i, text := range r {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, oneCell.Replace(printable(text)))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

func (a *app) printf(format string, args ...any) {
	fmt.Fprint(a.stdout, printable(fmt.Sprintf(format, args...)))
}

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
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

// printable replaces what a terminal would obey instead of showing it: control characters, but for the ends of lines and tabs, and marks that turn the direction of text.
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

// numbers is a list of float64 that JSON can always hold: what is not finite becomes null.
type numbers []float64

func (n numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, x := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, x, 'g', -1, 64)
		}
	}
	return append(b, ']'), nil
}

// MarshalJSON keeps milliseconds: more would be noise.
func (t timings) MarshalJSON() ([]byte, error) {
	m := make(map[string]json.Number, len(t.seconds))
	for k, v := range t.seconds {
		m[k] = json.Number(strconv.FormatFloat(v, 'f', 3, 64))
	}
	return json.Marshal(m)
}

func (t timings) String() string {
	parts := make([]string, len(t.names))
	for i, name := range t.names {
		parts[i] = fmt.Sprintf("%s %s", name, seconds(t.seconds[name]))
	}
	return strings.Join(parts, ", ")
}

func seconds(s float64) string {
	switch {
	case s < 0.0995:
		return fmt.Sprintf("%.0f ms", 1000*s)
	case s < 9.95:
		return fmt.Sprintf("%.1f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

func percent(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

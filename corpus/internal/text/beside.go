package text

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/parquet"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

const (
	// longValue is the mean number of bytes above which the values of a column of Parquet are texts,
	// which are not read beside the texts.
	longValue = 200
	// mostValue is the most bytes of a value that are kept, so that long ones can be told from short
	// ones.
	mostValue = 400
)

// needColumns refuses a table that lacks a column that was asked for, whatever its case. A column
// inside another is one by its whole path or the beginning of it.
func needColumns(file *input.File, wanted, names []string) error {
	if len(wanted) == 1 && wanted[0] == columns.None {
		return nil
	}
	for _, w := range wanted {
		has := func(n string) bool {
			return strings.EqualFold(n, w) || len(n) > len(w) && n[len(w)] == '.' && strings.EqualFold(n[:len(w)], w)
		}
		if !slices.ContainsFunc(names, has) {
			return file.Fail("‹page-columns› "+message.Clip(w, 60), "no column has this name; the columns are %s", message.List(names, 12))
		}
	}
	return nil
}

// besideNames are the names of the columns of a table: one without a name has its number, from 1,
// and one whose name an earlier column has, whatever its case, has it behind the name.
func besideNames(t *table.Table) []string {
	names, seen := make([]string, len(t.Columns)), make(map[string]bool, len(t.Columns))
	for j := range t.Columns {
		name := t.Columns[j].Name
		folded := strings.Map(foldCase, name)
		switch {
		case name == "":
			names[j] = "column " + strconv.Itoa(j+1)
		case seen[folded]:
			names[j] = name + " (column " + strconv.Itoa(j+1) + ")"
		default:
			names[j] = name
		}
		seen[folded] = true
	}
	return names
}

// foldCase is the same letter for all letters that [strings.EqualFold] takes for equal.
func foldCase(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// clipped is the beginning of a value.
func clipped(s string) string {
	if len(s) <= mostValue {
		return s
	}
	end := mostValue
	for end > mostValue-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// valuesBeside are the fields of an object, but for text, name and class, that hold a string, a
// number, a truth value or a list of these. A field of an inner object is named by its whole path.
func (f *fields) valuesBeside(raw []byte) (list []counting.Value) {
	raw = finiteJSON(raw)
	if f.scanBeside(raw, "", 0, &list) {
		return list
	}
	var found []field
	list = nil
	if !flatten(raw, "", 0, &found) {
		return nil // the reader of the text says what is wrong
	}
	for _, v := range found {
		f.addBeside(v.name, v.raw, &list)
	}
	return list
}

// scanBeside is valuesBeside of an object inside others by one pass; false if it takes another way.
func (f *fields) scanBeside(raw []byte, prefix string, depth int, list *[]counting.Value) bool {
	return scanObject(raw, func(name, value []byte) bool {
		path := prefix + string(name)
		if value[0] == '{' {
			return depth < deepest && f.scanBeside(value, path+".", depth+1, list)
		}
		f.addBeside(path, value, list)
		return true
	})
}

// addBeside adds the value of a field that has no role.
func (f *fields) addBeside(path string, raw []byte, list *[]counting.Value) {
	for _, own := range append([]string{f.id, f.label}, f.texts...) {
		if own != "" && strings.EqualFold(path, own) {
			return
		}
	}
	if text, present, ok := classOf(bytes.TrimSpace(raw)); ok && present {
		*list = append(*list, counting.Value{Column: path, Text: strings.ToValidUTF8(clipped(text), "\ufffd")})
	}
}

// unitOfTime is what a number of Parquet that is a time counts, in parts of a second.
type unitOfTime int64

// Units of times: noTime is no time, and wholeDays is days.
const (
	noTime    unitOfTime = 0
	wholeDays unitOfTime = -1
)

// timeUnit is the unit of a column of dates, or of times with a date.
func timeUnit(logical parquet.Logical) unitOfTime {
	switch logical.Name {
	case "date":
		return wholeDays
	case "timestamp":
		return unitOfTime(logical.Second)
	}
	return noTime
}

// iso writes a time since 1970 by ISO 8601.
func (u unitOfTime) iso(v int64) string {
	if u == wholeDays {
		return time.Unix(86400*v, 0).UTC().Format(time.DateOnly)
	}
	seconds, rest := v/int64(u), v%int64(u)
	return time.Unix(seconds, rest*int64(1e9/u)).UTC().Format("2006-01-02T15:04:05Z07:00")
}

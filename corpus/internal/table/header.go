package table

import (
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// hasHeader reports whether the first record names columns: it has a word above a number or a list
// of numbers, it begins with the name of a column of ids, it numbers the columns or has years above
// other numbers, or all its fields are words that no row below has and one is the usual name of a
// column, or short above long ones, or all stand above values that recur. A single record is a
// header if all its fields are words.
func (t *Table) hasHeader() bool {
	first := t.first[0].fields
	if len(first) > 1 && slices.Contains(lexical.IDNames, strings.ToLower(strings.TrimSpace(first[0]))) {
		return true
	}
	if len(t.first) > 2 && slices.ContainsFunc(t.first[2].fields, func(f string) bool { return strings.HasPrefix(f, `{"ImportId":`) }) {
		return true // as Qualtrics writes it below two rows of header
	}
	word := func(f string) bool {
		_, number := t.isNumber(strings.TrimSpace(f))
		_, list := lexical.Vector(f)
		return !number && !list && IsWord(f)
	}
	if len(t.first) == 1 {
		if len(first) > 1 && strings.TrimSpace(first[0]) == "" {
			first = first[1:] // the corner, as R and pandas write it
		}
		return !slices.ContainsFunc(first, func(f string) bool { return !word(f) })
	}
	for j, f := range first {
		if word(f) && numeric(t.first[1:], j, word) {
			return true
		}
	}
	if t.corner(word) {
		return true
	}
	return t.namesColumns(first) || t.counting(first) && !t.counting(t.first[1].fields) || t.years() || t.chosen()
}

// years reports whether the first row has words and then years, two or more in equal steps up or
// down, above numbers that are mostly no years. Fewer than four are at most ten years apart: two or
// three prices may be in equal steps by chance.
func (t *Table) years() bool {
	const first, last, fewest, longestStep = 1900, 2100, 4, 10
	year := func(f string) (float64, bool) {
		v, ok := t.isNumber(strings.TrimSpace(f))
		return v, ok && v == math.Trunc(v) && v >= first && v <= last
	}
	head := t.first[0].fields
	start := slices.IndexFunc(head, func(f string) bool { return !IsWord(f) })
	if start < 1 || len(head)-start < 2 {
		return false
	}
	before, step := 0.0, 0.0
	for j, f := range head[start:] {
		v, ok := year(f)
		if !ok || j == 1 && v == before || j > 1 && v-before != step {
			return false
		}
		step, before = v-before, v
	}
	if len(head)-start < fewest && math.Abs(step) > longestStep {
		return false
	}
	numbers, years := 0, 0
	for _, r := range t.first[1:] {
		for _, f := range r.fields[start:] {
			if _, ok := t.isNumber(strings.TrimSpace(f)); ok {
				numbers++
			}
			if _, ok := year(f); ok {
				years++
			}
		}
	}
	return numbers > 0 && 2*years < numbers
}

// hasName reports whether the first row has one of the names in a column that does not have it
// again.
func (t *Table) hasName(names []string) bool {
	known := make(map[string]bool, len(names)) // a model may have many
	for _, name := range names {
		known[strings.ToLower(name)] = true
	}
	for j, f := range t.first[0].fields {
		f = strings.TrimSpace(f)
		is := func(name string) bool { return strings.EqualFold(name, f) }
		if known[strings.ToLower(f)] && IsWord(f) && !slices.ContainsFunc(t.first[1:], func(r row) bool { return is(strings.TrimSpace(r.fields[j])) }) {
			return true
		}
	}
	return false
}

// counting reports whether fields number the columns, as pandas does without names, or are years:
// three whole numbers or more, each one more than the one before. Before them may stand a word or
// an empty field, after them a word. Five numbers or more may go in other equal steps, as
// wavelengths and hours do, and may have more words before them.
func (t *Table) counting(fields []string) bool {
	named := func(f string) bool { return IsWord(f) || strings.TrimSpace(f) == "" }
	start, end := 0, len(fields)
	for start < end && named(fields[start]) {
		start++
	}
	for end > start && named(fields[end-1]) {
		end--
	}
	numbers := make([]float64, end-start)
	for j, f := range fields[start:end] {
		v, ok := t.isNumber(strings.TrimSpace(f))
		if !ok {
			return false
		}
		numbers[j] = v
	}
	if len(numbers) < 3 {
		return false
	}
	step, whole := numbers[1]-numbers[0], true
	for j, v := range numbers {
		if j > 0 && (step == 0 || math.Abs(v-numbers[j-1]-step) > 1e-6*math.Abs(step)) {
			return false
		}
		whole = whole && v == math.Trunc(v) && v >= 0
	}
	return len(numbers) >= 5 || step == 1 && whole && start <= 1 && len(fields)-end <= 1
}

// chosen reports whether the first row names columns of answers to choose from, or of categories:
// in two columns or more each value below it is there several times, and no row has the value of
// the first one again. Fewer other columns whose values recur may have their name among them, such
// as hate beside none.
func (t *Table) chosen() bool {
	const fewest = 10
	first, rows, recur, again, empty := t.first[0].fields, t.first[1:], 0, 0, 0
	if len(rows) < fewest {
		return false
	}
	for j, f := range first {
		if f = strings.TrimSpace(f); f == "" {
			empty++
			continue // another answer to the question before it
		}
		if !IsWord(f) || slices.Contains(first[:j], f) {
			return false
		}
		times := make(map[string]int)
		for _, r := range rows {
			times[strings.TrimSpace(r.fields[j])]++
		}
		once := false
		for v, n := range times {
			once = once || n == 1 && v != ""
		}
		switch recurs := !once && 4*len(times) <= len(rows); {
		case times[f] > 0 && !recurs:
			return false
		case times[f] > 0:
			again++
		case recurs:
			recur++
		}
	}
	return recur >= 2 && again < recur && 2*empty <= len(first)
}

// corner reports whether the first field alone is empty, above a name for every row: the corner of
// a table that names its rows and columns, as R and pandas write it. No other row has a name of a
// column in its place. The names of the rows are words, or numbers that differ below words; numbers
// name columns above names that are words, or where both rise, as the marks of two scales do.
func (t *Table) corner(word func(string) bool) bool {
	first, rows := t.first[0].fields, t.first[1:]
	if len(first) < 2 || strings.TrimSpace(first[0]) != "" || len(rows) < 2 {
		return false
	}
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = strings.TrimSpace(r.fields[0])
	}
	words := true // name the columns
	for j, f := range first[1:] {
		if strings.TrimSpace(f) == "" || slices.Contains(first[1:1+j], f) || !shortName(f) {
			return false
		}
		if slices.ContainsFunc(rows, func(r row) bool { return r.fields[1+j] == f }) {
			return false
		}
		words = words && word(f)
	}
	if !differ(names) {
		return false
	}
	return words || !slices.ContainsFunc(names, func(f string) bool { return !word(f) }) || t.rise(names) && t.rise(first[1:])
}

// shortName reports whether a field is as short as names of columns are.
func shortName(f string) bool { return len(f) <= 40 && len(strings.Fields(f)) <= 3 }

// differ reports whether no field is empty and no two are equal.
func differ(fields []string) bool {
	seen := make(map[string]bool, len(fields))
	for _, f := range fields {
		if f == "" || seen[f] {
			return false
		}
		seen[f] = true
	}
	return true
}

// rise reports whether fields are three numbers or more, each larger than the one before.
func (t *Table) rise(fields []string) bool {
	last := math.Inf(-1)
	for _, f := range fields {
		v, ok := t.isNumber(strings.TrimSpace(f))
		if !ok || v <= last {
			return false
		}
		last = v
	}
	return len(fields) >= 3
}

// numeric reports whether a column holds numbers below the first row: its first value is one, and
// most are.
func numeric(rows []row, j int, word func(string) bool) bool {
	if word(rows[0].fields[j]) {
		return false
	}
	words, missing := 0, 0
	for _, r := range rows {
		switch f := r.fields[j]; {
		case word(f):
			words++
		case lexical.IsMissing(f):
			missing++
		}
	}
	return 2*words < len(rows) && missing < len(rows)
}

// namesColumns reports whether the fields of the first row are names of columns of words.
func (t *Table) namesColumns(first []string) bool {
	known, shorter := false, false
	names := slices.Concat(lexical.TextNames, lexical.LabelNames, lexical.IDNames, lexical.IndexNames[1:])
	seen := make(map[string]bool, len(first))
	for j, f := range first {
		name := strings.TrimSpace(f)
		if !shortName(name) || name != "" && seen[f] {
			return false
		}
		seen[f] = true
		words, rows := 0, t.first[1:]
		for _, r := range rows {
			if r.fields[j] == f && name != "" {
				return false
			}
			for range strings.FieldsSeq(r.fields[j]) {
				words++
			}
		}
		known = known || slices.Contains(names, strings.ToLower(name))
		shorter = shorter || name != "" && words > 4*len(rows)*len(strings.Fields(name))
	}
	return known || shorter
}

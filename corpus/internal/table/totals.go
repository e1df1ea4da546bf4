package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Names of rows that sum up the rows above them, and of those that are their means.
var (
	totalNames = []string{"total", "totals", "grand total", "sum", "all", "overall", "summe", "gesamt", "insgesamt", "gesamtsumme", "somme", "total général", "ensemble",
		"totale", "suma", "total general", "totaal", "totalt", "razem", "celkem", "итого", "всего", "合计", "总计", "合計", "総計", "합계", "총계"}
	meanNames = []string{"average", "avg", "mean", "durchschnitt", "mittelwert", "mittel", "moyenne", "media", "promedio", "média", "gemiddelde", "среднее", "平均"}
)

const (
	// leastSummed is from how many rows on a last one may be their sum.
	leastSummed = 4
	// sumError bounds the rounding of a sum, relative to the sizes of its addends.
	sumError = 1e-4
	// mostTotals is how many such rows are looked for.
	mostTotals = 3
)

// sumWords begin or end the names of rows that sum up a group of rows, such as Total North.
var sumWords = []string{"total", "totals", "subtotal", "subtotals", "sub-total", "sum", "summe", "zwischensumme", "teilsumme", "gesamt", "somme", "sous-total", "totale", "subtotale", "suma",
	"totaal", "subtotaal", "totalt", "delsumma", "delsum", "razem", "celkem", "mezisoučet", "итого", "всего", "小计", "小計", "合计", "合計", "소계", "합계"}

// dropSubtotals leaves out rows of a short table of numbers that sum up groups of rows: those above
// them, up to an earlier such row, or those below them, up to the next one. With them go the rows
// that head or part the groups: they have no number. All rows that are called so are sums, and one
// at least is more than a copy of a row. Where names are as long as texts, which may begin with
// such a word, it is that in two columns.
func (t *Table) dropSubtotals() {
	if !t.ended || len(t.first) < leastSummed {
		return
	}
	need, where := 1, "above"
	if t.longNames() {
		need = 2
	}
	kept, sums, others := t.sumsOf(t.first, need)
	if sums == nil {
		if kept, sums, others = t.sumsBelow(need); sums == nil {
			return
		}
		where = "below"
	}
	more := ""
	if len(others) > 0 {
		more = fmt.Sprintf(", with %s without a number", message.Plural(len(others), t.unit, t.unit+"s"))
	}
	why := fmt.Sprintf("by names and numbers the sums of those %s%s; other names keep them", where, more)
	if !slices.ContainsFunc(sums, func(r row) bool { return sumsGroup(r.fields) }) {
		why = "in all columns of numbers the sums of the groups below them, which are all other rows"
	}
	t.in.Notef("%s (first: %s, %q) left out: %s.", message.Plural(len(sums), t.unit, t.unit+"s"), t.PlaceOf(sums[0].line), message.Clip(firstFilled(sums[0].fields), 40), why)
	t.first, t.Summed = kept, len(sums)+len(others)
}

// sumsOf returns the rows that are kept, those that sum up groups of rows before them in the list,
// and those without a number; no sums if not all rows that are called so are some.
func (t *Table) sumsOf(rows []row, need int) (kept, sums, others []row) {
	starts := []int{0} // of groups among the rows that are kept
	proven := 0        // sums that do not only repeat a row
	for _, r := range rows {
		of := func(start int) bool {
			if len(kept)-start < 2 || !t.isTotal(kept[start:], r.fields) {
				return false
			}
			if t.addends(kept[start:], r.fields) >= need {
				proven++
			}
			return true
		}
		switch {
		case onlyFirst(r.fields, len(r.fields)) || isBlank(r.fields):
			others = append(others, r)
		case len(kept) > 1 && sumsGroup(r.fields) && slices.ContainsFunc(starts, of):
			sums = append(sums, r)
			starts = append(starts, len(kept))
		case sumsGroup(r.fields): // it is a class, or the name of a document
			return nil, nil, nil
		default:
			kept = append(kept, r)
		}
	}
	const least = 2 // groups; a single sum is a total
	if len(sums) < least || proven == 0 {
		return nil, nil, nil
	}
	return kept, sums, others
}

// sumsBelow is sumsOf for sums that stand above their groups: the rows from the last one on. Such
// sums may have other names, as accounts and regions have, if all rows are of such groups.
func (t *Table) sumsBelow(need int) (kept, sums, others []row) {
	turned := slices.Clone(t.first)
	slices.Reverse(turned)
	if kept, sums, others = t.sumsOf(turned, need); sums == nil {
		kept, sums = t.sumsWithoutName()
		return kept, sums, nil
	}
	slices.Reverse(kept)
	slices.Reverse(sums)
	return kept, sums, others
}

// sumsWithoutName returns the rows of a table that is nothing but groups, each headed by a row with
// its sums in all columns of numbers, two or more, without these rows; no sums of another one.
func (t *Table) sumsWithoutName() (kept, sums []row) {
	const largest = 200 // rows of a group
	for i := 0; i < len(t.first); {
		end := i + 3
		for end <= len(t.first) && !t.sumsAll(t.first[i+1:end], t.first[i].fields) {
			if end++; end-i > largest {
				return nil, nil
			}
		}
		if end > len(t.first) {
			return nil, nil
		}
		sums, kept = append(sums, t.first[i]), append(kept, t.first[i+1:end]...)
		i = end
	}
	const least = 2 // sums
	if len(sums) < least {
		return nil, nil
	}
	return kept, sums
}

// sumsAll reports whether a row has the sums of others in all columns in which it has numbers.
func (t *Table) sumsAll(rows []row, fields []string) bool {
	numbers := 0
	for _, f := range fields {
		if _, ok := t.isNumber(strings.TrimSpace(f)); ok {
			numbers++
		}
	}
	const fewest = 2 // columns of numbers
	return numbers >= fewest && t.addends(rows, fields) == numbers
}

// longNames reports whether the first fields of rows have four words or more on average.
func (t *Table) longNames() bool {
	const words = 4
	n := 0
	for _, r := range t.first {
		n += len(strings.Fields(firstFilled(r.fields)))
	}
	return n >= words*len(t.first)
}

// addends is the number of columns in which a row is the sum of two or more numbers that are not 0.
func (t *Table) addends(rows []row, fields []string) (columns int) {
	for j, f := range fields {
		v, ok := t.isNumber(strings.TrimSpace(f))
		if !ok {
			continue
		}
		sum, size, n := 0.0, 0.0, 0
		for _, r := range rows {
			if u, ok := t.isNumber(strings.TrimSpace(r.fields[j])); ok && u != 0 {
				sum, size, n = sum+u, size+math.Abs(u), n+1
			}
		}
		if n > 1 && math.Abs(v-sum) <= sumError*size {
			columns++
		}
	}
	return columns
}

// sumsGroup reports whether a row is called a total, or the total of a group.
func sumsGroup(fields []string) bool {
	name := plainName(firstFilled(fields))
	words := strings.Fields(name)
	is := func(word string) bool { return slices.Contains(sumWords, strings.Trim(word, ":()")) }
	return slices.Contains(totalNames, name) || len(words) > 0 && (is(words[0]) || is(words[len(words)-1]))
}

// firstFilled is the first field of a row that is not blank, "" if all are.
func firstFilled(fields []string) string {
	for _, f := range fields {
		if f = strings.TrimSpace(f); f != "" {
			return f
		}
	}
	return ""
}

// isBlank reports whether no field of a row is filled.
func isBlank(fields []string) bool { return firstFilled(fields) == "" }

// dropTotals leaves out the last rows of a short table that are called total, sum, mean or the like
// and are that of the rows above them, in half of the columns of numbers or more.
func (t *Table) dropTotals() {
	if !t.ended {
		return
	}
	last := len(t.first)
	for last > 0 && len(t.first)-last < mostTotals && totalName(t.first[last-1].fields) != "" {
		last--
	}
	if last == len(t.first) || last < leastSummed {
		return
	}
	for _, r := range t.first[last:] {
		again := func(above row) bool { return plainName(totalName(above.fields)) == plainName(totalName(r.fields)) }
		if slices.ContainsFunc(t.first[:last], again) { // it is a class
			return
		}
		if !t.isTotal(t.first[:last], r.fields) {
			return
		}
	}
	name := totalName(t.first[last].fields)
	where, rows := "The last "+t.unit, t.PlaceOf(t.first[last].line)
	if n := len(t.first) - last; n > 1 {
		where, rows = fmt.Sprintf("The last %d %ss", n, t.unit), "from "+rows
	}
	t.in.Notef("%s (%s, %q) left out: by name and numbers the total or mean of those above; another name keeps it.", where, rows, message.Clip(name, 40))
	t.Summed += len(t.first) - last
	t.first = t.first[:last]
}

// totalName is the first filled field of a row, if it is the name of a total or a mean.
func totalName(fields []string) string {
	f := firstFilled(fields)
	name := plainName(f)
	before, _, of := strings.Cut(name, ":") // as in Total: Search
	if slices.Contains(totalNames, name) || slices.Contains(meanNames, name) || of && slices.Contains(sumWords, strings.TrimSpace(before)) {
		return f
	}
	return ""
}

// plainName is a name in lower case without the marks around it.
func plainName(f string) string { return strings.ToLower(strings.Trim(f, " \t:*.=—–-Σ")) }

// isTotal reports whether a row is the sum of others, or their mean as its name says.
func (t *Table) isTotal(rows []row, fields []string) bool {
	means := slices.Contains(meanNames, plainName(totalName(fields)))
	equal, columns := 0, 0
	for j, f := range fields {
		v, ok := t.isNumber(strings.TrimSpace(f))
		if !ok {
			continue
		}
		sum, size, n := 0.0, 0.0, 0
		least, most := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			if u, ok := t.isNumber(strings.TrimSpace(r.fields[j])); ok {
				sum, size, n = sum+u, size+math.Abs(u), n+1
				least, most = min(least, u), max(most, u)
			}
		}
		if 2*n < len(rows) || v == least && v == most && (means || v == 0) { // of which any row is the total
			continue
		}
		columns++
		want, near := sum, sumError*size
		if means {
			want, near = sum/float64(n), 1e-2*size/float64(n)
		}
		if size > 0 && math.Abs(v-want) <= near {
			equal++
		}
	}
	return equal > 0 && 2*equal >= columns
}

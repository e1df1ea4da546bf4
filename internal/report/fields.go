package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/internal/dates"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/methods/labels"
)

// The kinds of fields.
const (
	WordField   = "words"
	NumberField = "number"
	TimeField   = "time"
)

const (
	// MaxFields is the largest number of fields on a page.
	MaxFields = 20
	// ColumnsBytes is the most that the columns of a corpus may take while they are read.
	ColumnsBytes = 512 << 20
	// maxNames is the largest number of words of a field that have a name on the page; the others
	// are one more, "other".
	maxNames = 200
	// few is how many words may have a name even if each is of one document alone.
	few = 12
	// maxName is the most characters of such a name.
	maxName = 60
	// fieldColors is how many names of a field have a colour of their own.
	fieldColors = 24
	// fieldBytes is the most that the packed fields take of a page.
	fieldBytes = packedBytes / 3
)

// Field is a column of the corpus, beside the texts, by which the page colours and filters the
// documents.
type Field struct {
	Name string
	Kind string // WordField, NumberField or TimeField
	// Of is the word of each document, an index of Names; -1 for none. Of numbers it is nil.
	Of    []int
	Names []string // the commonest first
	Other bool     // the last of Names stands for all further words
	// Values are numbers, and times in seconds since 1970; NaN for none. Of words they are nil.
	Values []float64
	// Colors is the number of the colour of each of Names, -1 for grey; nil: the commonest have one
	// each, in their order.
	Colors []int
	// Terms are the terms of each of Names, if the names are the clusters of another division of the
	// documents, whose numbers are Colors: labels on the map are then theirs. nil of other fields.
	Terms [][]string
	// Main says that these are the times of the documents, by which the page has a timeline.
	Main bool

	decimals int  // of all numbers; -1: more than can be told
	days     bool // the times are whole days
}

const daySeconds = 86400

// NewField makes a field of the words of a column: of[i] is the number of document i's word, -1 for
// none. Words that are numbers, or dates, are a scale; others are groups. nil: there is nothing to
// tell the documents apart by, as all have one word, or nearly each its own.
func NewField(name string, words []string, of []int32) *Field {
	if len(words) == 0 {
		return nil
	}
	counts := make([]int, len(words))
	present := 0
	for _, k := range of {
		if k >= 0 {
			counts[k]++
			present++
		}
	}
	if len(words) == 1 && present == len(of) {
		return nil
	}
	f := &Field{Name: oneLine(name, maxName)}
	values, read := numbersOf(words)
	f.Kind = NumberField
	if !mostly(read, counts) {
		f.Kind = TimeField
		if values, read = timesOf(words); !mostly(read, counts) {
			f.Kind = WordField
		}
	}
	if f.Kind != WordField {
		f.Values = make([]float64, len(of))
		for i, k := range of {
			if f.Values[i] = math.NaN(); k >= 0 {
				f.Values[i] = values[k]
			}
		}
		f.settle()
		return f
	}
	number := f.group(words, counts, present)
	if number == nil {
		return nil
	}
	f.Of = make([]int, len(of))
	for i, k := range of {
		if f.Of[i] = -1; k >= 0 {
			f.Of[i] = number[k]
		}
	}
	return f
}

// NewNumbers makes a field of a column of numbers; nil if all documents have one number.
func NewNumbers(name string, values []float64) *Field {
	if len(values) == 0 || slices.Min(values) == slices.Max(values) {
		return nil
	}
	f := &Field{Name: oneLine(name, maxName), Kind: NumberField, Values: values}
	f.settle()
	return f
}

// group chooses the names of a field of words, and returns the number of each word among them; nil
// if fewer than a fifth of the documents with a word share theirs with another document. Words that
// are the same on one short line are one.
func (f *Field) group(words []string, counts []int, present int) (number []int) {
	at := make(map[string]int, len(words))
	var names []string
	var sizes []int
	number = make([]int, len(words))
	for k, word := range words {
		name := oneLine(word, maxName)
		if _, known := at[name]; !known {
			at[name] = len(names)
			names, sizes = append(names, name), append(sizes, 0)
		}
		number[k] = at[name]
		sizes[number[k]] += counts[k]
	}
	order := indices.By(len(names), func(a, b int) int { return cmp.Or(sizes[b]-sizes[a], strings.Compare(names[a], names[b])) })
	covered, rank := 0, make([]int, len(names))
	for _, k := range order {
		if sizes[k] > 1 && len(f.Names) < maxNames || len(names) <= few {
			rank[k] = len(f.Names)
			f.Names = append(f.Names, names[k])
			covered += sizes[k]
		} else {
			rank[k], f.Other = -1, true
		}
	}
	if 5*covered < present {
		return nil
	}
	if f.Other {
		f.Names = append(f.Names, "other")
	}
	for k := range number {
		if number[k] = rank[number[k]]; number[k] < 0 {
			number[k] = len(f.Names) - 1
		}
	}
	return number
}

// TimesField makes the field of the times of the documents, the zero time for one without.
func TimesField(name string, times []time.Time) *Field {
	f := &Field{Name: oneLine(name, maxName), Kind: TimeField, Values: make([]float64, len(times)), Main: true}
	for i, t := range times {
		if f.Values[i] = math.NaN(); !t.IsZero() {
			f.Values[i] = secondsOf(t)
		}
	}
	f.settle()
	return f
}

// mostly reports whether nine tenths of the words that documents have were read.
func mostly(read []bool, counts []int) bool {
	all, good := 0, 0
	for k, n := range counts {
		if all += n; read[k] {
			good += n
		}
	}
	return good > 0 && 10*good >= 9*all
}

// isCode reports whether a word of digits is a code and no number: it has a zero in front, as a
// postal code may, or more digits than a number on the page.
func isCode(word string) bool {
	const most = 15
	return len(word) > 1 && strings.Trim(word, "0123456789") == "" && (word[0] == '0' || len(word) > most)
}

// numbersOf reads numbers; NaN for a word that is none. Of a column with a code none is read.
func numbersOf(words []string) (values []float64, read []bool) {
	values, read = make([]float64, len(words)), make([]bool, len(words))
	if slices.ContainsFunc(words, isCode) {
		return values, read
	}
	for k, word := range words {
		v, err := strconv.ParseFloat(word, 64)
		if read[k] = err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) && !strings.ContainsAny(word, "xX_"); !read[k] {
			v = math.NaN()
		}
		values[k] = v
	}
	return values, read
}

// timesOf reads dates and times; NaN for a word that is none. Of a column whose first words are
// none it reads no more of them.
func timesOf(words []string) (values []float64, read []bool) {
	const looked = 40
	values, read = make([]float64, len(words)), make([]bool, len(words))
	some := words[:min(looked, len(words))]
	if _, first, err := dates.Read(some); len(words) > looked && err == nil {
		good := 0
		for _, ok := range first {
			if ok {
				good++
			}
		}
		if 2*good < len(first) {
			return values, read
		}
	}
	times, read, err := dates.Read(words)
	if err != nil {
		return values, make([]bool, len(words))
	}
	for k, ok := range read {
		if values[k] = math.NaN(); ok {
			values[k] = secondsOf(times[k])
		}
	}
	return values, read
}

// secondsOf is a time on the clock of its own zone, in seconds since 1970, by which the page shows
// the day on which a document was written where it was written.
func secondsOf(t time.Time) float64 {
	_, offset := t.Zone()
	return float64(t.Unix() + int64(offset))
}

// settle finds the decimals of the values.
func (f *Field) settle() {
	const most = 4
	f.decimals = 0
	for _, v := range f.Values {
		for f.decimals <= most && !math.IsNaN(v) {
			scaled := v * math.Pow10(f.decimals)
			if math.Abs(scaled) < 1e15 && math.Abs(scaled-math.Round(scaled)) <= 1e-9*max(1, math.Abs(scaled)) {
				break
			}
			f.decimals++
		}
	}
	if f.decimals > most {
		f.decimals = -1
	}
	f.days = f.Kind == TimeField && !slices.ContainsFunc(f.Values, func(v float64) bool { return math.Mod(v, daySeconds) != 0 && !math.IsNaN(v) })
}

// at are the values of some documents.
func (f *Field) at(rows []int) *Field {
	s := *f
	s.Of, s.Values = labels.Pick(f.Of, rows), labels.Pick(f.Values, rows)
	return &s
}

// column describes how the values of a field of numbers are packed: each exactly, if they are
// multiples of a power of ten and not too far apart, else to a part in four thousand million of
// their range.
func (f *Field) column(name string) column {
	low, high := bounds(f.Values)
	if f.decimals >= 0 {
		unit := 1 / math.Pow10(f.decimals)
		if f.days {
			unit = daySeconds
		}
		steps := math.Round((high - low) / unit)
		for _, bits := range []int{8, 16, 32} {
			if most := math.Pow(2, float64(bits)) - 2; steps <= most {
				return column{Name: name, Bits: bits, Low: low, High: low + most*unit, Decimals: f.decimals}
			}
		}
	}
	return column{Name: name, Bits: 32, Low: low, High: high, Decimals: -1}
}

// pageField is a field for the script.
type pageField struct {
	Name     string     `json:"name"`
	Kind     string     `json:"kind"`
	Names    []string   `json:"names,omitempty"`
	Other    bool       `json:"other,omitempty"`
	Colors   []int      `json:"colors,omitempty"`
	Terms    [][]string `json:"terms,omitempty"`
	Decimals int        `json:"decimals"`
	Days     bool       `json:"days,omitempty"` // times are whole days
	Main     bool       `json:"main,omitempty"`
}

// fieldKey is the name of the column of a field.
func fieldKey(k int) string { return "f" + strconv.Itoa(k) }

// fieldsOf describes fields to the script.
func fieldsOf(fields []*Field) (list []pageField) {
	for _, f := range fields {
		list = append(list, pageField{f.Name, f.Kind, f.Names, f.Other, f.Colors, f.Terms, f.decimals, f.days, f.Main})
	}
	return list
}

// fitting are as many of the fields, the first ones, as take no more than their part of the page.
// left counts the others. The times of the documents come first.
func (d *Documents) fitting() (fields []*Field, left int) {
	if d.chosen == nil {
		d.chosen = d.choose()
	}
	return d.chosen, len(d.Fields) - len(d.chosen)
}

func (d *Documents) choose() []*Field {
	all := append(make([]*Field, 0, len(d.Fields)), d.Fields...)
	slices.SortStableFunc(all, func(a, b *Field) int {
		switch {
		case a.Main == b.Main:
			return 0
		case a.Main:
			return -1
		}
		return 1
	})
	bytes, n := 0, len(Rows(d.Len()))
	for k, f := range all {
		bits := 8
		if f.Values != nil {
			bits = f.column("").Bits
		}
		if bytes += n * bits / 8; k >= MaxFields || bytes > fieldBytes {
			return all[:k]
		}
	}
	return all
}

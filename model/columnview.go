package model

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/dates"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The kinds of [ColumnView].
const (
	KindCategory = "category"
	KindNumber   = "number"
	KindDate     = "date"
)

const (
	// mostValues is the largest number of values of a category that count.
	mostValues = 100
	// fewWhole is the largest number of different whole numbers that are categories.
	fewWhole = 10
	// quantileSteps is the number of steps between the quantiles of a column of numbers.
	quantileSteps = 100
	// mostOfKind is the share of the values that are numbers, or dates, of a column of these.
	mostOfKind = .95
	// fewRows is the number of documents below which numbers that differ are not taken for names.
	fewRows = 20
)

// ColumnView says how the values of a column beside the texts become numbers of a row, which have
// length 1 together, or are zeros for a document without a value.
//
// A category has a number for each of its values, 1 for the document's own: the product of two
// documents is 1 if they have one value and else 0. A number, or a date in seconds since 1970, is
// replaced by the share u of the documents that have a smaller one, and has the two numbers
// cos(πu/2) and sin(πu/2): the product falls from 1 for neighbours in rank to 0 for the smallest
// and the largest value.
type ColumnView struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // [KindCategory], [KindNumber] or [KindDate]
	// Values are those of a category that at least two documents have, the most frequent first, at
	// most 100; a document with another one counts as one without.
	Values []string `json:"values,omitempty"`
	// Quantiles are at most 101 of the values of a number or a date, ascending.
	Quantiles []float64 `json:"quantiles,omitempty"`
	// Example is a date that says whether the day or the month stands first; "" if none has to.
	Example string `json:"example,omitempty"`
	// Mean is the mean of the numbers of documents with a value.
	Mean []float64 `json:"mean"`
	// Agreement says how much nearer than others the values of documents are whose texts are
	// neighbours: 0 as by chance, 1 equal. Weight is the square of the length of the numbers in a row,
	// where that of the other views together is 1.
	Agreement float64 `json:"agreement"`
	Weight    float64 `json:"weight"`
}

// NewColumnView finds out the kind of a column, unless it is given, and how its values become
// numbers. Words that are at most ten different whole numbers are a category; Values are numbers.
// O(values·log values).
//
// Errors (fs.ErrInvalid), as the end of a sentence: no document has a value, the values are names
// of single documents or none of the given kind, or the dates read two ways.
func NewColumnView(c *corpus.Column, kind string) (*ColumnView, error) {
	v := &ColumnView{Name: c.Name, Kind: kind}
	counts := counted(c)
	present := 0
	for _, n := range counts {
		present += n
	}
	if present == 0 {
		return nil, invalid.Errorf("no document has a value in it")
	}
	if kind == "" {
		if err := v.choose(c, counts, present); err != nil {
			return nil, err
		}
	}
	if v.Kind == KindCategory {
		return v, v.takeValues(c, counts, present)
	}
	numbers, err := v.numbers(c)
	if err != nil {
		return nil, err
	}
	var all []float64
	for i, x := range numbers {
		for range counts[i] {
			if !math.IsNaN(x) {
				all = append(all, x)
			}
		}
	}
	if len(all) == 0 {
		return nil, invalid.Errorf("none of its values is a %s", v.Kind)
	}
	slices.Sort(all)
	if kind == "" && v.Kind == KindNumber && numbersDocuments(all) {
		return nil, invalid.Errorf("it numbers the documents, which tells nothing of them; =number behind its name takes it nevertheless")
	}
	v.Quantiles = all
	if len(all) > quantileSteps+1 {
		v.Quantiles = make([]float64, quantileSteps+1)
		for q := range v.Quantiles {
			v.Quantiles[q] = all[q*(len(all)-1)/quantileSteps]
		}
	}
	return v, nil
}

// counted is how many documents have each of the words of a column; of a column of numbers, 1 for
// each document with one.
func counted(c *corpus.Column) []int {
	if c.Values != nil {
		counts := make([]int, len(c.Values))
		for i, x := range c.Values {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				counts[i] = 1
			}
		}
		return counts
	}
	counts := make([]int, len(c.Words))
	for _, k := range c.Of {
		if k >= 0 {
			counts[k]++
		}
	}
	return counts
}

// choose finds out the kind: numbers or dates if nearly all values are, else a category.
func (v *ColumnView) choose(c *corpus.Column, counts []int, present int) error {
	for _, v.Kind = range []string{KindNumber, KindDate} {
		numbers, err := v.numbers(c)
		if err != nil {
			return err
		}
		read := 0
		for i, x := range numbers {
			if !math.IsNaN(x) {
				read += counts[i]
			}
		}
		if float64(read) < mostOfKind*float64(present) {
			continue
		}
		if v.Kind == KindNumber && c.Values == nil && fewWholes(numbers) {
			break
		}
		return nil
	}
	v.Kind, v.Example = KindCategory, ""
	return nil
}

// fewWholes reports whether the numbers of the words of a column are whole and few.
func fewWholes(numbers []float64) bool {
	n := 0
	for _, x := range numbers {
		if math.IsNaN(x) {
			continue
		}
		if n++; x != math.Trunc(x) || n > fewWhole {
			return false
		}
	}
	return true
}

// takeValues keeps the values of a category.
func (v *ColumnView) takeValues(c *corpus.Column, counts []int, present int) error {
	if c.Values != nil {
		return invalid.Errorf("it is a column of numbers")
	}
	type value struct {
		word string
		n    int
	}
	var list []value
	different := 0
	for k, n := range counts {
		if n > 0 {
			different++
		}
		if n > 1 {
			list = append(list, value{c.Words[k], n})
		}
	}
	if 2*different > present && different > 1 {
		return invalid.Errorf("%d of its %d values differ, so that they are names of documents and no categories", different, present)
	}
	slices.SortFunc(list, func(a, b value) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.word, b.word)) })
	for _, of := range list[:min(len(list), mostValues)] {
		v.Values = append(v.Values, of.word)
	}
	if v.Values == nil { // of a single document
		v.Values = []string{c.Words[slices.IndexFunc(counts, func(n int) bool { return n > 0 })]}
	}
	return nil
}

// numbersDocuments reports whether ascending numbers are whole and all different with few gaps, as
// those that count documents are.
func numbersDocuments(all []float64) bool {
	n := len(all)
	if n < fewRows || all[n-1]-all[0] >= 2*float64(n) {
		return false
	}
	for i, x := range all {
		if x != math.Trunc(x) || i > 0 && x == all[i-1] {
			return false
		}
	}
	return true
}

// numbers are the numbers or times of the words of a column, or of each document of a column of
// numbers; NaN for another word.
func (v *ColumnView) numbers(c *corpus.Column) ([]float64, error) {
	if c.Values != nil {
		return c.Values, nil
	}
	out := make([]float64, len(c.Words))
	if v.Kind == KindNumber {
		for k, w := range c.Words {
			x, err := strconv.ParseFloat(w, 64)
			if out[k] = x; err != nil || math.IsInf(x, 0) {
				out[k] = math.NaN()
			}
		}
		return out, nil
	}
	list := c.Words
	if v.Example != "" {
		list = append(slices.Clone(list), v.Example)
	}
	times, read, err := dates.Read(list)
	var twoWays *dates.TwoWaysError
	if errors.As(err, &twoWays) {
		return nil, invalid.Errorf("%s: write its dates as 2026-11-28", err)
	} else if err != nil {
		return nil, err
	}
	for k := range out {
		if out[k] = math.NaN(); read[k] {
			out[k] = float64(times[k].Unix()) + float64(times[k].Nanosecond())/float64(time.Second)
		}
	}
	if v.Example == "" {
		v.Example = decides(c.Words)
	}
	return out, nil
}

// looked is the most words among which one is looked for that says how dates read.
const looked = 10_000

// decides is a word by which a date that reads two ways reads one way; "" if there is none.
func decides(list []string) string {
	const open = "3/4/2020"
	for _, w := range list[:min(len(list), looked)] {
		if _, read, err := dates.Read([]string{w, open}); err == nil && read[0] && read[1] {
			return w
		}
	}
	return ""
}

// Width is how many numbers of a row it makes.
func (v *ColumnView) Width() int {
	if v.Kind == KindCategory {
		return len(v.Values)
	}
	return 2
}

// Encode writes the numbers of the documents' values into the columns of x from first on, which are
// zeros. Of a column of numbers those are values of a category that its values write. Errors
// (fs.ErrInvalid): dates that read another way than those that it was made of.
func (v *ColumnView) Encode(c *corpus.Column, x *mat.Dense, first int) error {
	if v.Kind == KindCategory {
		v.encodeCategory(c, x, first)
		return nil
	}
	numbers, err := v.numbers(c)
	if err != nil {
		return err
	}
	n, _ := x.Dims()
	for i := range n {
		k := i
		if c.Values == nil {
			if k = int(c.Of[i]); k < 0 {
				continue
			}
		}
		if y := numbers[k]; !math.IsNaN(y) && !math.IsInf(y, 0) {
			sin, cos := math.Sincos(math.Pi / 2 * v.rank(y))
			x.Set(i, first, cos)
			x.Set(i, first+1, sin)
		}
	}
	return nil
}

// encodeCategory is Encode of a category.
func (v *ColumnView) encodeCategory(c *corpus.Column, x *mat.Dense, first int) {
	at, ofNumber := make(map[string]int, len(v.Values)), make(map[float64]int)
	for k, word := range v.Values {
		at[word] = k
		if number, err := strconv.ParseFloat(word, 64); err == nil {
			if _, known := ofNumber[number]; !known { // else a more frequent value is this number
				ofNumber[number] = k
			}
		}
	}
	for i, number := range c.Values {
		if k, known := ofNumber[number]; known {
			x.Set(i, first+k, 1)
		}
	}
	for i, k := range c.Of {
		if k >= 0 {
			if value, known := at[c.Words[k]]; known {
				x.Set(i, first+value, 1)
			}
		}
	}
}

// rank is the share of the documents that have a smaller number, from 0 to 1: between two quantiles
// in proportion, and in the middle of equal ones.
func (v *ColumnView) rank(x float64) float64 {
	q := v.Quantiles
	above, found := slices.BinarySearch(q, x)
	last := float64(max(1, len(q)-1))
	switch {
	case found:
		end := above
		for end+1 < len(q) && q[end+1] == x {
			end++
		}
		return float64(above+end) / 2 / last
	case above == 0:
		return 0
	case above == len(q):
		return 1
	}
	low, high := q[above-1], q[above]
	if math.IsInf(high-low, 0) {
		low, high, x = low/2, high/2, x/2
	}
	return (float64(above-1) + (x-low)/(high-low)) / last
}

// check refuses a view that [NewColumnView] cannot have made.
func (v *ColumnView) check() error {
	switch {
	case v.Kind == KindCategory && (len(v.Values) == 0 || len(v.Values) > mostValues || v.Quantiles != nil),
		(v.Kind == KindNumber || v.Kind == KindDate) && (len(v.Quantiles) == 0 || len(v.Quantiles) > quantileSteps+1 || v.Values != nil || !slices.IsSorted(v.Quantiles) || floats.HasNaN(v.Quantiles)),
		len(v.Mean) != v.Width() || floats.HasNaN(v.Mean), !(v.Weight > 0 && v.Weight <= 1):
		return invalid.Errorf("the model's column %q has impossible values or weights", clip(v.Name))
	case v.Kind != KindCategory && v.Kind != KindNumber && v.Kind != KindDate:
		return invalid.Errorf("the model's column %q is of the unknown kind %q", clip(v.Name), clip(v.Kind))
	}
	return nil
}

// checkView refuses a view that [Rows.SetView] cannot have made.
func (r *Rows) checkView() error {
	var errs []error
	for k := range r.View {
		errs = append(errs, r.View[k].check())
	}
	if r.Missing != 0 && (r.Missing != MissingNumbers || r.View == nil) {
		errs = append(errs, invalid.Errorf("the model has %d numbers for missing values", r.Missing))
	}
	return invalid.Join(errs...)
}

// viewWidth is the number of values that the columns beside the texts take in a row.
func (r *Rows) viewWidth() (width int) {
	for k := range r.View {
		width += r.View[k].Width()
	}
	return width + r.Missing
}

// ViewNames are the names of the columns of the view; nil without.
func (r *Rows) ViewNames() (names []string) {
	for k := range r.View {
		names = append(names, r.View[k].Name)
	}
	return names
}

// TermsFirst reports whether a row has terms and behind them a vector or columns.
func (r *Rows) TermsFirst() bool { return r.Beside > 0 || len(r.View) > 0 && !r.Vectors }

// ColumnRows are the numbers of the columns of the view, of n documents: zeros for columns that are
// not in the list, in any case of their letters. missing are the names of these. Errors: as of
// [ColumnView.Encode].
func (r *Rows) ColumnRows(list []corpus.Column, n int) (x *mat.Dense, missing []string, err error) {
	x = mat.NewDense(n, r.viewWidth()-r.Missing, nil)
	first := 0
	for k := range r.View {
		v := &r.View[k]
		at := v.among(list)
		if at < 0 {
			missing = append(missing, v.Name)
		} else if err := v.Encode(&list[at], x, first); err != nil {
			return nil, nil, fmt.Errorf("column %s: %w", clip(v.Name), err)
		}
		first += v.Width()
	}
	return x, missing, nil
}

// among is the place of the column in a list, by its name in any case of its letters; -1 for none.
func (v *ColumnView) among(list []corpus.Column) int {
	if at := slices.IndexFunc(list, func(c corpus.Column) bool { return c.Name == v.Name }); at >= 0 {
		return at
	}
	return slices.IndexFunc(list, func(c corpus.Column) bool { return strings.EqualFold(c.Name, v.Name) })
}

// NewColumns are the names of the columns of the view that hold categories in the list, and not one
// that the documents of the fit have.
func (r *Rows) NewColumns(list []corpus.Column) (names []string) {
	for k := range r.View {
		v := &r.View[k]
		at := v.among(list)
		if v.Kind != KindCategory || at < 0 {
			continue
		}
		c, some := &list[at], false
		known := slices.ContainsFunc(c.Of, func(k int32) bool {
			some = some || k >= 0
			return k >= 0 && slices.Contains(v.Values, c.Words[k])
		})
		if some && !known {
			names = append(names, v.Name)
		}
	}
	return names
}

// SetView makes columns the view of the rows. x are their numbers, zeros where a value is missing.
func (r *Rows) SetView(view []ColumnView, x *mat.Dense) {
	r.View, r.Missing = view, 0
	n, _ := x.Dims()
	first := 0
	for k := range r.View {
		v := &r.View[k]
		v.Mean = make([]float64, v.Width())
		present := 0
		for i := range n {
			if row := x.RawRowView(i)[first : first+v.Width()]; floats.Norm(row, 1) > 0 {
				floats.Add(v.Mean, row)
				present++
			}
		}
		floats.Scale(1/float64(max(1, present)), v.Mean)
		if first += v.Width(); present < n {
			r.Missing = MissingNumbers
		}
	}
}

// ColumnName names a number of a row that is of a column of the view, by the column and its value:
// "Product: billing"; "" of another one.
func (r *Rows) ColumnName(j int) string {
	first := r.Width() - r.viewWidth()
	for k := range r.View {
		v := &r.View[k]
		if width := v.Width(); j >= first && j < first+width {
			if v.Kind == KindCategory {
				return v.Name + ": " + v.Values[j-first]
			}
			return v.Name
		}
		first += v.Width()
	}
	return ""
}

// Package storage says whether rows of numbers are counts of terms, and whether rows of a file that
// does not say so are taken as sparse or as dense. Methods compare sparse rows by their direction,
// as texts, and dense ones by their distance, as measurements and images.
package storage

import "math"

// Bounds of what is taken for counts of terms. Measurements have fewer columns, or more cells that
// are not 0: a fifth of the pixels of a handwritten digit are dark.
const (
	leastTerms = 20
	mostTerms  = 1 << 22 // or as many as there are entries: hashes of words have 2²⁰ columns
	// MostFilling is the share of cells that are not 0 up to which rows of numbers are sparse.
	MostFilling = 0.1
	// MostCounted is the same share for counts, as of a few chosen words, and for numbers that the
	// user weighs as counts.
	MostCounted = 0.4
	// MostDense is the number of cells up to which numbers that take less memory as sparse rows
	// become dense: 1 GiB.
	MostDense = 1 << 27
)

// Tally counts the entries that are not 0.
type Tally struct {
	All, Ones, Twos int
	Others          int // that are no counts: negative or broken numbers
}

// Add counts the values of a row. O(len(values)).
func (t *Tally) Add(values []float64) {
	var zeros, ones, twos int // by sums without branches: no value is likelier than others
	for _, v := range values {
		whole := int64(v)
		if float64(whole) != v || whole < 0 { // or a count that is too large for an integer
			if v < 0 || v != math.Trunc(v) || math.IsInf(v, 0) {
				t.Others++
			}
			continue
		}
		if whole == 0 {
			zeros++
		}
		if whole == 1 {
			ones++
		}
		if whole == 2 {
			twos++
		}
	}
	t.All += len(values) - zeros
	t.Ones += ones
	t.Twos += twos
}

// Join adds the entries of other rows.
func (t *Tally) Join(o Tally) {
	t.All += o.All
	t.Ones += o.Ones
	t.Twos += o.Twos
	t.Others += o.Others
}

// Counts reports whether the entries of so many cells look like counts of terms: whole numbers from
// 0, of which a third at least is 1, more than are 2, and a hundredth at least is above 1, in 20 to
// 4,194,304 columns (or one an entry), with at most a tenth of the cells not 0.
func (t Tally) Counts(cells float64, cols int) bool {
	return t.counted(cols) && float64(t.All) <= MostFilling*cells
}

// counted is Counts of any number of cells.
func (t Tally) counted(cols int) bool {
	return t.Others == 0 && t.All > 0 && t.Ones > t.Twos && 3*t.Ones >= t.All && 100*(t.All-t.Ones) >= t.All &&
		cols >= leastTerms && cols <= max(mostTerms, t.All)
}

// Sparse reports whether the entries of so many cells are taken as sparse rows: in 20 columns at
// least, a tenth of the cells is not 0, or two fifths of them if they look like counts.
func (t Tally) Sparse(cells float64, cols int) bool {
	most := MostFilling
	if t.counted(cols) {
		most = MostCounted
	}
	return t.All > 0 && cols >= leastTerms && float64(t.All) <= most*cells
}

package corpus

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/words"
)

// ColumnMeans are the means of a column of measurements, in the unit of the file, to six digits.
type ColumnMeans struct {
	Cluster float64 `json:"cluster"` // over the documents of the cluster
	Others  float64 `json:"others"`  // over all others
	// Category says that the column is a value of a category, and the means are shares of documents.
	Category bool `json:"category,omitempty"`
}

// Measured reports whether the columns are measurements, and not terms that documents hold: an
// entry is negative, more than half of all are above 0, or some are the values of categories.
// Texts, and the counts of LDA-C and UCI, never are. O(entries). If documents are divided among
// ranks, the call is collective.
func (c *Corpus) Measured() bool {
	switch {
	case c.X == nil || c.haveTerms():
		return false
	case c.Categories != nil:
		return true
	}
	negative, dense := c.signs()
	return negative || dense
}

// haveTerms reports whether the columns are terms because texts or counts were read.
func (c *Corpus) haveTerms() bool {
	return c.Rarities != nil || slices.Contains(TextFormats(), c.Format) || c.Format == "ldac" || c.Format == "uci"
}

// signs reports whether an entry is negative, and whether more than half of all are above 0.
func (c *Corpus) signs() (negative, dense bool) {
	rows, cols := c.X.Dims()
	read := &rowReader{x: c.X}
	var below, above int
	for i := range rows {
		_, vals := read.entries(i)
		for _, v := range vals {
			switch {
			case v < 0:
				below++
			case v > 0:
				above++
			}
		}
	}
	all := c.sumInts([]int{below, above})
	return all[0] > 0, 2*float64(all[1]) > float64(c.Documents())*float64(cols)
}

// leastDifference is the least difference of a column that is listed, in standard deviations: one
// below it is small (Cohen 1988, Statistical power analysis for the behavioral sciences, 2.2.3).
const leastDifference = 0.2

// topColumns is [Corpus.TopTerms] of measurements: for each cluster, whose documents here are
// members, the n columns of the largest differences; nil if an entry is not finite.
func (c *Corpus) topColumns(members [][]int, n int) [][]TermWeight {
	s, err := c.spread()
	if err != nil {
		return nil
	}
	sizes := make([]int, len(members))
	for k, rows := range members {
		sizes[k] = len(rows)
	}
	sizes = c.sumInts(sizes)
	g := s.givenIn(members)
	deviations := make([]float64, len(s.scale))
	for j, scale := range s.scale {
		if scale > 0 {
			deviations[j] = s.stepsOf(g, j)
		}
	}
	own := make([]float64, len(s.sums))
	top := make([][]TermWeight, len(members))
	for k, rows := range members {
		top[k] = []TermWeight{}
		if sizes[k] == 0 || sizes[k] == c.Documents() {
			continue
		}
		s.add(own, len(rows), func(at int) int { return rows[at] })
		for j, d := range deviations {
			if d == 0 {
				continue
			}
			in, others, known := s.means(own, j, sizes[k], g, k)
			if !known {
				continue
			}
			if w := (in - others) / d; math.Abs(w) >= leastDifference {
				top[k] = append(top[k], TermWeight{c.ColumnName(j), j, w, &ColumnMeans{words.SixDigits(s.value(j, in)), words.SixDigits(s.value(j, others)), c.ofCategory(j)}})
			}
		}
		top[k] = c.oneSided(top[k])
		slices.SortFunc(top[k], func(a, b TermWeight) int {
			return cmp.Or(cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)), cmp.Compare(a.Column, b.Column))
		})
		top[k] = slices.Clip(top[k][:min(max(0, n), len(top[k]))])
	}
	return top
}

// ofCategory reports whether column j is a value of a category.
func (c *Corpus) ofCategory(j int) bool {
	_, first := c.X.Dims()
	for _, k := range c.Categories {
		first -= k.Values
	}
	return j >= first
}

// oneSided leaves out the values of a category that are rarer in a cluster, where another value of
// the same category is more frequent: "sex=f" says "fewer sex=m". The list is by columns.
func (c *Corpus) oneSided(list []TermWeight) []TermWeight {
	_, cols := c.X.Dims()
	for _, k := range slices.Backward(c.Categories) {
		first, last := cols-k.Values, cols
		cols = first
		is := func(w TermWeight) bool { return w.Column >= first && w.Column < last }
		if slices.ContainsFunc(list, func(w TermWeight) bool { return is(w) && w.Weight > 0 }) {
			list = slices.DeleteFunc(list, func(w TermWeight) bool { return is(w) && w.Weight < 0 })
		}
	}
	return list
}

// means are the means of column j, in steps, over the size documents of group k, whose sums are
// own, and over all others, of the values that were given; known is false if one of them has none.
func (s *spread) means(own []float64, j, size int, g *given, k int) (in, others float64, known bool) {
	all := s.corpus.Documents()
	sum, squares := s.totals(own, j, size)
	rest, squaresOfAll := s.totals(s.sums, j, all)
	gaps, gapsOfAll := g.gaps(k, j), g.gaps(-1, j)
	g.without(j, gaps, sum, squares)
	g.without(j, gapsOfAll, rest, squaresOfAll)
	size, all = size-gaps, all-gapsOfAll
	if size == 0 || size == all {
		return 0, 0, false
	}
	mean := func(sum *big.Int, n int) float64 {
		v, _ := new(big.Float).SetInt(sum).Float64()
		return v / float64(n)
	}
	return mean(sum, size), mean(rest.Sub(rest, sum), all-size), true
}

// ColumnName returns the word of column j ([Corpus.Word]), or "column 5" of a file whose columns
// have no names: the fifth of the file, whatever was left out of it.
func (c *Corpus) ColumnName(j int) string {
	if c.Terms == nil {
		return "column " + strconv.Itoa(c.number(j))
	}
	return c.Word(j)
}

// ColumnNumbers returns which column of its file each column is, from 1, of a table whose columns
// have no names: those of names and of classes, and those that were left out, count too. It is nil
// if the columns have names, or are all of the file's in its order.
func (c *Corpus) ColumnNumbers() []int {
	if c.Terms != nil || c.numbers == nil {
		return nil
	}
	numbers, same := make([]int, len(c.numbers)), true
	for j, at := range c.numbers {
		numbers[j] = at + 1
		same = same && at == j
	}
	if same {
		return nil
	}
	return numbers
}

// number is the column of the file, from 1, that column j is.
func (c *Corpus) number(j int) int {
	if c.numbers == nil {
		return j + 1
	}
	return c.numbers[j] + 1
}

// places are the columns of the file, from 0, that the columns of X are, where their names do not
// say that; else nil.
func (c *Corpus) places() []int {
	if c.numbers != nil || c.Terms != nil {
		return c.numbers
	}
	_, cols := c.X.Dims()
	all := make([]int, cols)
	for j := range all {
		all[j] = j
	}
	return all
}

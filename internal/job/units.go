package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
)

// tables are the formats whose columns may be anything that was measured, each in its unit; arrays
// are those whose columns are of one kind as a rule: pixels, or numbers of an embedding.
var (
	tables = []string{"csv", "tsv", "table", "xlsx", "ods", "html", "rds", "sav", "dta", "xpt", "sas7bdat", "xls", "arff", "arrow", corpus.ParquetNumbers, corpus.XMLNumbers}
	arrays = []string{"npy", "npz", "hdf5", "mat", "safetensors", "word2vec"}
)

// mostUnits is the most columns of an array that are looked at.
const mostUnits = 256

// settleUnits divides the columns of a table by their standard deviations, if no weighting was
// given and a few columns hold nearly all of the variance: distances would be those of these
// columns alone. Of an array, and for methods that refuse negative entries, it only says so.
func (j *Job) settleUnits(ctx context.Context) error {
	if j.ColumnsAlone() {
		j.Weighting = corpus.WeightStandard
		j.Note("Each column is divided by its standard deviation, a category as one column (‹views› columns).")
		return nil
	}
	if j.isSparseTable() {
		return j.noteSparseUnits(ctx)
	}
	_, cols := j.Corpus.X.Dims()
	array := j.isArray() && cols <= mostUnits
	if !j.HasUnits(j.counts) && !(array && j.settlesUnits(j.counts)) {
		return nil
	}
	if err := j.needColumns(ctx, corpus.WeightStandard); err != nil {
		return err
	}
	deviations, err := j.RowsHere().Deviations()
	if err != nil {
		return j.InFile(err)
	}
	if !fewDecide(deviations) || numbered(j.Corpus.Terms) && descending(deviations) {
		j.noteLittle(deviations)
		return nil
	}
	what := fmt.Sprintf("Column %s has %s of the variance of all %d columns",
		j.column(slices.Index(deviations, slices.Max(deviations))), shareOfLargest(deviations), cols)
	if array || j.Spec.Needs.Positive { // whose refusals name entries as the file has them
		j.Advise(progress.Note, "weighting=standard", what+", and decides nearly alone; ‹weighting› standard divides each column by its standard deviation.")
		return nil
	}
	j.Weighting, j.columnWeights = corpus.WeightStandard, j.RowsHere().StandardWeights(deviations)
	what += ": each is divided by its standard deviation; ‹weighting› tf takes the columns as they are" // no advice: a second run would undo it
	if !j.RowsHere().Measured() {
		what += ". Most numbers are 0 and none is below: if they are shares or counts, ‹weighting› " + corpus.WeightHellinger + " may tell more"
	}
	j.Note(what + ".")
	return nil
}

// isSparseTable reports whether the file is a table of numbers most of which are 0, no counts, and
// no weighting was given: its rows are compared as those of texts are, by their direction.
func (j *Job) isSparseTable() bool {
	return j.Weighting == "" && !j.Paper && !j.counts && !j.Spec.Needs.Counts && slices.Contains(tables, j.Corpus.Format) && !j.isArray() && sparse.Is(j.Corpus.X)
}

// noteSparseUnits says which column of a sparse table has nearly all of the variance: rows of
// length 1 then all point in its direction. Weights of counts even such columns out, and need
// entries of at least 0.
func (j *Job) noteSparseUnits(ctx context.Context) error {
	if err := j.needColumns(ctx, corpus.WeightStandard); err != nil {
		return err
	}
	deviations, err := j.RowsHere().Deviations()
	if err != nil {
		return j.InFile(err)
	}
	if !fewDecide(deviations) {
		return nil
	}
	weighting, does := corpus.WeightHellinger, "takes roots and lets columns count by how few rows have them"
	below := 0 // ranks that have an entry below 0: each may have rows of its own
	if x, ok := j.Corpus.X.(*sparse.CSR); !ok || slices.ContainsFunc(x.Val, func(v float64) bool { return v < 0 }) {
		below = 1
	}
	if ranks.Count(ranks.From(ctx), below) > 0 {
		weighting, does = corpus.WeightStandard, "divides each column by its standard deviation"
	}
	j.Advise(progress.Note, "weighting="+weighting, fmt.Sprintf("Column %s has %s of the variance of all %d columns, and decides nearly alone; ‹weighting› %s %s.",
		j.column(slices.Index(deviations, slices.Max(deviations))), shareOfLargest(deviations), len(deviations), weighting, does))
	return nil
}

// HasUnits reports whether the columns may be divided by their standard deviations: no weighting
// was given, and the file is a table of numbers that are no counts.
func (j *Job) HasUnits(counts bool) bool {
	return j.settlesUnits(counts) && (slices.Contains(tables, j.Corpus.Format) || j.Corpus.Format == "svm") && !j.isArray()
}

// isArray reports whether the columns are those of an array: of its file, or of a column of lists
// in Parquet, whose numbers are named as name.0, name.1 and so on.
func (j *Job) isArray() bool {
	return slices.Contains(arrays, j.Corpus.Format) || j.Corpus.Format == corpus.ParquetNumbers && numbered(j.Corpus.Terms)
}

func (j *Job) settlesUnits(counts bool) bool {
	return j.Weighting == "" && !j.Paper && !counts && !j.Spec.Needs.Counts && !sparse.Is(j.Corpus.X)
}

// NamesColumns reports whether clusters may be described by columns: they have names, or are those
// of a table, whose numbers a person knows.
func (j *Job) NamesColumns() bool {
	return j.Corpus.Terms != nil || slices.Contains(tables, j.Corpus.Format) && !j.isArray()
}

// column names a column of the file.
func (j *Job) column(at int) string {
	if j.Corpus.Terms != nil {
		return words.Name(j.Corpus.Terms[at])
	}
	if numbers := j.Corpus.ColumnNumbers(); numbers != nil {
		return strconv.Itoa(numbers[at])
	}
	return strconv.Itoa(at + 1)
}

// shareOfLargest is the share of the variance that the column with the largest has, in words.
func shareOfLargest(deviations []float64) string {
	largest, sum := slices.Max(deviations), 0.0
	for _, d := range deviations {
		sum += (d / largest) * (d / largest)
	}
	if sum < 1.001 {
		return "more than 99.9 %"
	}
	return fmt.Sprintf("%.3g %%", 100/sum)
}

// fewDecide reports whether a few columns have nearly all of the variance. With shares p of the
// variance, 1/Σp² columns of equal variance would be as even (the inverse of Simpson's index); few
// are less than one and an eighth of the others. Of the tables that this was tried on, columns of
// one unit have at least 1.98 of 4, and those of several at most 1.7 of 30.
func fewDecide(deviations []float64) bool {
	largest := slices.Max(append(slices.Clone(deviations), 0))
	if largest == 0 {
		return false
	}
	var sum, squares, columns float64
	for _, d := range deviations {
		v := (d / largest) * (d / largest)
		sum, squares = sum+v, squares+v*v
		if d > 0 {
			columns++
		}
	}
	return sum*sum/squares < 1+(columns-1)/8
}

// Of the half of the columns that spread least: the share of the variance below which they hardly
// count, and of how many columns at most a note says so. Pixels and other columns of one kind are
// more.
const (
	littleShare = 0.05
	mostLittle  = 20
)

// little are the columns of the half that spreads least, if they have less than a twentieth of the
// variance; nil otherwise, and of one or two columns. Columns of one value are none of them.
func little(deviations []float64) (list []int) {
	sum, least := 0.0, 0.0
	for j, d := range deviations {
		if d > 0 {
			list = append(list, j)
			sum += d * d
		}
	}
	if len(list) < 3 || len(list) > mostLittle {
		return nil
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(deviations[a], deviations[b]) })
	list = list[:len(list)/2]
	for _, j := range list {
		least += deviations[j] * deviations[j]
	}
	if least >= littleShare*sum {
		return nil
	}
	slices.Sort(list)
	return list
}

// noteLittle notes the columns of a table that hardly count as they are.
func (j *Job) noteLittle(deviations []float64) {
	list := little(deviations)
	if list == nil || j.isArray() || numbered(j.Corpus.Terms) || !j.HasUnits(j.counts) {
		return
	}
	var names []string
	for _, at := range list {
		names = append(names, j.column(at))
	}
	noun, have := "Columns", "have together less than 5 % of the variance and hardly count"
	if len(list) == 1 {
		noun, have = "Column", "has less than 5 % of the variance and hardly counts"
	}
	j.Note(fmt.Sprintf("%s %s %s; if the columns are in unlike units, ‹weighting› standard divides each by its standard deviation.", noun, words.Few(names, 6), have))
}

// numbered reports whether the columns have no names, or only numbers: alone, or each behind the
// same word, as PC1, PC2 and so on.
func numbered(names []string) bool {
	word := ""
	for at, name := range names {
		start := strings.TrimRight(name, "0123456789")
		if at == 0 {
			word = start
		}
		number, err := strconv.Atoi(name[len(start):])
		if first, _ := strconv.Atoi(names[0][len(word):]); err != nil || start != word || first > 1 || number != first+at {
			return false
		}
	}
	return true
}

// descending reports whether no column has a larger spread than the one before, as principal
// components have.
func descending(deviations []float64) bool {
	return slices.IsSortedFunc(deviations, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
}

// Package missing settles what becomes of the missing cells of a table or a matrix of numbers: they
// are filled from their columns, or their rows or columns are left out.
package missing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// What may become of missing cells.
const (
	Median      = "median"
	Mean        = "mean"
	DropRows    = "drop-rows"
	DropColumns = "drop-columns"
)

// Ways are the values above.
var Ways = []string{Median, Mean, DropRows, DropColumns}

// Filling says what the missing cells of rows became, so that the missing cells of new rows are
// filled alike.
type Filling struct {
	// By is Median or Mean where Values are these of the columns; "" where missing cells were not
	// filled.
	By     string    `json:"by,omitempty"`
	Values []float64 `json:"values,omitempty"`
	// Columns is the number of columns that the rows have, without those that were left out.
	Columns int `json:"columns,omitempty"`
	// Terms are the names of the columns; nil: they go by their order.
	Terms []string `json:"terms,omitempty"`
	// Out are the columns that were left out of rows without names of columns, from 0, ascending.
	Out []int `json:"out,omitempty"`
}

// Request says what is wanted of a matrix.
type Request struct {
	By    string   // one of Ways, or "": missing cells are an error
	Terms []string // names of the columns; nil: none
	// Known are how the missing cells of earlier rows were filled; nil: these are the first ones.
	Known *Filling
	Owned bool // the matrix may be changed
	Table bool // it is a table, of which columns without a value are left out whatever By is
	// Name names a column in a message; nil: by its name or number.
	Name func(column int) string
	// Way is what a caller may do where By and Known are empty and nothing can be chosen; "": it may
	// give By.
	Way string
	// First is the place of the first missing cell and what it is, such as "line 3, column 2, is NA";
	// "" if that is not known.
	First string
	// Reserve asks for memory, in bytes, until Settle returns; nil: it is not asked for.
	Reserve func(bytes int64) error
}

// Settled is a matrix without missing cells.
type Settled struct {
	// X has the columns that are left, and all rows. It is the matrix that was given where nothing
	// changes. Rows that are not left may have missing cells.
	X             mat.Matrix
	Rows, Columns []int    // those that are left; nil: all
	Filling       *Filling // nil: nothing is to be known of it
	// Gaps are, of each column of X, the rows of first rows that were filled, ascending; nil: none.
	Gaps [][]int32
	Note string // what was done; "": nothing
}

// settling is the work of [Settle].
type settling struct {
	Request
	x          mat.Matrix
	rows, cols int
	cells      int   // that are missing
	inRow      []int // of them
	inColumn   []int
	out        []bool // columns that are left out
}

// Settle finds the missing cells, NaN, of a matrix (*mat.Dense, *sparse.CSR or
// *sparse.SingleDense) and makes of them what is wanted. A column without a value is left out of a
// table, and of another matrix if By is given, unless Known says what the columns are. Zeros that a
// sparse matrix does not store count as values. It passes over the matrix once where nothing is
// missing and no values of the columns are wanted. Medians take one more pass for each 2²⁰ entries,
// or each column that has more, and 8 bytes for each of these. Errors: an *[Error]; those of
// Reserve.
func Settle(x mat.Matrix, r Request) (*Settled, error) {
	s := &settling{Request: r, x: x}
	s.rows, s.cols = x.Dims()
	s.count()
	s.out = make([]bool, s.cols)
	if s.Known != nil {
		return s.likeKnown()
	}
	var empty []int
	for j, n := range s.inColumn {
		if n == s.rows && (s.Table || s.By != "") {
			s.out[j] = true
			empty = append(empty, j)
			s.cells -= n
		}
	}
	if len(empty) == s.cols {
		return nil, s.fail("all cells are missing; give a table with numbers")
	}
	note := ""
	if empty != nil {
		for i := range s.inRow {
			s.inRow[i] -= len(empty)
		}
		s.First = "" // which may be in one of these
		note = fmt.Sprintf("%s no value and %s left out: %s.", words.Plural(len(empty), "column has", "columns have"), isAre(len(empty)), words.Few(s.named(empty), 6))
	}
	if s.cells > 0 && s.By == "" {
		return nil, s.refuse(cmp.Or(s.Way, fmt.Sprintf("give ‹missing› %s or %s, which fills %s by that of %s, or ‹missing› %s or %s, which leaves rows or columns out", Median, Mean, words.Verb(s.cells, "it", "them"), s.column(), DropRows, DropColumns)))
	}
	out := &Settled{X: x, Note: note}
	if err := s.settle(out); err != nil {
		return nil, err
	}
	return out, nil
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// settle does what By wants with first rows.
func (s *settling) settle(out *Settled) error {
	done := ""
	switch {
	case s.By == DropColumns && s.cells > 0:
		var left []int
		full := 0 // columns
		for j, n := range s.inColumn {
			switch {
			case s.out[j]:
			case n > 0:
				left = append(left, j)
			default:
				full++
			}
		}
		if full == 0 {
			return s.refuse(fmt.Sprintf("no column has a value in all rows, so that ‹missing› %s would leave none; give ‹missing› %s", DropColumns, Median))
		}
		for _, j := range left {
			s.out[j] = true
		}
		done = fmt.Sprintf("%s missing cells and %s left out (‹missing› %s): %s.", words.Plural(len(left), "column has", "columns have"), isAre(len(left)), DropColumns, words.Few(s.named(left), 6))
	case s.By == DropRows && s.cells > 0:
		s.dropRows(out)
		if len(out.Rows) == 0 {
			return s.refuse(fmt.Sprintf("no row has a value in all columns, so that ‹missing› %s would leave none; give ‹missing› %s, or ‹missing› %s", DropRows, Median, DropColumns))
		}
		done = s.dropped()
	}
	if out.Note != "" && done != "" {
		out.Note += " "
	}
	out.Note += done
	if slices.Contains(s.out, true) {
		for j := range s.cols {
			if !s.out[j] {
				out.Columns = append(out.Columns, j)
			}
		}
		if s.Terms == nil {
			out.Filling = &Filling{Columns: len(out.Columns)}
			for j, o := range s.out {
				if o {
					out.Filling.Out = append(out.Filling.Out, j)
				}
			}
		}
	}
	if s.By != Median && s.By != Mean {
		out.X = selected(s.x, out.Columns)
		return nil
	}
	values, err := s.values()
	if err != nil {
		return err
	}
	if out.Filling == nil {
		out.Filling = &Filling{Columns: len(s.kept(values))}
	}
	if s.cells > 0 {
		out.Note += s.filled(out.Note != "", fmt.Sprintf("the %s of %s (‹missing› %s)", s.By, s.column(), s.By))
	}
	left := selected(s.x, out.Columns)
	out.Gaps = gaps(left, s.cells)
	out.X = put(left, s.kept(values), s.Owned || out.Columns != nil, s.cells)
	out.Filling.By, out.Filling.Values = s.By, s.kept(values)
	return nil
}

// column is the column of each of the cells.
func (s *settling) column() string { return words.Verb(s.cells, "its column", "their column") }

// filled is the note on cells that were filled, behind another one or not.
func (s *settling) filled(behind bool, by string) string {
	gap := ""
	if behind {
		gap = " "
	}
	return fmt.Sprintf("%s%s filled by %s: %s.", gap, words.Plural(s.cells, "missing cell is", "missing cells are"), by, s.where())
}

// kept are the values of the columns that are left.
func (s *settling) kept(values []float64) (left []float64) {
	for j, v := range values {
		if !s.out[j] {
			left = append(left, v)
		}
	}
	return left
}

// dropped is the note on rows that are left out.
func (s *settling) dropped() string {
	return fmt.Sprintf("Rows with missing cells are left out (‹missing› %s): %s.", DropRows, s.where())
}

// dropRows leaves out the rows with missing cells.
func (s *settling) dropRows(out *Settled) {
	out.Rows = []int{}
	for i, n := range s.inRow {
		if n == 0 {
			out.Rows = append(out.Rows, i)
		}
	}
}

// likeKnown treats rows as the first ones were. Missing cells in columns that these did not have
// count for nothing.
func (s *settling) likeKnown() (*Settled, error) {
	k, out := s.Known, &Settled{X: s.x}
	place := make(map[string]int, len(k.Terms))
	byName := k.Terms != nil && s.Terms != nil && !slices.Equal(k.Terms, s.Terms) // several may have one name
	if byName {
		for j, t := range k.Terms {
			place[t] = j
		}
	} else if len(k.Out) > 0 && s.cols == k.Columns+len(k.Out) {
		for _, j := range k.Out {
			s.out[j] = true
		}
		for j := range s.cols {
			if !s.out[j] {
				out.Columns = append(out.Columns, j)
			}
		}
	}
	if s.cells == 0 {
		out.X = selected(s.x, out.Columns)
		return out, nil
	}
	values, at := make([]float64, s.cols), 0
	unknown := make([]bool, s.cols)
	for j := range s.cols {
		known := at
		if byName {
			var ok bool
			known, ok = place[s.term(j)]
			unknown[j] = !ok
		}
		switch {
		case s.out[j] || unknown[j]:
			if s.inColumn[j] > 0 {
				s.First = "" // which may be in this one
			}
			s.cells -= s.inColumn[j]
			s.inColumn[j] = 0
			unknown[j] = true
			continue
		case known < len(k.Values):
			values[j] = k.Values[known]
		}
		at++
	}
	s.inRow = s.inRow[:0]
	switch {
	case s.cells == 0:
	case s.By == DropRows:
		s.countRows(unknown)
		s.dropRows(out)
		if len(out.Rows) == 0 {
			return nil, s.refuse("every row has a missing cell in a column of the model, so that ‹missing› " + DropRows + " would leave none")
		}
		out.Note = s.dropped()
	case s.By != "" && s.By != k.By && k.By != "":
		return nil, &Error{Why: fmt.Sprintf("the model fills missing cells by the %s of its columns; leave ‹missing› %s out, or give ‹missing› %s", k.By, s.By, DropRows)}
	case k.By == "":
		s.countRows(unknown)
		return nil, s.refuse(fmt.Sprintf("the model was made without ‹missing› %s or %s, so that it has nothing to fill them by; make it again with one of them, or give ‹missing› %s here to leave these rows out", Median, Mean, DropRows))
	default:
		s.countRows(unknown)
		out.Note = s.filled(false, fmt.Sprintf("the %s of %s among the rows of the model", k.By, s.column()))
	}
	out.X = put(selected(s.x, out.Columns), s.kept(values), s.Owned || out.Columns != nil, 1)
	return out, nil
}

// term is the name of a column; "" without names.
func (s *settling) term(j int) string {
	if s.Terms == nil {
		return ""
	}
	return s.Terms[j]
}

// entries passes the entries of a row that are not zero to f, in the order of the columns.
func entries(x mat.Matrix, i int, f func(j int, v float64)) {
	switch x := x.(type) {
	case *sparse.CSR:
		for k := x.RowPtr[i]; k < x.RowPtr[i+1]; k++ {
			f(int(x.Col[k]), x.Val[k])
		}
	case *sparse.SingleDense:
		for j, v := range x.Val[i*x.NumCols : (i+1)*x.NumCols] {
			if v != 0 {
				f(j, float64(v))
			}
		}
	case *mat.Dense:
		for j, v := range x.RawRowView(i) {
			if v != 0 {
				f(j, v)
			}
		}
	}
}

// count counts the missing cells.
func (s *settling) count() {
	s.inRow, s.inColumn = make([]int, s.rows), make([]int, s.cols)
	for i := range s.rows {
		entries(s.x, i, func(j int, v float64) {
			if v != v {
				s.cells++
				s.inRow[i]++
				s.inColumn[j]++
			}
		})
	}
}

// countRows counts the missing cells of each row but for some columns.
func (s *settling) countRows(but []bool) {
	s.inRow = make([]int, s.rows)
	for i := range s.rows {
		entries(s.x, i, func(j int, v float64) {
			if v != v && !but[j] {
				s.inRow[i]++
			}
		})
	}
}

// where says in how many rows and which columns cells are missing, the columns with the most first.
func (s *settling) where() string {
	rows, bare, left := 0, 0, s.cols // bare: without any number
	for _, out := range s.out {
		if out {
			left--
		}
	}
	for _, n := range s.inRow {
		if n > 0 {
			rows++
		}
		if n == left && left > 1 {
			bare++
		}
	}
	var list []int
	for j, n := range s.inColumn {
		if n > 0 && !s.out[j] {
			list = append(list, j)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return s.inColumn[b] - s.inColumn[a] })
	names := s.named(list[:min(len(list), 7)])
	for k := range names {
		names[k] += fmt.Sprintf(": %s", words.Thousands(s.inColumn[list[k]]))
	}
	if len(list) > 6 {
		names = append(names[:6], "…")
	}
	without := ""
	if bare > 0 {
		without = fmt.Sprintf(", and %s no number in any column", words.Plural(bare, "row has", "rows have"))
	}
	return fmt.Sprintf("%s of %s and %s of %s (%s)%s", words.Thousands(rows), words.Counted(s.rows, "row"), words.Thousands(len(list)), words.Counted(s.cols, "column"), strings.Join(names, ", "), without)
}

// named names columns in a message.
func (s *settling) named(list []int) (names []string) {
	for _, j := range list {
		switch {
		case s.Name != nil:
			names = append(names, s.Name(j))
		case s.term(j) != "":
			names = append(names, words.Name(s.term(j)))
		default:
			names = append(names, fmt.Sprint(j+1))
		}
	}
	return names
}

// selected is the matrix of some columns; nil: all.
func selected(x mat.Matrix, columns []int) mat.Matrix {
	if columns == nil {
		return x
	}
	n, cols := x.Dims()
	if s, ok := x.(*sparse.CSR); ok {
		at := make([]int32, cols)
		for j := range at {
			at[j] = -1
		}
		for k, j := range columns {
			at[j] = int32(k)
		}
		out := &sparse.CSR{NumRows: n, NumCols: len(columns), RowPtr: make([]int, 1, n+1)}
		for i := range n {
			for k := s.RowPtr[i]; k < s.RowPtr[i+1]; k++ {
				if j := at[s.Col[k]]; j >= 0 {
					out.Col, out.Val = append(out.Col, j), append(out.Val, s.Val[k])
				}
			}
			out.RowPtr = append(out.RowPtr, len(out.Val))
		}
		return out
	}
	out := mat.NewDense(n, len(columns), nil)
	for i := range n {
		row := out.RawRowView(i)
		for k, j := range columns {
			row[k] = x.At(i, j)
		}
	}
	return out
}

// gaps are the rows of the missing cells of each column, of which there are so many; nil for none.
func gaps(x mat.Matrix, cells int) [][]int32 {
	if cells == 0 {
		return nil
	}
	n, cols := x.Dims()
	list := make([][]int32, cols)
	for i := range n {
		entries(x, i, func(j int, v float64) {
			if v != v {
				list[j] = append(list[j], int32(i))
			}
		})
	}
	return list
}

// put puts the values of the columns into the missing cells, of which there are so many, of a
// matrix that may be changed or not.
func put(x mat.Matrix, values []float64, owned bool, cells int) mat.Matrix {
	if cells == 0 {
		return x
	}
	switch m := x.(type) {
	case *sparse.CSR:
		out := &sparse.CSR{NumRows: m.NumRows, NumCols: m.NumCols, RowPtr: make([]int, 1, m.NumRows+1), Col: make([]int32, 0, len(m.Col)), Val: make([]float64, 0, len(m.Val))}
		for i := range m.NumRows {
			entries(m, i, func(j int, v float64) {
				if v != v {
					v = values[j]
				}
				if v != 0 {
					out.Col, out.Val = append(out.Col, int32(j)), append(out.Val, v)
				}
			})
			out.RowPtr = append(out.RowPtr, len(out.Val))
		}
		return out
	case *sparse.SingleDense:
		return put(m.Double(), values, true, cells)
	case *mat.Dense:
		if !owned {
			m = mat.DenseCopyOf(m)
		}
		n, _ := m.Dims()
		for i := range n {
			for j, v := range m.RawRowView(i) {
				if v != v {
					m.Set(i, j, values[j])
				}
			}
		}
		return m
	}
	return x
}

// values are the medians or means of the columns; 0 for one without a value.
func (s *settling) values() ([]float64, error) {
	present := make([]int, s.cols) // that are not zero
	sums := make([]float64, s.cols)
	for i := range s.rows {
		entries(s.x, i, func(j int, v float64) {
			if v == v {
				present[j]++
				sums[j] += v / float64(s.rows-s.inColumn[j])
			}
		})
	}
	if s.By == Mean {
		return sums, nil
	}
	const most = 1 << 20 // entries that are sorted at a time, or those of one column
	out := make([]float64, s.cols)
	for from := 0; from < s.cols; {
		to, n := from, 0
		for to < s.cols && (to == from || n+present[to] <= most) {
			n += present[to]
			to++
		}
		if s.Reserve != nil {
			if err := s.Reserve(8 * int64(n)); err != nil {
				return nil, err
			}
		}
		s.medians(out, present, from, to, n)
		from = to
	}
	return out, nil
}

// medians finds the medians of the columns from one up to another, which have n entries.
func (s *settling) medians(out []float64, present []int, from, to, n int) {
	lists, all := make([][]float64, to-from), make([]float64, n)
	for k := range lists {
		lists[k], all = all[:0:present[from+k]], all[present[from+k]:]
	}
	for i := range s.rows {
		entries(s.x, i, func(j int, v float64) {
			if j >= from && j < to && v == v {
				lists[j-from] = append(lists[j-from], v)
			}
		})
	}
	for k, list := range lists {
		slices.Sort(list)
		out[from+k] = median(list, s.rows-s.inColumn[from+k]-len(list))
	}
}

// median is the median of numbers in ascending order that are not zero, and of so many zeros; 0 of
// nothing. Of an even number it is the mean of the two in the middle.
func median(list []float64, zeros int) float64 {
	n := len(list) + zeros
	if n == 0 {
		return 0
	}
	below, _ := slices.BinarySearch(list, 0)
	at := func(k int) float64 {
		switch {
		case k < below:
			return list[k]
		case k < below+zeros:
			return 0
		}
		return list[k-zeros]
	}
	if n%2 == 1 {
		return at(n / 2)
	}
	a, b := at(n/2-1), at(n/2)
	if m := (a + b) / 2; !math.IsInf(m, 0) {
		return m
	}
	return a/2 + b/2
}

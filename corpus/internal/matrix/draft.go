package matrix

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/missing"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// draft is the content of a file before it is decided whether its rows or its columns are
// documents.
type draft struct {
	x       mat.Matrix // *sparse.CSR, *mat.Dense or, not flipped, *sparse.SingleDense
	flipped bool       // x is the transpose of the file's matrix: its columns were read as rows
	byRow   bool       // the format says that rows are documents, whatever the labels' length
	finite  bool       // the reader looked at every number
	group   string     // of HDF5 that the matrix is in, "." for the root
	what    string     // what the user calls the matrix: "variable fea"

	missing  int                   // numbers that are NaN
	firstGap string                // where the first of them is
	column   func(term int) string // names a column of the file; nil: by its number

	earlier    *columns.Earlier  // what the columns of a table are
	numbered   *columns.Numbered // how the file numbers its terms
	numbers    []int             // of a table without names: the column of the file, from 0, of each column
	categories []Category        // whose values are the last columns of x

	labels   *Labels
	rowNames []string // names of the file's rows
	rowLines []int    // line of each of rowNames; nil if the file is not one of lines
	colNames []string // names of the file's columns
	// rowTerms are names of terms, as many as the file's rows and not as its columns; rowTermsAt is
	// where they are from.
	rowTerms   []string
	rowTermsAt string
	docNames   []string // names of the documents, whether these are rows or columns
	// classNames are names of the classes 1..len or 0..len-1, if the file lists them separately.
	classNames []string
}

// freeRows is how many rows a header may name without data for them: the row pointers of that many
// rows take 8 MB. A file with more rows must have entries for them.
const freeRows = 1 << 20

// checkShape refuses shapes that no corpus has, and row counts that the file's content does not
// back.
func (in *source) checkShape(what string, rows, cols, entries int64) error {
	switch {
	case rows < 0 || cols < 0:
		return in.Fail(what, "its size %d×%d is negative, the file is damaged; copy or download it again", rows, cols)
	case rows == 0 || cols == 0:
		return input.NoDocuments(in.Fail(what, "it is empty (%d×%d); a corpus needs at least one document and one term", rows, cols))
	case rows > math.MaxInt32 || cols > math.MaxInt32:
		return in.Fail(what, "its size %d×%d is beyond 2147483647 rows or columns; split it", rows, cols)
	case rows > freeRows && rows/64 > entries:
		return in.Fail(what, "it claims %d rows for %d entries, the file is damaged; write it again without the empty rows", rows, entries)
	}
	return nil
}

// size is the size of the file's matrix.
func (d *draft) size() (rows, cols int) {
	rows, cols = d.x.Dims()
	if d.flipped {
		return cols, rows
	}
	return rows, cols
}

// result transposes the draft if its columns are documents, and makes the checks of all formats.
func (d *draft) result(in *source) (*Result, error) {
	rows, cols := d.size()
	entries := int64(rows) * int64(cols)
	if s, ok := d.x.(*sparse.CSR); ok {
		entries = int64(s.NNZ())
	}
	if err := in.checkShape(d.what, int64(rows), int64(cols), entries); err != nil {
		return nil, err
	}
	if err := d.checkFinite(in); err != nil {
		return nil, err
	}
	switch {
	case in.opt.InOrder != nil:
		d.labels = in.opt.InOrder
	case in.opt.LabelsGiven && d.labels != nil && !d.labels.fits(rows) && !d.labels.fits(cols):
		d.labels = nil // given labels replace the file's own, which only decide the orientation
	}
	turn, err := d.documentsAreColumns(in, rows, cols)
	if err != nil {
		return nil, err
	}
	r := &Result{IDs: d.rowNames, Terms: d.colNames}
	switch {
	case d.rowTerms != nil && turn:
		r.IDs = d.rowTerms // which become the terms
	case d.rowTerms != nil:
		in.Notef("The terms of %s are as many as the rows, which are the documents, and were passed over.", d.rowTermsAt)
	}
	if turn {
		rows, cols = cols, rows
		r.IDs, r.Terms = r.Terms, r.IDs
		if err := in.checkShape(d.what, int64(rows), int64(cols), entries); err != nil {
			return nil, err
		}
	}
	if len(d.docNames) == rows {
		r.IDs = d.docNames
	}
	lexical.TidyAll(r.IDs)
	if err := d.checkIDs(in, r.IDs, turn); err != nil {
		return nil, err
	}
	if turn != d.flipped {
		if err := d.transpose(in); err != nil {
			return nil, in.Wrap(d.what, err)
		}
	}
	if r.X, r.Categories = d.x, d.categories; !turn {
		r.Earlier, r.Numbered = d.earlier, d.numbered
	}
	if d.labels != nil && !in.opt.LabelsGiven {
		if r.Labels, r.ClassNames, err = d.classes(in, rows); err != nil {
			return r, err
		}
	}
	if err := d.nameColumns(in, r, turn); err != nil {
		return r, err
	}
	d.lookAtTable(in, r, turn)
	return r, d.settleMissing(in, r, turn)
}

// nameColumns gives columns without names those of the file beside the matrix, or their numbers,
// and those of a table the names that an earlier one has in another case of letters.
func (d *draft) nameColumns(in *source, r *Result, turned bool) (err error) {
	if !turned {
		r.Numbers = d.numbers
	}
	if r.Terms == nil && in.opt.TermsBeside != nil {
		rows, cols := r.X.Dims()
		r.Terms, err = in.opt.TermsBeside(rows, cols)
	}
	if known := in.opt.Filling; known != nil && d.column != nil {
		r.Terms = spelledAs(r.Terms, known.Terms)
	}
	return err
}

// settleMissing fills missing numbers, or leaves their rows or columns out.
func (d *draft) settleMissing(in *source, r *Result, turned bool) error {
	fills := in.opt.Missing == missing.Median || in.opt.Missing == missing.Mean
	known := in.opt.Filling
	if d.missing == 0 && (known != nil || !fills) && (known == nil || len(known.Out) == 0) {
		return nil
	}
	want := missing.Request{By: in.opt.Missing, Known: known, Terms: r.Terms, Owned: true, Table: d.column != nil, First: d.firstGap,
		Reserve: func(bytes int64) error {
			defer in.Mem.Give(bytes, 1)
			return in.Mem.Take(bytes, 1)
		}}
	if in.opt.Vectors {
		want.Table, want.Way = false, "make the vectors again, or leave these documents out"
	}
	if !turned {
		want.Name = d.column
	}
	s, err := missing.Settle(r.X, want)
	var refused *missing.Error
	if errors.As(err, &refused) {
		what := d.what
		if d.column != nil {
			what = ""
		}
		if err = in.Fail(what, "%s", refused.Why); in.opt.Missing == "" {
			err = input.Caused(err, input.ErrMissing)
		}
		return err
	}
	if err != nil {
		return in.Wrap(d.what, err)
	}
	if s.Note != "" {
		in.Notef("%s", s.Note)
	}
	r.X, r.Filling, r.Gaps, r.Kept = s.X, s.Filling, s.Gaps, s.Rows
	if s.Columns != nil {
		r.Terms, r.Numbers = Picked(r.Terms, s.Columns), Picked(r.Numbers, s.Columns)
	}
	return nil
}

// Picked are the entries of a list with the given numbers; nil for nil.
func Picked[T any](list []T, numbers []int) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(numbers))
	for i, k := range numbers {
		out[i] = list[k]
	}
	return out
}

// checkIDs refuses two documents with one name: a file of labels could not name them.
func (d *draft) checkIDs(in *source, ids []string, turned bool) error {
	if err := in.Mem.Take(int64(len(ids)), 48); err != nil {
		return in.Wrap("", err)
	}
	defer in.Mem.Give(int64(len(ids)), 48)
	first := make(map[string]int, len(ids))
	count, again, before := 0, 0, 0
	for i, id := range ids {
		other, twice := first[id]
		if !twice {
			first[id] = i
			continue
		}
		if count++; count == 1 {
			again, before = i, other
		}
	}
	if count == 0 {
		return nil
	}
	place, earlier := fmt.Sprintf("document %d", again+1), fmt.Sprintf("document %d", before+1)
	way, more := "leave the names out", ""
	if d.rowLines != nil && !turned {
		place, earlier = linePlace(int64(d.rowLines[again])), linePlace(int64(d.rowLines[before]))
		way = "give ‹id-column› none"
	}
	if count > 1 {
		more = fmt.Sprintf(" (%s have the name of an earlier one)", message.Plural(count, "document", "documents"))
	}
	return &input.FormatError{File: in.Name, Place: place, Err: input.ErrSameID,
		Why: fmt.Sprintf("has the name %s, which %s already has%s; give every document a name of its own, or %s", message.Clip(strconv.Quote(ids[again]), 60), earlier, more, way)}
}

// documentsAreColumns decides the orientation by the request, else by the labels' length; without
// labels, rows are documents.
func (d *draft) documentsAreColumns(in *source, rows, cols int) (bool, error) {
	if d.labels == nil && d.rowTerms != nil && !d.byRow && !in.opt.Transpose {
		in.Notef("Transposed, as by ‹transpose›: %s has a term for each row of %s, which is %d×%d, so every column is a document.", d.rowTermsAt, d.what, rows, cols)
		return true, nil
	}
	if d.labels == nil {
		if in.opt.Transpose && in.opt.Names == nil {
			in.Notef("Transposed as asked: %s of %s, each a document.", message.Plural(cols, "column", "columns"), d.what)
		}
		return in.opt.Transpose, nil
	}
	matrix, place := d.what, d.labels.What
	if d.labels.File != in.Name {
		matrix, place = d.what+" of "+in.Name, ""
	}
	fitsRows, fitsCols := d.labels.fits(rows), d.labels.fits(cols) && (!d.byRow || in.opt.Transpose)
	switch {
	case in.opt.Transpose && fitsCols:
		in.Notef("Transposed as asked: %s of %s, each a document.", message.Plural(cols, "column", "columns"), d.what)
		return true, nil
	case in.opt.Transpose:
		return false, input.Failf(d.labels.File, place, "has %s, but %s (%d×%d, transposed as asked) has %d documents; leave out ‹transpose› or %s",
			d.labels.size(), matrix, rows, cols, cols, d.labels.Without)
	case fitsRows:
		return false, nil
	case fitsCols:
		in.Notef("Transposed: %s is %d×%d and %s has %s, so every column is a document.", d.what, rows, cols, d.labels.What, d.labels.size())
		return true, nil
	}
	return false, input.Failf(d.labels.File, place, "has %s, but %s is %d×%d; choose labels with one entry per document, or %s",
		d.labels.size(), matrix, rows, cols, d.labels.Without)
}

// checkFinite names the first entry of a dense matrix that is infinite, by row and column of the
// file, and counts those that are NaN. Sparse matrices were checked for infinite ones when they
// were made.
func (d *draft) checkFinite(in *source) error {
	if d.finite {
		return nil
	}
	if x, single := d.x.(*sparse.SingleDense); single {
		for k, v := range x.Val {
			if v-v == 0 {
				continue
			}
			if v == v {
				return in.Fail(d.what, "row %d, column %d is %v; replace entries that are not finite numbers", k/x.NumCols+1, k%x.NumCols+1, v)
			}
			d.gap(k/x.NumCols, k%x.NumCols)
		}
		return nil
	}
	if x, isSparse := d.x.(*sparse.CSR); isSparse {
		for i := range x.NumRows {
			for k := x.RowPtr[i]; k < x.RowPtr[i+1]; k++ {
				if x.Val[k] != x.Val[k] {
					row, column := i, int(x.Col[k])
					if d.flipped {
						row, column = column, row
					}
					d.gap(row, column)
				}
			}
		}
		return nil
	}
	x, dense := d.x.(*mat.Dense)
	if !dense {
		return nil
	}
	r, _ := x.Dims()
	for i := range r {
		if i%4096 == 0 && in.Ctx.Err() != nil {
			return in.Ctx.Err()
		}
		for j, v := range x.RawRowView(i) {
			if v-v == 0 {
				continue
			}
			row, column := i, j
			if d.flipped {
				row, column = j, i
			}
			if math.IsInf(v, 0) {
				return in.Fail(d.what, "row %d, column %d is %v; replace entries that are not finite numbers", row+1, column+1, v)
			}
			d.gap(row, column)
		}
	}
	return nil
}

// gap counts a missing number of the file.
func (d *draft) gap(row, column int) {
	if d.missing++; d.missing == 1 && d.firstGap == "" {
		d.firstGap = fmt.Sprintf("row %d, column %d, is NaN", row+1, column+1)
	}
}

// transpose replaces x by its transpose. Memory: 12 bytes per entry of a sparse matrix, 8 of a
// dense one.
func (d *draft) transpose(in *source) error {
	if x, single := d.x.(*sparse.SingleDense); single {
		if err := in.Mem.Take(int64(len(x.Val)), 8); err != nil {
			return err
		}
		d.x = x.Double()
	}
	switch x := d.x.(type) {
	case *sparse.CSR:
		need := int64(12*x.NNZ()) + 8*int64(x.NumCols+1)
		if err := in.Mem.Take(need, 1); err != nil {
			return err
		}
		d.x = x.Transpose()
		in.Mem.Give(int64(12*x.NNZ())+8*int64(x.NumRows+1), 1)
	case *mat.Dense:
		r, c := x.Dims()
		if err := in.Mem.Take(int64(r)*int64(c), 8); err != nil {
			return err
		}
		t, err := transposeDense(in, x)
		if err != nil {
			return err
		}
		d.x = t
		in.Mem.Give(int64(r)*int64(c), 8)
	}
	d.flipped = !d.flipped
	return nil
}

// transposeDense copies square tiles, so that it uses whole cache lines of both matrices.
func transposeDense(in *source, x *mat.Dense) (*mat.Dense, error) {
	const tile = 64
	r, c := x.Dims()
	t := mat.NewDense(c, r, nil)
	src, dst := x.RawMatrix(), t.RawMatrix()
	for i0 := 0; i0 < r; i0 += tile {
		if err := in.Ctx.Err(); err != nil {
			return nil, err
		}
		i1 := min(i0+tile, r)
		for j0 := 0; j0 < c; j0 += tile {
			j1 := min(j0+tile, c)
			for i := i0; i < i1; i++ {
				row := src.Data[i*src.Stride:]
				for j := j0; j < j1; j++ {
					dst.Data[j*dst.Stride+i] = row[j]
				}
			}
		}
	}
	return t, nil
}

package corpus

import (
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// draft is what a reader found in a file, before documents are told from terms.
type draft struct {
	x       mat.Matrix // *sparse.CSR or *mat.Dense
	flipped bool       // x is the transpose of what the file shows: column-major data read row by row
	byRow   bool       // the format says that rows are documents, whatever the labels' length
	what    string     // the user's word for the matrix: "variable fea"

	labels     *rawLabels
	rowNames   []string // names of the file's rows
	colNames   []string // names of the file's columns
	docNames   []string // names of the documents, whichever way they lie
	classNames []string // names of the classes 1..len or 0..len-1, where the file lists them apart
}

// freeRows is how many rows a header may name without data behind them: the row pointers of that
// many rows take 8 MB. Beyond it, rows must be backed by entries.
const freeRows = 1 << 20

// checkShape refuses shapes that no corpus has and row counts that the file's content does not back.
func (in *input) checkShape(what string, rows, cols, entries int64) error {
	switch {
	case rows < 0 || cols < 0:
		return in.fail(what, "its size %d×%d is negative, the file is damaged; copy or download it again", rows, cols)
	case rows == 0 || cols == 0:
		return in.fail(what, "it is empty (%d×%d); a corpus needs at least one document and one term", rows, cols)
	case rows > math.MaxInt32 || cols > math.MaxInt32:
		return in.fail(what, "its size %d×%d is beyond 2147483647 rows or columns; split it", rows, cols)
	case rows > freeRows && rows/64 > entries:
		return in.fail(what, "it claims %d rows for %d entries, the file is damaged; write it again without the empty rows", rows, entries)
	}
	return nil
}

// corpus turns the draft so that rows are documents and checks everything that all formats share.
func (d *draft) corpus(in *input) (*Corpus, error) {
	rows, cols := d.x.Dims()
	if d.flipped {
		rows, cols = cols, rows
	}
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
	if in.given != nil && in.given.IDs == nil {
		d.labels = in.given.raw("leave out --truth")
	} else if in.given != nil && d.labels != nil && !d.labels.fits(rows) && !d.labels.fits(cols) {
		d.labels = nil // labels by name replace the file's own, which only tell the orientation
	}
	turn, err := d.documentsAreColumns(in, rows, cols)
	if err != nil {
		return nil, err
	}
	c := &Corpus{Name: in.name, IDs: d.rowNames, Terms: d.colNames}
	if turn {
		rows, cols = cols, rows
		c.IDs, c.Terms = c.Terms, c.IDs
		if err := in.checkShape(d.what, int64(rows), int64(cols), entries); err != nil {
			return nil, err
		}
	}
	if len(d.docNames) == rows {
		c.IDs = d.docNames
	}
	tidyAll(c.IDs)
	if turn != d.flipped {
		if err := d.transpose(in); err != nil {
			return nil, in.wrap(d.what, err)
		}
	}
	c.X = d.x
	if d.labels != nil && in.given == nil {
		if err := d.labels.assign(c, in, d.classNames); err != nil {
			return nil, err
		}
	}
	if err := c.takeTermsBeside(in); err != nil {
		return nil, err
	}
	c.Notes = append(c.Notes, in.notes...)
	return c, in.ctx.Err()
}

// documentsAreColumns decides the orientation by the request, else by the labels' length, else rows.
func (d *draft) documentsAreColumns(in *input, rows, cols int) (bool, error) {
	if d.labels == nil {
		if in.opt.Transpose {
			in.notef("Transposed as asked: %s of %s, each a document.", plural(cols, "column", "columns"), d.what)
		}
		return in.opt.Transpose, nil
	}
	matrix, place := d.what, d.labels.what
	if d.labels.file != in.name {
		matrix, place = d.what+" of "+in.name, ""
	}
	fitsRows, fitsCols := d.labels.fits(rows), d.labels.fits(cols) && (!d.byRow || in.opt.Transpose)
	switch {
	case in.opt.Transpose && fitsCols:
		in.notef("Transposed as asked: %s of %s, each a document.", plural(cols, "column", "columns"), d.what)
		return true, nil
	case in.opt.Transpose:
		return false, failf(d.labels.file, place, "has %s, but %s (%d×%d, transposed as asked) has %d documents; leave out --transpose or %s",
			d.labels.lengths(), matrix, rows, cols, cols, d.labels.without)
	case fitsRows:
		return false, nil
	case fitsCols:
		in.notef("Transposed: %s is %d×%d and %s has %s, so every column is a document.", d.what, rows, cols, d.labels.what, d.labels.lengths())
		return true, nil
	}
	return false, failf(d.labels.file, place, "has %s, but %s is %d×%d; choose labels with one entry a document, or %s",
		d.labels.lengths(), matrix, rows, cols, d.labels.without)
}

// checkFinite names the first entry of a dense matrix that is NaN or infinite, by row and column of
// the file. Sparse matrices were checked when they were made.
func (d *draft) checkFinite(in *input) error {
	x, dense := d.x.(*mat.Dense)
	if !dense {
		return nil
	}
	r, _ := x.Dims()
	for i := range r {
		if i%4096 == 0 && in.ctx.Err() != nil {
			return in.ctx.Err()
		}
		for j, v := range x.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				if d.flipped {
					i, j = j, i
				}
				return in.fail(d.what, "row %d, column %d is %v; replace entries that are not finite numbers", i+1, j+1, v)
			}
		}
	}
	return nil
}

// transpose replaces x by its transpose. 12 bytes an entry for sparse, 8 for dense.
func (d *draft) transpose(in *input) error {
	switch x := d.x.(type) {
	case *sparse.CSR:
		need := int64(12*x.NNZ()) + 8*int64(x.NumCols+1)
		if err := in.mem.take(need, 1); err != nil {
			return err
		}
		d.x = x.Transpose()
		in.mem.give(int64(12*x.NNZ())+8*int64(x.NumRows+1), 1)
	case *mat.Dense:
		r, c := x.Dims()
		if err := in.mem.take(int64(r)*int64(c), 8); err != nil {
			return err
		}
		t, err := transposeDense(in, x)
		if err != nil {
			return err
		}
		d.x = t
		in.mem.give(int64(r)*int64(c), 8)
	}
	d.flipped = !d.flipped
	return nil
}

// transposeDense copies in square tiles, so that both matrices are walked in whole cache lines.
func transposeDense(in *input, x *mat.Dense) (*mat.Dense, error) {
	const tile = 64
	r, c := x.Dims()
	t := mat.NewDense(c, r, nil)
	src, dst := x.RawMatrix(), t.RawMatrix()
	for i0 := 0; i0 < r; i0 += tile {
		if err := in.ctx.Err(); err != nil {
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

// noteEmptyRows tells which documents have no terms (no entries, where columns have no names), and refuses a corpus in which none has any.
func (c *Corpus) noteEmptyRows() error {
	n := c.Len()
	what := "entries"
	if c.Terms != nil {
		what = "terms"
	}
	empty, first := 0, 0
	for i := range n {
		if c.rowIsZero(i) {
			if empty == 0 {
				first = i
			}
			empty++
		}
	}
	switch {
	case n == 0:
		return failf(c.Name, "", "it holds no documents; a corpus needs at least one document and one term")
	case empty == n:
		return failf(c.Name, "", "all entries are zero, in %s; check that this is the right file and variable", plural(n, "document", "documents"))
	case empty == 1:
		c.Notes = append(c.Notes, fmt.Sprintf("1 document has no %s (row %d); it is kept.", what, first+1))
	case empty > 1:
		c.Notes = append(c.Notes, fmt.Sprintf("%d documents have no %s (first: row %d); they are kept.", empty, what, first+1))
	}
	return nil
}

func (c *Corpus) rowIsZero(i int) bool {
	var vals []float64
	switch x := c.X.(type) {
	case *sparse.CSR:
		_, vals = x.Row(i)
	case *mat.Dense:
		vals = x.RawRowView(i)
	}
	for _, v := range vals {
		if v != 0 {
			return false
		}
	}
	return true
}

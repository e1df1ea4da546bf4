package matrix

import (
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"gonum.org/v1/gonum/mat"
)

// readCLUTO reads a matrix of CLUTO: a line of rows, columns and entries, then a line per row of
// pairs column value, with columns from 1; or a line of rows and columns and then all values of
// each row. The files .clabel, .rlabel and .rclass beside it name columns and rows and hold the
// classes.
func readCLUTO(in *source) (*draft, error) {
	lines := input.NewLines(in.File)
	line, err := nextFilled(lines)
	if err != nil {
		return nil, in.Wrap(lines.Place(), input.Early(err))
	}
	c := clutoMatrix{in: in, lines: lines, entries: -1, t: triplets{in: in}}
	for k := 0; ; k++ {
		var field []byte
		if field, line = lexical.Next(line); len(field) == 0 {
			if k < 2 {
				return nil, in.Fail(lines.Place(), "is not the sizes of a matrix of CLUTO: rows, columns and, if it is sparse, entries")
			}
			break
		}
		n, ok := lexical.Index(field)
		if !ok || n < 0 || k > 2 {
			return nil, in.Fail(lines.Place(), "is not the sizes of a matrix of CLUTO: rows, columns and, if it is sparse, entries")
		}
		*[]*int64{&c.rows, &c.cols, &c.entries}[k] = n
	}
	if err := in.checkShape(lines.Place(), c.rows, c.cols, math.MaxInt64); err != nil {
		return nil, err
	}
	if err := c.read(); err != nil {
		return nil, err
	}
	d := &draft{what: "the matrix"}
	if c.entries < 0 {
		d.x = mat.NewDense(int(c.rows), int(c.cols), c.t.val)
	} else if d.x, err = c.t.csr(int(c.rows), int(c.cols)); err != nil {
		if twice, ok := err.(*duplicate); ok {
			return nil, in.Fail(linePlace(int64(twice.row)+2), "column %d has two values; keep one of them", twice.col+1)
		}
		return nil, in.Wrap("", err)
	}
	return d, c.beside(d)
}

// clutoMatrix is a matrix of CLUTO that is being read.
type clutoMatrix struct {
	in                  *source
	lines               *input.Lines
	rows, cols, entries int64 // entries is -1 if the matrix is dense
	t                   triplets
}

// read reads the rows. An empty line is an empty row of a sparse matrix.
func (c *clutoMatrix) read() error {
	row, seen := int64(0), int64(0)
	for {
		line, err := c.lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		field, rest := lexical.Next(line)
		if row >= c.rows {
			if len(field) == 0 {
				continue
			}
			return c.in.Fail(c.lines.Place(), "there are more rows than the %d of the first line; correct it", c.rows)
		}
		if c.entries < 0 {
			err = c.dense(field, rest)
		} else {
			var n int64
			n, err = c.sparse(int32(row), field, rest)
			seen += n
		}
		if err != nil {
			return err
		}
		row++
	}
	switch {
	case row < c.rows:
		return c.in.Fail(c.lines.Place(), "the file ends after %d of %d rows, it was cut off; copy or download it again", row, c.rows)
	case c.entries >= 0 && seen != c.entries:
		return c.in.Fail("line 1", "names %d entries, and the rows have %d; correct it", c.entries, seen)
	}
	return nil
}

func (c *clutoMatrix) number(field []byte) (float64, error) {
	v, err := lexical.Value(field)
	if err != nil || v-v != 0 {
		return 0, c.in.Fail(c.lines.Place(), "%q is not a finite number; correct it", message.Clip(string(field), 40))
	}
	return v, nil
}

// dense reads the values of a row.
func (c *clutoMatrix) dense(field, rest []byte) error {
	before := int64(len(c.t.val))
	for ; len(field) > 0; field, rest = lexical.Next(rest) {
		v, err := c.number(field)
		if err == nil {
			c.t.val, err = input.Push(c.in.Mem, c.t.val, 8, v)
		}
		if err != nil {
			return c.in.Wrap(c.lines.Place(), err)
		}
	}
	if n := int64(len(c.t.val)) - before; n != c.cols {
		return c.in.Fail(c.lines.Place(), "has %s, where the first line names %d columns; correct it", message.Plural(int(n), "value", "values"), c.cols)
	}
	return nil
}

// sparse reads the pairs of a row.
func (c *clutoMatrix) sparse(row int32, field, rest []byte) (n int64, err error) {
	for ; len(field) > 0; field, rest = lexical.Next(rest) {
		j, ok := lexical.Index(field)
		if !ok || j < 1 || j > c.cols {
			return n, c.in.Fail(c.lines.Place(), "%q is not the number of a column, from 1 to %d; correct it", message.Clip(string(field), 40), c.cols)
		}
		if field, rest = lexical.Next(rest); len(field) == 0 {
			return n, c.in.Fail(c.lines.Place(), "column %d has no value; correct it", j)
		}
		v, err := c.number(field)
		if err == nil {
			err = c.t.add(row, int32(j-1), v)
		}
		if err != nil {
			return n, c.in.Wrap(c.lines.Place(), err)
		}
		n++
	}
	return n, nil
}

// beside reads the names and classes in the files beside the matrix.
func (c *clutoMatrix) beside(d *draft) error {
	base := input.UnpackedName(filepath.Base(c.in.Path))
	for suffix, n := range map[string]int64{".clabel": c.cols, ".rlabel": c.rows, ".rclass": c.rows} {
		path, ok := c.in.Sibling(base + suffix)
		if !ok {
			if path, ok = c.in.Sibling(strings.TrimSuffix(base, filepath.Ext(base)) + suffix); !ok {
				continue
			}
		}
		list, err := input.ReadLines(c.in.Ctx, path, c.in.Mem.Limit)
		if err != nil {
			return err
		}
		for len(list) > int(n) && list[len(list)-1] == "" {
			list = list[:len(list)-1]
		}
		if int64(len(list)) != n {
			return input.Failf(path, "", "has %s, where %s has %d; move that file away or write the one that belongs to it", message.Plural(len(list), "line", "lines"), c.in.Name, n)
		}
		switch suffix {
		case ".clabel":
			d.colNames = list
		case ".rlabel":
			d.rowNames = list
		case ".rclass":
			d.labels = &Labels{What: "the list of classes", File: path, Without: "move that file away", Words: list}
		}
	}
	for _, f := range []struct {
		there bool
		said  string
	}{{d.colNames != nil, "The terms are from %s.clabel beside it."}, {d.rowNames != nil, "The names of the documents are from %s.rlabel beside it."}} {
		if f.there {
			c.in.Notef(f.said, base)
		}
	}
	if d.labels != nil && !c.in.opt.LabelsGiven {
		c.in.LabelNotef("The labels are from %s.rclass beside it.", base)
	}
	return nil
}

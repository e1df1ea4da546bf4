package matrix

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"gonum.org/v1/gonum/mat"
)

// mtxHeader is the first line of a Matrix Market file and its line of sizes.
type mtxHeader struct {
	coordinate, pattern, symmetric bool
	rows, cols, entries            int64
}

// readMtx reads Matrix Market: coordinate or array, real, integer or pattern, general or symmetric.
// Documents are rows, unless the labels say otherwise. The format has no place for labels; they are
// in the file NAME.labels.csv beside NAME.mtx, if there is one.
func readMtx(in *source) (*draft, error) {
	lines := input.NewLines(in.File)
	h, err := readMtxHeader(in, lines)
	if err != nil {
		return nil, err
	}
	var d *draft
	if h.coordinate {
		d, err = readMtxEntries(in, lines, h)
	} else {
		d, err = readMtxArray(in, lines, h)
	}
	if err != nil {
		return nil, err
	}
	return d, in.takeLabelsBeside(d)
}

func readMtxHeader(in *source, lines *input.Lines) (h mtxHeader, err error) {
	line, err := lines.Next()
	if err != nil {
		return h, in.Wrap(lines.Place(), err)
	}
	words := strings.Fields(strings.ToLower(string(line[:min(len(line), 1024)])))
	if len(words) != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix" {
		return h, in.Fail("line 1", "is not the header of a Matrix Market matrix; begin with %%%%MatrixMarket matrix coordinate real general")
	}
	switch words[2] {
	case "coordinate":
		h.coordinate = true
	case "array":
	default:
		return h, in.Fail("line 1", "unknown layout %q; write coordinate or array", message.Clip(words[2], 40))
	}
	switch words[3] {
	case "real", "double", "integer":
	case "pattern":
		h.pattern = true
	default:
		return h, in.Fail("line 1", "numbers of type %q are not taken; write real, integer or pattern", message.Clip(words[3], 40))
	}
	switch words[4] {
	case "general":
	case "symmetric":
		h.symmetric = true
	default:
		return h, in.Fail("line 1", "a matrix that is %q is not taken; write it out as general", message.Clip(words[4], 40))
	}
	if !h.coordinate && (h.pattern || h.symmetric) {
		return h, in.Fail("line 1", "an array that is %s %s is not taken; write it as array real general", words[3], words[4])
	}
	if line, err = nextMtxLine(lines); err != nil {
		return h, in.Wrap(lines.Place(), input.Early(err))
	}
	want := []*int64{&h.rows, &h.cols, &h.entries}
	if !h.coordinate {
		want = want[:2]
	}
	for _, p := range want {
		var field []byte
		var ok bool
		field, line = lexical.Next(line)
		if *p, ok = lexical.Index(field); !ok || *p < 0 {
			return h, in.Fail(lines.Place(), "the sizes (rows, columns%s) are missing or not numbers; write them before the entries", map[bool]string{true: ", entries"}[h.coordinate])
		}
	}
	if rest, _ := lexical.Next(line); len(rest) > 0 {
		return h, in.Fail(lines.Place(), "has more than %d sizes; write one line with the sizes before the entries", len(want))
	}
	if h.symmetric && h.rows != h.cols {
		return h, in.Fail(lines.Place(), "is declared symmetric, but is %d×%d; write it as general", h.rows, h.cols)
	}
	backed := int64(math.MaxInt64) // entries are counted as they come
	return h, in.checkShape(lines.Place(), h.rows, h.cols, backed)
}

// nextMtxLine returns the next line that is neither blank nor a comment.
func nextMtxLine(lines *input.Lines) ([]byte, error) {
	for {
		line, err := lines.Next()
		if err != nil {
			return nil, err
		}
		if field, _ := lexical.Next(line); len(field) > 0 && field[0] != '%' {
			return line, nil
		}
	}
}

// mtxEntries are the entries of a coordinate file in its order.
type mtxEntries struct {
	triplets
	mtxHeader
	// Entries are on consecutive lines, except for blank lines and comments. For each run of
	// consecutive lines, runs holds its first entry and that entry's line.
	runs []mtxRun
}

type mtxRun struct{ entry, line int64 }

func readMtxEntries(in *source, lines *input.Lines, h mtxHeader) (*draft, error) {
	t := mtxEntries{triplets: triplets{in: in, gaps: true}, mtxHeader: h}
	for k := int64(0); k < h.entries; k++ {
		before := lines.Number
		line, err := nextMtxLine(lines)
		if err == io.EOF {
			return nil, in.Fail(lines.Place(), "the file ends after %d of %d entries, it was cut off; copy or download it again", k, h.entries)
		}
		if err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		if k == 0 || lines.Number != before+1 {
			if t.runs, err = input.Push(in.Mem, t.runs, 16, mtxRun{k, lines.Number}); err != nil {
				return nil, in.Wrap(lines.Place(), err)
			}
		}
		if err := t.addLine(line, lines); err != nil {
			return nil, err
		}
	}
	if _, err := nextMtxLine(lines); err == nil {
		return nil, in.Fail(lines.Place(), "there are more entries than the %d that the header names; correct the header", h.entries)
	} else if err != io.EOF {
		return nil, in.Wrap(lines.Place(), err)
	}
	if h.symmetric {
		for k := range h.entries {
			if t.row[k] != t.col[k] {
				if err := t.add(t.col[k], t.row[k], t.val[k]); err != nil {
					return nil, in.Wrap("", err)
				}
			}
		}
	}
	if err := in.checkShape("the header", h.rows, h.cols, h.entries); err != nil {
		return nil, err
	}
	x, err := t.csr(int(h.rows), int(h.cols))
	var twice *duplicate
	if errors.As(err, &twice) {
		first, second := t.places(twice)
		return nil, in.Fail(second, "two values for one entry (%d, %d), the other is in %s; keep one of them", twice.row+1, twice.col+1, first)
	}
	if err != nil {
		return nil, in.Wrap("", err)
	}
	return &draft{x: x, what: "the matrix", firstGap: t.firstGap}, nil
}

// addLine adds the entry of a line: row, column, and the value unless the matrix is a pattern.
func (t *mtxEntries) addLine(line []byte, lines *input.Lines) error {
	in := t.in
	a, rest := lexical.Next(line)
	b, rest := lexical.Next(rest)
	i, ok1 := lexical.Index(a)
	j, ok2 := lexical.Index(b)
	if !ok1 || !ok2 {
		return in.Fail(lines.Place(), "does not begin with a row and a column number; write row, column%s", map[bool]string{false: ", value"}[t.pattern])
	}
	if i < 1 || i > t.rows || j < 1 || j > t.cols {
		return in.Fail(lines.Place(), "entry (%d, %d) is outside the %d×%d matrix; correct the index or the sizes", i, j, t.rows, t.cols)
	}
	v := 1.0
	if !t.pattern {
		var c []byte
		var err error
		c, rest = lexical.Next(rest)
		if v, err = lexical.Value(c); err != nil {
			return in.Fail(lines.Place(), "the value %q is not a number; correct it", message.Clip(string(c), 40))
		}
		if v != v && t.gaps {
			t.missed(lines.Place(), fmt.Sprintf("row %d, column %d", i, j))
		} else if v-v != 0 {
			return in.Fail(lines.Place(), "row %d, column %d is %v; %s", i, j, v, sparseWay)
		}
	}
	if more, _ := lexical.Next(rest); len(more) > 0 {
		return in.Fail(lines.Place(), "has more fields than an entry has; write one entry per line")
	}
	if err := t.add(int32(i-1), int32(j-1), v); err != nil {
		return in.Wrap(lines.Place(), err)
	}
	return nil
}

// places names the lines of two values for one entry. In a symmetric matrix both triangles name the
// same entry.
func (t *mtxEntries) places(twice *duplicate) (first, second string) {
	seen := 0
	for k := int64(0); k < t.entries && seen < 2; k++ {
		i, j := t.row[k], t.col[k]
		if !(i == twice.row && j == twice.col || t.symmetric && i == twice.col && j == twice.row) {
			continue
		}
		seen++
		first = second
		for _, r := range t.runs {
			if r.entry <= k {
				second = linePlace(r.line + k - r.entry)
			}
		}
	}
	return first, second
}

// readMtxArray reads a dense matrix, column by column. A line may hold one value, or a column.
// Lines of other lengths are refused, as by SciPy: they were written by hand, and mean rows.
func readMtxArray(in *source, lines *input.Lines, h mtxHeader) (*draft, error) {
	if h.rows > math.MaxInt64/16/h.cols {
		return nil, in.Wrap(lines.Place(), input.ErrMemory)
	}
	n := h.rows * h.cols
	var vals []float64
	for int64(len(vals)) < n {
		line, err := nextMtxLine(lines)
		if err == io.EOF {
			return nil, in.Fail(lines.Place(), "the file ends after %d of %d values, it was cut off; copy or download it again", len(vals), n)
		}
		if err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		if k := int64(len(bytes.Fields(line))); k > 1 && h.rows > 1 && h.cols > 1 && (k != h.rows || h.rows == h.cols) {
			return nil, in.Fail(lines.Place(), "has %d values, where the format has one per line, column by column; a file with a row of the matrix in each line is a table: take the two lines of the header off and name it .csv", k)
		}
		for field, rest := lexical.Next(line); len(field) > 0; field, rest = lexical.Next(rest) {
			v, err := lexical.Value(field)
			switch {
			case err != nil:
				return nil, in.Fail(lines.Place(), "the value %q is not a number; correct it", message.Clip(string(field), 40))
			case math.IsInf(v, 0):
				return nil, in.Fail(lines.Place(), "row %d, column %d is %v; replace entries that are not finite numbers",
					int64(len(vals))%h.rows+1, int64(len(vals))/h.rows+1, v)
			case int64(len(vals)) == n:
				return nil, in.Fail(lines.Place(), "there are more values than the %d that the header names; correct the header", n)
			}
			if vals, err = input.Push(in.Mem, vals, 8, v); err != nil {
				return nil, in.Wrap(lines.Place(), err)
			}
		}
	}
	if _, err := nextMtxLine(lines); err == nil {
		return nil, in.Fail(lines.Place(), "there are more values than the %d that the header names; correct the header", n)
	} else if err != io.EOF {
		return nil, in.Wrap(lines.Place(), err)
	}
	return &draft{x: mat.NewDense(int(h.cols), int(h.rows), vals), flipped: true, what: "the matrix"}, nil
}

// linePlace names a line.
func linePlace(n int64) string { return "line " + lexical.Print(float64(n)) }

// MtxSize reads the header of a Matrix Market file: its rows, columns and entries, which are
// counted in both triangles if it is symmetric.
func MtxSize(in *input.File) (rows, cols, entries int, isSparse bool, err error) {
	h, err := readMtxHeader(&source{File: in}, input.NewLines(in))
	if err != nil {
		return 0, 0, 0, false, err
	}
	if !h.coordinate {
		h.entries = h.rows * h.cols
	}
	if h.symmetric {
		h.entries *= 2
	}
	return int(h.rows), int(h.cols), int(h.entries), h.coordinate, nil
}

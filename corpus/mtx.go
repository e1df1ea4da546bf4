package corpus

import (
	"errors"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// mtxHeader is the first line of a Matrix Market file and its line of sizes.
type mtxHeader struct {
	coordinate, pattern, symmetric bool
	rows, cols, entries            int64
}

// readMtx reads Matrix Market: coordinate or array, real, integer or pattern, general or symmetric.
// Documents are rows, unless the labels say otherwise. The format has no place for labels: they are
// looked for in the file NAME.labels.csv beside NAME.mtx, where [Write] puts them.
func readMtx(in *input) (*draft, error) {
	lines := lineReader{in: in}
	h, err := readMtxHeader(in, &lines)
	if err != nil {
		return nil, err
	}
	var d *draft
	if h.coordinate {
		d, err = readMtxEntries(in, &lines, h)
	} else {
		d, err = readMtxArray(in, &lines, h)
	}
	if err != nil {
		return nil, err
	}
	return d, in.sidecarLabels(d)
}

func readMtxHeader(in *input, lines *lineReader) (h mtxHeader, err error) {
	line, err := lines.next()
	if err != nil {
		return h, in.wrap(lines.place(), err)
	}
	words := strings.Fields(strings.ToLower(string(line[:min(len(line), 1024)])))
	if len(words) != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix" {
		return h, in.fail("line 1", "is not the header of a Matrix Market matrix; begin with %%%%MatrixMarket matrix coordinate real general")
	}
	switch words[2] {
	case "coordinate":
		h.coordinate = true
	case "array":
	default:
		return h, in.fail("line 1", "unknown layout %q; write coordinate or array", clip(words[2], 40))
	}
	switch words[3] {
	case "real", "double", "integer":
	case "pattern":
		h.pattern = true
	default:
		return h, in.fail("line 1", "numbers of type %q are not taken; write real, integer or pattern", clip(words[3], 40))
	}
	switch words[4] {
	case "general":
	case "symmetric":
		h.symmetric = true
	default:
		return h, in.fail("line 1", "a matrix that is %q is not taken; write it out as general", clip(words[4], 40))
	}
	if !h.coordinate && (h.pattern || h.symmetric) {
		return h, in.fail("line 1", "an array that is %s %s is not taken; write it as array real general", words[3], words[4])
	}
	if line, err = nextMtxLine(lines); err != nil {
		return h, in.wrap(lines.place(), eofIsEarly(err))
	}
	want := []*int64{&h.rows, &h.cols, &h.entries}
	if !h.coordinate {
		want = want[:2]
	}
	for _, p := range want {
		var field []byte
		var ok bool
		field, line = nextField(line)
		if *p, ok = parseIndex(field); !ok || *p < 0 {
			return h, in.fail(lines.place(), "the sizes (rows, columns%s) are missing or no numbers; write them before the entries", map[bool]string{true: ", entries"}[h.coordinate])
		}
	}
	if rest, _ := nextField(line); len(rest) > 0 {
		return h, in.fail(lines.place(), "has more than %d sizes; write one line with the sizes before the entries", len(want))
	}
	if h.symmetric && h.rows != h.cols {
		return h, in.fail(lines.place(), "is declared symmetric, but is %d×%d; write it as general", h.rows, h.cols)
	}
	backed := int64(math.MaxInt64) // entries are counted as they come
	return h, in.checkShape(lines.place(), h.rows, h.cols, backed)
}

// nextMtxLine returns the next line that is neither blank nor a comment.
func nextMtxLine(lines *lineReader) ([]byte, error) {
	for {
		line, err := lines.next()
		if err != nil {
			return nil, err
		}
		if field, _ := nextField(line); len(field) > 0 && field[0] != '%' {
			return line, nil
		}
	}
}

func eofIsEarly(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func readMtxEntries(in *input, lines *lineReader, h mtxHeader) (*draft, error) {
	t := triplets{in: in}
	// Lines of entries come one after the other except where blank lines or comments stand between:
	// gaps holds, for each run of consecutive lines, its first entry and that entry's line.
	type run struct{ entry, line int64 }
	var runs []run
	for k := int64(0); k < h.entries; k++ {
		before := lines.number
		line, err := nextMtxLine(lines)
		if err == io.EOF {
			return nil, in.fail(lines.place(), "the file ends after %d of %d entries, it was cut off; copy or download it again", k, h.entries)
		}
		if err != nil {
			return nil, in.wrap(lines.place(), err)
		}
		if k == 0 || lines.number != before+1 {
			if runs, err = push(in.mem, runs, 16, run{k, lines.number}); err != nil {
				return nil, in.wrap(lines.place(), err)
			}
		}
		a, rest := nextField(line)
		b, rest := nextField(rest)
		i, ok1 := parseIndex(a)
		j, ok2 := parseIndex(b)
		if !ok1 || !ok2 {
			return nil, in.fail(lines.place(), "does not begin with a row and a column number; write row, column%s", map[bool]string{false: ", value"}[h.pattern])
		}
		if i < 1 || i > h.rows || j < 1 || j > h.cols {
			return nil, in.fail(lines.place(), "entry (%d, %d) is outside the %d×%d matrix; correct the index or the sizes", i, j, h.rows, h.cols)
		}
		v := 1.0
		if !h.pattern {
			var c []byte
			c, rest = nextField(rest)
			if v, err = parseValue(c); err != nil {
				return nil, in.fail(lines.place(), "the value %q is not a number; correct it", clip(string(c), 40))
			}
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, in.fail(lines.place(), "row %d, column %d is %v; replace entries that are not finite numbers", i, j, v)
			}
		}
		if more, _ := nextField(rest); len(more) > 0 {
			return nil, in.fail(lines.place(), "has more fields than an entry has; write one entry a line")
		}
		if err := t.add(int32(i-1), int32(j-1), v); err != nil {
			return nil, in.wrap(lines.place(), err)
		}
	}
	if _, err := nextMtxLine(lines); err == nil {
		return nil, in.fail(lines.place(), "there are more entries than the %d that the header names; correct the header", h.entries)
	} else if err != io.EOF {
		return nil, in.wrap(lines.place(), err)
	}
	if h.symmetric {
		for k := range h.entries {
			if t.row[k] != t.col[k] {
				if err := t.add(t.col[k], t.row[k], t.val[k]); err != nil {
					return nil, in.wrap("", err)
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
		// Both triangles of a symmetric matrix name the same entry.
		place, seen := "", 0
		for k := int64(0); k < h.entries && seen < 2; k++ {
			i, j := t.row[k], t.col[k]
			if !(i == twice.row && j == twice.col || h.symmetric && i == twice.col && j == twice.row) {
				continue
			}
			seen++
			for _, r := range runs {
				if r.entry <= k {
					place = linePlace(r.line + k - r.entry)
				}
			}
		}
		return nil, in.fail(place, "two values for one entry (%d, %d); keep one of them", twice.row+1, twice.col+1)
	}
	if err != nil {
		return nil, in.wrap("", err)
	}
	return &draft{x: x, what: "the matrix"}, nil
}

// readMtxArray reads a dense matrix, column by column.
func readMtxArray(in *input, lines *lineReader, h mtxHeader) (*draft, error) {
	if h.rows > math.MaxInt64/16/h.cols {
		return nil, in.wrap(lines.place(), errMemory)
	}
	n := h.rows * h.cols
	var vals []float64
	for int64(len(vals)) < n {
		line, err := nextMtxLine(lines)
		if err == io.EOF {
			return nil, in.fail(lines.place(), "the file ends after %d of %d values, it was cut off; copy or download it again", len(vals), n)
		}
		if err != nil {
			return nil, in.wrap(lines.place(), err)
		}
		for field, rest := nextField(line); len(field) > 0; field, rest = nextField(rest) {
			v, err := parseValue(field)
			switch {
			case err != nil:
				return nil, in.fail(lines.place(), "the value %q is not a number; correct it", clip(string(field), 40))
			case math.IsNaN(v) || math.IsInf(v, 0):
				return nil, in.fail(lines.place(), "row %d, column %d is %v; replace entries that are not finite numbers",
					int64(len(vals))%h.rows+1, int64(len(vals))/h.rows+1, v)
			case int64(len(vals)) == n:
				return nil, in.fail(lines.place(), "there are more values than the %d that the header names; correct the header", n)
			}
			if vals, err = push(in.mem, vals, 8, v); err != nil {
				return nil, in.wrap(lines.place(), err)
			}
		}
	}
	if _, err := nextMtxLine(lines); err == nil {
		return nil, in.fail(lines.place(), "there are more values than the %d that the header names; correct the header", n)
	} else if err != io.EOF {
		return nil, in.wrap(lines.place(), err)
	}
	return &draft{x: mat.NewDense(int(h.cols), int(h.rows), vals), flipped: true, what: "the matrix"}, nil
}

// linePlace names a line.
func linePlace(n int64) string { return "line " + printNumber(float64(n)) }

// sidecarLabels takes the labels of a format that has no place for them or their names from NAME.labels.csv beside
// NAME.mtx, NAME.npy or NAME.svm, if that file is there. Labels given apart replace them, but not the names of the
// documents, by which the given ones may go; a file that cannot be read as labels is then passed over.
func (in *input) sidecarLabels(d *draft) error {
	if in.path == "" {
		return nil
	}
	name := besideName(in.path, labelsSuffix)
	path, ok := in.sibling(name)
	if !ok {
		return nil
	}
	l, err := readLabelingLimited(in.ctx, path, "", in.opt)
	var format *FormatError
	if in.given != nil && errors.As(err, &format) {
		in.notef("File %s beside it was passed over: it is no list of labels.", name)
		return nil
	}
	if err != nil {
		return err
	}
	d.labels, d.docNames = l.raw("move that file away"), l.IDs
	switch {
	case in.given == nil:
		in.notef("The labels are from %s beside it.", name)
	case l.IDs != nil:
		in.notef("The names of the documents are from %s beside it.", name)
	}
	return nil
}

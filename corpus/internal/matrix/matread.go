package matrix

import (
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// readMatrix reads a numeric variable as its transpose: MATLAB stores columns contiguously, so the
// arrays of the file are the rows of the transpose. With several threads a packed one is unpacked
// beside the decoding of its numbers.
func (m *matFile) readMatrix(v *matVar) (mat.Matrix, error) {
	r, err := m.openBody(v)
	if err != nil {
		return nil, m.damage(err)
	}
	if v.compressed && native.Threads() > 1 {
		defer r.zip.ahead().Close()
	}
	if v.class != mxSparse {
		vals, err := r.floats(v.rows * v.cols) // both below 2^31
		if err != nil {
			return nil, m.damage(err)
		}
		return mat.NewDense(int(v.cols), int(v.rows), vals), m.checkEnd(v, r)
	}
	a := compressedArrays{what: v.place(), major: int(v.cols), minor: int(v.rows), byColumn: true, repair: "write the matrix again with one"}
	if a.idx, err = matIntegers[int32](r); err != nil {
		return nil, m.damage(err)
	}
	if a.ptr, err = matIntegers[int](r); err != nil {
		return nil, m.damage(err)
	}
	if a.val, err = m.sparseValues(r, v, a.ptr); err != nil {
		return nil, m.damage(err)
	}
	if err := m.checkEnd(v, r); err != nil {
		return nil, err
	}
	return a.matrix(m.in)
}

// sparseValues reads the values of a sparse array; there may be more than the pointers use. Of a
// logical array MATLAB writes a byte for each and calls them doubles.
func (m *matFile) sparseValues(r *matReader, v *matVar, ptr []int) ([]float64, error) {
	e, err := r.next()
	if err != nil {
		return nil, err
	}
	kind := matKinds[e.typ]
	if n := int64(len(ptr)) - 1; n >= 0 && v.logical && kind == kindFloat64 && e.length >= int64(ptr[n]) && e.length/8 < int64(ptr[n]) {
		kind = kindUint8
	}
	if kind == noKind || e.length%int64(kind.size()) != 0 {
		return nil, errMat("the values of a sparse array are not numbers")
	}
	vals, err := readFloats(e.data, r.mem, e.length/int64(kind.size()), kind, r.order, r.backed)
	if err != nil {
		return nil, err
	}
	return vals, r.finish(e)
}

// openBody opens a variable and skips its header.
func (m *matFile) openBody(v *matVar) (*matReader, error) {
	r, err := m.open(v)
	if err != nil {
		return nil, err
	}
	var again matVar
	return r, r.readArrayHeader(&again)
}

// checkEnd reads a compressed variable to its end, which verifies the checksum.
func (m *matFile) checkEnd(v *matVar, r *matReader) error {
	if !v.compressed {
		return nil
	}
	for range 1024 { // an undamaged file has at most padding
		if _, err := r.r.ReadByte(); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
	return m.in.Fail(v.place(), "goes on after its data, the file is damaged; copy or download it again")
}

// readWords reads a char array or a cell array of texts (and single numbers) as a list; nil if a
// cell holds something else.
func (m *matFile) readWords(v *matVar) ([]string, error) {
	r, err := m.openBody(v)
	if err != nil {
		return nil, m.damage(err)
	}
	if v.class == mxChar {
		words, err := r.text(v)
		return words, m.damage(err)
	}
	var words []string
	for range v.rows * v.cols { // every cell has at least a tag in the file
		e, err := r.next()
		if err != nil {
			return nil, m.damage(err)
		}
		if e.typ != miMatrix {
			return nil, m.damage(errMat("a cell holds no array"))
		}
		word := ""
		if e.length > 0 { // an empty cell may have no array at all
			var ok bool
			if word, ok, err = r.cellWord(); err != nil || !ok {
				return nil, m.damage(err)
			}
		}
		if err := r.mem.Take(int64(len(word)), 1); err != nil {
			return nil, err
		}
		if words, err = input.Push(r.mem, words, 16, word); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// cellWord reads the array inside a cell if it is one text or one number.
func (m *matReader) cellWord() (word string, ok bool, err error) {
	var v matVar
	if err := m.readArrayHeader(&v); err != nil {
		return "", false, err
	}
	switch {
	case v.isEmpty():
		// Arrays without content still have an element for it, unless they are cells.
		if v.class != mxCell {
			empty, err := m.next()
			if err != nil {
				return "", false, err
			}
			return "", true, m.finish(empty)
		}
		return "", true, nil
	case v.class == mxChar && v.rows == 1:
		lines, err := m.text(&v)
		if err != nil {
			return "", false, err
		}
		return lines[0], true, nil
	case v.numeric && !v.sparse && v.rows == 1 && v.cols == 1:
		vals, err := m.floats(1)
		if err != nil {
			return "", false, err
		}
		return lexical.Print(vals[0]), true, nil
	}
	return "", false, nil
}

// readLabels reads a variable as labels.
func (m *matFile) readLabels(v *matVar) (*Labels, error) {
	l := &Labels{What: v.place(), File: m.in.Name, Without: labelVarNone, Rows: int(v.rows), Cols: int(v.cols)}
	if v.text {
		words, err := m.readWords(v)
		if err != nil {
			return nil, err
		}
		if words == nil {
			return nil, m.in.Fail(v.place(), "has cells that are neither one text nor one number; choose other labels with ‹label-var›")
		}
		l.Words = words
		return l, nil
	}
	if err := m.in.checkShape(v.place(), v.rows, v.cols, v.rows); err != nil {
		return nil, err
	}
	x, err := m.readMatrix(v)
	if err != nil {
		return nil, err
	}
	if d, ok := x.(*mat.Dense); ok {
		l.Nums = d.RawMatrix().Data
		return l, nil
	}
	if err := m.in.Mem.Take(v.rows*v.cols, 8); err != nil {
		return nil, err
	}
	l.Nums = mat.DenseCopyOf(x).RawMatrix().Data // of the transpose, so column by column
	return l, nil
}

// readNames reads lists of terms, document names and class names from variables of the usual names.
func (m *matFile) readNames(d *draft, labels int) error {
	rows, cols := d.size()
	for k := range m.vars {
		v := &m.vars[k]
		if k == labels || !v.text {
			continue
		}
		isTerms, isClasses := slices.Contains(termNames, v.name), slices.Contains(classNameNames, v.name)
		if !isTerms && !isClasses && !slices.Contains(docNames, v.name) {
			continue
		}
		words, err := m.readWords(v)
		if err != nil {
			return m.in.Wrap(v.place(), err)
		}
		switch {
		case isClasses:
			d.classNames = words
		case isTerms && len(words) == cols:
			d.colNames = words
		case isTerms && len(words) == rows:
			d.rowTerms, d.rowTermsAt = words, v.place()
		case !isTerms && len(words) == rows:
			d.rowNames = words
		case !isTerms && len(words) == cols:
			d.colNames = words
		default:
			m.in.Notef("Variable %v was passed over: it has neither one name per row nor one per column.", v)
		}
	}
	return nil
}

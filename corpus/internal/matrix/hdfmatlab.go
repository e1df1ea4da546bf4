package matrix

import (
	"io"
	"slices"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/corpus/internal/hdf"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// openMatlab opens a variable of MATLAB's level 7.3, whose dimensions HDF5 has in the other order;
// done is false for numbers.
func (h *hdfFile) openMatlab(m *arrayMember, d *hdf.Data, name string) (done bool, err error) {
	m.fortran = true
	m.dims = slices.Clone(d.Dims)
	slices.Reverse(m.dims)
	empty, err := h.heads[name].Attr("MATLAB_empty")
	if err != nil {
		return true, err
	}
	class, err := h.heads[name].Attr("MATLAB_class")
	if err != nil {
		return true, err
	}
	kind := class.Text()
	if empty != nil {
		if m.dims, err = d.Ints(32); err != nil {
			return true, err
		}
		m.count = 0
		if kind == "cell" || kind == "char" {
			m.text, m.words = 'U', func() ([]string, error) { return nil, nil }
		} else {
			m.kind = kindFloat64
		}
		return true, nil
	}
	switch {
	case kind == "char":
		m.text, m.words = 'U', func() ([]string, error) { return h.chars(d) }
	case kind == "cell" && d.Type.Class == hdf.Reference:
		m.text, m.words = 'U', func() ([]string, error) { return h.cellWords(m, d) }
	case d.Type.Class == hdf.Reference:
		m.problem = "a list of references"
	case kind != "" && kind != "logical" && !slices.Contains(matlabNumbers, kind):
		m.problem = "of the class " + kind
	default:
		return false, nil
	}
	return true, nil
}

// matlabNumbers are the classes of numbers.
var matlabNumbers = []string{"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}

// chars reads a char array, one text per row.
func (h *hdfFile) chars(d *hdf.Data) ([]string, error) {
	number, _ := d.Type.Number()
	if number == nil || number.Class == hdf.Float || number.Size > 4 || len(d.Dims) != 2 {
		return nil, h.in.Fail(d.Place(), "is a text in a form that is not read; save it again in MATLAB")
	}
	r, backed, err := d.Open()
	if err != nil {
		return nil, err
	}
	kind := kindOf(number)
	units, err := readArray(r, h.in.Mem, d.Count, number.Size, backed, 2, func(dst []uint16, src []byte) error {
		for i := range dst {
			dst[i] = uint16(kind.integer(src[i*number.Size:], number.Order))
		}
		return nil
	})
	if err != nil {
		return nil, h.in.Wrap(d.Place(), err)
	}
	defer h.in.Mem.Give(int64(cap(units)), 2)
	rows, cols := d.Dims[1], d.Dims[0]
	if rows == 1 {
		return []string{string(utf16.Decode(units))}, nil
	}
	if err := h.in.Mem.Take(rows*(16+cols), 1); err != nil {
		return nil, h.in.Wrap(d.Place(), err)
	}
	return charLines(units, int(rows), int(cols)), nil
}

// cellWords reads a cell array of texts and single numbers.
func (h *hdfFile) cellWords(m *arrayMember, d *hdf.Data) ([]string, error) {
	references, err := d.References()
	if err != nil {
		return nil, err
	}
	defer h.in.Mem.Give(int64(cap(references)), 8)
	var words []string
	for _, at := range references {
		word, ok, err := h.cellWord(at, d.Path)
		if err == nil && !ok {
			err = h.in.Fail(m.place, "has cells that are neither one text nor one number; choose other labels with ‹label-var›")
		}
		if err == nil {
			err = h.in.Mem.Take(int64(len(word)), 1)
		}
		if err == nil {
			words, err = input.Push(h.in.Mem, words, 16, word)
		}
		if err != nil {
			return nil, h.in.Wrap(m.place, err)
		}
	}
	return words, nil
}

// cellWord reads what is in a cell if it is one text or one number.
func (h *hdfFile) cellWord(at uint64, path string) (word string, ok bool, err error) {
	o, err := h.file.At(at, path)
	if err != nil {
		return "", false, err
	}
	if !o.IsData() {
		return "", false, nil
	}
	d, err := o.Data()
	if err != nil {
		return "", false, err
	}
	empty, err := o.Attr("MATLAB_empty")
	if err != nil || empty != nil {
		return "", err == nil, err
	}
	class, err := o.Attr("MATLAB_class")
	if err != nil {
		return "", false, err
	}
	number, _ := d.Type.Number()
	switch {
	case class.Text() == "char" && len(d.Dims) == 2 && d.Dims[1] == 1:
		lines, err := h.chars(d)
		if err != nil {
			return "", false, err
		}
		return lines[0], true, nil
	case number != nil && d.Count == 1:
		r, _, err := d.Open()
		if err != nil {
			return "", false, err
		}
		b := make([]byte, number.Size)
		if _, err := io.ReadFull(r, b); err != nil {
			return "", false, input.Early(err)
		}
		var v [1]float64
		kindOf(number).floats(v[:], b, number.Order)
		return lexical.Print(v[0]), true, nil
	}
	return "", false, nil
}

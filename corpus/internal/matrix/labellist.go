package matrix

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// LabelList reads one label for each document from a file of the format npy, idx, npz, mat or
// hdf5: texts or numbers in one dimension, one column or one row. NaN is no label, "". Of several
// arrays of an .npz, a .mat or HDF5 it takes the one called array, or else the one with a usual
// name of labels or the only one; ids come from an array beside it that has a usual name of ids;
// nil for none.
// list is false if the array is no list, or the file holds a matrix.
func LabelList(file *input.File, format, array string) (labels, ids []string, list bool, err error) {
	in := &source{File: file, format: format}
	switch format {
	case "npz":
		z, err := openNPZ(in)
		if err != nil {
			return nil, nil, false, err
		}
		return z.labels(array)
	case "hdf5":
		z, err := openHDF5(in)
		if err != nil || z.cells {
			return nil, nil, false, err
		}
		return z.labels(array)
	case "mat":
		return matLabels(in, array)
	case "idx":
		var numbers []float64
		var dims []int64
		numbers, _, dims, err = readIDXArray(file, func(numKind) bool { return false })
		if err != nil || len(dims) != 1 {
			return nil, nil, false, err
		}
		labels, err = in.written(nil, numbers)
		return labels, nil, true, err
	}
	a, err := readNPYHeader(in, "", in.Stream)
	if err != nil || !a.isList() {
		return nil, nil, false, err
	}
	labels, err = in.arrayLabels(a, "", in.Stream, in.Size)
	if err == nil {
		err = in.atEnd("labels", a.count)
	}
	return labels, nil, true, err
}

// labels is [LabelList] of a file of arrays.
func (z *arrayFile) labels(array string) (labels, ids []string, list bool, err error) {
	vars, err := z.variables()
	if _, sparse := z.parts(); err != nil || sparse || z.has("format", "shape", "data") {
		return nil, nil, false, err
	}
	return z.in.labelsAmong(vars, array, z.list)
}

// matLabels is [LabelList] of a file of MATLAB.
func matLabels(in *source, array string) (labels, ids []string, list bool, err error) {
	m, err := openMat(in)
	if err == errLevel73 {
		return nil, nil, false, nil
	} else if err != nil {
		return nil, nil, false, err
	}
	var vars []variable
	for _, v := range m.vars {
		if v.class == mxChar { // a word in each row
			v.cols = min(v.cols, 1)
		}
		if v.numeric || v.text {
			vars = append(vars, v.variable)
		}
	}
	return in.labelsAmong(vars, array, func(name string) ([]string, error) {
		v := &m.vars[slices.IndexFunc(m.vars, func(v matVar) bool { return v.name == name })]
		l, err := m.readLabels(v)
		if err != nil {
			return nil, in.Wrap(v.place(), err)
		}
		if l.Words != nil {
			return l.Words, nil
		}
		return in.written(nil, l.Nums)
	})
}

// labelsAmong is [LabelList] of variables, which read reads by their names: of several lists the
// one that is named, or has a usual name.
func (in *source) labelsAmong(vars []variable, array string, read func(name string) ([]string, error)) (labels, ids []string, list bool, err error) {
	var names []string
	id := -1
	for k := range vars {
		switch v := &vars[k]; {
		case !v.isVector() && !v.isEmpty():
			return nil, nil, false, nil
		case v.isEmpty() || slices.Contains(classNameNames, v.name):
		case slices.Contains(docNames, v.name) && v.name != array:
			id = k
		default:
			names = append(names, v.name)
		}
	}
	if len(names) == 0 {
		return nil, nil, false, nil
	}
	if array == "" && len(names) > 1 {
		if k := slices.IndexFunc(anyLabelNames, func(n string) bool { return slices.Contains(names, n) }); k >= 0 {
			array = anyLabelNames[k]
		} else {
			return nil, nil, true, in.Fail("", "holds %d lists, %s, and none is called labels or y; save the one of the labels alone", len(names), message.List(names, 6))
		}
	}
	if array == "" {
		array = names[0]
	}
	if !slices.Contains(names, array) {
		return nil, nil, true, in.Fail("", "has no list %q; its lists are %s", message.Clip(array, 60), message.List(names, 12))
	}
	if labels, err = read(array); err != nil || id < 0 {
		return labels, nil, true, err
	}
	if ids, err = read(vars[id].name); err == nil && len(ids) != len(labels) {
		err = in.Fail("array "+vars[id].name, "has %s of %s of labels; write one for each", message.Plural(len(ids), "name", "names"), message.Plural(len(labels), "document", "documents"))
	}
	return labels, ids, true, err
}

// list reads an array as labels.
func (z *arrayFile) list(name string) ([]string, error) {
	m, err := z.started(name)
	if err != nil {
		return nil, err
	}
	labels, err := z.in.arrayLabels(m.npyArray, m.place, m.r, m.backed)
	if err != nil {
		m.r.Close()
		return nil, z.fault(m.place, err)
	}
	return labels, m.close(z)
}

// isList reports whether an array has one dimension, one column or one row.
func (a *npyArray) isList() bool {
	rows, cols := a.shape()
	return len(a.dims) <= 2 && (rows == 1 || cols == 1)
}

// arrayLabels reads the texts or the numbers of an array behind its header, as labels; backed is
// the number of bytes that the file can hold.
func (in *source) arrayLabels(a *npyArray, place string, r io.Reader, backed int64) (words []string, err error) {
	var numbers []float64
	switch {
	case a.problem == "" && a.text == 0 && a.kind == noKind:
		return nil, in.Fail(place, "is sparse, where a list is needed; save it as one")
	case a.problem != "":
		return nil, in.Fail(place, "is %s; save it with astype(str), or astype(int) for numbers", a.problem)
	case a.text != 0:
		words, err = readWords(in, a, r, backed)
	case a.kind == kindInt64 || a.kind == kindUint64:
		words, err = a.readIntegers(in, r, backed)
	default:
		numbers, err = readFloats(r, in.Mem, a.count, a.kind, a.order, backed)
	}
	if err != nil {
		return nil, in.Wrap(place, err)
	}
	return in.written(words, numbers)
}

// written is labels with numbers as texts behind them.
func (in *source) written(labels []string, numbers []float64) ([]string, error) {
	if err := in.Mem.Take(int64(len(numbers)), 16+8); err != nil {
		return nil, in.Wrap("", err)
	}
	for i, v := range numbers {
		switch {
		case math.IsInf(v, 0):
			return nil, in.Fail("", "label %d is infinite; give every document a finite class number, or NaN for none", i+1)
		case v != v:
			labels = append(labels, "")
		default:
			labels = append(labels, lexical.Print(v))
		}
	}
	return labels, nil
}

// readIntegers reads integers of 64 bits as they are written: double precision would make one of
// large ones, such as ids.
func (a *npyArray) readIntegers(in *source, r io.Reader, backed int64) ([]string, error) {
	const stringBytes, digitBytes = 16, 24
	return readArray(r, in.Mem, a.count, a.kind.size(), backed, stringBytes+digitBytes, func(dst []string, src []byte) error {
		for i := range dst {
			dst[i] = a.kind.written(src[8*i:], a.order)
		}
		return nil
	})
}

// written is the integer of 64 bits at the start of src, in decimal digits.
func (k numKind) written(src []byte, o binary.ByteOrder) string {
	if k == kindUint64 {
		return strconv.FormatUint(o.Uint64(src), 10)
	}
	return strconv.FormatInt(k.integer(src, o), 10)
}

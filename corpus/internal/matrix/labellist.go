package matrix

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// LabelList reads one label for each document from a file of the format npy or idx: texts or
// numbers in one dimension, one column or one row. NaN is no label, "". list is false if the array
// is no list.
func LabelList(file *input.File, format string) (labels []string, list bool, err error) {
	in := &source{File: file, format: format}
	var numbers []float64
	if format == "idx" {
		var dims []int64
		numbers, _, dims, err = readIDXArray(file, func(numKind) bool { return false })
		list = len(dims) == 1
	} else {
		labels, numbers, list, err = in.npyLabels()
	}
	if err != nil || !list {
		return nil, list, err
	}
	if err := file.Mem.Take(int64(len(numbers)), 16+8); err != nil {
		return nil, true, in.Wrap("", err)
	}
	for i, v := range numbers {
		switch {
		case math.IsInf(v, 0):
			return nil, true, in.Fail("", "label %d is infinite; give every document a finite class number, or NaN for none", i+1)
		case v != v:
			labels = append(labels, "")
		default:
			labels = append(labels, lexical.Print(v))
		}
	}
	return labels, true, nil
}

// npyLabels are the texts or the numbers of an array in NumPy's format, if it is a list.
func (in *source) npyLabels() (words []string, numbers []float64, list bool, err error) {
	a, err := readNPYHeader(in, "", in.Stream)
	if err != nil {
		return nil, nil, false, err
	}
	rows, cols := a.shape()
	if len(a.dims) > 2 || rows != 1 && cols != 1 {
		return nil, nil, false, nil
	}
	switch {
	case a.problem != "":
		return nil, nil, true, in.Fail("", "is %s; save it with astype(str), or astype(int) for numbers", a.problem)
	case a.text != 0:
		words, err = readWords(in, a, in.Stream, in.Size)
	case a.kind == kindInt64 || a.kind == kindUint64:
		words, err = a.readIntegers(in)
	default:
		numbers, err = readFloats(in.Stream, in.Mem, a.count, a.kind, a.order, in.Size)
	}
	if err != nil {
		return nil, nil, true, in.Wrap("", err)
	}
	return words, numbers, true, in.atEnd("labels", a.count)
}

// readIntegers reads integers of 64 bits as they are written: double precision would make one of
// large ones, such as ids.
func (a *npyArray) readIntegers(in *source) ([]string, error) {
	const stringBytes, digitBytes = 16, 24
	return readArray(in.Stream, in.Mem, a.count, a.kind.size(), in.Size, stringBytes+digitBytes, func(dst []string, src []byte) error {
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

//go:build cgo

package main

/*
#include "shim.h"
*/
import "C"

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// An int of Go has 64 bits here, so that row pointers need no conversion. The line does not compile
// elsewhere.
const _ = uint(unsafe.Sizeof(int(0)) - 8)

// array returns n values of the caller's where they are. It reads a byte of each page of them and
// the last one: an array that ends before its size says then faults here, on the calling thread,
// where [call.guarded] catches it, and not in the work.
func array[V any, I int | int64](p *V, n I) []V {
	list := unsafe.Slice(p, n)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(p)), int(n)*int(unsafe.Sizeof(*p)))
	for i := 0; i < len(bytes); i += page {
		touch(&bytes[i])
	}
	if len(bytes) > 0 {
		touch(&bytes[len(bytes)-1])
	}
	return list
}

// page is at most the size of a page of memory.
const page = 4096

// touch reads a byte.
//
//go:noinline
func touch(p *byte) byte { return *p }

// matrixOf is the caller's matrix where it is, checked. A column-major one is a transposed view,
// which the pipeline copies.
func matrixOf(x *C.eigenmap_matrix) (mat.Matrix, error) {
	if x == nil {
		return nil, missing("the matrix")
	}
	rows, cols := int64(x.rows), int64(x.cols)
	if rows < 1 || cols < 1 || rows > sparse.MaxDim || cols > sparse.MaxDim {
		return nil, invalid.Errorf("the matrix is %d × %d: rows and columns must be between 1 and %d", rows, cols, sparse.MaxDim)
	}
	switch x.layout {
	case C.EIGENMAP_CSR, C.EIGENMAP_AFFINITY:
		return sparseOf(x, sparse.NewCSR)
	case C.EIGENMAP_CSR_FLOAT:
		return sparseOf(x, sparse.SingleOf)
	case C.EIGENMAP_ROW_MAJOR_FLOAT:
		return singleOf(x, rows, cols)
	case C.EIGENMAP_ROW_MAJOR:
		m, err := denseOf(x, rows, cols)
		return m, err
	case C.EIGENMAP_COLUMN_MAJOR:
		m, err := denseOf(x, cols, rows)
		if err != nil {
			return nil, err
		}
		return m.T(), nil
	}
	return nil, badLayout(x.layout)
}

func badLayout(layout C.int32_t) error {
	return invalid.Errorf("the layout is %d, which eigenmap.h does not have here", int(layout))
}

func missing(what string) error { return invalid.Errorf("%s is NULL", what) }

// sparseOf takes the arrays of a sparse matrix, whose values have the type V.
func sparseOf[V float32 | float64, M mat.Matrix](x *C.eigenmap_matrix, taken func(rows, cols int, rowPtr []int, col []int32, val []V) (M, error)) (mat.Matrix, error) {
	if x.indptr == nil {
		return nil, missing("indptr")
	}
	rowPtr := array((*int)(unsafe.Pointer(x.indptr)), int(x.rows)+1)
	entries := rowPtr[x.rows]
	switch {
	case entries < 0 || entries > math.MaxInt64/8 || float64(entries) > float64(x.rows)*float64(x.cols):
		return nil, invalid.Errorf("indptr[%d] is %d: it must be the number of entries, at most rows × cols = %d × %d", int64(x.rows), entries, int64(x.rows), int64(x.cols))
	case entries > 0 && x.indices == nil:
		return nil, missing("indices")
	case entries > 0 && x.values == nil:
		return nil, missing("values")
	}
	m, err := taken(int(x.rows), int(x.cols), rowPtr, array((*int32)(x.indices), entries), array((*V)(unsafe.Pointer(x.values)), entries))
	var order *sparse.OrderError
	if errors.As(err, &order) {
		return nil, invalid.Errorf("row %d has column %d after one that is not smaller (counted from 0): the columns of a row must ascend, each once", order.Row, order.Col)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// singleOf takes dense rows in single precision, which are copied if they are not adjacent.
func singleOf(x *C.eigenmap_matrix, rows, cols int64) (mat.Matrix, error) {
	stride := int64(x.stride)
	if stride == 0 {
		stride = cols
	}
	if err := checkLines(x, rows, cols, stride); err != nil {
		return nil, err
	}
	val := array((*float32)(unsafe.Pointer(x.values)), (rows-1)*stride+cols)
	if stride > cols {
		all := val
		val = make([]float32, 0, rows*cols)
		for i := range rows {
			val = append(val, all[i*stride:][:cols]...)
		}
	}
	return &sparse.SingleDense{NumRows: int(rows), NumCols: int(cols), Val: val}, nil
}

// checkLines checks lines of length numbers each.
func checkLines(x *C.eigenmap_matrix, lines, length, stride int64) error {
	switch {
	case x.values == nil:
		return missing("values")
	case stride < length:
		return invalid.Errorf("the stride is %d, less than the %d numbers of a line", stride, length)
	case stride > math.MaxInt64/8/lines:
		return invalid.Errorf("the matrix of %d × %d with stride %d is too large", int64(x.rows), int64(x.cols), stride)
	}
	return nil
}

// denseOf takes lines × length numbers: rows of a row-major matrix, columns of a column-major one.
func denseOf(x *C.eigenmap_matrix, lines, length int64) (*mat.Dense, error) {
	stride := int64(x.stride)
	if stride == 0 {
		stride = length
	}
	if err := checkLines(x, lines, length, stride); err != nil {
		return nil, err
	}
	m := new(mat.Dense)
	m.SetRawMatrix(blas64.General{Rows: int(lines), Cols: int(length), Stride: int(stride),
		Data: array((*float64)(x.values), (lines-1)*stride+length)})
	return m, nil
}

// takeKnown puts what the method is given to learn from into the options: classes are those that
// occur, ascending.
func takeKnown(opt *eigenmap.Options, k *C.eigenmap_known, rows int64) error {
	if k == nil {
		return nil
	}
	switch {
	case k.labels == nil || rows < 1 || rows > sparse.MaxDim: // the matrix is refused
	case opt.Known != nil:
		return invalid.Errorf("labels are given twice: by the options and by known")
	default:
		opt.Known = classesOf(unsafe.Slice((*int32)(k.labels), rows))
	}
	n := int64(k.links)
	switch {
	case n < 0 || n > math.MaxInt64/8:
		return invalid.Errorf("the number of links is %d", n)
	case n == 0:
		return nil
	case k.first == nil || k.second == nil:
		return missing("first or second")
	case opt.Links != nil:
		return invalid.Errorf("constraints are given twice: by the options and by known")
	}
	first, second := unsafe.Slice((*int64)(k.first), n), unsafe.Slice((*int64)(k.second), n)
	opt.Links = make([]corpus.Constraint, n)
	for i := range opt.Links {
		opt.Links[i] = corpus.Constraint{A: int(first[i]), B: int(second[i]), Line: i + 1}
		if k.cannot != nil {
			opt.Links[i].Cannot = unsafe.Slice((*int32)(k.cannot), n)[i] != 0
		}
	}
	return nil
}

func classesOf(labels []int32) *corpus.Given {
	classes := slices.Clone(labels)
	slices.Sort(classes)
	classes = slices.Compact(classes)
	first, _ := slices.BinarySearch(classes, 0)
	classes = classes[first:]
	given := &corpus.Given{Labels: make([]int, len(labels)), ClassNames: make([]string, len(classes)), Own: true}
	for i, c := range classes {
		given.ClassNames[i] = strconv.Itoa(int(c))
	}
	for i, l := range labels {
		if given.Labels[i] = -1; l >= 0 {
			given.Labels[i], _ = slices.BinarySearch(classes, l)
		}
	}
	return given
}

// putLabels writes into the caller's array.
func putLabels(to *C.int32_t, labels []int) {
	out := unsafe.Slice((*int32)(to), len(labels))
	for i, l := range labels {
		out[i] = int32(l)
	}
}

// putMatrix writes a matrix into the caller's array.
func putMatrix(to *C.double, m *mat.Dense, layout C.int32_t) error {
	rows, cols := m.Dims()
	out := unsafe.Slice((*float64)(to), rows*cols)
	switch layout {
	case C.EIGENMAP_ROW_MAJOR:
		for i := range rows {
			copy(out[i*cols:], m.RawRowView(i))
		}
	case C.EIGENMAP_COLUMN_MAJOR:
		for i := range rows {
			for j, v := range m.RawRowView(i) {
				out[j*rows+i] = v
			}
		}
	default:
		return badLayout(layout)
	}
	return nil
}

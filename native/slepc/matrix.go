//go:build slepc && cgo && !purego

package slepc

/*
#include <stdlib.h>
#include "engine.h"
*/
import "C"

import (
	"fmt"
	"math"
	"unsafe"

	"gonum.org/v1/gonum/blas/blas64"
)

// matrix is S in PETSc's memory.
type matrix struct {
	world *World
	m     *C.em_matrix
	rows  int
	nnz   int
}

// NewMatrix makes the matrix of which every rank gives its rows. PETSc copies them.
func (w *World) NewMatrix(r Rows) (Matrix, error) {
	rows := len(r.RowPtr) - 1
	if r.N > math.MaxInt32 || r.RowPtr[rows] > math.MaxInt32 {
		return nil, fmt.Errorf("a matrix of order %d with %d entries on rank %d is too large for PETSc with 32-bit indices: start more ranks", r.N, r.RowPtr[rows], w.rank)
	}
	m := (*C.em_matrix)(C.calloc(1, C.sizeof_em_matrix))
	m.sets, m.weight, m.labels = C.int(r.Sets), C.double(r.Weight), C.int(r.Labels)
	m.set, m.scale = ints(r.Set), doubles(r.Scale)
	m.label, m.height, m.below = ints(r.Label), doubles(r.Height), below
	ptr := make([]C.PetscInt, rows+1)
	for i, p := range r.RowPtr {
		ptr[i] = C.PetscInt(p)
	}
	var code C.int
	do(func() {
		code = C.em_matrix_new(m, C.PetscInt(r.N), C.PetscInt(rows), &ptr[0], first((*C.PetscInt)(unsafe.Pointer(unsafe.SliceData(r.Col)))), first((*C.double)(unsafe.Pointer(unsafe.SliceData(r.Val)))))
	})
	out := &matrix{world: w, m: m, rows: rows}
	if code != 0 {
		out.Close()
		return nil, fmt.Errorf("dividing the matrix: %w", failure(code))
	}
	total := []float64{float64(r.RowPtr[rows])}
	w.Sum(total)
	out.nnz = int(total[0])
	return out, nil
}

// below is the distance by which the eigenvalues of known vectors are moved down: the spectrum of a
// normalised graph lies in [−1, 1].
const below = 4

// first keeps a pointer that C may get: to nothing if there is none.
func first[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

func ints(x []int32) *C.int {
	p := (*C.int)(C.malloc(C.size_t(4 * max(1, len(x)))))
	copy(unsafe.Slice((*int32)(unsafe.Pointer(p)), len(x)), x)
	return p
}

func doubles(x []float64) *C.double {
	p := (*C.double)(C.malloc(C.size_t(8 * max(1, len(x)))))
	copy(unsafe.Slice((*float64)(unsafe.Pointer(p)), len(x)), x)
	return p
}

func (a *matrix) NNZ() int { return a.nnz }

func (a *matrix) MulBlock(dst, x blas64.General) {
	var code C.int
	do(func() {
		code = C.em_matrix_times(a.m, C.int(x.Cols), C.int(x.Stride), (*C.double)(&x.Data[0]), C.int(dst.Stride), (*C.double)(&dst.Data[0]))
	})
	a.world.traffic[2].Add(8 * int64(a.m.ghosts) * int64(x.Cols))
	if code != 0 { // the other ranks wait in this product: nothing can be saved
		panic(fmt.Sprintf("the product of the divided matrix: %v", failure(code)))
	}
}

func (a *matrix) Largest(q Request) (Found, error) {
	values, vectors := make([]float64, q.K), make([]float64, a.rows*q.K)
	var code, found, rounds, used, relative C.int
	if q.Relative {
		relative = 1
	}
	before := a.m.products
	do(func() {
		code = C.em_matrix_largest(a.m, C.int(q.K), C.int(q.Subspace), C.double(q.Tol), relative, C.int(q.MaxIter), (*C.double)(&q.Start[0]),
			(*C.double)(&values[0]), (*C.double)(&vectors[0]), &found, &rounds, &used)
	})
	if code != 0 {
		return Found{}, fmt.Errorf("the eigensolver of SLEPc: %w", failure(code))
	}
	products := int(a.m.products - before)
	a.world.traffic[2].Add(8 * int64(a.m.ghosts) * int64(products))
	return Found{
		Values: values[:found], Iterations: int(rounds), Products: products, Subspace: int(used),
		Vectors: blas64.General{Rows: a.rows, Cols: int(found), Stride: q.K, Data: vectors},
	}, nil
}

func (a *matrix) Close() {
	if a.m != nil {
		do(func() { C.em_matrix_free(a.m) })
		C.free(unsafe.Pointer(a.m))
		a.m = nil
	}
}

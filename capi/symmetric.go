//go:build cgo

package main

/*
#include "shim.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"unsafe"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// hostOperator is an operator whose products the host makes, on the thread of the call.
type hostOperator struct {
	c      call
	of     *C.eigenmap_operator
	cancel context.CancelFunc
	x, y   []float64
	said   C.int // of a product that failed
}

func (o *hostOperator) Dims() (r, c int) { return int(o.of.n), int(o.of.n) }

// MulBlock asks the thread of the call for a product. After one that failed it gives zeros, until
// the work looks at its context.
func (o *hostOperator) MulBlock(dst, x blas64.General) {
	done := make(chan struct{})
	o.c.host <- func() {
		defer close(done)
		if o.said == 0 {
			o.product(dst, x)
		}
		if o.said != 0 {
			for i := range dst.Rows {
				clear(dst.Data[i*dst.Stride:][:dst.Cols])
			}
			o.cancel()
		}
	}
	<-done
}

// product is one call of the host's function for a block, or one for each vector.
func (o *hostOperator) product(dst, x blas64.General) {
	if size := x.Rows * x.Cols; len(o.x) < size {
		o.x, o.y = make([]float64, size), make([]float64, size)
	}
	at := func(p []float64, i int) *C.double { return (*C.double)(&p[i]) }
	if o.of.matmat != nil {
		for i := range x.Rows {
			copy(o.x[i*x.Cols:], x.Data[i*x.Stride:][:x.Cols])
		}
		o.said = C.eigenmap_call_matmat(o.c.c, o.of.matmat, o.of.user, o.of.n, C.int64_t(x.Cols), at(o.x, 0), at(o.y, 0))
		for i := range x.Rows {
			copy(dst.Data[i*dst.Stride:][:x.Cols], o.y[i*x.Cols:])
		}
		return
	}
	for j := 0; j < x.Cols && o.said == 0; j++ {
		for i := range x.Rows {
			o.x[i] = x.Data[i*x.Stride+j]
		}
		o.said = C.eigenmap_call_matvec(o.c.c, o.of.matvec, o.of.user, o.of.n, at(o.x, 0), at(o.y, 0))
		for i := range x.Rows {
			dst.Data[i*dst.Stride+j] = o.y[i]
		}
	}
}

// asymmetric is an error if two random products show that the operator is not symmetric.
func (o *hostOperator) asymmetric() error {
	n := int(o.of.n)
	random := rand.New(rand.NewPCG(1, 2))
	x := blas64.General{Rows: n, Cols: 2, Stride: 2, Data: make([]float64, 2*n)}
	y := blas64.General{Rows: n, Cols: 2, Stride: 2, Data: make([]float64, 2*n)}
	for i := range x.Data {
		x.Data[i] = random.NormFloat64()
	}
	o.MulBlock(y, x)
	largest := 0.0
	for _, v := range y.Data {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 || largest-largest != 0 {
		return nil // of zeros, or not finite, which the solver refuses
	}
	for i := range y.Data { // so that squares neither vanish nor overflow
		y.Data[i] /= largest
	}
	var one, other, scale float64 // uᵀAv, vᵀAu, and the size of the terms that they are sums of
	for i := range n {
		one += x.Data[2*i] * y.Data[2*i+1]
		other += x.Data[2*i+1] * y.Data[2*i]
		scale += y.Data[2*i]*y.Data[2*i] + y.Data[2*i+1]*y.Data[2*i+1]
	}
	if limit := 1e-6 * math.Sqrt(scale*float64(n)); o.said == 0 && math.Abs(one-other) > limit {
		return invalid.Errorf("the operator is not symmetric: uᵀAv is %.9g and vᵀAu is %.9g for two random vectors", one, other)
	}
	return nil
}

// setEigen sets an option of eigenproblems.
func setEigen(o *eigen.Options, name, value string) error {
	number := func(to *int) error {
		n, err := strconv.Atoi(value)
		if err != nil {
			return invalid.Errorf("%s %q: it must be a whole number", name, value)
		}
		*to = n
		return nil
	}
	var err error
	switch name {
	case "tol":
		if o.Tol, err = strconv.ParseFloat(value, 64); err != nil {
			return invalid.Errorf("tol %q: it must be a number such as 1e-8", value)
		}
	case "max-iter":
		return number(&o.MaxIter)
	case "block":
		return number(&o.Block)
	case "subspace":
		return number(&o.Subspace)
	case "seed":
		if o.Seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			return invalid.Errorf("seed %q: it must be a whole number of at least 0", value)
		}
	case "solver":
		o.Solver = eigen.Solver(value)
	case "verify":
		if o.Verify, err = strconv.ParseBool(value); err != nil {
			return invalid.Errorf("verify %q: it must be true or false", value)
		}
	default:
		return invalid.Errorf("there is no option %q of an eigenproblem%s", name,
			words.Nearest(name, []string{"tol", "max-iter", "block", "subspace", "seed", "solver", "verify", "threads", memory.OptionName}))
	}
	return nil
}

// checkSymmetric refuses arguments that are wrong whatever the operator is.
func checkSymmetric(of *C.eigenmap_operator, k, which C.int32_t, values *C.double) error {
	switch {
	case of.n < 1 || of.n > sparse.MaxDim:
		return invalid.Errorf("n is %d: it must be between 1 and %d", int64(of.n), sparse.MaxDim)
	case k < 1 || C.int64_t(k) > of.n:
		return invalid.Errorf("k is %d: it must be between 1 and n, %d", int(k), int64(of.n))
	case of.explicit == 0 && of.matvec == nil && of.matmat == nil:
		return missing("the function of the products")
	case values == nil:
		return missing("values")
	case which != C.EIGENMAP_SMALLEST && which != C.EIGENMAP_LARGEST:
		return invalid.Errorf("which is %d: it must be EIGENMAP_SMALLEST or EIGENMAP_LARGEST", int(which))
	}
	return nil
}

// symmetricMatrix is the host's matrix, which must be symmetric.
func symmetricMatrix(of *C.eigenmap_operator) (*sparse.CSR, error) {
	m, err := matrixOf(&of.matrix)
	if err != nil {
		return nil, err
	}
	a := m.(*sparse.CSR)
	largest := 0.0
	for _, v := range a.Val {
		largest = max(largest, math.Abs(v))
	}
	if i, j, ok := a.Asymmetry(1e-12 * largest); !ok {
		return nil, invalid.Errorf("the matrix is not symmetric: entry (%d, %d) is %v and entry (%d, %d) is %v (counted from 0)", i, j, a.At(i, j), j, i, a.At(j, i))
	}
	return a, nil
}

//export eigenmapGoSymmetric
func eigenmapGoSymmetric(cc *C.eigenmap_call, of *C.eigenmap_operator, k, which C.int32_t, mass *C.double, options *C.char, values, vectors *C.double) C.int {
	c := call{c: cc}
	opt := eigen.Options{K: int(k), Which: eigen.Smallest}
	if which == C.EIGENMAP_LARGEST {
		opt.Which = eigen.Largest
	}
	s, err := c.settingsOf(options, func(name, value string) error { return setEigen(&opt, name, value) })
	if err == nil {
		err = checkSymmetric(of, k, which, values)
	}
	if err == nil {
		err = opt.Validate()
	}
	if err != nil {
		return c.failed(err)
	}
	var matrix *sparse.CSR
	var weights []float64
	code := c.guarded(func() (err error) {
		if mass != nil {
			weights = array((*float64)(mass), int64(of.n))
		}
		if of.explicit != 0 {
			matrix, err = symmetricMatrix(of)
		}
		return err
	})
	if code != 0 {
		return code
	}
	if matrix == nil {
		c.host = make(chan func())
	}
	return c.runWith(s, func(ctx context.Context) error {
		opt.Observer = s.Observer
		r, err := solveOf(memory.Bound(ctx, s.MaxBytes), c, of, matrix, weights, opt)
		if short := (*eigen.NotConvergedError)(nil); errors.As(err, &short) {
			return fmt.Errorf("%w: the options ‹max-iter›, ‹subspace› and ‹tol›", err)
		}
		if err != nil {
			return err
		}
		copy(unsafe.Slice((*float64)(values), int(k)), r.Values)
		if vectors != nil {
			return putMatrix(vectors, r.Vectors, C.EIGENMAP_COLUMN_MAJOR)
		}
		return nil
	})
}

// solveOf solves the problem of the matrix, or of the host's function if that is nil.
func solveOf(ctx context.Context, c call, of *C.eigenmap_operator, matrix *sparse.CSR, mass []float64, opt eigen.Options) (*eigen.Result, error) {
	if matrix != nil {
		return eigen.Generalized(ctx, matrix, mass, opt)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	o := &hostOperator{c: c, of: of, cancel: cancel}
	if err := memory.Need(ctx, memory.Bytes(8*8, int(of.n)), "", "two products of an operator with %d rows", int64(of.n)); err != nil {
		return nil, err
	}
	err := o.asymmetric()
	var r *eigen.Result
	if err == nil && o.said == 0 {
		r, err = eigen.Generalized(inner, o, mass, opt)
	}
	if o.said != 0 {
		return nil, &productError{int(o.said)}
	}
	return r, err
}

// productError says that a product of the host's failed.
type productError struct{ code int }

func (e *productError) Error() string {
	return "the function of the products returned " + strconv.Itoa(e.code) + " in place of 0"
}

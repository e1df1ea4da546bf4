//go:build canary

package native_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/native/canary"
)

// Calls of an engine, of blas64 and of mat go through the canaries: without them the tests of a
// build with the tag would show nothing.
func TestCallsAreGuarded(t *testing.T) {
	var before map[string]int64
	passes := func(what string, names ...string) {
		t.Helper()
		after := canary.Calls()
		if !slices.ContainsFunc(names, func(name string) bool { return after[name] > before[name] }) {
			t.Errorf("%s passed by the canaries: none of %v was counted", what, names)
		}
		before = after
	}
	before = canary.Calls()
	for _, e := range native.Engines() {
		a := crowded(0, 30)
		if _, _, err := e.SymEig(cloneOf(a), native.EigRange{}, true); err != nil {
			t.Fatal(err)
		}
		passes(e.Name()+", all pairs", "dsyevd", "gonum dsteqr")
		if _, _, err := e.SymEig(cloneOf(a), native.EigRange{Count: 2}, true); err != nil {
			t.Fatal(err)
		}
		passes(e.Name()+", two pairs", "dsyevr", "gonum dsytrd")
		g := blas64.General{Rows: 30, Cols: 30, Stride: 30, Data: a.Data}
		e.Gemm(blas.NoTrans, blas.NoTrans, 1, g, g, 0, blas64.General{Rows: 30, Cols: 30, Stride: 30, Data: make([]float64, 900)})
		passes(e.Name()+", a product", "openblas dgemm", "gonum dgemm")
	}
	blas64.Nrm2(blas64.Vector{N: 3, Inc: 1, Data: []float64{1, 2, 3}})
	passes("blas64", "openblas dnrm2", "gonum dnrm2")
	var c mat.Cholesky
	if !c.Factorize(mat.NewSymDense(2, []float64{2, 1, 1, 2})) {
		t.Fatal("no Cholesky factorisation")
	}
	passes("mat", "dpotrf", "gonum dpotrf")
}

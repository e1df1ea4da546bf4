//go:build cgo && !purego

package native

import (
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// matrix is n×n and positive definite.
func matrix(n int) blas64.General {
	a := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			a.Data[i*n+j] = 1 / float64(1+i+j)
		}
		a.Data[i*n+i] += float64(n)
	}
	return a
}

// OpenBLAS has the program's thread count after every call, and one thread while somebody holds it.
func TestHostKeepsItsThreads(t *testing.T) {
	was := host.count()
	defer host.set(was)
	host.set(3)
	product := func(n int) {
		a, c := matrix(n), matrix(n)
		openBLAS{}.Gemm(blas.NoTrans, blas.NoTrans, 1, a, a, 0, c)
	}
	factor := func(n int) {
		a := matrix(n)
		if err := (openBLAS{}).Cholesky(blas64.Symmetric{N: n, Stride: n, Data: a.Data, Uplo: blas.Lower}); err != nil {
			t.Error(err)
		}
	}
	for name, call := range map[string]func(){
		"small product": func() { product(5) }, "product in tiles": func() { product(400) },
		"narrow factorisation": func() { factor(50) }, "wide factorisation": func() { factor(1000) },
	} {
		if call(); host.count() != 3 {
			t.Fatalf("%s: OpenBLAS has %d threads afterwards, not 3", name, host.count())
		}
	}
	first, second := Hold(), Hold()
	if host.count() != 1 {
		t.Fatalf("%d threads in a hold, not 1", host.count())
	}
	first()
	first()
	if host.count() != 1 {
		t.Fatalf("%d threads in the second hold, not 1", host.count())
	}
	host.set(2) // the program changes its mind
	if product(400); host.count() != 1 {
		t.Fatalf("%d threads after a product in a hold, not 1", host.count())
	}
	if second(); host.count() != 2 {
		t.Fatalf("%d threads after the holds, not the 2 of the program", host.count())
	}
}

// Calls of many goroutines leave the count as it was.
func TestHostKeepsItsThreadsBesideGoroutines(t *testing.T) {
	was := host.count()
	defer host.set(was)
	host.set(2)
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 50 {
				a, c := matrix(20), matrix(20)
				openBLAS{}.Gemm(blas.NoTrans, blas.NoTrans, 1, a, a, 0, c)
			}
		}()
	}
	wg.Wait()
	if host.count() != 2 || host.holders.Load() != 0 {
		t.Errorf("%d threads and %d holders, not 2 and 0", host.count(), host.holders.Load())
	}
}

package native_test

import (
	"fmt"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/native/nativetest"
)

// each runs a benchmark for every engine, on one thread and on two.
func each(b *testing.B, run func(b *testing.B, e native.Engine)) {
	defer native.SetThreads(0)
	for _, e := range native.Engines() {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", e.Name(), threads), func(b *testing.B) {
				native.SetThreads(threads)
				run(b, e)
			})
		}
	}
}

// rate reports GF/s.
func rate(b *testing.B, flops float64) {
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
}

func BenchmarkGemm(b *testing.B) {
	for _, n := range []int{300, 1000} {
		x, y := nativetest.Random(1, n, n), nativetest.Random(2, n, n)
		c := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			each(b, func(b *testing.B, e native.Engine) {
				for b.Loop() {
					e.Gemm(blas.NoTrans, blas.NoTrans, 1, x, y, 0, c)
				}
				rate(b, 2*float64(n)*float64(n)*float64(n))
			})
		})
	}
}

// The Gram matrix of 9394 documents over 500 terms. "gonum" is its plain Dsyrk.
func BenchmarkSyrk9394x500(b *testing.B) {
	const m, n = 9394, 500
	a := nativetest.Random(3, m, n)
	c := blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: make([]float64, n*n)}
	each(b, func(b *testing.B, e native.Engine) {
		for b.Loop() {
			e.Syrk(blas.Trans, 1, a, 0, c)
		}
		rate(b, m*n*n)
	})
	b.Run("gonum", func(b *testing.B) {
		for b.Loop() {
			blas64.Syrk(blas.Trans, 1, a, 0, c)
		}
		rate(b, m*n*n)
	})
}

const eigN, eigK = 2000, 50

func eigMatrix() blas64.General {
	a := nativetest.Random(4, eigN, eigN)
	for i := range eigN {
		for j := range i {
			a.Data[i*a.Stride+j] = a.Data[j*a.Stride+i]
		}
	}
	return a
}

// The 50 largest eigenpairs of 2000. "gonum" is mat.EigenSym, which computes all of them.
func BenchmarkSymEig50of2000(b *testing.B) {
	full := eigMatrix()
	each(b, func(b *testing.B, e native.Engine) {
		for b.Loop() {
			if _, _, err := e.SymEig(nativetest.Symmetric(full, blas.Upper), native.EigRange{First: eigN - eigK, Count: eigK}, true); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("gonum", func(b *testing.B) {
		sym := mat.NewSymDense(eigN, nil)
		for i := range eigN {
			for j := i; j < eigN; j++ {
				sym.SetSym(i, j, full.Data[i*full.Stride+j])
			}
		}
		for b.Loop() {
			var eig mat.EigenSym
			if !eig.Factorize(sym, true) {
				b.Fatal("no convergence")
			}
		}
	})
}

func BenchmarkSymEigAll1000(b *testing.B) {
	full := eigMatrix()
	full.Rows, full.Cols = 1000, 1000
	each(b, func(b *testing.B, e native.Engine) {
		for b.Loop() {
			if _, _, err := e.SymEig(nativetest.Symmetric(full, blas.Upper), native.EigRange{}, true); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The thin QR of a block of 40 vectors, as in the eigensolvers.
func BenchmarkQR20000x40(b *testing.B) {
	a := nativetest.Random(5, 20000, 40)
	each(b, func(b *testing.B, e native.Engine) {
		for b.Loop() {
			q := a
			q.Data = append([]float64(nil), a.Data...)
			if _, err := e.QR(q); err != nil {
				b.Fatal(err)
			}
		}
		rate(b, 4*20000*40*40)
	})
}

// The cost of a parallel loop in Go right after a wide call, whose workers still poll, and after a
// pause.
func BenchmarkLoopAfterWideCall(b *testing.B) {
	defer native.SetThreads(0)
	native.SetThreads(2)
	x := nativetest.Random(6, wideN, wideN)
	e := native.Default()
	loop := func() {
		done := make(chan float64, 2)
		for range 2 {
			go func() {
				sum := 0.0
				for i := range 5_000_000 {
					sum += float64(i) * 1e-9
				}
				done <- sum
			}()
		}
		<-done
		<-done
	}
	for _, rest := range []time.Duration{0, 200 * time.Millisecond} {
		b.Run(fmt.Sprintf("rest=%v", rest), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				if _, _, err := e.SymEig(nativetest.Symmetric(x, blas.Upper), native.EigRange{}, false); err != nil {
					b.Fatal(err)
				}
				time.Sleep(rest)
				b.StartTimer()
				loop()
			}
		})
	}
}

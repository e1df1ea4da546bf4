package native_test

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/native/canary"
	"github.com/eigenmap/eigenmap/native/nativetest"
)

// guarded returns the engines; between canaries those alone that call a library, since the others
// pass it no operands.
func guarded() []native.Engine {
	return slices.DeleteFunc(slices.Clone(native.Engines()), func(e native.Engine) bool { return canary.On && e.Name() == "go" })
}

func TestConformance(t *testing.T) {
	for _, e := range guarded() {
		t.Run(e.Name(), func(t *testing.T) { nativetest.Conformance(t, e) })
	}
}

func TestEnginesAgree(t *testing.T) {
	all := native.Engines()
	for _, e := range all[1:] {
		nativetest.Agree(t, all[0], e)
	}
}

func TestRegistry(t *testing.T) {
	all := native.Engines()
	if got := all[len(all)-1].Name(); got != "go" {
		t.Errorf("the last engine is %q", got)
	}
	if native.Default().Name() != all[0].Name() {
		t.Errorf("the default is %q, not the fastest", native.Default().Name())
	}
	for _, name := range []string{"", "mkl"} {
		if err := native.Use(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Use(%q) = %v", name, err)
		}
	}
	if len(all) == 1 {
		if _, err := native.ByName("openblas"); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("openblas in a pure build: %v", err)
		}
	}
	defer native.Use(all[0].Name())
	if err := native.Use("go"); err != nil || native.Default().Name() != "go" || native.Info().Backend != "go" {
		t.Errorf("Use(go) left %q: %v", native.Default().Name(), err)
	}
}

func TestInfo(t *testing.T) {
	info := native.Info()
	if info.Backend == "" || info.BLAS == "" || info.LAPACK == "" || info.Threads < 1 || len(info.Engines) == 0 {
		t.Errorf("incomplete: %+v", info)
	}
	if info.CGO != (len(info.Engines) == 2) || info.ARPACK != info.CGO {
		t.Errorf("the face contradicts itself: %+v", info)
	}
}

func TestThreads(t *testing.T) {
	defer native.SetThreads(0)
	all := native.Threads()
	for _, n := range []int{1, 3, 17} {
		native.SetThreads(n)
		if native.Threads() != n {
			t.Errorf("SetThreads(%d) gives %d", n, native.Threads())
		}
	}
	native.SetThreads(-4)
	if native.Threads() != all {
		t.Errorf("SetThreads(-4) gives %d, not the default %d", native.Threads(), all)
	}
}

// threadCounts are thread limits whose results must agree, also with more threads than cores.
var threadCounts = []int{1, 2, 5}

// Products, QR and eigenpairs by range have the same bits at any number of threads. The sizes are
// large enough for tiles and for chunks of the inner dimension.
func TestSameBits(t *testing.T) {
	defer native.SetThreads(0)
	zeros := func(m, n int) blas64.General {
		return blas64.General{Rows: m, Cols: n, Stride: n, Data: make([]float64, m*n)}
	}
	a, b := nativetest.Random(1, 300, 270), nativetest.Random(2, 270, 290)
	tall, thin := nativetest.Random(3, 5000, 70), nativetest.Random(4, 70, 50)
	for _, e := range native.Engines() {
		want := map[string][]float64{}
		for _, threads := range threadCounts {
			native.SetThreads(threads)
			check := func(what string, got []float64) {
				t.Helper()
				if want[what] == nil {
					want[what] = slices.Clone(got)
				}
				if !slices.Equal(got, want[what]) {
					t.Errorf("%s: %d threads change the bits of %s", e.Name(), threads, what)
				}
			}
			c := zeros(300, 290)
			e.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c)
			check("gemm", c.Data)
			c = zeros(5000, 50)
			e.Gemm(blas.NoTrans, blas.NoTrans, 1, tall, thin, 0, c)
			check("tall gemm", c.Data)
			c = zeros(70, 70)
			e.Gemm(blas.Trans, blas.NoTrans, 1, tall, tall, 0, c)
			check("gemm of long columns", c.Data)
			c = zeros(70, 70)
			e.Syrk(blas.Trans, 1, tall, 0, blas64.Symmetric{Uplo: blas.Lower, N: 70, Stride: 70, Data: c.Data})
			check("syrk of long columns", c.Data)
			c = zeros(300, 300)
			sym := blas64.Symmetric{Uplo: blas.Upper, N: 300, Stride: 300, Data: c.Data}
			e.Syrk(blas.NoTrans, 1, a, 0, sym)
			for i := range 300 {
				sym.Data[i*301] += 300
			}
			check("syrk", c.Data)
			x := zeros(300, 300)
			for i := range x.Data {
				x.Data[i] = float64(i%13) - 6
			}
			e.Trsm(blas.Left, blas.NoTrans, 1, blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: 300, Stride: 300, Data: c.Data}, x)
			check("trsm", x.Data)
			y := blas64.Vector{N: 5000, Inc: 1, Data: make([]float64, 5000)}
			e.Gemv(blas.NoTrans, 1, tall, blas64.Vector{N: 70, Inc: thin.Stride, Data: thin.Data}, 0, y)
			check("gemv", y.Data)
			short := blas64.Vector{N: 70, Inc: 1, Data: make([]float64, 70)}
			e.Gemv(blas.Trans, 1, tall, y, 0, short)
			check("transposed gemv", short.Data)
			q := tall
			q.Data = slices.Clone(tall.Data)
			if _, err := e.QR(q); err != nil {
				t.Fatal(err)
			}
			for i := range q.Rows { // ignore the NaN in the padding
				copy(q.Data[i*q.Cols:], q.Data[i*q.Stride:][:q.Cols])
			}
			check("qr", q.Data[:q.Rows*q.Cols])
			w, v, err := e.SymEig(sym, native.EigRange{First: 280, Count: 20}, true)
			if err != nil {
				t.Fatal(err)
			}
			check("eigenpairs", append(w, v.Data...))
		}
	}
}

// wideN is a little more than the order from which OpenBLAS's full SymEig runs on several threads.
const wideN = 620

// Factorisations large enough to run wide agree to rounding at any number of threads, and bit for
// bit with one thread inside a parallel section.
func TestWideCalls(t *testing.T) {
	defer native.SetThreads(0)
	e := native.Default()
	if e.Name() == "go" {
		t.Skip("the Go engine has no wide calls")
	}
	sym, rect := nativetest.Random(3, wideN, wideN), nativetest.Random(4, 700, 500)
	definite := blas64.Symmetric{Uplo: blas.Lower, N: 1000, Stride: 1000, Data: make([]float64, 1000*1000)}
	for i := range definite.N {
		for j := range i {
			definite.Data[i*definite.Stride+j] = 1 / float64(1+i+j)
		}
		definite.Data[i*definite.Stride+i] = 10
	}
	all := func() []float64 {
		w, v, err := e.SymEig(nativetest.Symmetric(sym, blas.Upper), native.EigRange{}, true)
		if err != nil {
			t.Fatal(err)
		}
		gram := blas64.General{Rows: wideN, Cols: wideN, Stride: wideN, Data: make([]float64, wideN*wideN)}
		e.Gemm(blas.Trans, blas.NoTrans, 1, v, v, 0, gram)
		a := rect
		a.Data = slices.Clone(rect.Data)
		_, s, _, err := e.SVD(a)
		if err != nil {
			t.Fatal(err)
		}
		l := definite
		l.Data = slices.Clone(definite.Data)
		must.Do(t, e.Cholesky(l))
		return slices.Concat(w, gram.Data, s, l.Data)
	}
	native.SetThreads(1)
	want := all()
	for _, threads := range threadCounts[1:] {
		native.SetThreads(threads)
		for i, x := range all() {
			if math.Abs(x-want[i]) > 1e-10 {
				t.Fatalf("%d threads: number %d differs by %g", threads, i, x-want[i])
			}
		}
	}
	defer native.Parallel()()
	if !slices.Equal(all(), want) {
		t.Error("a call in a parallel section is not the call on one thread")
	}
}

// Many goroutines at the same time, one of them with a wide call: the results are right and the
// test is fast. (If threads multiplied, it would take minutes.)
func TestConcurrentCalls(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(4)
	for _, e := range native.Engines() {
		small, large := nativetest.Random(5, 64, 64), nativetest.Random(6, wideN, wideN)
		want, _, err := e.SymEig(nativetest.Symmetric(small, blas.Upper), native.EigRange{}, true)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for g := range 9 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if g == 8 {
					for range 3 {
						if e.Name() == "go" {
							c := blas64.General{Rows: wideN, Cols: wideN, Stride: wideN, Data: make([]float64, wideN*wideN)}
							e.Gemm(blas.NoTrans, blas.Trans, 1, large, large, 0, c)
						} else if _, _, err := e.SymEig(nativetest.Symmetric(large, blas.Upper), native.EigRange{}, false); err != nil {
							t.Error(err)
						}
					}
					return
				}
				if g%2 == 0 {
					defer native.Parallel()()
				}
				for range 40 {
					w, _, err := e.SymEig(nativetest.Symmetric(small, blas.Upper), native.EigRange{}, true)
					if err != nil || !slices.Equal(w, want) {
						t.Errorf("%s: a concurrent call gave another result (%v)", e.Name(), err)
						return
					}
				}
			}()
		}
		wg.Wait()
	}
}

// More callers at the same time than the library has buffers for its own threads.
func TestCrowd(t *testing.T) {
	e := native.Default()
	a := nativetest.Random(7, 40, 40)
	var wg sync.WaitGroup
	for range 400 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := blas64.General{Rows: 40, Cols: 40, Stride: 40, Data: make([]float64, 1600)}
			for range 20 {
				e.Gemm(blas.NoTrans, blas.Trans, 1, a, a, 0, c)
			}
		}()
	}
	wg.Wait()
}

// Unions of equal complete graphs have few eigenvalues with many copies each. On such matrices
// dsyevr returns fewer pairs than requested and reports success.
func TestSymEigRangeWithManyCopies(t *testing.T) {
	for _, e := range guarded() {
		for _, size := range []int{5, 13, 16} {
			for seed := range uint64(10) {
				n := 16 * size
				rng := rand.New(rand.NewPCG(seed, 3))
				place := rng.Perm(n)
				a := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
				for i := range n {
					for j := range n {
						if i != j && place[i]/size == place[j]/size {
							a.Data[i*n+j] = 1 / float64(size-1)
						}
					}
				}
				for c := 0; c+1 < 16 && seed%2 == 1; c++ { // some joined by weak bridges
					i, j := slices.Index(place, c*size), slices.Index(place, (c+1)*size)
					a.Data[i*n+j], a.Data[j*n+i] = 1e-3, 1e-3
				}
				keep := append([]float64(nil), a.Data...)
				k := 16 + rng.IntN(n/4)
				if seed%5 == 4 {
					k = n
				}
				values, v, err := e.SymEig(a, native.EigRange{First: n - k, Count: k}, true)
				if err != nil {
					t.Fatalf("%s, 16 groups of %d, seed %d, k = %d: %v", e.Name(), size, seed, k, err)
				}
				for j := range k {
					for i := range n {
						sum := -values[j] * v.Data[i*v.Stride+j]
						for q := range n {
							sum += keep[i*n+q] * v.Data[q*v.Stride+j]
						}
						if math.Abs(sum) > 1e-12 {
							t.Fatalf("%s, 16 groups of %d, seed %d: residual %g of pair %d", e.Name(), size, seed, sum, j)
						}
					}
				}
			}
		}
	}
}

// Duplicate columns and blocks: successive reflectors that end early.
func TestQRWithShortReflectors(t *testing.T) {
	for _, e := range guarded() {
		for _, n := range []int{40, 150, 200} {
			for kind := range 2 {
				rng := rand.New(rand.NewPCG(1, 3))
				a := blas64.General{Rows: n + 30, Cols: n, Stride: n, Data: make([]float64, (n+30)*n)}
				for i := range a.Rows {
					for j := range n {
						switch {
						case kind == 0 && j%2 == 1:
							a.Data[i*n+j] = a.Data[i*n+j-1]
						case kind == 0 || i/10 == j/10:
							a.Data[i*n+j] = rng.NormFloat64()
						}
					}
				}
				q := blas64.General{Rows: a.Rows, Cols: n, Stride: n, Data: append([]float64(nil), a.Data...)}
				r := must.Get(e.QR(q))(t)
				for i := range a.Rows {
					for j := range n {
						sum := -a.Data[i*n+j]
						for p := range j + 1 {
							sum += q.Data[i*n+p] * r.Data[p*r.Stride+j]
						}
						if math.Abs(sum) > 1e-12 {
							t.Fatalf("%s, n = %d, kind %d: Q·R − A is %g at %d, %d", e.Name(), n, kind, sum, i, j)
						}
					}
				}
			}
		}
	}
}

// TestInfoTogether: goroutines that ask at the same time get the same answer.
func TestInfoTogether(t *testing.T) {
	want := native.Info()
	var wg sync.WaitGroup
	for range 32 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 5000 {
				if got := native.Info(); got.BLAS != want.BLAS {
					t.Errorf("%+v, not %+v", got, want)
					return
				}
			}
		}()
	}
	wg.Wait()
}

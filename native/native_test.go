package native_test

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/native/nativetest"
)

func TestConformance(t *testing.T) {
	for _, e := range native.Engines() {
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

// threadCounts are knob settings whose results must agree; more threads than cores among them.
var threadCounts = []int{1, 2, 5}

// The Go engine's products do not depend on the number of threads, to the bit.
func TestGoEngineSameBits(t *testing.T) {
	defer native.SetThreads(0)
	e, err := native.ByName("go")
	if err != nil {
		t.Fatal(err)
	}
	a, b := nativetest.Random(1, 300, 170), nativetest.Random(2, 170, 260)
	var want, wantSym []float64
	for _, n := range threadCounts {
		native.SetThreads(n)
		c := blas64.General{Rows: 300, Cols: 260, Stride: 260, Data: make([]float64, 300*260)}
		e.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c)
		s := blas64.Symmetric{Uplo: blas.Lower, N: 170, Stride: 170, Data: make([]float64, 170*170)}
		e.Syrk(blas.Trans, 1, a, 0, s)
		if want == nil {
			want, wantSym = c.Data, s.Data
		}
		if !slices.Equal(c.Data, want) || !slices.Equal(s.Data, wantSym) {
			t.Errorf("%d threads change the bits", n)
		}
	}
}

// Large calls, wide and inside a parallel section, give the same result to rounding; the large
// sizes reach the multi-threaded code of the library.
func TestWideCalls(t *testing.T) {
	defer native.SetThreads(0)
	for _, e := range native.Engines() {
		const n = 260
		sym := nativetest.Random(3, n, n)
		tall := nativetest.Random(4, 700, 200)
		var want []float64
		for _, threads := range append(threadCounts, -1) {
			end := func() {}
			if threads < 0 {
				threads = 4
				end = native.Parallel()
			}
			native.SetThreads(threads)
			w, v, err := e.SymEig(nativetest.Symmetric(sym, blas.Upper), native.EigRange{}, true)
			if err != nil {
				t.Fatal(err)
			}
			gram := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
			e.Gemm(blas.Trans, blas.NoTrans, 1, v, v, 0, gram)
			for i := range n {
				gram.Data[i*n+i]--
			}
			if worst := math.Abs(slices.MaxFunc(gram.Data, func(a, b float64) int { return int(math.Copysign(1, math.Abs(a)-math.Abs(b))) })); worst > 1e-12 {
				t.Errorf("%s, %d threads: orthonormality off by %g", e.Name(), threads, worst)
			}
			q := tall
			q.Data = slices.Clone(tall.Data)
			r, err := e.QR(q)
			if err != nil {
				t.Fatal(err)
			}
			got := append(slices.Clone(w), r.Data...)
			if want == nil {
				want = got
			}
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-10 {
					t.Fatalf("%s, %d threads: number %d differs by %g", e.Name(), threads, i, got[i]-want[i])
				}
			}
			end()
		}
	}
}

// Many goroutines at once, with a wide call among them: right results, no collapse. (With threads
// multiplying, this takes minutes.)
func TestConcurrentCalls(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(4)
	for _, e := range native.Engines() {
		small, large := nativetest.Random(5, 64, 64), nativetest.Random(6, 400, 400)
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
					for range 5 {
						c := blas64.General{Rows: 400, Cols: 400, Stride: 400, Data: make([]float64, 400*400)}
						e.Gemm(blas.NoTrans, blas.Trans, 1, large, large, 0, c)
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

// More callers at once than the library has buffers for its own threads.
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

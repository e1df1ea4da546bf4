package native_test

import (
	"errors"
	"io/fs"
	"math"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
)

// pathLaplacian multiplies by the Laplacian of a path of n nodes; its spectrum is 2 - 2cos(πj/n).
func pathLaplacian(dst, x []float64) error {
	n := len(x)
	for i := range x {
		var y float64
		if i > 0 {
			y += x[i] - x[i-1]
		}
		if i < n-1 {
			y += x[i] - x[i+1]
		}
		dst[i] = y
	}
	return nil
}

func needARPACK(t *testing.T) {
	if !native.HasARPACK() {
		t.Skip("this build has no ARPACK")
	}
}

func TestARPACKAbsent(t *testing.T) {
	if native.HasARPACK() {
		t.Skip("this build has ARPACK")
	}
	_, err := native.SymARPACK(10, 2, native.ARPACKOptions{}, pathLaplacian)
	if !errors.Is(err, native.ErrNoARPACK) || !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("got %v", err)
	}
}

func TestARPACKPath(t *testing.T) {
	needARPACK(t)
	const n = 200
	for _, which := range []string{"LA", "SA", ""} {
		for _, k := range []int{1, 2, 10} {
			res := must.Get(native.SymARPACK(n, k, native.ARPACKOptions{Which: which}, pathLaplacian))(t)
			if res.Converged != k || len(res.Values) != k || res.Vectors.Rows != n || res.Vectors.Cols != k || res.Products == 0 || res.Iterations == 0 {
				t.Fatalf("%s, k = %d: %+v", which, k, res)
			}
			v := res.Vectors
			for j, value := range res.Values {
				index := j
				if which != "SA" {
					index = n - k + j
				}
				if want := 2 - 2*math.Cos(math.Pi*float64(index)/n); math.Abs(value-want) > 1e-12 {
					t.Errorf("%s, k = %d: value %d is %g, want %g", which, k, j, value, want)
				}
				x, y := make([]float64, n), make([]float64, n)
				for i := range x {
					x[i] = v.Data[i*v.Stride+j]
				}
				must.Do(t, pathLaplacian(y, x))
				for i := range y {
					if math.Abs(y[i]-value*x[i]) > 1e-12 {
						t.Fatalf("%s, k = %d: residual %g", which, k, y[i]-value*x[i])
					}
				}
				for l := range j + 1 {
					var dot float64
					for i := range x {
						dot += x[i] * v.Data[i*v.Stride+l]
					}
					if l == j {
						dot--
					}
					if math.Abs(dot) > 1e-12 {
						t.Errorf("%s, k = %d: vectors %d and %d: %g", which, k, j, l, dot)
					}
				}
			}
		}
	}
}

func TestARPACKStart(t *testing.T) {
	needARPACK(t)
	const n = 60
	start := make([]float64, n)
	for i := range start {
		start[i] = 1 / float64(i+1)
	}
	kept := append([]float64(nil), start...)
	var first native.ARPACKResult
	for i := range 2 {
		res := must.Get(native.SymARPACK(n, 4, native.ARPACKOptions{Start: start, NCV: 12}, pathLaplacian))(t)
		if i == 0 {
			first = res
		}
		for j, x := range res.Vectors.Data {
			if x != first.Vectors.Data[j] {
				t.Fatal("the same start gives other bits")
			}
		}
	}
	for i := range start {
		if start[i] != kept[i] {
			t.Fatal("the caller's start was overwritten")
		}
	}
	// The start is an exact eigenvector, so the basis is invariant at once and ARPACK continues
	// with random vectors.
	for i := range start {
		start[i] = math.Cos(math.Pi / n * (float64(i) + 0.5))
	}
	res, err := native.SymARPACK(n, 3, native.ARPACKOptions{Start: start, Which: "SA"}, pathLaplacian)
	if err != nil || math.Abs(res.Values[0]) > 1e-12 || math.Abs(res.Values[2]-(2-2*math.Cos(2*math.Pi/n))) > 1e-12 {
		t.Errorf("invariant start: %v %v", res.Values, err)
	}
	// A start that the operator maps to zero is an error.
	for i := range start {
		start[i] = 1
	}
	_, err = native.SymARPACK(n, 3, native.ARPACKOptions{Start: start, Which: "SA"}, pathLaplacian)
	var ae *native.ARPACKError
	if !errors.As(err, &ae) || ae.Info != -9 {
		t.Errorf("start in the null space: got %v", err)
	}
}

func TestARPACKDegenerate(t *testing.T) {
	needARPACK(t)
	// f*I + g*1*1ᵀ: the Krylov space has dimension 1 or 2.
	for _, f := range [][2]float64{{1, 0}, {-2, 0}, {40, -1}, {0, 1}} {
		for _, n := range []int{2, 5, 40} {
			for _, k := range []int{1, 3, 10} {
				if k >= n {
					continue
				}
				operator := func(dst, x []float64) error {
					var sum float64
					for _, v := range x {
						sum += v
					}
					for i, v := range x {
						dst[i] = f[0]*v + f[1]*sum
					}
					return nil
				}
				res, err := native.SymARPACK(n, k, native.ARPACKOptions{}, operator)
				if err != nil || len(res.Values) != k {
					t.Errorf("%v, order %d, k = %d: %v %v", f, n, k, res.Values, err)
					continue
				}
				x, y := make([]float64, n), make([]float64, n)
				for j, value := range res.Values {
					want := f[0]
					if f[1] > 0 && j == k-1 {
						want += f[1] * float64(n)
					}
					if math.Abs(value-want) > 1e-12*float64(n) {
						t.Errorf("%v, order %d, k = %d: value %d is %g, want %g", f, n, k, j, value, want)
					}
					var square float64
					for i := range x {
						x[i] = res.Vectors.Data[i*res.Vectors.Stride+j]
						square += x[i] * x[i]
					}
					must.Do(t, operator(y, x))
					for i := range y {
						if math.Abs(y[i]-value*x[i]) > 1e-12*float64(n) || math.Abs(square-1) > 1e-12 {
							t.Fatalf("%v, order %d, k = %d: residual %g, norm² %g", f, n, k, y[i]-value*x[i], square)
						}
					}
				}
			}
		}
	}
	var ae *native.ARPACKError
	if _, err := native.SymARPACK(10, 2, native.ARPACKOptions{}, func(dst, x []float64) error { clear(dst); return nil }); !errors.As(err, &ae) {
		t.Errorf("zero operator: %v", err)
	}
	res, err := native.SymARPACK(6, 5, native.ARPACKOptions{}, pathLaplacian)
	if err != nil || len(res.Values) != 5 {
		t.Errorf("k = n-1: %v %v", res.Values, err)
	}
}

func TestARPACKPartial(t *testing.T) {
	needARPACK(t)
	res, err := native.SymARPACK(3000, 8, native.ARPACKOptions{Which: "SA", MaxIter: 3}, pathLaplacian)
	var ae *native.ARPACKError
	if !errors.As(err, &ae) || ae.Routine != "dsaupd" || ae.Info != 1 {
		t.Fatalf("got %v", err)
	}
	if res.Converged >= 8 || res.Converged != len(res.Values) || res.Vectors.Cols != res.Converged || res.Products == 0 {
		t.Errorf("partial result %d of 8: %+v", res.Converged, res.Values)
	}
	// Some pairs converge and some do not: a spectrum with a few distant outliers and a crowded
	// rest.
	const n = 2000
	res, err = native.SymARPACK(n, 8, native.ARPACKOptions{MaxIter: 4}, func(dst, x []float64) error {
		for i := range x {
			dst[i] = float64(i) / n * x[i]
			if i < 3 {
				dst[i] = float64(10+i) * x[i]
			}
		}
		return nil
	})
	if !errors.As(err, &ae) || ae.Info != 1 || res.Converged < 1 || res.Converged >= 8 {
		t.Fatalf("%d converged: %v", res.Converged, err)
	}
	for j, value := range res.Values {
		var worst float64
		for i := range n {
			a := float64(i) / n
			if i < 3 {
				a = float64(10 + i)
			}
			worst = max(worst, math.Abs((a-value)*res.Vectors.Data[i*res.Vectors.Stride+j]))
		}
		if worst > 1e-10 {
			t.Errorf("pair %d counts as converged with residual %g", j, worst)
		}
	}
}

func TestARPACKStops(t *testing.T) {
	needARPACK(t)
	stop := errors.New("stop")
	count := 0
	check := func() error {
		if count++; count > 20 {
			return stop
		}
		return nil
	}
	if _, err := native.SymARPACK(500, 5, native.ARPACKOptions{Check: check}, pathLaplacian); !errors.Is(err, stop) {
		t.Errorf("cancelled: got %v", err)
	}
	if _, err := native.SymARPACK(500, 5, native.ARPACKOptions{}, func(dst, x []float64) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("failing product: got %v", err)
	}
	_, err := native.SymARPACK(500, 5, native.ARPACKOptions{}, func(dst, x []float64) error { dst[7] = math.NaN(); return nil })
	var nf *native.NotFiniteError
	if !errors.As(err, &nf) || nf.Row != 7 {
		t.Errorf("NaN from the product: got %v", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the product's panic was lost")
			}
		}()
		native.SymARPACK(500, 5, native.ARPACKOptions{}, func(dst, x []float64) error { panic("product") })
	}()

	// Afterwards the token is free, and a waiting call can be cancelled.
	started, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		var once sync.Once
		_, err := native.SymARPACK(100, 3, native.ARPACKOptions{}, func(dst, x []float64) error {
			once.Do(func() { close(started); <-release })
			return pathLaplacian(dst, x)
		})
		if err != nil {
			t.Error(err)
		}
	}()
	<-started
	calls := 0
	_, err = native.SymARPACK(100, 3, native.ARPACKOptions{Check: func() error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	}}, pathLaplacian)
	if !errors.Is(err, stop) {
		t.Errorf("cancelled while waiting: got %v", err)
	}
	close(release)
	wg.Wait()
}

func TestARPACKOptions(t *testing.T) {
	needARPACK(t)
	for name, try := range map[string]struct {
		n, k int
		opt  native.ARPACKOptions
	}{
		"k = 0":         {10, 0, native.ARPACKOptions{}},
		"k = n":         {10, 10, native.ARPACKOptions{}},
		"n = 0":         {0, 1, native.ARPACKOptions{}},
		"n < 0":         {-3, 1, native.ARPACKOptions{}},
		"small basis":   {10, 3, native.ARPACKOptions{NCV: 3}},
		"large basis":   {10, 3, native.ARPACKOptions{NCV: 11}},
		"which":         {10, 3, native.ARPACKOptions{Which: "XX"}},
		"tolerance":     {10, 3, native.ARPACKOptions{Tol: math.NaN()}},
		"restarts":      {10, 3, native.ARPACKOptions{MaxIter: -1}},
		"short start":   {10, 3, native.ARPACKOptions{Start: make([]float64, 9)}},
		"bad start":     {2, 1, native.ARPACKOptions{Start: []float64{1, math.Inf(1)}}},
		"several wrong": {10, 0, native.ARPACKOptions{Which: "XX", NCV: -1}},
	} {
		if _, err := native.SymARPACK(try.n, try.k, try.opt, pathLaplacian); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	_, err := native.SymARPACK(10, 3, native.ARPACKOptions{Start: make([]float64, 10)}, pathLaplacian)
	var ae *native.ARPACKError
	if !errors.As(err, &ae) || ae.Info != -9 {
		t.Errorf("zero start: got %v", err)
	}
}

//go:build cgo && !purego

package native

/*
#include <arpack/arpack.h>
#include <arpack/stat_c.h>

// eigenmap_arpack_random returns the number of random vectors since the last call of dsaupd with
// ido = 0. stat_c reports 26 times as well; they are dropped.
static int eigenmap_arpack_random(void) {
	a_int nopx, nbx, nrorth, nitref, nrstrt;
	float t;
	stat_c(&nopx, &nbx, &nrorth, &nitref, &nrstrt,
		&t, &t, &t, &t, &t, &t, &t, &t, &t, &t, &t, &t, &t, &t,
		&t, &t, &t, &t, &t, &t, &t, &t, &t, &t, &t, &t);
	return (int)nrstrt;
}
*/
import "C"

import (
	"cmp"
	"fmt"
	"time"
	"unsafe"

	"github.com/eigenmap/eigenmap/internal/indices"
)

// HasARPACK reports whether [SymARPACK] works in this build.
func HasARPACK() bool { return true }

// arpackTurn holds a token while a call of SymARPACK runs, because ARPACK keeps state in static
// variables.
var arpackTurn = make(chan struct{}, 1)

// SymARPACK computes k eigenpairs of a symmetric operator of order n by the implicitly restarted
// Lanczos method (Lehoucq, Sorensen and Yang, ARPACK Users' Guide, SIAM 1998). product sets
// dst = A*x; it must not keep the slices and must not call SymARPACK. An error of product stops
// the iteration and is returned.
//
// If the restarts are used up, the result holds the converged pairs and the error is an
// *ARPACKError with Info 1. A Krylov method with a single vector does not find the multiplicity of
// an eigenvalue reliably: deflate known eigenvectors. A product that is not finite gives
// *NotFiniteError with its row.
//
// Only one call runs at a time in a process; others wait. ARPACK uses one thread and repeats its
// bits, with one exception: if the basis spans an invariant subspace before it is full, ARPACK
// draws random vectors from a sequence that the whole process shares (ARPACKResult.Random).
// Memory: n*(NCV+4+k) numbers.
func SymARPACK(n, k int, opt ARPACKOptions, product func(dst, x []float64) error) (ARPACKResult, error) {
	opt, err := opt.complete(n, k)
	if err != nil {
		return ARPACKResult{}, err
	}
	check := opt.Check
	if check == nil {
		check = func() error { return nil }
	}
	if err := takeTurn(check); err != nil {
		return ARPACKResult{}, err
	}
	defer func() { <-arpackTurn }()

	s := newARPACKState(n, k, opt)
	var res ARPACKResult
	for s.step() {
		if err := check(); err != nil {
			return ARPACKResult{}, err
		}
		x := s.workd[s.ipntr[0]-1:][:n:n]
		y := s.workd[s.ipntr[1]-1:][:n:n]
		if err := product(y, x); err != nil {
			return ARPACKResult{}, err
		}
		res.Products++
		if i := notFinite(y); i >= 0 {
			return ARPACKResult{}, fmt.Errorf("the product number %d is not finite: %w", res.Products, &NotFiniteError{Row: i, Value: y[i]})
		}
	}
	res.Iterations = int(s.iparam[2])
	res.Random = int(C.eigenmap_arpack_random())
	if s.info[0] != 0 {
		err = &ARPACKError{Routine: "dsaupd", Info: int(s.info[0])}
		if s.info[0] == 3 {
			// The basis became an invariant subspace. Then dsaupd miscounts: with error bounds of
			// zero it stops one pair early. dseupd checks the bounds itself before it changes
			// anything, and returns -17 if fewer than k pass.
			counted := s.iparam[4]
			s.iparam[4] = C.a_int(k)
			if s.extract(&res) == nil {
				return res, nil
			}
			s.iparam[4] = counted
		}
		if s.info[0] < 0 || s.iparam[4] == 0 {
			return res, err
		}
	}
	if failure := s.extract(&res); failure != nil {
		return ARPACKResult{Iterations: res.Iterations, Products: res.Products, Random: res.Random}, failure
	}
	return res, err
}

// takeTurn waits until no other call runs and checks for cancellation every 50 ms.
func takeTurn(check func() error) error {
	for {
		if err := check(); err != nil {
			return err
		}
		select {
		case arpackTurn <- struct{}{}:
			return nil
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// arpackState holds the data of dsaupd between calls. ARPACK keeps none of the addresses, so the
// memory may be Go's.
type arpackState struct {
	n, k, ncv                  int
	tol                        float64
	bmat, which, howmny        []byte    // C strings
	ido, info                  []C.a_int // one word each
	iparam, ipntr              []C.a_int // 11 words each
	resid, basis, workd, workl []float64
}

func newARPACKState(n, k int, opt ARPACKOptions) *arpackState {
	s := &arpackState{n: n, k: k, ncv: opt.NCV, tol: opt.Tol, resid: opt.Start}
	s.bmat, s.which, s.howmny = []byte("I\x00"), []byte(opt.Which+"\x00"), []byte("A\x00")
	s.ido, s.info = make([]C.a_int, 1), []C.a_int{1} // resid holds the start
	s.iparam, s.ipntr = make([]C.a_int, 11), make([]C.a_int, 11)
	s.basis = make([]float64, n*s.ncv)
	s.workd = make([]float64, 3*n)
	s.workl = make([]float64, s.ncv*(s.ncv+8))
	s.iparam[0] = 1 // exact shifts
	s.iparam[2] = C.a_int(opt.MaxIter)
	s.iparam[3] = 1 // block size
	s.iparam[6] = 1 // mode: A*x = λ*x
	return s
}

func cstring(b []byte) *C.char { return (*C.char)(unsafe.Pointer(unsafe.SliceData(b))) }

func dptr(x []float64) *C.double { return (*C.double)(unsafe.SliceData(x)) }

// step runs dsaupd until its next request and reports whether that is a product.
func (s *arpackState) step() bool {
	gate.RLock()
	defer gate.RUnlock()
	carpack.dsaupd(s)
	return s.ido[0] == 1 || s.ido[0] == -1
}

// arpackLibrary has one method for each routine of ARPACK. Other code calls them on the variable
// carpack, which is another type under the build tag canary.
type arpackLibrary struct{}

func (arpackLibrary) dsaupd(s *arpackState) {
	C.dsaupd_c(&s.ido[0], cstring(s.bmat), C.a_int(s.n), cstring(s.which), C.a_int(s.k), C.double(s.tol),
		dptr(s.resid), C.a_int(s.ncv), dptr(s.basis), C.a_int(s.n), &s.iparam[0], &s.ipntr[0],
		dptr(s.workd), dptr(s.workl), C.a_int(len(s.workl)), &s.info[0])
}

// dseupd writes the values to d and the vectors over the first columns of the basis; chosen has a
// word for each column of it.
func (arpackLibrary) dseupd(s *arpackState, chosen []C.a_int, d []float64, info []C.a_int) {
	C.dseupd_c(1, cstring(s.howmny), &chosen[0], dptr(d), dptr(s.basis), C.a_int(s.n), 0,
		cstring(s.bmat), C.a_int(s.n), cstring(s.which), C.a_int(s.k), C.double(s.tol),
		dptr(s.resid), C.a_int(s.ncv), dptr(s.basis), C.a_int(s.n), &s.iparam[0], &s.ipntr[0],
		dptr(s.workd), dptr(s.workl), C.a_int(len(s.workl)), &info[0])
}

// extract runs dseupd and writes the converged pairs to res, ascending.
func (s *arpackState) extract(res *ARPACKResult) error {
	gate.RLock()
	defer gate.RUnlock()
	d, status := make([]float64, s.k), make([]C.a_int, 1)
	carpack.dseupd(s, make([]C.a_int, s.ncv), d, status)
	info := status[0]
	if info != 0 {
		return &ARPACKError{Routine: "dseupd", Info: int(info)}
	}
	found := min(int(s.iparam[4]), s.k)
	d = d[:found]
	order := indices.By(found, func(i, j int) int { return cmp.Compare(d[i], d[j]) })
	res.Converged = found
	res.Values = make([]float64, found)
	res.Vectors = newGeneral(s.n, found)
	for to, from := range order {
		res.Values[to] = d[from]
		for i, x := range s.basis[from*s.n:][:s.n] {
			res.Vectors.Data[i*res.Vectors.Stride+to] = x
		}
	}
	return nil
}

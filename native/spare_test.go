//go:build cgo && !purego

package native

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/native/canary"
)

// cliques is a matrix of order n with two eigenvalues, both of which have many copies: cliques of
// the given size, and a smaller last one, in random order, with their largest eigenvalue moved
// below the others, as eigen moves known eigenvectors. 3% of the seeds make dsyevr's dstebz write
// before its workspace if one eigenvalue is asked for.
func cliques(n, size int, seed uint64) blas64.Symmetric {
	a := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
	place := rand.New(rand.NewPCG(seed, uint64(size))).Perm(n)
	weight, moved := 1/float64(size-1), 3/float64(size)
	for i := range n {
		for j := range n {
			switch {
			case i == j:
				a.Data[i*n+j] = -moved
			case place[i]/size == place[j]/size:
				a.Data[i*n+j] = weight - moved
			}
		}
	}
	return a
}

// work returns a workspace for pairs r of a.
func rangeWork(a blas64.Symmetric, r EigRange) (work []float64, words int) {
	size, iwork := make([]float64, 1), newIntegerWork(1)
	clapack.dsyevr(a, r, make([]int32, 1), make([]float64, a.N), make([]float64, a.N*r.Count), make([]int32, 2*r.Count), size, -1, iwork, -1)
	return make([]float64, int(size[0])), int(*iwork.first())
}

// callRange calls dsyevr between canaries with a workspace that has a spare word of its own or, as
// before, one that begins where the operand begins. It returns what the call wrote outside its
// operands and how many eigenvalues it found.
func callRange(a blas64.Symmetric, r EigRange, spare bool) (fault *canary.Fault, word int32, found int) {
	work, words := rangeWork(a, r)
	count := make([]int32, 1)
	iwork := newIntegerWork(words)
	iwork[0] = 0x5ca1ab1e
	defer func() {
		if p := recover(); p != nil && (!isFault(p, &fault)) {
			panic(p)
		}
		word, found = iwork[0], int(count[0])
	}()
	c := canary.Begin("dsyevr without the harness")
	a.Data = canary.Write(c, "a", a.Data, canary.Area{Rows: a.N, Cols: a.N, Stride: a.Stride, Part: canary.Upper})
	z := make([]float64, a.N*r.Count)
	var guarded integerWork
	if spare {
		guarded = canary.Write(c, "iwork", iwork, canary.Vector(len(iwork), 1))
	} else {
		own := canary.Write(c, "iwork", iwork[1:], canary.Vector(words, 1))
		guarded = unsafe.Slice((*int32)(unsafe.Add(unsafe.Pointer(&own[0]), -4)), len(iwork))
	}
	lapacke{}.dsyevr(a, r, canary.Write(c, "found", count, canary.Vector(1, 1)), canary.Write(c, "w", make([]float64, a.N), canary.Vector(a.N, 1)),
		canary.Write(c, "z", z, canary.Vector(len(z), 1)), canary.Write(c, "support", make([]int32, 2*r.Count), canary.Vector(2*r.Count, 1)),
		canary.Write(c, "work", work, canary.Vector(len(work), 1)), len(work), guarded, words)
	c.End()
	return
}

func isFault(p any, f **canary.Fault) bool {
	err, ok := p.(error)
	return ok && errors.As(err, f)
}

// dsyevr writes four bytes before its integer workspace, and nothing else outside its operands;
// with a spare word there it writes nothing outside. See integerWork.
func TestSpareWord(t *testing.T) {
	before := 0
	for _, size := range []int{3, 4} {
		for n := 11; n <= 61; n += 10 {
			for seed := range uint64(100) {
				r := EigRange{First: n - 1, Count: 1}
				fault, word, found := callRange(cliques(n, size, seed), r, true)
				if fault != nil {
					t.Fatalf("n = %d, size %d, seed %d: %v", n, size, seed, fault)
				}
				if word == 0x5ca1ab1e {
					continue
				}
				before++
				if word != 0 || found != 0 {
					t.Errorf("n = %d, size %d, seed %d: the spare word is %#x, %d values found", n, size, seed, word, found)
				}
				if fault, _, _ = callRange(cliques(n, size, seed), r, false); fault == nil {
					t.Errorf("n = %d, size %d, seed %d: the write before a workspace without a spare word was not seen", n, size, seed)
				}
			}
		}
	}
	t.Logf("the spare word was written in %d of 1,200 calls", before)
}

// node is a small object that the collector must keep as long as the list holds it.
type node struct {
	next  *node
	value int
	_     [3]int
}

func newList(length int) (first *node) {
	for i := range length {
		first = &node{first, i, [3]int{}}
	}
	return first
}

// The workspaces of the large problems of eigen's TestSuite begin at a page, and the last bytes of
// the page before are the collector's notes on the small objects there. Without the spare word
// Go 1.26's collector ended the process or freed lists like these.
func TestCollectorKeepsLists(t *testing.T) {
	const n = 900 // 36 kB of integers: a large object
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	a, r := cliques(n, 3, 3), EigRange{First: n - 1, Count: 1}
	if _, word, _ := callRange(cliques(n, 3, 3), r, true); word != 0 {
		t.Logf("this matrix does not make dstebz write before its workspace here (the word is %#x)", word)
	}
	const lists, length = 40, 400
	for round := range 12 {
		var held []*node
		for range lists {
			held = append(held, newList(length))
		}
		spoilt := a
		spoilt.Data = append([]float64(nil), a.Data...)
		values, _, err := openBLAS{}.SymEig(spoilt, r, true)
		if err != nil || len(values) != 1 || !(values[0] > -1 && values[0] < 0) {
			t.Fatalf("round %d: %v, %v", round, values, err)
		}
		runtime.GC()
		newList(lists * length) // takes the places of whatever was freed
		for _, first := range held {
			i := length
			for x := first; x != nil; x = x.next {
				if i--; x.value != i {
					t.Fatalf("round %d: entry %d of a list that is in use is %d", round, i, x.value)
				}
			}
		}
	}
}

//go:build slepc && cgo && !purego

package slepc

/*
#cgo pkg-config: slepc petsc mpi-c
#cgo LDFLAGS: -lopenblas -lm
#include "engine.h"
*/
import "C"

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Available reports whether this build has SLEPc.
const Available = true

// World is the ranks of the MPI run that this process belongs to, one if it was started by itself.
// It implements a team (internal/ranks).
type World struct {
	rank, size, local int
	traffic           [3]atomic.Int64
}

var (
	calls   chan func() // of the thread of MPI
	started atomic.Bool
	begin   = sync.OnceValues(func() (*World, error) {
		calls = make(chan func())
		up := make(chan error)
		w := new(World)
		go func() {
			runtime.LockOSThread()
			if code := C.em_start(); code != 0 {
				up <- fmt.Errorf("starting MPI, PETSc and SLEPc: %w", failure(code))
				return
			}
			started.Store(true)
			w.place()
			up <- nil
			for call := range calls {
				call()
			}
		}()
		return w, <-up
	})
)

// Start starts MPI, PETSc and SLEPc, once in a process.
func Start() (*World, error) { return begin() }

// do makes calls on the thread of MPI.
func do(call func()) {
	done := make(chan struct{})
	calls <- func() { defer close(done); call() }
	<-done
}

// Stop ends MPI when all ranks do so.
func Stop() {
	if started.Load() {
		do(func() { C.em_stop() })
	}
}

// Abort ends all ranks with an exit status, from any goroutine.
func Abort(status int) {
	if started.Load() {
		C.MPI_Abort(C.MPI_Comm(C.PETSC_COMM_WORLD), C.int(status))
	}
}

// failure is an error of PETSc.
func failure(code C.int) error {
	var text [512]C.char
	C.em_say(code, &text[0], C.int(len(text)))
	return fmt.Errorf("%s (code %d of PETSc)", strings.TrimSpace(C.GoString(&text[0])), code)
}

func (w *World) place() {
	var rank, size, local C.int
	var node C.MPI_Comm
	world := C.MPI_Comm(C.PETSC_COMM_WORLD)
	C.MPI_Comm_rank(world, &rank)
	C.MPI_Comm_size(world, &size)
	C.MPI_Comm_split_type(world, C.MPI_COMM_TYPE_SHARED, 0, C.MPI_INFO_NULL, &node)
	C.MPI_Comm_size(node, &local)
	C.MPI_Comm_free(&node)
	w.rank, w.size, w.local = int(rank), int(size), int(local)
}

// Rank is the number of this process.
func (w *World) Rank() int { return w.rank }

// Size is the number of processes.
func (w *World) Size() int { return w.size }

// LocalSize is the number of processes on this machine.
func (w *World) LocalSize() int { return w.local }

// pause is the time between two looks at whether all ranks have come to [World.Wait].
const pause = 20 * time.Millisecond

// Wait returns when all ranks have called it. Other calls of MPI wait by looking without a pause;
// this one takes next to no processor time, so that a rank can wait for hours for one that works.
// Once the context ends it waits for some time more, in which the others may end too, and returns
// the context's error.
func (w *World) Wait(ctx context.Context, grace time.Duration) error {
	if w.size == 1 {
		return nil
	}
	var all C.MPI_Request
	do(func() { C.MPI_Ibarrier(C.MPI_Comm(C.PETSC_COMM_WORLD), &all) })
	stopped, end := ctx.Done(), (<-chan time.Time)(nil)
	for {
		var come C.int
		do(func() { C.MPI_Test(&all, &come, C.MPI_STATUS_IGNORE) })
		if come != 0 {
			return nil
		}
		select {
		case <-stopped:
			stopped, end = nil, time.After(grace)
		case <-end:
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// Traffic is what this rank has received so far.
func (w *World) Traffic() Traffic {
	return Traffic{Exchanged: w.traffic[0].Load(), Summed: w.traffic[1].Load(), Products: w.traffic[2].Load()}
}

// atOnce is the number of bytes, or of numbers, of one message.
const atOnce = 1 << 28

// Sum replaces x by its sum over all ranks, added up in their order: its bits do not depend on the
// library of MPI, and equal the sums of as many parts that fewer processes host (internal/ranks).
func (w *World) Sum(x []float64) {
	if w.size == 1 || len(x) == 0 {
		return
	}
	do(func() {
		for from := 0; from < len(x); from += sumAtOnce {
			if part := x[from:min(from+sumAtOnce, len(x))]; len(part) < longSum {
				w.sumShort(part)
			} else {
				w.sumLong(part)
			}
		}
	})
}

const (
	// longSum is how many numbers are summed by slices, of which each rank adds up one.
	longSum   = 1 << 10
	sumAtOnce = 1 << 22
)

// sumShort gives the numbers of all ranks to all of them.
func (w *World) sumShort(x []float64) {
	w.traffic[1].Add(8 * int64(len(x)) * int64(w.size-1))
	all, n := make([]float64, w.size*len(x)), C.int(len(x))
	C.MPI_Allgather(unsafe.Pointer(&x[0]), n, C.MPI_Datatype(C.MPI_DOUBLE), unsafe.Pointer(&all[0]), n, C.MPI_Datatype(C.MPI_DOUBLE), C.MPI_Comm(C.PETSC_COMM_WORLD))
	addUp(x, all)
}

// sumLong gives each rank a slice of the numbers of all ranks, and all ranks its sum.
func (w *World) sumLong(x []float64) {
	w.traffic[1].Add(16 * int64(len(x)))
	slice := (len(x) + w.size - 1) / w.size
	send, got := make([]float64, slice*w.size), make([]float64, slice*w.size)
	copy(send, x)
	n := C.int(slice)
	C.MPI_Alltoall(unsafe.Pointer(&send[0]), n, C.MPI_Datatype(C.MPI_DOUBLE), unsafe.Pointer(&got[0]), n, C.MPI_Datatype(C.MPI_DOUBLE), C.MPI_Comm(C.PETSC_COMM_WORLD))
	addUp(got[:slice], got)
	C.MPI_Allgather(unsafe.Pointer(&got[0]), n, C.MPI_Datatype(C.MPI_DOUBLE), unsafe.Pointer(&send[0]), n, C.MPI_Datatype(C.MPI_DOUBLE), C.MPI_Comm(C.PETSC_COMM_WORLD))
	copy(x, send)
}

// addUp sets x to the sum of the lists of as many numbers that follow each other in all, which may
// begin with x.
func addUp(x, all []float64) {
	copy(x, all)
	for at := len(x); at < len(all); at += len(x) {
		for i, v := range all[at:][:len(x)] {
			x[i] += v
		}
	}
}

// Share replaces x by rank 0's.
func (w *World) Share(x []float64) {
	w.traffic[0].Add(8 * int64(len(x)))
	w.spread(x)
}

func (w *World) spread(x []float64) {
	w.pieces(x, func(p unsafe.Pointer, n C.int) {
		C.MPI_Bcast(p, n, C.MPI_Datatype(C.MPI_DOUBLE), 0, C.MPI_Comm(C.PETSC_COMM_WORLD))
	})
}

// pieces calls one for pieces of x, on the thread of MPI.
func (w *World) pieces(x []float64, one func(p unsafe.Pointer, n C.int)) {
	if w.size == 1 || len(x) == 0 {
		return
	}
	do(func() {
		for from := 0; from < len(x); from += atOnce {
			one(unsafe.Pointer(&x[from]), C.int(min(atOnce, len(x)-from)))
		}
	})
}

// Exchange sends parts[r] to rank r and returns what each rank sent to this one.
func (w *World) Exchange(parts [][]byte) [][]byte {
	got := make([][]byte, w.size)
	got[w.rank] = append([]byte(nil), parts[w.rank]...)
	if w.size == 1 {
		return got
	}
	do(func() {
		for step := 1; step < w.size; step++ {
			to, from := (w.rank+step)%w.size, (w.rank-step+w.size)%w.size
			var own, theirs [8]byte
			binary.LittleEndian.PutUint64(own[:], uint64(len(parts[to])))
			swap(own[:], to, theirs[:], from)
			got[from] = make([]byte, binary.LittleEndian.Uint64(theirs[:]))
			w.traffic[0].Add(int64(len(got[from])))
			send, receive := parts[to], got[from]
			for len(send)+len(receive) > 0 {
				s, r := min(len(send), atOnce), min(len(receive), atOnce)
				swap(send[:s], to, receive[:r], from)
				send, receive = send[s:], receive[r:]
			}
		}
	})
	return got
}

// swap sends one piece and receives another.
func swap(send []byte, to int, receive []byte, from int) {
	var nothing [1]byte
	pointer := func(b []byte) unsafe.Pointer {
		if len(b) == 0 {
			return unsafe.Pointer(&nothing[0])
		}
		return unsafe.Pointer(&b[0])
	}
	C.em_swap(pointer(send), C.int(len(send)), C.int(to), pointer(receive), C.int(len(receive)), C.int(from))
}

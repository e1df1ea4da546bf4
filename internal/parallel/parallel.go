// Package parallel runs loops on at most native.Threads() goroutines.
//
// The chunks depend on the grain only, not on the number of threads. A reduction that keeps one
// partial result per chunk and adds them in chunk order therefore gives the same bits at any number
// of threads.
package parallel

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/native"
)

// Chunks returns the number of chunks that For makes of n items: ceil(n/grain).
func Chunks(n, grain int) int { return (n + grain - 1) / grain }

// For calls body(worker, lo, hi) for every chunk [lo, hi) of [0, n). Each chunk has at most grain
// items; the number of the chunk is lo/grain. For hands out the chunks in ascending order to at
// most native.Threads() goroutines. The worker number, in [0, Workers(n, grain)), identifies the
// goroutine, so each one can have its own scratch memory.
//
// For checks the context before each chunk and stops with its error. The first error of body also
// stops the loop. While For runs, the BLAS library uses one thread. A panic of body on any
// goroutine stops the loop; For then panics with the stack of that goroutine in the text.
func For(ctx context.Context, n, grain int, body func(worker, lo, hi int) error) error {
	if n <= 0 {
		return ctx.Err()
	}
	workers := Workers(n, grain)
	if workers == 1 {
		for lo := 0; lo < n; lo += grain {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := body(0, lo, min(lo+grain, n)); err != nil {
				return err
			}
		}
		return nil
	}
	defer native.Parallel()()
	var (
		next   atomic.Int64
		failed atomic.Bool
		once   sync.Once
		first  error
		crash  any
	)
	stop := func(err error) {
		once.Do(func() { first = err })
		failed.Store(true)
	}
	work := func(w int) {
		defer func() {
			if p := recover(); p != nil {
				once.Do(func() { crash = fmt.Sprintf("%v\n%s", p, debug.Stack()) })
				failed.Store(true)
			}
		}()
		for !failed.Load() {
			lo := int(next.Add(1)-1) * grain
			if lo >= n {
				return
			}
			err := ctx.Err()
			if err == nil {
				err = body(w, lo, min(lo+grain, n))
			}
			if err != nil {
				stop(err)
				return
			}
		}
	}
	helpers := start(workers-1, work)
	work(0)
	helpers.wait()
	if crash != nil {
		panic(crash)
	}
	return first
}

// Workers returns the largest number of goroutines that For uses for n items with this grain.
func Workers(n, grain int) int {
	return max(1, min(native.Threads(), Chunks(n, grain)))
}

// Loop is For or Serial.
type Loop func(ctx context.Context, n, grain int, body func(worker, lo, hi int) error) error

// Serial runs the chunks of For one after the other on the caller's goroutine, for work inside a
// parallel loop.
func Serial(ctx context.Context, n, grain int, body func(worker, lo, hi int) error) error {
	for lo := 0; lo < n; lo += grain {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := body(0, lo, min(lo+grain, n)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

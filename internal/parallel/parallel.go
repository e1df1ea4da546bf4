// Package parallel runs loops over the cores that native.Threads allows.
//
// Chunks depend on the grain alone and never on the number of threads, so a reduction that keeps
// one partial result a chunk and adds them in chunk order gives the same bits at any thread count.
package parallel

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/native"
)

// Chunks returns how many chunks For makes of n items: ceil(n/grain).
func Chunks(n, grain int) int { return (n + grain - 1) / grain }

// For calls body(worker, lo, hi) for every chunk [lo, hi) of [0, n), each at most grain long,
// chunk number lo/grain. Chunks are handed out in ascending order to at most native.Threads()
// goroutines; worker, in [0, Workers(n, grain)), tells them apart so that each can own scratch memory.
//
// The context is looked at before each chunk: For then stops and returns its error. The first
// error of body ends the loop likewise. While For runs, the BLAS library stays on one thread. A panic of body
// on any goroutine ends the loop and comes out of For, with that goroutine's stack in its text.
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

// Workers returns how many goroutines For uses at most for n items in chunks of grain.
func Workers(n, grain int) int {
	return max(1, min(native.Threads(), Chunks(n, grain)))
}

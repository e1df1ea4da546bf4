package native

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// maxAbandoned is the number of abandoned calls that may run at a time.
const maxAbandoned = 2

// abandoned counts the calls of Abandonable that still run although their context has ended.
var abandoned struct {
	sync.Mutex
	running int
	ended   chan struct{} // closed when one of them ends
}

// Abandonable runs a long library call that cannot be interrupted. If the context ends first, it
// returns the context's error at once; the call continues in the background and its result is
// discarded, so nobody may use its operands. While two abandoned calls run, a new call waits for
// one of them to end, so cancelled work holds at most the processors and memory of two calls and of
// those that were running beside them.
//
// A panic of the call becomes a panic of Abandonable, with the stack of the call in the text. After
// the context has ended it is discarded like a result.
func Abandonable[T any](ctx context.Context, call func() (T, error)) (T, error) {
	var none T
	if err := awaitAbandoned(ctx); err != nil {
		return none, err
	}
	type outcome struct {
		value T
		err   error
		crash any
	}
	done := make(chan outcome, 1)
	left := false // guarded by abandoned
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.crash = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
			done <- o
			abandoned.Lock()
			defer abandoned.Unlock()
			if left {
				abandoned.running--
				close(abandoned.ended)
				abandoned.ended = make(chan struct{})
			}
		}()
		o.value, o.err = call()
	}()
	select {
	case o := <-done:
		if o.crash != nil {
			panic(o.crash)
		}
		return o.value, o.err
	case <-ctx.Done():
	}
	abandoned.Lock()
	defer abandoned.Unlock()
	if len(done) == 0 { // else it has ended, or ends without needing this lock again
		left = true
		abandoned.running++
		if abandoned.ended == nil {
			abandoned.ended = make(chan struct{})
		}
	}
	return none, ctx.Err()
}

// awaitAbandoned waits until fewer than maxAbandoned abandoned calls run.
func awaitAbandoned(ctx context.Context) error {
	for {
		abandoned.Lock()
		full, ended := abandoned.running >= maxAbandoned, abandoned.ended
		abandoned.Unlock()
		if !full {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
		}
	}
}

package ranks

import (
	"context"
	"sync/atomic"
)

// Looked returns a context that ends when [context.Context.Err] is called for the given time,
// counted from 1, and the number of calls so far. At 0 it does not end. Calls of contexts that are
// made of it, such as by [context.WithCancel], are not counted. It is for tests that end work at
// any moment, the same moment each time.
func Looked(ctx context.Context, at int64) (looked context.Context, looks func() int64) {
	ctx, stop := context.WithCancel(ctx)
	l := &looking{Context: ctx, at: at, stop: stop}
	return l, l.count.Load
}

type looking struct {
	context.Context
	at    int64
	count atomic.Int64
	stop  func()
}

// Err implements [context.Context].
func (l *looking) Err() error {
	if l.count.Add(1) == l.at {
		l.stop()
	}
	return l.Context.Err()
}

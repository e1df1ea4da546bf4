//go:build cgo

package main

import (
	"context"
	"runtime"
	"sync"

	"github.com/eigenmap/eigenmap"
)

// lease shares the process's limit of threads among calls. The limit is one number for all loops
// that run, so calls with the same limit run side by side, and a call with another one waits until
// they have ended; waiting calls begin in the order in which they came.
var lease struct {
	mu      sync.Mutex
	limit   int
	users   int
	waiting []*waiter
}

type waiter struct {
	limit int
	begin chan struct{}
}

// withThreads waits until a call with that limit may run; 0 is the number of cores.
func withThreads(ctx context.Context, limit int) (release func(), err error) {
	if limit == 0 {
		limit = runtime.GOMAXPROCS(0)
	}
	lease.mu.Lock()
	w := &waiter{limit, make(chan struct{})}
	lease.waiting = append(lease.waiting, w)
	admit()
	lease.mu.Unlock()
	select {
	case <-w.begin:
		return end, nil
	case <-ctx.Done():
	}
	lease.mu.Lock()
	defer lease.mu.Unlock()
	for i, other := range lease.waiting {
		if other == w {
			lease.waiting = append(lease.waiting[:i], lease.waiting[i+1:]...)
			admit()
			return nil, ctx.Err()
		}
	}
	lease.users-- // it was admitted in the meantime
	admit()
	return nil, ctx.Err()
}

func end() {
	lease.mu.Lock()
	defer lease.mu.Unlock()
	lease.users--
	admit()
}

// admit begins the first of the waiting calls as far as their limits agree.
func admit() {
	for len(lease.waiting) > 0 {
		w := lease.waiting[0]
		if lease.users > 0 && w.limit != lease.limit {
			return
		}
		if lease.users == 0 && w.limit != lease.limit {
			lease.limit = w.limit
			_ = eigenmap.SetEngine(w.limit, "") // fails for a backend only
		}
		lease.users++
		lease.waiting = lease.waiting[1:]
		close(w.begin)
	}
}

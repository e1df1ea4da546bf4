//go:build cgo

package main

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
)

// Calls run side by side only if they agree on the number of threads, and all of them run.
func TestLeaseIsOneLimitAtATime(t *testing.T) {
	defer native.SetThreads(0)
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			limit := 1 + i%3
			release, err := withThreads(context.Background(), limit)
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			for range 10 {
				if n := native.Threads(); n != limit {
					t.Errorf("%d threads in a call with %d", n, limit)
				}
				time.Sleep(10 * time.Microsecond)
			}
		}()
	}
	wg.Wait()
	if lease.users != 0 || len(lease.waiting) != 0 {
		t.Errorf("%d users and %d waiting calls are left", lease.users, len(lease.waiting))
	}
}

// A waiting call that is cancelled makes way.
func TestLeaseIsCancelled(t *testing.T) {
	defer native.SetThreads(0)
	first := must.Get(withThreads(context.Background(), 1))(t)
	ctx, cancel := context.WithCancel(context.Background())
	waits := make(chan error, 1)
	go func() {
		_, err := withThreads(ctx, 2)
		waits <- err
	}()
	select {
	case err := <-waits:
		t.Fatalf("a call with another limit did not wait: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	cancel()
	if err := <-waits; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, not the context's error", err)
	}
	second, err := withThreads(context.Background(), 1) // the one before it waits no more
	if err != nil {
		t.Fatal(err)
	}
	second()
	first()
	if lease.users != 0 || len(lease.waiting) != 0 {
		t.Errorf("%d users and %d waiting calls are left", lease.users, len(lease.waiting))
	}
}

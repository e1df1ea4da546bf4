package parallel

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/native"
)

func TestForCoversOnce(t *testing.T) {
	defer native.SetThreads(0)
	for _, threads := range []int{1, 2, 5} {
		native.SetThreads(threads)
		for _, n := range []int{0, 1, 7, 100, 101} {
			seen := make([]atomic.Int32, n)
			owner := make([]atomic.Int32, Workers(n, 10))
			err := For(context.Background(), n, 10, func(worker, lo, hi int) error {
				if owner[worker].Add(1) != 1 {
					t.Error("two goroutines at once have one worker number")
				}
				defer owner[worker].Add(-1)
				if lo%10 != 0 || hi > n || hi-lo > 10 || hi < n && hi-lo != 10 {
					t.Errorf("chunk [%d, %d) of %d", lo, hi, n)
				}
				for i := lo; i < hi; i++ {
					seen[i].Add(1)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range seen {
				if seen[i].Load() != 1 {
					t.Errorf("%d threads, n = %d: item %d was done %d times", threads, n, i, seen[i].Load())
				}
			}
		}
	}
}

func TestForStops(t *testing.T) {
	defer native.SetThreads(0)
	wrong := errors.New("wrong")
	for _, threads := range []int{1, 3} {
		native.SetThreads(threads)
		var calls atomic.Int32
		err := For(context.Background(), 1000, 1, func(_, lo, _ int) error {
			calls.Add(1)
			if lo == 10 {
				return wrong
			}
			return nil
		})
		if err != wrong || calls.Load() == 1000 {
			t.Errorf("%d threads: error %v after %d calls", threads, err, calls.Load())
		}
		ctx, cancel := context.WithCancel(context.Background())
		calls.Store(0)
		err = For(ctx, 1000, 1, func(_, lo, _ int) error {
			if calls.Add(1) == 5 {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || calls.Load() > 20 {
			t.Errorf("%d threads: error %v after %d calls", threads, err, calls.Load())
		}
	}
}

func TestForCarriesPanics(t *testing.T) {
	defer native.SetThreads(0)
	for _, threads := range []int{1, 3} {
		native.SetThreads(threads)
		for _, at := range []int{0, 500, 999} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%d threads: the panic at item %d was lost", threads, at)
					}
				}()
				For(context.Background(), 1000, 1, func(_, lo, _ int) error {
					if lo == at {
						panic("defect")
					}
					return nil
				})
				t.Errorf("%d threads: For returned after a panic", threads)
			}()
		}
	}
}

// Loops from several goroutines at the same time, nested loops, and pauses in which helpers fall
// asleep.
func TestForManyLoops(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(4)
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for round := range 200 {
				var sum atomic.Int64
				For(context.Background(), 64, 4, func(_, lo, hi int) error {
					return For(context.Background(), hi-lo, 1, func(_, i, _ int) error {
						sum.Add(int64(lo + i))
						return nil
					})
				})
				if sum.Load() != 64*63/2 {
					t.Errorf("sum %d", sum.Load())
				}
				if round%50 == g {
					time.Sleep(time.Millisecond)
				}
			}
		}()
	}
	wg.Wait()
}

// BenchmarkFor measures an empty loop, without pauses and after a pause in which helpers fall
// asleep.
func BenchmarkFor(b *testing.B) {
	nothing := func(_, _, _ int) error { return nil }
	b.Run("back to back", func(b *testing.B) {
		for range b.N {
			For(context.Background(), 8, 1, nothing)
		}
	})
	b.Run("after a pause", func(b *testing.B) {
		for range b.N {
			b.StopTimer()
			time.Sleep(time.Millisecond)
			b.StartTimer()
			For(context.Background(), 8, 1, nothing)
		}
	})
}

// Polling is given up where it is in vain: a quarter of the time after each longer wait, and twice
// as long again after a wait that polling would have seen the end of.
func TestPatience(t *testing.T) {
	var p patience
	polls := func() time.Duration { return spinTime - time.Duration(p.less.Load()) }
	for _, want := range []time.Duration{spinTime / 4, spinTime / 16, spinTime / 64, leastSpin, leastSpin} {
		if p.learn(time.Second); polls() != want {
			t.Errorf("polls for %v, not %v", polls(), want)
		}
	}
	if p.spin(time.Now(), func() bool { return false }) {
		t.Error("a wait that never ends has ended")
	}
	for _, want := range []time.Duration{2 * leastSpin, 4 * leastSpin} {
		if p.learn(spinTime / 2); polls() != want {
			t.Errorf("polls for %v after a short wait, not %v", polls(), want)
		}
	}
	for range 10 {
		p.learn(0)
	}
	if polls() != spinTime {
		t.Errorf("polls for %v after short waits", polls())
	}
}

// A loop that is done before its helper has woken does not wait for it, and the helper does not
// begin. One that has begun is waited for.
func TestLateHelpersDoNotBegin(t *testing.T) {
	late := &job{done: make(chan struct{}, 1)}
	late.wait()
	if late.enter() || !late.ended() {
		t.Error("a helper began after the loop")
	}
	busy, over := &job{done: make(chan struct{}, 1)}, atomic.Bool{}
	for range 2 {
		if !busy.enter() {
			t.Fatal("a helper may not begin")
		}
		go func() {
			time.Sleep(5 * time.Millisecond)
			over.Store(true)
			busy.leave()
		}()
	}
	if busy.wait(); !over.Load() || busy.working.Load() != closed {
		t.Error("the loop ended before its helpers")
	}
}

// Short loops whose helpers have no processor to run on do not make more and more of them, and
// helpers find the loop that is open when they wake.
func TestHelpersAreFew(t *testing.T) {
	defer native.SetThreads(0)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	native.SetThreads(3)
	before := runtime.NumGoroutine()
	for range 2000 {
		For(context.Background(), 3, 1, func(_, _, _ int) error { return nil })
	}
	if now := runtime.NumGoroutine(); now > before+4 {
		t.Errorf("%d goroutines before, %d after short loops", before, now)
	}
	var helped atomic.Bool
	For(context.Background(), 3, 1, func(w, _, _ int) error {
		if w == 0 {
			for began := time.Now(); !helped.Load() && time.Since(began) < 5*time.Second; {
				runtime.Gosched()
			}
		}
		helped.Store(helped.Load() || w > 0)
		return nil
	})
	if !helped.Load() {
		t.Error("no helper came to a long loop after short ones")
	}
}

// Sort orders any number of items as the standard library does, at any number of threads, and
// merges parts of uneven length.
func TestSort(t *testing.T) {
	defer native.SetThreads(0)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, sortGrain, sortGrain + 1, 2 * sortGrain, 5*sortGrain + 7} {
		items := rng.Perm(n)
		want := slices.Sorted(slices.Values(items))
		for _, threads := range []int{1, 3} {
			native.SetThreads(threads)
			got := slices.Clone(items)
			if err := Sort(context.Background(), got, cmp.Compare[int]); err != nil || !slices.Equal(got, want) {
				t.Errorf("%d items on %d threads: %v", n, threads, err)
			}
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := Sort(ctx, rng.Perm(10), cmp.Compare[int]); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

package memory

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// budget is what a context allows: most for the whole process, stage for the arrays of one stage.
type budget struct{ most, stage int64 }

type budgetKey struct{}

func budgetOf(ctx context.Context) budget {
	if b, ok := ctx.Value(budgetKey{}).(budget); ok {
		return b
	}
	return budget{Unknown, Unknown}
}

// Within bounds the memory of the whole process, in bytes, for the work under the context; 0 or
// less leaves ctx as it is.
func Within(ctx context.Context, most int64) context.Context {
	b := budgetOf(ctx)
	if most <= 0 || most >= b.most {
		return ctx
	}
	b.most = most
	return context.WithValue(ctx, budgetKey{}, b)
}

// Bound bounds the memory of the arrays of every stage of the work under the context, in bytes; 0
// or less leaves ctx as it is.
func Bound(ctx context.Context, stage int64) context.Context {
	b := budgetOf(ctx)
	if stage <= 0 || stage >= b.stage {
		return ctx
	}
	b.stage = stage
	return context.WithValue(ctx, budgetKey{}, b)
}

// Left returns the number of bytes that a stage of the work may still allocate: what [Available]
// gives, within the bounds of the context. Garbage counts as free: it is collected here if it could
// matter. Unknown if there is no limit.
func Left(ctx context.Context) int64 {
	b := budgetOf(ctx)
	here := &machine{"/proc", "/sys/fs/cgroup", addressSpace()}
	left, resident := here.left(b.most)
	if resident > left/4 && left < b.stage {
		debug.FreeOSMemory()
		left, _ = here.left(b.most)
	}
	latest.Store(&reading{time.Now(), b.most, left})
	return min(left, b.stage)
}

// reading is the memory that was left under a bound of the process, in bytes, and when.
type reading struct {
	when       time.Time
	most, left int64
}

var latest atomic.Pointer[reading]

// A reading of the system takes as long as a small fit. Requests within fresh of it share what it
// found, less spare bytes for what is taken beside them.
const (
	fresh = 50 * time.Millisecond
	spare = 1 << 30
)

// UpTo is the smaller of most bytes and [Left]. It does not read the system again if a reading of
// the last 50 ms, less what requests since then may have taken, left 1 GiB more than four times as
// much.
func UpTo(ctx context.Context, most int64) int64 {
	b := budgetOf(ctx)
	r := latest.Load()
	if r != nil && r.most == b.most && time.Since(r.when) < fresh && (r.left-spare)/4 >= most &&
		latest.CompareAndSwap(r, &reading{r.when, r.most, r.left - most}) {
		return min(most, b.stage)
	}
	return min(most, Left(ctx))
}

// Least is the number of bytes that the program needs for itself and for small work.
const Least = 64 << 20

// Enough returns an [*Error] if the free memory and the control groups leave this process less than
// [Least] bytes altogether: with less the kernel would kill it in the middle of its work.
func Enough() error { return (&machine{"/proc", "/sys/fs/cgroup", Unknown}).enough() }

func (m *machine) enough() error {
	left, resident := m.left(Unknown)
	if whole := Sum(left, resident); whole < Least {
		return &Error{What: "the program itself", Need: Least, Limit: whole, Own: true,
			Way: "raise the memory limit of the control group or the job, or free memory"}
	}
	return nil
}

// left is what the machine and a bound of the whole process leave, and what the process takes now.
func (m *machine) left(most int64) (left, resident int64) {
	left = m.available()
	_, resident = m.taken()
	if most != Unknown {
		left = min(left, max(0, most-resident))
	}
	return left, resident
}

// Peak returns the most resident memory that the process has had, in bytes; 0 if the system does
// not tell.
func Peak() int64 {
	data, err := os.ReadFile(filepath.Join("/proc", "self/status"))
	if err != nil {
		return 0
	}
	return field(data, "VmHWM:")
}

// PeakHeap runs work and returns two bounds of the memory of Go's heap that it takes beyond what
// was in use before, for tests of estimates: the most bytes that a collection of garbage found in
// use, and what the heap grew to, with garbage that was not yet collected. The collector begins
// whenever the heap has grown by a twentieth. On a busy machine it is slow, and counts as in use
// what is made meanwhile, and an array of a millisecond may be seen by neither: the least and the
// most of several runs are near what work needs. Pools are emptied first. The goroutine that looks
// has a processor beside those of work.
func PeakHeap(work func()) (least, most int64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1))
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	for range 3 { // a pool keeps what it has for two collections
		debug.FreeOSMemory()
	}
	before, held := int64(live()), heapHeld()
	least, most = before, held
	look := func() { least, most = max(least, int64(live())), max(most, heapHeld()) }
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(100 * time.Microsecond):
				look()
			}
		}
	}()
	work()
	close(done)
	<-ended
	look()
	return least - before, most - held
}

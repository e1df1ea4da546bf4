package memory

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// LimitHeap makes the garbage collector begin when what is in use has grown by a half; from 128 MiB
// on by 64 MiB or a quarter, by 256 MiB at most, and a small heap by 16 MiB. It works harder near
// the end of what the context and the machine allow, unless GOGC and GOMEMLIMIT say otherwise. Most
// of a large heap are arrays of numbers, which are cheap to collect: with a half, 100,000 reviews
// took a quarter less memory than with Go's own 100 %, and the same time.
func LimitHeap(ctx context.Context) {
	const least = 64 << 20 // below it there would be nothing but collecting
	followOwn(mostGrowth)
	if free := Left(ctx); free != Unknown && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(least, free-free/10))
	}
}

// FollowHeap is [LimitHeap] for a library: it sets no limit, since what the host takes meanwhile is
// not known, and lets the heap grow by a quarter, since the host has a memory of its own beside it.
// After the first call it does nothing.
func FollowHeap() { followOwn(libraryGrowth) }

// followOwn follows the heap unless the user says how much it may grow.
func followOwn(most int) {
	if os.Getenv("GOGC") == "" {
		following.Do(func() { followHeap(most) })
	}
}

// Dropped collects garbage at once, and returns it to the system, if the caller has just dropped so
// many bytes that what it takes next should take their place: as many as the heap would grow by
// until the next collection, or 32 MiB that are a fifth of the heap. Arrays of numbers cost the
// collector nothing.
func Dropped(bytes int64) {
	if bytes >= growthBytes || bytes >= leastDropped && bytes >= heapInUse()/5 {
		debug.FreeOSMemory()
	}
}

// GiveBack returns free memory of the heap to the system before a stage of work begins, if there is
// much of it: 64 MiB and a quarter of what is in use. The runtime itself keeps what it once had for
// a while, so that a process is as large as the largest of its stages would be with the garbage of
// those before it. It does nothing in a Go program of others, which never called [LimitHeap] or
// [FollowHeap], and whose heap is not ours to collect, or where GOGC says how the heap grows.
func GiveBack() {
	if !follows.Load() {
		return
	}
	sample := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	free, live, objects := sample[0].Value.Uint64(), sample[1].Value.Uint64(), sample[2].Value.Uint64()
	if spare := free + objects - min(objects, live); spare >= largeBytes && spare >= live/4 {
		debug.FreeOSMemory()
	}
}

// Ahead collects garbage if the caller is about to take so many bytes that they should have its
// place: at least 16 MiB that are a tenth of the heap. So the heap is at most ten times as large,
// which bounds the time: next to nothing for arrays of numbers, half a millisecond for each MiB of
// small objects that point to each other.
func Ahead(bytes int64) {
	if bytes >= smallBytes && bytes >= heapInUse()/10 {
		runtime.GC()
	}
}

// leastDropped is the number of bytes below which nothing is collected before its time.
const leastDropped = 32 << 20

// Growth of the heap until the next collection, in percent and in bytes.
const (
	mostGrowth    = 50
	libraryGrowth = 25
	leastGrowth   = 8
	growthBytes   = 256 << 20
	// From 128 MiB on a heap grows by largeBytes, from 256 MiB on by largeGrowth: what a run takes
	// would be half as much again as it needs.
	largeBytes  = 64 << 20
	largeGrowth = libraryGrowth
	// A small heap grows by smallBytes, and first to that size, since the runtime collects nothing
	// below 4 MiB for 100 %. Collecting more often took 3 % of the time of a run and freed little.
	smallBytes  = 16 << 20
	smallGrowth = 400
)

var (
	following sync.Once
	follows   atomic.Bool // whether the heap is followed
)

// followHeap sets the growth now and after each collection, if it has changed: setting it stops all
// goroutines for a moment.
func followHeap(most int) {
	follows.Store(true)
	growth := growthOf(0, most)
	debug.SetGCPercent(growth)
	afterEachCollection(func() {
		if now := growthOf(live(), most); now != growth {
			growth = now
			debug.SetGCPercent(growth)
		}
	})
}

// growthOf is the growth for so many bytes in use, in percent, most of a heap that is not small.
func growthOf(live uint64, most int) int {
	if live == 0 {
		return smallGrowth
	}
	large := min(uint64(most), max(largeGrowth, 100*largeBytes/live), 100*growthBytes/live)
	return int(max(leastGrowth, large, min(smallGrowth, 100*smallBytes/live)))
}

// Grown is the size to which a heap of a program grows, of which so many bytes stay in use, before
// the collector frees the rest ([LimitHeap]).
func Grown(bytes int64) int64 {
	if bytes <= 0 {
		return 0
	}
	return Sum(bytes, Whole(float64(bytes)*float64(growthOf(uint64(bytes), mostGrowth))/100))
}

// live is the number of bytes that the last collection left, and of what was allocated during it.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	if metrics.Read(sample); sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// heapInUse is the number of bytes of objects, garbage among them that is not yet collected.
func heapInUse() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// heapHeld is [heapInUse], and free memory that the heap once had and has not returned.
func heapHeld() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(sample)
	return heapInUse() + int64(sample[0].Value.Uint64())
}

// afterEachCollection calls work after each collection, on a goroutine of the runtime.
func afterEachCollection(work func()) {
	type unused struct{ _ *int } // one that the collector frees at once
	runtime.SetFinalizer(new(unused), func(*unused) {
		work()
		afterEachCollection(work)
	})
}

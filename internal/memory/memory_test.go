package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

const giB = 1 << 30

// TestAvailable checks with prepared system files that the smallest of the limits is returned.
func TestAvailable(t *testing.T) {
	const free = "proc/meminfo"
	own := func(n int64) int64 { return n * int64(os.Getpagesize()) }
	statm := "100 10 1 1 0 1 0\n" // pages of address space and of resident memory
	meminfo := "MemTotal: 8388608 kB\nMemFree: 1 kB\nMemAvailable: 4194304 kB\n"
	for name, tc := range map[string]struct {
		files map[string]string
		space int64
		want  int64
	}{
		"nothing known":         {nil, Unknown, Unknown},
		"free":                  {map[string]string{free: meminfo}, Unknown, 4 * giB},
		"old system":            {map[string]string{free: "MemTotal: 8388608 kB\n"}, Unknown, 8 * giB},
		"damaged":               {map[string]string{free: "MemAvailable:\nMemAvailable: x kB\n\n", "sys/memory.max": "what"}, Unknown, Unknown},
		"container":             {map[string]string{free: meminfo, "sys/memory.max": "1073741824\n", "proc/self/statm": statm}, Unknown, giB - own(10)},
		"no limit":              {map[string]string{free: meminfo, "sys/memory.max": "max\n", "sys/memory/memory.limit_in_bytes": "9223372036854771712\n"}, Unknown, 4 * giB},
		"no limit in version 1": {map[string]string{"sys/memory/memory.limit_in_bytes": "9223372036854771712\n", "sys/memory/memory.usage_in_bytes": "4096\n"}, Unknown, Unknown},
		"version 1":             {map[string]string{free: meminfo, "sys/memory/memory.limit_in_bytes": "2147483648\n"}, Unknown, 2 * giB},
		"cache": {map[string]string{free: meminfo, "sys/memory/memory.limit_in_bytes": "2147483648\n", "sys/memory/memory.usage_in_bytes": "2147483648\n",
			"sys/memory/memory.stat": "cache 1\nactive_file 1000\ninactive_file 2000\nmapped_file 7\n"}, Unknown, 3000},
		"more than is free, used up but for cache": {map[string]string{free: meminfo, "sys/memory.max": "8589934592\n", "sys/memory.current": "8589934592\n",
			"sys/memory.stat": "active_file 5368709120\n"}, Unknown, 4 * giB},
		"used up":             {map[string]string{free: meminfo, "sys/memory.max": "4096\n", "proc/self/statm": statm}, Unknown, 0},
		"address space":       {map[string]string{free: meminfo, "proc/self/statm": statm}, 2 * giB, 2*giB - own(100) - forThreads},
		"small address space": {map[string]string{free: meminfo, "proc/self/statm": statm}, own(100) + 4096, 1024},
		"a group above": {map[string]string{free: meminfo, "proc/self/cgroup": "0::/user.slice/user-1.slice/run.scope\n",
			"sys/user.slice/user-1.slice/run.scope/memory.max": "max\n", "sys/user.slice/user-1.slice/memory.max": "3221225472\n", "sys/user.slice/memory.max": "max\n"}, Unknown, 3 * giB},
		"version 1 below": {map[string]string{free: meminfo, "proc/self/cgroup": "5:cpu,cpuacct:/a\n4:memory:/job/1\n",
			"sys/memory/job/1/memory.limit_in_bytes": "1073741824\n", "sys/memory/a/memory.limit_in_bytes": "1\n"}, Unknown, giB},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range tc.files {
				path := filepath.Join(dir, file)
				must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
				must.Do(t, os.WriteFile(path, []byte(text), 0o644))
			}
			m := &machine{filepath.Join(dir, "proc"), filepath.Join(dir, "sys"), tc.space}
			if got := m.available(); got != tc.want {
				t.Errorf("%d bytes, want %d", got, tc.want)
			}
		})
	}
}

// TestEnough checks the least memory of the program against limits of control groups.
func TestEnough(t *testing.T) {
	page := int64(os.Getpagesize())
	for name, tc := range map[string]struct {
		limit, used, resident int64
		enough                bool
	}{
		"no group":            {0, 0, 20 << 20, true},
		"the least":           {Least, 20 << 20, 20 << 20, true},
		"too little":          {Least - page, 20 << 20, 20 << 20, false},
		"taken by others":     {Least + 10<<20, 50 << 20, 20 << 20, false},
		"others leave enough": {Least + 30<<20, 50 << 20, 20 << 20, true},
		"used up":             {16 << 20, 16 << 20, 20 << 20, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(file, text string) {
				path := filepath.Join(dir, file)
				must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
			}
			write("proc/self/statm", fmt.Sprintf("%d %d 0 0 0 0 0\n", 1<<20, tc.resident/page))
			if tc.limit > 0 {
				write("sys/memory.max", fmt.Sprintln(tc.limit))
				write("sys/memory.current", fmt.Sprintln(tc.used))
			}
			err := (&machine{filepath.Join(dir, "proc"), filepath.Join(dir, "sys"), Unknown}).enough()
			if (err == nil) != tc.enough || err != nil && !errors.Is(err, ErrLimit) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A heap grows to what is in use and what the collector lets it grow by.
func TestGrown(t *testing.T) {
	for live, want := range map[int64]int64{-1: 0, 0: 0, 8 << 20: 24 << 20, 100 << 20: 150 << 20, 256 << 20: 320 << 20, 1 << 30: 1280 << 20, Unknown: Unknown} {
		if got := Grown(live); got != want {
			t.Errorf("%d bytes grow to %d, not %d", live, got, want)
		}
	}
}

// A small heap may grow by 16 MiB, a larger one by a half, one from 128 MiB on by 64 MiB or a
// quarter, and a large one by 256 MiB, but not by less than 8 %.
func TestGrowthOf(t *testing.T) {
	for live, want := range map[uint64]int{0: 400, 1 << 20: 400, 4 << 20: 400, 8 << 20: 200, 32 << 20: 50, 64 << 20: 50, 128 << 20: 50, 200 << 20: 32, 256 << 20: 25, 512 << 20: 25, 1 << 30: 25, 2 << 30: 12, 1 << 40: 8} {
		if got := growthOf(live, mostGrowth); got != want {
			t.Errorf("%d bytes may grow by %d %%, not %d", live, got, want)
		}
		if got, in := growthOf(live, libraryGrowth), min(want, max(libraryGrowth, int(100*smallBytes/max(1, live)))); live >= 64<<20 && got != in {
			t.Errorf("in a library %d bytes may grow by %d %%, not %d", live, got, in)
		}
	}
}

// What is dropped is collected at once where it is a fifth of the heap, or as much as a large heap
// grows by, and little never is.
func TestDropped(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	heap := heapInUse()
	block := make([]byte, max(4*leastDropped, heap))
	for _, c := range []struct {
		bytes     int64
		collected bool
	}{{leastDropped - 1, false}, {(heap + int64(len(block))) / 6, false}, {heap + int64(len(block)), true}, {growthBytes, true}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Dropped(c.bytes)
		if runtime.ReadMemStats(&after); (after.NumGC > before.NumGC) != c.collected {
			t.Errorf("%d bytes of %d: %d collections", c.bytes, heap+int64(len(block)), after.NumGC-before.NumGC)
		}
	}
	runtime.KeepAlive(block)
}

// Much free memory is returned to the system, and little is not; in a Go program of others none is.
func TestGiveBack(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer follows.Store(follows.Load())
	follows.Store(true)
	debug.FreeOSMemory()
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumGC
	}
	before := collections()
	if GiveBack(); collections() != before {
		t.Error("a heap without free memory was collected")
	}
	block := make([]byte, max(2*largeBytes, heapInUse()))
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	size := int64(len(block))
	runtime.KeepAlive(block)
	before = collections()
	follows.Store(false)
	if GiveBack(); collections() != before {
		t.Error("the heap of a Go program that never asked for it was collected")
	}
	follows.Store(true)
	_, had := (&machine{"/proc", "/sys/fs/cgroup", Unknown}).taken()
	GiveBack()
	if _, has := (&machine{"/proc", "/sys/fs/cgroup", Unknown}).taken(); had > 0 && had-has < size/2 {
		t.Errorf("of %d bytes that nothing needs %d were returned", size, had-has)
	}
}

// Much that is about to be taken has the place of garbage, and little is taken as it is.
func TestAhead(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	for bytes, collected := range map[int64]bool{smallBytes - 1: false, max(smallBytes, heapInUse()): true} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Ahead(bytes)
		if runtime.ReadMemStats(&after); (after.NumGC > before.NumGC) != collected {
			t.Errorf("%d bytes ahead: %d collections", bytes, after.NumGC-before.NumGC)
		}
	}
}

// The collector's setting follows the heap.
func TestGrowthFollowsTheHeap(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	calls := make(chan struct{}, 100)
	afterEachCollection(func() {
		select {
		case calls <- struct{}{}:
		default:
		}
	})
	for range 3 {
		runtime.GC()
		select {
		case <-calls:
		case <-time.After(10 * time.Second):
			t.Fatal("nothing was called after a collection")
		}
	}
}

// An array for which large pages are asked for is the same array, of zeros, and can be written to.
func TestLargePages(t *testing.T) {
	for _, size := range []int{0, 1, 1000, 3<<20 + 5} {
		array := make([]float64, size)
		got := Large(array)
		if len(got) != size || size > 0 && &got[0] != &array[0] {
			t.Fatalf("%d numbers became %d", size, len(got))
		}
		for i, v := range got {
			if v != 0 {
				t.Fatalf("number %d is %v", i, v)
			}
			got[i] = 1
		}
	}
}

// Where the user says by GOGC how much the heap may grow, neither a program nor a library changes
// it.
func TestGOGCStays(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	t.Setenv("GOGC", "77")
	t.Setenv("GOMEMLIMIT", "off") // as the tests have it
	FollowHeap()
	LimitHeap(context.Background())
	if got := debug.SetGCPercent(77); got != 77 {
		t.Errorf("the heap may grow by %d %%, not 77", got)
	}
}

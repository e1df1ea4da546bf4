package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eigenmap/eigenmap/native"
)

// The loops of the eigensolvers last some hundred microseconds and follow each other at once. Waking a
// sleeping thread takes as long as such a loop, on virtual machines above all, so goroutines that have finished a
// chunk look for the next loop for a moment before they sleep, and so does the caller for the end of its loop.
const (
	spinTime  = 150 * time.Microsecond
	spinCheck = 64 // looks between two looks at the clock
)

// cores is how many goroutines can run at once.
var cores = min(runtime.NumCPU(), runtime.GOMAXPROCS(0))

// spin looks at done until it is true or spinTime has passed, and returns what it saw last. It does not
// spin where there are more goroutines than cores: somebody else needs the time.
func spin(done func() bool) bool {
	if native.Threads() > cores {
		return done()
	}
	for began := time.Now(); ; {
		for range spinCheck {
			if done() {
				return true
			}
		}
		if time.Since(began) > spinTime {
			return false
		}
	}
}

// job is one loop's work for its helpers: run is called once by each of them.
type job struct {
	run     func(worker int)
	hired   atomic.Int32 // the next helper's worker number
	pending atomic.Int32 // helpers that have not finished
	done    chan struct{}
}

// start hires the given number of helpers, workers 1 to helpers.
func start(helpers int, run func(worker int)) *job {
	j := &job{run: run, done: make(chan struct{}, 1)}
	j.pending.Store(int32(helpers))
	for range helpers {
		hire(j)
	}
	return j
}

// wait returns when every helper has finished.
func (j *job) wait() {
	if !spin(func() bool { return j.pending.Load() == 0 }) {
		<-j.done
	}
}

// helper is a goroutine that works for one loop after another.
type helper struct {
	job    atomic.Pointer[job]
	asleep atomic.Bool // set by the helper when it goes to sleep, cleared by whoever wakes it
	wake   chan struct{}
}

var idle struct {
	sync.Mutex
	helpers []*helper
}

// hire gives the job to an idle helper, or to a new one.
func hire(j *job) {
	idle.Lock()
	var h *helper
	if last := len(idle.helpers) - 1; last >= 0 {
		h = idle.helpers[last]
		idle.helpers = idle.helpers[:last]
	}
	idle.Unlock()
	if h == nil {
		h = &helper{wake: make(chan struct{}, 1)}
		h.job.Store(j)
		go h.live()
		return
	}
	h.job.Store(j)
	if h.asleep.CompareAndSwap(true, false) {
		h.wake <- struct{}{}
	}
}

func (h *helper) live() {
	for {
		j := h.job.Load()
		j.run(int(j.hired.Add(1)))
		h.job.Store(nil)
		idle.Lock()
		idle.helpers = append(idle.helpers, h)
		idle.Unlock()
		if j.pending.Add(-1) == 0 {
			j.done <- struct{}{}
		}
		if spin(func() bool { return h.job.Load() != nil }) {
			continue
		}
		// Looking once more after asleep is set, nothing is missed; a hirer who saw us asleep always sends. What it
		// sends may be late, for a job that was found by looking and is done: then there is nothing to do yet.
		for h.job.Load() == nil {
			h.asleep.Store(true)
			if h.job.Load() != nil && h.asleep.CompareAndSwap(true, false) {
				break
			}
			<-h.wake
		}
	}
}

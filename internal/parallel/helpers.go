package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eigenmap/eigenmap/native"
)

// The loops of the eigensolvers take some hundred microseconds and directly follow each other.
// Waking a sleeping thread takes about as long as such a loop, in particular on virtual machines. A
// goroutine that has finished a chunk therefore polls for the next loop for spinTime before it
// sleeps, and the caller polls for the end of its loop in the same way.
const (
	spinTime  = 150 * time.Microsecond
	spinCheck = 64 // polls between two reads of the clock
)

// cores is the number of goroutines that can run at the same time.
var cores = min(runtime.NumCPU(), runtime.GOMAXPROCS(0))

// spin polls done until it is true or spinTime has passed, and returns its last result. It does not
// poll if there are more threads than cores, because other goroutines need the time.
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

// job is the work of one loop for its helpers. Each helper calls run once.
type job struct {
	run     func(worker int)
	hired   atomic.Int32 // number of helpers hired so far: the next worker number
	pending atomic.Int32 // number of helpers that have not finished
	done    chan struct{}
}

// start hires the given number of helpers, with the worker numbers 1 to helpers.
func start(helpers int, run func(worker int)) *job {
	j := &job{run: run, done: make(chan struct{}, 1)}
	j.pending.Store(int32(helpers))
	for range helpers {
		hire(j)
	}
	return j
}

// wait returns after every helper has finished.
func (j *job) wait() {
	if !spin(func() bool { return j.pending.Load() == 0 }) {
		<-j.done
	}
}

// helper is a goroutine that works for one loop after another.
type helper struct {
	job    atomic.Pointer[job]
	asleep atomic.Bool // set by the helper before it sleeps, cleared by the goroutine that wakes it
	wake   chan struct{}
}

var idle struct {
	sync.Mutex
	helpers []*helper
}

// hire gives the job to an idle helper, or to a new one if none is idle.
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
		// The second check after setting asleep makes sure that no job is missed: a goroutine that
		// finds asleep set always sends a wake-up. The wake-up may be for a job that polling found
		// already and that is done; then there is no new job yet.
		for h.job.Load() == nil {
			h.asleep.Store(true)
			if h.job.Load() != nil && h.asleep.CompareAndSwap(true, false) {
				break
			}
			<-h.wake
		}
	}
}

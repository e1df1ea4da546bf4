package parallel

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eigenmap/eigenmap/native"
)

// The loops of the eigensolvers take some hundred microseconds and directly follow each other.
// Waking a sleeping thread takes about as long as such a loop, in particular on virtual machines. A
// goroutine that has finished a chunk therefore polls for the next loop for up to spinTime before
// it sleeps, and the caller polls for the end of its loop in the same way. Where the last waits
// were longer, polling was in vain, and the next poll is shorter.
const (
	spinTime  = 150 * time.Microsecond
	leastSpin = 2 * time.Microsecond
	spinCheck = 64 // polls between two reads of the clock
)

// cores is the number of goroutines that can run at the same time.
var cores = min(runtime.NumCPU(), runtime.GOMAXPROCS(0))

// patience is how long a wait polls. less is spinTime minus that time, in nanoseconds, so that the
// zero value polls for spinTime.
type patience struct{ less atomic.Int64 }

// spin polls done until it is true or the patience is over, and returns its last result. It does
// not poll if there are more threads than cores, because other goroutines need the time.
func (p *patience) spin(began time.Time, done func() bool) bool {
	if native.Threads() > cores {
		return done()
	}
	for limit := spinTime - time.Duration(p.less.Load()); ; {
		for range spinCheck {
			if done() {
				return true
			}
		}
		if time.Since(began) > limit {
			return false
		}
	}
}

// learn sets the patience by how long the last wait would have had to poll: twice as long after a
// wait within spinTime, else a quarter.
func (p *patience) learn(waited time.Duration) {
	limit := spinTime - time.Duration(p.less.Load())
	if limit *= 2; waited > spinTime {
		limit /= 8
	}
	p.less.Store(int64(spinTime - min(spinTime, max(leastSpin, limit))))
}

// ends is the patience of the callers of all loops.
var ends patience

// job is the work of one loop for its helpers. Each helper calls run once, or not at all if it
// comes after the caller has found nothing left to do: nobody waits for a helper that is still
// waking up.
type job struct {
	run     func(worker int)
	hired   atomic.Int32 // number of helpers hired so far: the next worker number
	working atomic.Int32 // number of helpers in run; closed is added when no more may begin
	done    chan struct{}
	began   time.Time
	end     time.Time // set before done is sent
}

const closed = -1 << 30

// enter reports whether a helper may begin, and counts it.
func (j *job) enter() bool {
	for {
		working := j.working.Load()
		if working < 0 {
			return false
		}
		if j.working.CompareAndSwap(working, working+1) {
			return true
		}
	}
}

// ended reports whether no more helpers may begin.
func (j *job) ended() bool { return j.working.Load() < 0 }

// leave ends what enter began. The last helper of a closed job wakes the caller.
func (j *job) leave() {
	if j.working.Add(-1) == closed {
		j.end = time.Now()
		j.done <- struct{}{}
	}
}

// start hires the given number of helpers, with the worker numbers 1 to helpers.
func start(helpers int, run func(worker int)) *job {
	j := &job{run: run, done: make(chan struct{}, 1), began: time.Now()}
	for range helpers {
		hire(j)
	}
	return j
}

// wait returns after every helper has finished that has begun, and lets no more begin.
func (j *job) wait() {
	if j.working.Add(closed) == closed {
		return
	}
	began := time.Now()
	if ends.spin(began, func() bool { return j.working.Load() == closed }) {
		ends.learn(0)
		return
	}
	<-j.done
	ends.learn(j.end.Sub(began))
}

// helper is a goroutine that works for one loop after another. Its next job comes through a channel
// with room for one. A helper is among the idle ones only while the channel is empty, and whoever
// hires it takes it from there, so that a send neither blocks nor meets another job, and no job can
// be lost.
type helper chan *job

var idle struct {
	sync.Mutex
	helpers []helper
	waking  int    // helpers that were hired and have not received their job
	wanted  []*job // jobs for which no helper was hired, because enough of them are waking
}

// hire gives the job to an idle helper, or to a new one if none is idle. If as many as a loop hires
// are waking, the first one that has nothing else to do takes it: short loops that end before their
// helpers wake do not make more and more of them.
func hire(j *job) {
	idle.Lock()
	var h helper
	if last := len(idle.helpers) - 1; last >= 0 {
		h = idle.helpers[last]
		idle.helpers = idle.helpers[:last]
	} else if idle.waking >= native.Threads()-1 {
		idle.wanted = append(slices.DeleteFunc(idle.wanted, (*job).ended), j)
		idle.Unlock()
		return
	}
	idle.waking++
	idle.Unlock()
	if h == nil {
		h = make(helper, 1)
		go h.live()
	}
	h <- j
}

func (h helper) live() {
	var next patience
	for {
		waits := time.Now()
		next.spin(waits, func() bool { return len(h) > 0 })
		j := <-h
		next.learn(j.began.Sub(waits))
		idle.Lock()
		idle.waking--
		idle.Unlock()
		for j != nil {
			began := j.enter()
			if began {
				j.run(int(j.hired.Add(1)))
			}
			another := h.another()
			if began {
				j.leave()
			}
			j = another
		}
	}
}

// another returns a job that wants a helper. If there is none, h is idle.
func (h helper) another() *job {
	idle.Lock()
	defer idle.Unlock()
	for last := len(idle.wanted) - 1; last >= 0; last-- {
		j := idle.wanted[last]
		idle.wanted[last], idle.wanted = nil, idle.wanted[:last]
		if !j.ended() {
			return j
		}
	}
	idle.helpers = append(idle.helpers, h)
	return nil
}

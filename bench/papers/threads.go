package papers

import (
	"sync"

	"github.com/eigenmap/eigenmap/native"
)

// single counts the runs of this process that compute, and keeps the number of threads before them.
var single struct {
	sync.Mutex
	runs, before int
}

// oneThreadEach gives each computation one thread, since computations run side by side, until the
// last run that asked for it has released it. The number belongs to the whole process: if a run set
// it back while another one computes, a method would meet more threads than it has memory for.
func oneThreadEach() (release func()) {
	single.Lock()
	defer single.Unlock()
	if single.runs++; single.runs == 1 {
		single.before = native.Threads()
		native.SetThreads(1)
	}
	return func() {
		single.Lock()
		defer single.Unlock()
		if single.runs--; single.runs == 0 {
			native.SetThreads(single.before)
		}
	}
}

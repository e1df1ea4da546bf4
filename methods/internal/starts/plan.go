package starts

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

// most is the memory, in bytes, that the states of starts side by side may take.
const most = 1 << 30

// Plan says how many starts there are, and what they share.
type Plan struct {
	// First is the number of the first start, and Count how many there are, at least 1.
	First, Count int
	// Keep is how many of the best starts are kept; 0 = 1.
	Keep int
	// StateBytes is the memory of one state. 0: starts never run side by side.
	StateBytes int64
	// Share divides the rows among ranks; nil: all rows are here.
	Share *ranks.Share
	// Finished are the pieces of finished starts; nil keeps none.
	Finished *store.Restarts
	// Whole says that every piece has its state, not only the pieces of the best starts.
	Whole bool
	// Observer receives the progress of the Stage: of Steps steps for each start, called Unit, and
	// a note if starts were read from pieces. Steps are counted through all starts; if Each, of each
	// start by itself, which has other stages before its own.
	Observer    progress.Observer
	Stage, Unit string
	Steps       int
	Each        bool
}

// kept is how many starts are kept.
func (p Plan) kept() int { return min(max(1, p.Keep), p.Count) }

// SideBySide reports whether the starts run at the same time, each on one thread: if there is one
// for every thread and their states fit into a gigabyte. Ranks that divide the rows make the same
// calls in one order, so their starts never do.
func (p Plan) SideBySide() bool {
	threads := native.Threads()
	return p.StateBytes > 0 && !p.Share.Divided() && threads > 1 && p.Count >= threads &&
		memory.Bytes(p.StateBytes, threads+p.kept()) <= most
}

// Bytes is the memory of all states: of the starts that run, and of the best.
func (p Plan) Bytes() int64 {
	running := 1
	if p.SideBySide() {
		running = native.Threads()
	}
	return memory.Bytes(p.StateBytes, min(running+p.kept(), p.Count))
}

// loops are the loop over the starts, and for a state the number of goroutines that it works on and
// the loop over its rows.
func (p Plan) loops() (outer parallel.Loop, workers int, each parallel.Loop) {
	if p.SideBySide() {
		return parallel.For, 1, parallel.Serial
	}
	return parallel.Serial, native.Threads(), parallel.For
}

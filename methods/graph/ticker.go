package graph

import (
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/progress"
)

// ticker counts finished rows for an observer, from any goroutine, and reports a few times per
// second.
type ticker struct {
	obs   progress.Observer
	total int64

	mu   sync.Mutex
	done float64
	last time.Time

	whole  *ticker // of which this one is a part; nil: it is the whole
	factor float64 // rows of the whole for each row
}

const stage = "neighbours"

func newTicker(obs progress.Observer, rows int) *ticker {
	obs.Report(stage, 0, int64(rows), "rows")
	return &ticker{obs: obs, total: int64(rows), last: time.Now()}
}

// part counts work on some rows as that on share rows of t.
func (t *ticker) part(share float64, rows int) *ticker {
	return &ticker{whole: t, factor: share / float64(max(1, rows))}
}

func (t *ticker) add(rows float64) {
	if t.whole != nil {
		t.whole.add(rows * t.factor)
		return
	}
	if t.obs == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += rows
	if now := time.Now(); now.Sub(t.last) > 200*time.Millisecond {
		t.last = now
		t.obs.Report(stage, min(int64(t.done), t.total), t.total, "rows")
	}
}

func (t *ticker) finish() { t.obs.Report(stage, t.total, t.total, "rows") }

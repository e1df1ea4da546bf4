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
}

const stage = "neighbours"

func newTicker(obs progress.Observer, rows int) *ticker {
	obs.Report(stage, 0, int64(rows), "rows")
	return &ticker{obs: obs, total: int64(rows), last: time.Now()}
}

func (t *ticker) add(rows float64) {
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

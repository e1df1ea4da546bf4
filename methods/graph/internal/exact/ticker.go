package exact

import (
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/progress"
)

// Ticker counts finished rows for an observer, from any goroutine, and reports a few times per
// second.
type Ticker struct {
	obs   progress.Observer
	total int64

	mu   sync.Mutex
	done float64
	last time.Time

	whole  *Ticker // of which this one is a part; nil: it is the whole
	factor float64 // rows of the whole for each row
}

// Stage is the stage of the events of a search.
const Stage = "neighbours"

// NewTicker starts to report progress over some rows.
func NewTicker(obs progress.Observer, rows int) *Ticker {
	obs.Report(Stage, 0, int64(rows), "rows")
	return &Ticker{obs: obs, total: int64(rows), last: time.Now()}
}

// Part counts work on some rows as that on share rows of t.
func (t *Ticker) Part(share float64, rows int) *Ticker {
	return &Ticker{whole: t, factor: share / float64(max(1, rows))}
}

// Add counts finished rows.
func (t *Ticker) Add(rows float64) {
	if t.whole != nil {
		t.whole.Add(rows * t.factor)
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
		t.obs.Report(Stage, min(int64(t.done), t.total), t.total, "rows")
	}
}

// Finish reports all rows as finished.
func (t *Ticker) Finish() { t.obs.Report(Stage, t.total, t.total, "rows") }

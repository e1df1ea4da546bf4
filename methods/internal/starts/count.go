package starts

import (
	"sync"

	"github.com/eigenmap/eigenmap/progress"
)

// counter reports the steps of all starts together, or of one. A nil counter reports nothing.
type counter struct {
	mu          sync.Mutex
	to          progress.Observer
	stage, unit string
	done, total int64
	begun       bool
}

func newCounter(p Plan, count int) *counter {
	return &counter{to: p.Observer, stage: p.Stage, unit: p.Unit, total: int64(count) * int64(p.Steps)}
}

// add counts steps that are done, or that a start does not need.
func (c *counter) add(steps int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.begun {
		c.begun = true
		c.to.Report(c.stage, 0, c.total, c.unit)
	}
	if steps == 0 {
		return
	}
	c.done += int64(steps)
	c.to.Report(c.stage, c.done, c.total, c.unit)
}

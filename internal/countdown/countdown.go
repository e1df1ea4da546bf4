// Package countdown has a context for tests of work that can be stopped: it ends when the work has
// looked at it a given number of times, so that no test depends on the speed of the machine.
package countdown

import (
	"context"
	"math"
	"sync/atomic"
)

// Forever is a number of looks that no work reaches.
const Forever = math.MaxInt64

// Context ends with context.Canceled after a number of calls of Err. Its channel Done is the
// parent's, so work that waits for it does not see the end.
type Context struct {
	context.Context
	looks atomic.Int64
	limit int64
}

// New makes a context that ends after limit looks, from 0.
func New(parent context.Context, limit int64) *Context {
	return &Context{Context: parent, limit: limit}
}

// Err counts a look. It is context.Canceled from look limit+1 on.
func (c *Context) Err() error {
	if c.looks.Add(1) > c.limit {
		return context.Canceled
	}
	return c.Context.Err()
}

// Looks is the number of calls of Err so far.
func (c *Context) Looks() int64 { return c.looks.Load() }

// Late is the number of looks after the first one that found the context ended: how long work went
// on, in its own steps.
func (c *Context) Late() int64 { return max(0, c.looks.Load()-c.limit-1) }

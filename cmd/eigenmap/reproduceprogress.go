package main

import (
	"fmt"
	"time"

	"github.com/eigenmap/eigenmap/progress"
)

// cells observes a run whose events say by themselves how long the rest will take. Other events go
// to the usual display.
func (u *ui) cells() progress.Observer {
	return func(e progress.Event) {
		if e.Unit != "cells" || e.Message != "" {
			u.observe(e)
			return
		}
		if u.watch != nil {
			u.watch(e)
		}
		u.mu.Lock()
		defer u.mu.Unlock()
		if u.quiet || u.stopped {
			return
		}
		fresh := e.Stage != u.current
		if fresh {
			u.clear()
			u.current, u.started = e.Stage, time.Now()
		}
		if u.terminal {
			u.drawCells(e)
			return
		}
		if now := time.Now(); now.Sub(u.spoken) >= u.every {
			u.spoken = now
			fmt.Fprintln(u.w, progressLine(e, now.Sub(u.started))+timeLeft(e.Left))
		}
	}
}

// drawCells draws the bar; its own guess of the time left would take all cells for equally long.
func (u *ui) drawCells(e progress.Event) {
	if u.bar == nil {
		u.bar = newBar(u.w, u.columns, e.Stage, e.Unit, e.Total)
	}
	u.bar.left = func(int64) string { return timeLeft(e.Left) }
	u.bar.set(e.Done)
}

// timeLeft is ", about 3 min left"; empty if that is not known.
func timeLeft(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < 100*time.Second:
		return fmt.Sprintf(", about %.0f s left", max(1, d.Seconds()))
	case d < 100*time.Minute:
		return fmt.Sprintf(", about %.0f min left", d.Minutes())
	}
	return fmt.Sprintf(", about %.1f h left", d.Hours())
}

package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/progress"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// ui shows progress on standard error and collects the notes of the run. On a terminal it draws one
// bar per stage, elsewhere it writes a line every few seconds, and with --quiet nothing.
type ui struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	quiet    bool
	every    time.Duration     // between lines if there is no terminal to draw a bar on
	watch    progress.Observer // sees every event first; for tests

	bar     *progressbar.ProgressBar
	current string // stage of the bar or of the last event
	started time.Time
	spoken  time.Time
	notes   []string
	stopped bool
}

func newUI(w io.Writer, watch progress.Observer) *ui {
	u := &ui{w: w, every: 3 * time.Second, watch: watch, started: time.Now(), spoken: time.Now()}
	if f, ok := w.(*os.File); ok {
		u.terminal = term.IsTerminal(int(f.Fd()))
	}
	return u
}

// stage begins another part of the work.
func (u *ui) stage(name string) { u.observe(progress.Event{Stage: name}) }

// note keeps a sentence for the summary, with a full stop; repeated ones count once.
func (u *ui) note(text string) {
	if text != "" && !strings.HasSuffix(text, ".") {
		text += "."
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if text != "" && !slices.Contains(u.notes, text) {
		u.notes = append(u.notes, text)
	}
}

// observe is the progress.Observer that every stage of a run reports to.
func (u *ui) observe(e progress.Event) {
	if u.watch != nil {
		u.watch(e)
	}
	if e.Message != "" {
		u.note(e.Message)
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.quiet || u.stopped {
		return
	}
	if u.terminal {
		u.draw(e)
		return
	}
	if e.Stage != u.current {
		u.current, u.started = e.Stage, time.Now()
	}
	if now := time.Now(); now.Sub(u.spoken) >= u.every {
		u.spoken = now
		fmt.Fprintln(u.w, progressLine(e, now.Sub(u.started)))
	}
}

func progressLine(e progress.Event, spent time.Duration) string {
	line := "eigenmap: " + e.Stage
	switch {
	case e.Total > 0:
		line += fmt.Sprintf(": %d of %d %s (%d %%)", e.Done, e.Total, e.Unit, 100*e.Done/e.Total)
	case e.Done > 0:
		line += fmt.Sprintf(": %d %s", e.Done, e.Unit)
	}
	return line + fmt.Sprintf(", %.0f s", spent.Seconds())
}

func (u *ui) draw(e progress.Event) {
	if u.bar == nil || e.Stage != u.current {
		u.clear()
		u.current = e.Stage
		total := e.Total
		if total <= 0 {
			total = -1 // a spinner
		}
		u.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(u.w),
			progressbar.OptionSetDescription(fmt.Sprintf("%-14s", e.Stage)),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(),
			progressbar.OptionSetItsString(e.Unit),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			// Without this a spinner draws on by itself, over whatever follows it.
			progressbar.OptionSetSpinnerChangeInterval(0),
			progressbar.OptionSetPredictTime(e.Total > 0),
		)
	}
	if e.Total > 0 && e.Total != u.bar.GetMax64() {
		u.bar.ChangeMax64(e.Total)
	}
	// A bar that cannot be drawn is no reason to stop the work.
	_ = u.bar.Set64(e.Done)
}

// clear takes the bar off the terminal.
func (u *ui) clear() {
	if u.bar != nil {
		_ = u.bar.Clear()
		u.bar = nil
	}
}

// stop ends all output of progress: what follows on the terminal is the result or an error.
func (u *ui) stop() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.clear()
	u.stopped = true
}

// noted returns the notes collected so far.
func (u *ui) noted() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.notes)
}

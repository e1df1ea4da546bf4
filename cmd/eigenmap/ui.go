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
	columns  func() int        // of the terminal; 0 if that is not known

	bar     *bar
	current string // stage of the bar or of the last event
	started time.Time
	spoken  time.Time
	notes   []string
	stopped bool
}

func newUI(w io.Writer, watch progress.Observer) *ui {
	u := &ui{w: w, every: 3 * time.Second, watch: watch, columns: func() int { return 0 }, started: time.Now(), spoken: time.Now()}
	if f, ok := w.(*os.File); ok {
		u.terminal = term.IsTerminal(int(f.Fd()))
		u.columns = func() int {
			width, _, _ := term.GetSize(int(f.Fd()))
			return width
		}
	}
	return u
}

// writing begins the last stage, which writes the files.
func (u *ui) writing() { u.observe(progress.Event{Stage: "write"}) }

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
		u.bar = newBar(u.w, u.columns, fmt.Sprintf("%-14s", e.Stage), e.Unit, e.Total)
	}
	if e.Total > 0 {
		u.bar.total = e.Total
	}
	u.bar.set(e.Done)
}

// clear takes the bar off the terminal.
func (u *ui) clear() {
	if u.bar != nil {
		u.bar.clear()
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

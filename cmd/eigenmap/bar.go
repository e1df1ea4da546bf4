package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// bar draws the progress of one stage on a line of a terminal: "graph  75% [####  ] 750/1000 rows,
// about 3 s left". If the total is not known it counts.
type bar struct {
	w       io.Writer
	columns func() int // of the terminal; 0 if that is not known
	text    string     // before the bar
	unit    string
	total   int64 // 0: not known
	// left is the time that the rest will take, in words; nil: a guess from the time spent.
	left    func(done int64) string
	started time.Time
	drawn   time.Time
	width   int // of what stands on the line
}

// Columns of a bar, and the time between two drawings.
const (
	barWidth   = 30
	barRefresh = 100 * time.Millisecond
)

func newBar(w io.Writer, columns func() int, text, unit string, total int64) *bar {
	b := &bar{w: w, columns: columns, text: text, unit: unit, total: max(0, total), started: time.Now()}
	b.left = b.guess
	return b
}

// guess is the time left if the rest goes as fast as what is done.
func (b *bar) guess(done int64) string {
	spent := time.Since(b.started)
	if done <= 0 || done >= b.total || spent < time.Second {
		return ""
	}
	return timeLeft(time.Duration(float64(spent) / float64(done) * float64(b.total-done)))
}

// set draws the bar, at most every tenth of a second. A bar that cannot be drawn is no reason to
// stop the work.
func (b *bar) set(done int64) {
	now := time.Now()
	if now.Sub(b.drawn) < barRefresh {
		return
	}
	b.drawn = now
	line := b.line(done)
	if columns := b.columns(); columns > 1 && utf8.RuneCountInString(line) >= columns {
		line = string([]rune(line)[:columns-1]) // a full line would wrap
	}
	width := utf8.RuneCountInString(line)
	fmt.Fprint(b.w, "\r"+line+strings.Repeat(" ", max(0, b.width-width)))
	b.width = width
}

func (b *bar) line(done int64) string {
	if b.total == 0 {
		line := fmt.Sprintf("%s %.0f s", b.text, time.Since(b.started).Seconds())
		if done > 0 {
			line += fmt.Sprintf(", %d %s", done, b.unit)
		}
		return line
	}
	share := min(1, max(0, float64(done)/float64(b.total)))
	full := int(share * barWidth)
	return fmt.Sprintf("%s %3.0f%% [%s%s] %d/%d %s%s", b.text, 100*share, strings.Repeat("#", full), strings.Repeat(" ", barWidth-full),
		done, b.total, b.unit, b.left(done))
}

// clear takes the bar off the terminal.
func (b *bar) clear() {
	if b.width > 0 {
		fmt.Fprint(b.w, "\r"+strings.Repeat(" ", b.width)+"\r")
		b.width = 0
	}
}

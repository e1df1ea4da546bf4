package papers

import (
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/progress"
)

// remaining counts the cells that are still to be computed and estimates their time: the time of a
// cell is the mean over the cells measured in its row and column, else in its column, else over
// all.
type remaining struct {
	mu       sync.Mutex
	stage    string
	workers  int
	finished int
	total    int
	cells    map[place]int
	took     map[place]sample
}

// place is a row and a column; an empty row stands for all rows of a column.
type place struct{ row, column string }

type sample struct {
	seconds float64
	n       int
}

func newRemaining(r *Run, tasks []task, workers int) *remaining {
	left := &remaining{stage: r.Experiment.Name, workers: workers, total: r.Cells, finished: r.Cells,
		cells: map[place]int{}, took: map[place]sample{}}
	for _, t := range tasks {
		left.finished -= len(t.columns)
		for _, c := range t.columns {
			left.cells[place{t.row.Key, c.Key()}]++
		}
	}
	for _, row := range r.Rows {
		for _, c := range r.Columns {
			for test := range r.tests(row) {
				if known := r.known(row, test, c); len(known.scores) > 0 {
					left.measured(row.Key, c.Key(), known.seconds*float64(c.cases(r.Cases))/float64(len(known.scores)))
				}
			}
		}
	}
	return left
}

func (l *remaining) measured(row, column string, seconds float64) {
	for _, p := range []place{{row, column}, {"", column}, {}} {
		s := l.took[p]
		l.took[p] = sample{s.seconds + seconds, s.n + 1}
	}
}

// done counts a finished cell and reports.
func (l *remaining) done(row Row, c Column, seconds float64, obs progress.Observer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finished++
	l.cells[place{row.Key, c.Key()}]--
	l.measured(row.Key, c.Key(), seconds)
	l.report(obs)
}

// start reports the work before any cell is finished.
func (l *remaining) start(obs progress.Observer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report(obs)
}

func (l *remaining) report(obs progress.Observer) {
	if obs != nil {
		obs(progress.Event{Stage: l.stage, Done: int64(l.finished), Total: int64(l.total), Unit: "cells", Left: l.left()})
	}
}

// left estimates the time until all is done; 0 if nothing was measured yet.
func (l *remaining) left() time.Duration {
	var seconds float64
	for p, n := range l.cells {
		for _, like := range []place{p, {"", p.column}, {}} {
			if s := l.took[like]; s.n > 0 {
				seconds += float64(n) * s.seconds / float64(s.n)
				break
			}
		}
	}
	return time.Duration(seconds / float64(l.workers) * float64(time.Second))
}

package starts

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
)

// State is the memory of one start at a time, which plays one start after another.
type State interface {
	// Play plays the start of the turn. If the turn is Resumed, Decode has read a part of it, and
	// Play goes on from there; if it is Done, all of it. Else the state has what another start, or
	// a part of a piece that was refused, left in it. ctx never ends if ranks divide the rows: all
	// ranks call [Turn.Step] or [Turn.Stopped] now and then.
	Play(ctx context.Context, t *Turn) error
	// Score says how good the start is that was played last: the lowest wins, by the first number
	// that differs. The same on all ranks. NaN counts as +Inf.
	Score() []float64
	// Encode writes the state: what Score, the result and Play need to go on. It makes no
	// collective calls.
	Encode(e *store.Encoder)
	// Decode reads what Encode wrote. It makes no collective calls: another rank may have no piece.
	Decode(d *store.Decoder)
}

// Played is a start that was played.
type Played[S State] struct {
	State S
	// Start is its number.
	Start int
	score []float64
	bare  bool // its piece had the score alone
}

// Best is [Top] of one: the state of the best start, and its number.
func Best[S State](ctx context.Context, p Plan, fresh func(workers int, each parallel.Loop) S) (S, int, error) {
	p.Keep = 1
	top, err := Top(ctx, p, fresh)
	if err != nil {
		var none S
		return none, 0, err
	}
	return top[0].State, top[0].Start, nil
}

// Top plays all starts of the plan, or reads finished ones from their pieces, and returns the best,
// the best first and of equal ones the earliest. fresh makes the memory of a state that works on
// the given number of goroutines through each.
//
// Errors come from Play and from the store; the first one ends the work. When ctx is done, Top
// returns its error; with ranks, the error of any rank's context.
func Top[S State](ctx context.Context, p Plan, fresh func(workers int, each parallel.Loop) S) ([]Played[S], error) {
	inner, stopped := p.Share.Watch(ctx)
	outer, workers, each := p.loops()
	f := &field[S]{plan: p, stopped: stopped, count: newCounter(p, p.Count), fresh: func() S { return fresh(workers, each) }}
	if err := outer(inner, p.Count, 1, func(_, at, _ int) error { return f.play(inner, p.First+at) }); err != nil {
		return nil, err
	}
	p.Finished.Note(p.Observer, p.Stage, f.found, p.Count)
	return f.best, f.replay(inner)
}

// field is the starts at work.
type field[S State] struct {
	plan    Plan
	stopped func() error
	count   *counter
	fresh   func() S

	mu    sync.Mutex
	spare []S
	best  []Played[S] // ascending by score and number
	found int         // starts that were read from their pieces
}

// take returns a state that is not in use.
func (f *field[S]) take() S {
	f.mu.Lock()
	if last := len(f.spare) - 1; last >= 0 {
		s := f.spare[last]
		f.spare = f.spare[:last]
		f.mu.Unlock()
		return s
	}
	f.mu.Unlock()
	return f.fresh()
}

// play plays a start, and keeps it if it is one of the best so far.
func (f *field[S]) play(ctx context.Context, at int) error {
	if err := f.stopped(); err != nil {
		return err
	}
	t := f.turn(f.take(), at)
	now, err := t.play(ctx, f.plan.Finished)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if t.Done {
		f.found++
	}
	place, _ := slices.BinarySearchFunc(f.best, now, compare[S])
	if err := t.keep(f.plan.Whole || place < f.plan.kept()); err != nil {
		return err
	}
	if f.best = slices.Insert(f.best, place, now); len(f.best) > f.plan.kept() {
		last := len(f.best) - 1
		f.spare, f.best = append(f.spare, f.best[last].State), f.best[:last]
	}
	return nil
}

// replay plays the best starts of which only the score is known again. That happens where the piece
// of a better start that was finished earlier is gone, or is not asked for.
func (f *field[S]) replay(ctx context.Context) error {
	for k, b := range f.best {
		// Ranks play together what one of them needs.
		bare := 0
		if b.bare {
			bare = 1
		}
		if ranks.Count(f.plan.Share, bare) == 0 {
			continue
		}
		t := f.turn(b.State, b.Start)
		t.count = nil // it was counted when its piece was read
		now, err := t.play(ctx, nil)
		if err == nil {
			err = t.keep(true)
		}
		if err != nil {
			return err
		}
		f.best[k] = now
	}
	return nil
}

// compare orders starts by score, and equal ones by number.
func compare[S State](a, b Played[S]) int {
	switch {
	case Less(a.score, b.score):
		return -1
	case Less(b.score, a.score):
		return 1
	}
	return a.Start - b.Start
}

// Less reports whether score a wins over score b of as many numbers.
func Less(a, b []float64) bool {
	for k := range a {
		if x, y := number(a[k]), number(b[k]); x != y {
			return x < y
		}
	}
	return false
}

// number is v, or +Inf for NaN.
func number(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

// turn begins the turn of a start in a state.
func (f *field[S]) turn(s S, at int) *turn[S] {
	count := f.count
	if f.plan.Each {
		count = newCounter(f.plan, 1)
	}
	return &turn[S]{state: s, all: f.plan.Finished, Turn: Turn{
		Start: at, total: f.plan.Steps, stopped: f.stopped, count: count, unfinished: f.plan.Finished.Progress(at),
		encode: s.Encode, began: time.Now(),
	}}
}

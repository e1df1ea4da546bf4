package starts

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/internal/store"
)

// Turn is one start while it is played.
type Turn struct {
	// Start is its number.
	Start int
	// Resumed says that the state was read, to go on from; Done, that it is the state of a finished
	// start.
	Resumed, Done bool

	steps, total int // done so far, and the most
	stopped      func() error
	count        *counter
	unfinished   *store.Progress
	encode       func(e *store.Encoder)
	began        time.Time // less what earlier processes spent on the start
}

// Stopped returns the context's error; with ranks, which call it together, the error of any rank's
// context.
func (t *Turn) Stopped() error { return t.stopped() }

// Step reports that so many steps of the start are done, and returns what Stopped does. Play calls
// it with 0 first: other stages, such as k-means for a mixture, may come before.
func (t *Turn) Step(done int) error {
	t.count.add(done - t.steps)
	t.steps = done
	return t.stopped()
}

// Save keeps the state, from which Play can go on, if it is time to. Ranks call it together.
func (t *Turn) Save() error {
	if !t.unfinished.Due() {
		return nil
	}
	return t.unfinished.Save(writing(head{Whole: true, Spent: time.Since(t.began)}, t.encode))
}

// head begins the piece of a finished start, and the state of an unfinished one. The state itself
// follows if it is Whole.
type head struct {
	Score store.FloatBits `json:"score,omitempty"` // of a finished start
	Whole bool            `json:"whole"`
	Spent time.Duration   `json:"spent,omitempty"` // of an unfinished one: the bytes of pieces do not depend on time
}

func writing(h head, encode func(e *store.Encoder)) func(e *store.Encoder) {
	return func(e *store.Encoder) {
		e.Value(h)
		if h.Whole {
			encode(e)
		}
	}
}

// turn is a Turn with its state.
type turn[S State] struct {
	Turn
	state S
	all   *store.Restarts
	score []float64
	took  time.Duration // 0 if the start was read
}

// play reads the start from the finished ones, or goes on with it, or plays it from its beginning.
func (t *turn[S]) play(ctx context.Context, finished *store.Restarts) (Played[S], error) {
	now := Played[S]{State: t.state, Start: t.Start}
	var h head
	read := func(d *store.Decoder) {
		h = head{}
		if d.Value(&h); h.Whole {
			t.state.Decode(d)
		}
	}
	found, err := finished.Read(t.Start, func(d *store.Decoder) {
		if read(d); len(h.Score) == 0 {
			d.Fail("it has no score")
		}
	})
	if err == nil && !found {
		if t.Resumed, err = t.unfinished.Resume(read); t.Resumed {
			t.began = t.began.Add(-h.Spent)
		}
	}
	if err != nil {
		return now, err
	}
	t.Done, t.Resumed, now.bare = found, t.Resumed || found, found && !h.Whole
	if !now.bare {
		if err := t.state.Play(ctx, &t.Turn); err != nil {
			return now, err
		}
	}
	if t.score = h.Score; !found {
		t.took, t.score = time.Since(t.began), t.state.Score()
	}
	now.score = t.score
	t.count.add(t.total - t.steps)
	return now, nil
}

// keep writes the piece of a start that was played, which took long enough, and drops the state of
// the unfinished one.
func (t *turn[S]) keep(whole bool) error {
	if t.Done { // a process that was killed may have left the state beside the piece
		t.unfinished.End()
		return nil
	}
	err := t.all.Write(t.Start, t.took, writing(head{Score: t.score, Whole: whole}, t.encode))
	if err == nil {
		t.unfinished.End()
	}
	return err
}

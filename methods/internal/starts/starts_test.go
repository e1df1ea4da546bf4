package starts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

const steps = 4

// climb is a state of trial starts: start i adds up its number, step by step, and its score is
// scores[i].
type climb struct {
	w           *world
	start, done int
	sum         float64
}

// world is what the starts of one test share.
type world struct {
	scores []float64
	fail   map[int]error // of the last step of a start
	mu     sync.Mutex
	states int
	played []int // starts that were played from their beginning
	steps  int
}

func (c *climb) Play(_ context.Context, t *Turn) error {
	if t.Done {
		return nil
	}
	if !t.Resumed {
		c.start, c.done, c.sum = t.Start, 0, 0
		c.w.mu.Lock()
		c.w.played = append(c.w.played, t.Start)
		c.w.mu.Unlock()
	}
	for c.done < steps {
		c.sum += float64(c.start) + 0.1
		c.done++
		c.w.mu.Lock()
		c.w.steps++
		c.w.mu.Unlock()
		if err := t.Step(c.done); err != nil {
			return err
		}
		if err := t.Save(); err != nil {
			return err
		}
	}
	return c.w.fail[c.start]
}

func (c *climb) Score() []float64 { return []float64{c.w.scores[c.start]} }

func (c *climb) Encode(e *store.Encoder) {
	e.Value([]int{c.start, c.done})
	e.Floats([]float64{c.sum})
}

func (c *climb) Decode(d *store.Decoder) {
	var v []int
	sum := []float64{0}
	d.Value(&v)
	d.Floats(sum)
	if d.Failed() || len(v) != 2 {
		d.Fail("it is no such state")
		return
	}
	c.start, c.done, c.sum = v[0], v[1], sum[0]
}

func (w *world) fresh(int, parallel.Loop) *climb {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states++
	return &climb{w: w, start: -1}
}

// plan is the plan of all starts, whose pieces are in the store of ctx.
func (w *world) plan(ctx context.Context) Plan {
	return Plan{Count: len(w.scores), Stage: "trial", Steps: steps, Unit: "steps", Finished: store.From(ctx).Restarts("trial", func() store.Key {
		h := store.NewHasher("trial")
		return h.Key()
	})}
}

// best returns the number and the sum of the best start.
func (w *world) best(t *testing.T, ctx context.Context, p Plan) (int, float64) {
	t.Helper()
	s, at, err := Best(ctx, p, w.fresh)
	if err != nil {
		t.Fatal(err)
	}
	if want := w.sum(at); s.start != at || s.sum != want || s.done != steps {
		t.Errorf("the state is of start %d with the sum %v after %d steps, not of start %d with %v", s.start, s.sum, s.done, at, want)
	}
	return at, s.sum
}

// sum is what a start adds up.
func (w *world) sum(at int) (sum float64) {
	for range steps {
		sum += float64(at) + 0.1
	}
	return sum
}

// eachWay runs a test with starts in turn and side by side.
func eachWay(t *testing.T, test func(t *testing.T, stateBytes int64)) {
	defer native.SetThreads(0)
	native.SetThreads(4)
	t.Run("in turn", func(t *testing.T) { test(t, 0) })
	t.Run("side by side", func(t *testing.T) { test(t, 100) })
}

// The lowest score wins, of equal ones the earliest; NaN loses against every number.
func TestTheEarliestOfEqualOnesWins(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	eachWay(t, func(t *testing.T, stateBytes int64) {
		for _, c := range []struct {
			scores []float64
			want   []int // the three best
		}{
			{[]float64{3, 1, 2, 1, 1, 4}, []int{1, 3, 4}},
			{[]float64{5, 5, 5, 5, 5}, []int{0, 1, 2}},
			{[]float64{nan, 2, nan, -inf, inf}, []int{3, 1, 0}},
			{[]float64{nan, inf, nan, inf}, []int{0, 1, 2}},
			{[]float64{0, math.Copysign(0, -1), 1, 1}, []int{0, 1, 2}},
		} {
			for range 20 { // side by side the starts end in any order
				w := &world{scores: c.scores}
				p := w.plan(context.Background())
				p.Keep, p.StateBytes = 3, stateBytes
				top := must.Get(Top(context.Background(), p, w.fresh))(t)
				var got []int
				for _, b := range top {
					got = append(got, b.Start)
					if b.State.start != b.Start || b.State.sum != w.sum(b.Start) {
						t.Errorf("of %v: start %d has the state of start %d", c.scores, b.Start, b.State.start)
					}
				}
				if !slices.Equal(got, c.want) {
					t.Fatalf("of %v: %v, not %v", c.scores, got, c.want)
				}
			}
		}
	})
}

// States are used again: there are no more than the plan counts the memory of.
func TestStatesAreShared(t *testing.T) {
	eachWay(t, func(t *testing.T, stateBytes int64) {
		for _, count := range []int{1, 2, 3, 9, 30} {
			w := &world{scores: make([]float64, count)}
			for i := range w.scores {
				w.scores[i] = float64(i * 7 % 5)
			}
			p := w.plan(context.Background())
			p.StateBytes = stateBytes
			w.best(t, context.Background(), p)
			p.StateBytes = max(p.StateBytes, 1)
			if stateBytes == 0 {
				p.Share = ranks.Evenly(two{}, 2) // never side by side
			}
			if most := p.Bytes() / p.StateBytes; int64(w.states) > most {
				t.Errorf("%d starts: %d states, but the plan counts %d", count, w.states, most)
			}
		}
	})
}

// two is a team of two ranks that is asked for its size alone.
type two struct{ ranks.Alone }

func (two) Size() int { return 2 }

// Starts run side by side if there is one for each thread, if their states fit, and if no ranks
// divide the rows.
func TestSideBySide(t *testing.T) {
	defer native.SetThreads(0)
	for _, c := range []struct {
		threads int
		plan    Plan
		want    bool
		states  int64
	}{
		{4, Plan{Count: 10, StateBytes: 100}, true, 5},
		{4, Plan{Count: 4, StateBytes: 100}, true, 4},
		{4, Plan{Count: 3, StateBytes: 100}, false, 2},
		{4, Plan{Count: 10, StateBytes: most / 5}, true, 5},
		{4, Plan{Count: 10, StateBytes: most/5 + 1}, false, 2},
		{4, Plan{Count: 10, StateBytes: most / 5, Keep: 2}, false, 3},
		{1, Plan{Count: 10, StateBytes: 100}, false, 2},
		{1, Plan{Count: 1, StateBytes: 100}, false, 1},
		{4, Plan{Count: 10, StateBytes: 100, Share: ranks.Evenly(two{}, 8)}, false, 2},
	} {
		native.SetThreads(c.threads)
		if got := c.plan.SideBySide(); got != c.want || c.plan.Bytes() != c.states*c.plan.StateBytes {
			t.Errorf("%d threads, %+v: side by side %v, %d bytes; want %v, %d states", c.threads, c.plan, got, c.plan.Bytes(), c.want, c.states)
		}
	}
}

// The error of one start ends the work, with or without others at work.
func TestErrorOfOneStart(t *testing.T) {
	wrong := errors.New("wrong")
	eachWay(t, func(t *testing.T, stateBytes int64) {
		w := &world{scores: make([]float64, 40), fail: map[int]error{5: wrong}}
		p := w.plan(context.Background())
		p.StateBytes = stateBytes
		if s, _, err := Best(context.Background(), p, w.fresh); !errors.Is(err, wrong) || s != nil {
			t.Errorf("the result is %v, the error %v", s, err)
		}
		if len(w.played) == 40 {
			t.Error("all starts were played after the error")
		}
	})
}

// A context that ends in the middle ends the work: at most the starts at work take another step.
func TestCancelled(t *testing.T) {
	eachWay(t, func(t *testing.T, stateBytes int64) {
		for _, at := range []int64{0, 1, 5, 17, 4*9 - 1} {
			ctx, cancel := context.WithCancel(context.Background())
			w := &world{scores: make([]float64, 9)}
			p := w.plan(ctx)
			p.StateBytes = stateBytes
			p.Observer = func(e progress.Event) {
				if e.Done >= at {
					cancel()
				}
			}
			if _, _, err := Best(ctx, p, w.fresh); !errors.Is(err, context.Canceled) {
				t.Errorf("stopped at step %d: %v", at, err)
			}
			if late := int64(w.steps) - at; late > 4 {
				t.Errorf("stopped at step %d: %d more steps", at, late)
			}
		}
	})
}

// Progress counts the steps of all starts, rising to the total, from pieces too.
func TestProgressRisesToTheTotal(t *testing.T) {
	eachWay(t, func(t *testing.T, stateBytes int64) {
		ctx := store.With(context.Background(), storetest.Open(t))
		for range 2 { // the second time all are read
			w := &world{scores: []float64{4, 2, 3, 1, 5, 6}}
			p := w.plan(ctx)
			p.StateBytes = stateBytes
			last, notes := int64(-1), 0
			p.Observer = func(e progress.Event) {
				if e.Message != "" {
					notes++
				} else if e.Stage != "trial" || e.Unit != "steps" || e.Total != 6*steps || e.Done < last || last < 0 && e.Done != 0 {
					t.Errorf("%+v after %d", e, last)
				} else {
					last = e.Done
				}
			}
			w.best(t, ctx, p)
			if last != 6*steps {
				t.Errorf("it ends at %d", last)
			}
			if (notes == 0) != (len(w.played) == 6) {
				t.Errorf("%d notes, but %v were played", notes, w.played)
			}
		}
	})
}

// Starts that have other stages before their own are counted one by one.
func TestProgressOfEachStart(t *testing.T) {
	w := &world{scores: []float64{4, 2, 3}}
	p := w.plan(context.Background())
	p.Each = true
	var done []int64
	p.Observer = func(e progress.Event) {
		if done = append(done, e.Done); e.Total != steps {
			t.Errorf("the total is %d", e.Total)
		}
	}
	w.best(t, context.Background(), p)
	one := []int64{0, 1, 2, 3, 4}
	if want := slices.Concat(one, one, one); !slices.Equal(done, want) {
		t.Errorf("%v, not %v", done, want)
	}
}

// Finished starts are read and not played again, all or the first of them; more starts are then
// played beside them.
func TestFinishedStartsAreRead(t *testing.T) {
	scores := []float64{4, 2, 3, 1, 5, 0, 6, 7}
	eachWay(t, func(t *testing.T, stateBytes int64) {
		ctx := store.With(context.Background(), storetest.Open(t))
		for _, c := range []struct{ count, want, played int }{{4, 3, 4}, {8, 5, 4}, {8, 5, 0}} {
			w := &world{scores: scores[:c.count]}
			p := w.plan(ctx)
			p.StateBytes = stateBytes
			if at, _ := w.best(t, ctx, p); at != c.want || len(w.played) != c.played {
				t.Errorf("%d starts: %d is best, %v were played", c.count, at, w.played)
			}
		}
	})
}

// The piece of a start has its state only if it is the best so far, so fewer starts may have to be
// played again; the best is then kept whole.
func TestLostBestIsPlayedAgain(t *testing.T) {
	all := []float64{4, 1, 3, 2, 5}
	ctx := store.With(context.Background(), storetest.Open(t))
	w := &world{scores: all}
	p := w.plan(ctx)
	w.best(t, ctx, p)
	// Without the pieces of 0 and 1, the best but one is 3, of which the score alone is kept.
	later := func() (*world, Plan) {
		w := &world{scores: all}
		p := w.plan(ctx)
		p.First, p.Count = 2, 3
		return w, p
	}
	w, p = later()
	if at, _ := w.best(t, ctx, p); at != 3 || !slices.Equal(w.played, []int{3}) {
		t.Errorf("start %d is best, %v were played", at, w.played)
	}
	w, p = later()
	if at, _ := w.best(t, ctx, p); at != 3 || len(w.played) != 0 {
		t.Errorf("again: start %d is best, %v were played", at, w.played)
	}
	// If every piece is whole, none is played again.
	ctx = store.With(context.Background(), storetest.Open(t))
	w = &world{scores: all}
	p = w.plan(ctx)
	p.Whole = true
	w.best(t, ctx, p)
	if w, p = later(); true {
		if at, _ := w.best(t, ctx, p); at != 3 || len(w.played) != 0 {
			t.Errorf("whole pieces: start %d is best, %v were played", at, w.played)
		}
	}
}

// A start whose piece is lost or damaged is played again.
func TestLostPieces(t *testing.T) {
	scores := []float64{4, 2, 3, 1, 5}
	s := storetest.Open(t)
	ctx := store.With(context.Background(), s)
	w := &world{scores: scores}
	w.best(t, ctx, w.plan(ctx))
	for k, path := range storetest.Files(t, s) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if k%2 == 0 {
			err = os.Remove(path)
		} else {
			text[len(text)-3] ^= 1
			err = os.WriteFile(path, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		w := &world{scores: scores}
		if at, _ := w.best(t, ctx, w.plan(ctx)); at != 3 || len(w.played) != 1 {
			t.Errorf("without piece %d: start %d is best, %v were played", k, at, w.played)
		}
	}
}

// Work that is stopped at any event goes on to the same result, and its starts take no step twice
// that their last state has.
func TestStoppedAndResumed(t *testing.T) {
	eachWay(t, func(t *testing.T, stateBytes int64) {
		storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (string, error) {
			w := &world{scores: []float64{4, 2, 3, 1, 5, 1}}
			p := w.plan(ctx)
			p.StateBytes, p.Observer = stateBytes, o
			s, at, err := Best(ctx, p, w.fresh)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(at, s.start, s.sum), nil
		})
	})
	s := storetest.Open(t)
	ctx, cancel := context.WithCancel(store.With(context.Background(), s))
	w := &world{scores: []float64{1, 2}}
	p := w.plan(ctx)
	p.Observer = func(e progress.Event) {
		if e.Done == steps+3 {
			cancel()
		}
	}
	if _, _, err := Best(ctx, p, w.fresh); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	again := &world{scores: w.scores}
	ctx = store.With(context.Background(), s)
	again.best(t, ctx, again.plan(ctx))
	if again.steps != 2 || len(again.played) != 0 {
		t.Errorf("%d steps, %v from the beginning", again.steps, again.played)
	}
}

// Ranks play the starts in one order, and the end of one rank's context ends all ranks; a piece
// that one rank lacks counts on none.
func TestRanks(t *testing.T) {
	scores := []float64{4, 2, 3, 1, 5}
	dir := t.TempDir()
	run := func(stop bool) (errs [2]error, played [2]int) {
		ranks.Together(2, func(team ranks.Team) {
			r := team.Rank()
			s, err := store.Open(store.RankDir(dir, team), store.Header{Data: "ranks"})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			s.Always = true
			ctx, cancel := context.WithCancel(store.With(ranks.With(context.Background(), team), s))
			defer cancel()
			w := &world{scores: scores}
			p := w.plan(ctx)
			p.StateBytes, p.Share = 100, ranks.NewShare(team, 3)
			if stop && r == 1 {
				p.Observer = func(e progress.Event) {
					if e.Done == 2*steps+2 {
						cancel()
					}
				}
			}
			var best *climb
			if best, _, errs[r] = Best(ctx, p, w.fresh); errs[r] == nil && (best.start != 3 || best.sum != w.sum(3)) {
				t.Errorf("rank %d has start %d", r, best.start)
			}
			played[r] = len(w.played)
		})
		return errs, played
	}
	if errs, played := run(true); !errors.Is(errs[0], context.Canceled) || !errors.Is(errs[1], context.Canceled) || played != [2]int{3, 3} {
		t.Errorf("stopped on one rank: %v, %v played", errs, played)
	}
	if errs, played := run(false); errs != [2]error{} || played != [2]int{2, 2} {
		t.Errorf("continued: %v, %v played", errs, played)
	}
	if errs, played := run(false); errs != [2]error{} || played != [2]int{} {
		t.Errorf("finished: %v, %v played", errs, played)
	}
	files := must.Get(os.ReadDir(dir + "/.rank-1-of-2"))(t)
	for _, f := range files {
		if f.Name() != "work.json" {
			must.Do(t, os.Remove(dir+"/.rank-1-of-2/"+f.Name()))
		}
	}
	if errs, played := run(false); errs != [2]error{} || played != [2]int{5, 5} {
		t.Errorf("without the pieces of one rank: %v, %v played", errs, played)
	}
}

package plsa

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/eigenmap/eigenmap/internal/store"
)

// restartsOf are the runs of EM in the store of the context, nil without one.
func restartsOf(ctx context.Context, pr *problem, opt Options) *store.Restarts {
	return store.From(ctx).Restarts("topics", func() store.Key {
		h := store.NewHasher("topics 1")
		h.Matrix(pr.x)
		h.Indices(pr.class)
		opt.Restarts, opt.Labels, opt.MaxBytes, opt.Observer, opt.Share = 0, nil, 0, nil, nil
		h.Value(opt)
		return h.Key()
	})
}

// head begins a run's piece or state. The parameters follow unless a run that was finished before
// was better: those of the others are not wanted.
type head struct {
	History    store.FloatBits `json:"history"`
	Loglik     store.FloatBits `json:"loglik"`
	Iterations int             `json:"iterations"`
	Converged  bool            `json:"converged"`
	Whole      bool            `json:"whole"`
	Spent      time.Duration   `json:"spent,omitempty"` // 0 in a finished piece, whose bytes time has no part in
}

// writing writes a run.
func (s *state) writing(whole bool, spent time.Duration) func(e *store.Encoder) {
	return func(e *store.Encoder) {
		e.Value(head{s.history, s.loglik, s.iterations, s.converged, whole, spent})
		if whole {
			e.Floats(s.q.Data)
			e.Floats(s.theta.Data)
			e.Floats(s.weights)
		}
	}
}

// reading reads a run, and the time that it took so far.
func (s *state) reading(spent *time.Duration) func(d *store.Decoder) {
	return func(d *store.Decoder) {
		var v head
		if d.Value(&v); len(v.History) == 0 || len(v.History) != len(v.Loglik) || v.Iterations < 0 {
			d.Fail("it is not the state of such a model")
			return
		}
		s.history, s.loglik, s.iterations, s.converged, s.bare, *spent = v.History, v.Loglik, v.Iterations, v.Converged, !v.Whole, v.Spent
		if v.Whole {
			d.Floats(s.q.Data)
			d.Floats(s.theta.Data)
			d.Floats(s.weights)
		}
	}
}

// play makes the run of the number in s, goes on with its state, or reads it; it returns how long
// it ran, 0 if it was read.
func (pr *problem) play(ctx context.Context, m steps, s *state, opt Options, finished *store.Restarts, step func(done int) error) (time.Duration, error) {
	var spent time.Duration
	began := time.Now()
	found, err := finished.Read(s.restart, s.reading(&spent))
	if found || err != nil {
		return 0, err
	}
	unfinished := finished.Progress(s.restart)
	if s.resumed, err = unfinished.Resume(s.reading(&spent)); err != nil {
		return 0, err
	}
	if s.bare = false; !s.resumed {
		// What a refused state may have left between the columns.
		clear(s.q.Data)
		clear(s.theta.Data)
		if err := pr.start(ctx, s, rand.New(rand.NewPCG(opt.Seed, uint64(s.restart)))); err != nil {
			return 0, err
		}
	}
	began = began.Add(-spent)
	err = em(ctx, m, s, opt.MaxIter, opt.Tol, func(done int) error {
		if err := step(done); err != nil || !unfinished.Due() {
			return err
		}
		return unfinished.Save(s.writing(true, time.Since(began)))
	})
	return time.Since(began), err
}

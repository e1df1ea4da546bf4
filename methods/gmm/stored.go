package gmm

import (
	"context"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/internal/store"
	"gonum.org/v1/gonum/mat"
)

// restartsOf are the runs of EM in the store of the context, nil without one.
func (e *Estimator) restartsOf(ctx context.Context) *store.Restarts {
	return store.From(ctx).Restarts("mixture", func() store.Key {
		h := store.NewHasher("mixture 1")
		var x mat.Dense
		x.SetRawMatrix(e.x)
		h.Matrix(&x)
		for _, start := range []*mat.Dense{e.opt.Start, e.opt.StartPosterior} {
			if start != nil {
				h.Matrix(start)
			}
		}
		opt := e.opt
		opt.Restarts, opt.Start, opt.StartPosterior, opt.MaxBytes, opt.Observer, opt.Share = 0, nil, nil, 0, nil, nil
		h.Value(opt)
		h.Value([]bool{e.opt.Start != nil, e.opt.StartPosterior != nil})
		return h.Key()
	})
}

// kept is what the store has of one run of EM: its state before the last E-step if it is finished,
// else before an earlier one.
type kept struct {
	all    *store.Restarts
	state  *store.Progress
	number int
	began  time.Time // less what earlier processes spent on the run
	whole  bool      // the run was finished
}

func keep(all *store.Restarts, number int) *kept {
	return &kept{all: all, state: all.Progress(number), number: number, began: time.Now()}
}

// place is the head of a state. The responsibilities that the mixture was made from follow: with
// the ridges that were in force before, they make the same mixture again.
type place struct {
	Bounds       store.FloatBits `json:"bounds"` // log-likelihood and objective of each iteration
	Raised       []bool          `json:"raised"`
	Levels       store.FloatBits `json:"levels"`
	RaisedBefore store.FloatBits `json:"raised_before"`
	Spent        time.Duration   `json:"spent,omitempty"` // 0 in a finished piece, whose bytes time has no part in
}

// known says whether the state of a run before an iteration can be made again: the mixture of given
// means is not one of responsibilities.
func (e *Estimator) known(iteration int) bool { return iteration > 0 || e.opt.Start == nil }

// writing writes the state before the E-step of an iteration.
func (r *run) writing(iteration int, raisedBefore float64, spent time.Duration) func(e *store.Encoder) {
	p := place{Levels: r.before, RaisedBefore: store.FloatBits{raisedBefore}, Spent: spent}
	for _, b := range r.history[:iteration] {
		p.Bounds, p.Raised = append(p.Bounds, b.LogLikelihood, b.Objective), append(p.Raised, b.Raised)
	}
	return func(e *store.Encoder) {
		e.Value(p)
		e.Floats(r.made.RawMatrix().Data)
	}
}

// resume makes the state of a run from the store. It returns false if there is none.
func (e *Estimator) resume(ctx context.Context, r *run, k *kept) (raisedBefore float64, found bool, err error) {
	var p place
	read := func(d *store.Decoder) {
		p = place{}
		if d.Value(&p); len(p.Levels) != len(r.m.level) || len(p.RaisedBefore) != 1 || len(p.Raised) > e.opt.MaxIter || len(p.Bounds) != 2*len(p.Raised) {
			d.Fail("it is not the state of such a mixture")
			return
		}
		d.Floats(r.made.RawMatrix().Data)
	}
	if k.whole, err = k.all.Read(k.number, read); err == nil && !k.whole {
		found, err = k.state.Resume(read)
	}
	if err != nil || !found && !k.whole {
		return 0, false, err
	}
	k.began = k.began.Add(-p.Spent)
	copy(r.m.level, p.Levels)
	for i, raised := range p.Raised {
		r.history = append(r.history, Bound{p.Bounds[2*i], p.Bounds[2*i+1], raised})
	}
	return p.RaisedBefore[0], true, e.makeFrom(ctx, r)
}

// makeFrom makes the mixture of a run from its responsibilities.
func (e *Estimator) makeFrom(ctx context.Context, r *run) error {
	r.before = append(r.before[:0], r.m.level...)
	return e.MStep(ctx, r.made, r.m)
}

// Ridges are the ridges in force in a mixture. With the responsibilities of its next M-step they
// are all that the M-step takes from the mixture before.
type Ridges struct {
	Levels store.FloatBits `json:"levels"`
	Raised []bool          `json:"raised"`
}

// Ridges returns a copy of the ridges in force.
func (m *Mixture) Ridges() Ridges {
	return Ridges{slices.Clone(m.level), slices.Clone(m.Raised)}
}

// SetRidges puts ridges in force; it returns false if they are those of another shape.
func (m *Mixture) SetRidges(r Ridges) bool {
	if len(r.Levels) != len(m.level) || len(r.Raised) != len(m.Raised) {
		return false
	}
	copy(m.level, r.Levels)
	copy(m.Raised, r.Raised)
	return true
}

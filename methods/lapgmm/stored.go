package lapgmm

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// runsOf are the runs of a kind in the store of the context, nil without one: those of the first
// iterations, or those to the end.
func (f *fitter) runsOf(ctx context.Context, x mat.Matrix, kind string) *store.Restarts {
	return store.From(ctx).Restarts(kind, func() store.Key {
		h := store.NewHasher("lapgmm 1")
		h.Matrix(x)
		h.Matrix(f.smoother.g.W)
		opt := f.opt
		if opt.Start != nil {
			h.Matrix(opt.Start)
		}
		opt.Graph, opt.Start, opt.MaxBytes, opt.Observer, opt.Share = graph.Options{}, nil, 0, nil, nil
		h.Value(opt)
		return h.Key()
	})
}

// place is the head of a state. Its responsibilities and posterior follow. The ridges of the
// mixture belong to it, because the next M-step keeps those that were raised.
type place struct {
	Value     store.FloatBits `json:"value"`
	Gamma     store.FloatBits `json:"gamma"`
	Steps     store.FloatBits `json:"steps"` // four numbers each
	Refits    []int           `json:"refits"`
	Raised    []bool          `json:"raised"`
	Converged bool            `json:"converged"`
	Levels    store.FloatBits `json:"levels"`
	Ridges    gmm.Ridges      `json:"ridges"`
	Spent     time.Duration   `json:"spent,omitempty"` // 0 in a finished piece, whose bytes time has no part in
}

// writing writes a state that has responsibilities.
func (f *fitter) writing(s *state, spent time.Duration) func(e *store.Encoder) {
	p := place{Value: store.FloatBits{s.value.logLikelihood, s.value.penalty, s.value.objective}, Gamma: store.FloatBits{s.gamma},
		Converged: s.converged, Levels: f.levels, Ridges: f.m.Ridges(), Spent: spent}
	for _, v := range s.history {
		p.Steps = append(p.Steps, v.LogLikelihood, v.Penalty, v.Objective, v.Gamma)
		p.Refits, p.Raised = append(p.Refits, v.Refits), append(p.Raised, v.Raised)
	}
	return func(e *store.Encoder) {
		e.Value(p)
		e.Floats(s.made.RawMatrix().Data)
		e.Floats(s.posterior.RawMatrix().Data)
	}
}

// reading reads a state, and puts the ridges of its mixture in force.
func (f *fitter) reading(s *state, spent *time.Duration) func(d *store.Decoder) {
	return func(d *store.Decoder) {
		var p place
		m := f.e.NewMixture()
		d.Value(&p)
		if len(p.Value) != 3 || len(p.Gamma) != 1 || len(p.Steps) != 4*len(p.Refits) || len(p.Raised) != len(p.Refits) || !m.SetRidges(p.Ridges) {
			d.Fail("it is not the state of such a mixture")
			return
		}
		s.value = value{p.Value[0], p.Value[1], p.Value[2]}
		s.gamma, s.converged, s.history = p.Gamma[0], p.Converged, nil
		for i := range p.Refits {
			v := p.Steps[4*i:]
			s.history = append(s.history, Step{LogLikelihood: v[0], Penalty: v[1], Objective: v[2], Gamma: v[3], Refits: p.Refits[i], Raised: p.Raised[i]})
		}
		d.Floats(s.made.RawMatrix().Data)
		d.Floats(s.posterior.RawMatrix().Data)
		if !d.Failed() {
			f.m, f.levels, *spent = m, p.Levels, p.Spent
		}
	}
}

// advance takes a run to an iteration: from the state that begin makes, or from what the store has
// of it.
func (f *fitter) advance(ctx context.Context, runs *store.Restarts, run, iterations int, begin func() (*state, error)) (*state, error) {
	began, unfinished := time.Now(), runs.Progress(run)
	s, whole := (*state)(nil), false
	if runs != nil {
		var spent time.Duration
		s = &state{made: f.take(), posterior: f.take()}
		var err error
		found := false
		if whole, err = runs.Read(run, f.reading(s, &spent)); err == nil && !whole {
			found, err = unfinished.Resume(f.reading(s, &spent))
		}
		if err != nil {
			return nil, err
		}
		if began = began.Add(-spent); !found && !whole {
			f.give(s.made, s.posterior)
			s = nil
		}
	}
	if s == nil {
		var err error
		if s, err = begin(); err != nil {
			return nil, err
		}
	}
	save := func() error {
		if s.made == nil || !unfinished.Due() {
			return nil
		}
		return unfinished.Save(f.writing(s, time.Since(began)))
	}
	err := f.iterate(ctx, s, iterations, save)
	if err == nil && !whole && s.made != nil {
		err = runs.Write(run, time.Since(began), f.writing(s, 0))
	}
	if err == nil {
		unfinished.End()
	}
	return s, err
}

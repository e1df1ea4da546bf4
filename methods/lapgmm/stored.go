package lapgmm

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// runsOf returns the stored runs of a kind, nil without a store in the context. The kinds are the
// first iterations of every start, and the run to the end.
func (f *fitter) runsOf(ctx context.Context, x mat.Matrix, kind string) *store.Restarts {
	return store.From(ctx).Restarts(kind, func() store.Key {
		h := store.NewHasher("lapgmm 1")
		h.Matrix(x)
		h.Matrix(f.smoother.g.W)
		opt := f.opt
		if opt.Start != nil {
			h.Matrix(opt.Start)
		}
		opt.Graph, opt.Start, opt.Observer, opt.Share = graph.Options{}, nil, nil, nil
		h.Value(opt)
		return h.Key()
	})
}

// place is the head of a state. Its responsibilities and posterior follow. The ridges of the
// mixture belong to it, because the next M-step keeps raised ridges.
type place struct {
	Value     store.FloatBits `json:"value"`
	Gamma     store.FloatBits `json:"gamma"`
	Steps     store.FloatBits `json:"steps"` // four numbers each
	Refits    []int           `json:"refits"`
	Raised    []bool          `json:"raised"`
	Converged bool            `json:"converged"`
	Levels    store.FloatBits `json:"levels"`
	Ridges    gmm.Ridges      `json:"ridges"`
}

// Encode implements starts.State. The state has responsibilities, and the mixture of the fit is the
// state's.
func (s *state) Encode(e *store.Encoder) {
	p := place{Value: store.FloatBits{s.value.logLikelihood, s.value.penalty, s.value.objective}, Gamma: store.FloatBits{s.gamma},
		Converged: s.converged, Levels: s.f.levels, Ridges: s.f.m.Ridges()}
	for _, v := range s.history {
		p.Steps = append(p.Steps, v.LogLikelihood, v.Penalty, v.Objective, v.Gamma)
		p.Refits, p.Raised = append(p.Refits, v.Refits), append(p.Raised, v.Raised)
	}
	e.Value(p)
	e.Floats(s.made.RawMatrix().Data)
	e.Floats(s.posterior.RawMatrix().Data)
}

// Decode implements starts.State.
func (s *state) Decode(d *store.Decoder) {
	var p place
	m := s.f.e.NewMixture()
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
	for _, to := range []**mat.Dense{&s.made, &s.posterior} {
		if *to == nil {
			*to = s.f.take()
		}
		d.Floats((*to).RawMatrix().Data)
	}
	s.mixture, s.levels = m, p.Levels
}

package plsa

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/store"
)

// restartsOf are the runs of EM in the store of the context, nil without one.
func restartsOf(ctx context.Context, pr *problem, opt Options) *store.Restarts {
	return store.From(ctx).Restarts("topics", func() store.Key {
		h := store.NewHasher("topics 1")
		h.Matrix(pr.x)
		h.Indices(pr.class)
		opt.Restarts, opt.Labels, opt.Observer, opt.Share = 0, nil, nil, nil
		h.Value(opt)
		return h.Key()
	})
}

// head begins a state; the parameters follow.
type head struct {
	History    store.FloatBits `json:"history"`
	Loglik     store.FloatBits `json:"loglik"`
	Iterations int             `json:"iterations"`
	Converged  bool            `json:"converged"`
}

// Encode implements starts.State.
func (s *state) Encode(e *store.Encoder) {
	e.Value(head{s.history, s.loglik, s.iterations, s.converged})
	e.Floats(s.q.Data)
	e.Floats(s.theta.Data)
	e.Floats(s.weights)
}

// Decode implements starts.State.
func (s *state) Decode(d *store.Decoder) {
	var v head
	if d.Value(&v); len(v.History) == 0 || len(v.History) != len(v.Loglik) || v.Iterations < 0 {
		d.Fail("it is not the state of such a model")
		return
	}
	s.history, s.loglik, s.iterations, s.converged = v.History, v.Loglik, v.Iterations, v.Converged
	d.Floats(s.q.Data)
	d.Floats(s.theta.Data)
	d.Floats(s.weights)
}

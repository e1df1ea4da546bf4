package gmm

import (
	"context"
	"slices"

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
		opt.Restarts, opt.Start, opt.StartPosterior, opt.Observer, opt.Share = 0, nil, nil, nil, nil
		h.Value(opt)
		h.Value([]bool{e.opt.Start != nil, e.opt.StartPosterior != nil})
		return h.Key()
	})
}

// place is the head of a state. The responsibilities that the mixture was made from follow: with
// the ridges that were in force before, they make the same mixture again.
type place struct {
	Bounds       store.FloatBits `json:"bounds"` // log-likelihood and objective of each iteration
	Raised       []bool          `json:"raised"`
	Levels       store.FloatBits `json:"levels"`
	RaisedBefore store.FloatBits `json:"raised_before"`
	Converged    bool            `json:"converged"`
}

// Encode implements starts.State.
func (r *run) Encode(e *store.Encoder) {
	p := place{Levels: r.before, RaisedBefore: store.FloatBits{r.raisedBefore}, Converged: r.converged}
	for _, b := range r.history {
		p.Bounds, p.Raised = append(p.Bounds, b.LogLikelihood, b.Objective), append(p.Raised, b.Raised)
	}
	e.Value(p)
	e.Floats(r.made.RawMatrix().Data)
}

// Decode implements starts.State.
func (r *run) Decode(d *store.Decoder) {
	var p place
	if d.Value(&p); len(p.Levels) != len(r.m.level) || len(p.RaisedBefore) != 1 || len(p.Raised) > r.e.opt.MaxIter+1 || len(p.Bounds) != 2*len(p.Raised) {
		d.Fail("it is not the state of such a mixture")
		return
	}
	d.Floats(r.made.RawMatrix().Data)
	r.before, r.raisedBefore, r.converged, r.history = p.Levels, p.RaisedBefore[0], p.Converged, nil
	for i, raised := range p.Raised {
		r.history = append(r.history, Bound{p.Bounds[2*i], p.Bounds[2*i+1], raised})
	}
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

// SetRidges puts ridges in force; it returns false if they are of another shape.
func (m *Mixture) SetRidges(r Ridges) bool {
	if len(r.Levels) != len(m.level) || len(r.Raised) != len(m.Raised) {
		return false
	}
	copy(m.level, r.Levels)
	copy(m.Raised, r.Raised)
	return true
}

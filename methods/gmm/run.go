package gmm

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/internal/starts"
	"gonum.org/v1/gonum/mat"
)

// work is the mixture that runs of EM share, one after the other, with its posterior. A mixture may
// be larger than the data, so each run keeps the input of its last M-step alone, which makes its
// mixture again.
type work struct {
	m         *Mixture
	posterior *mat.Dense
	of        *run // the run of which they are, nil for none
}

// run is one run of EM.
type run struct {
	*work
	e            *Estimator
	made         *mat.Dense // the responsibilities that the mixture was made from
	before       []float64  // the ridges in force before that M-step
	raisedBefore float64    // the sum of the ridges before the last E-step
	history      []Bound
	converged    bool
}

func (e *Estimator) responsibilities() *mat.Dense { return mat.NewDense(e.n, e.opt.K, nil) }

// Score implements [starts.State].
func (r *run) Score() []float64 { return []float64{-r.history[len(r.history)-1].Objective} }

// step is an E-step that also returns the bound.
func (e *Estimator) step(ctx context.Context, m *Mixture, posterior *mat.Dense) (Bound, error) {
	l, err := e.EStep(ctx, m, posterior)
	n := float64(e.all)
	bound := []float64{l / n, e.Objective(m, l) / n}
	e.opt.Share.Share(bound) // the penalty is computed on every rank
	return Bound{LogLikelihood: bound[0], Objective: bound[1]}, err
}

// Play implements [starts.State]: EM from the start of the turn's number, or on from the state that
// was read. That is the one before an E-step, or of a finished run the last.
func (r *run) Play(ctx context.Context, t *starts.Turn) error {
	r.of = nil
	if t.Done && len(r.history) > 0 { // always: but a piece may be anything
		return nil
	}
	if err := r.begin(ctx, t); err != nil {
		return err
	}
	for iteration := len(r.history); ; iteration++ {
		if r.known(iteration) {
			if err := t.Save(); err != nil {
				return err
			}
		}
		if err := t.Step(iteration); err != nil {
			return err
		}
		bound, err := r.e.step(ctx, r.m, r.posterior)
		if err != nil {
			return err
		}
		bound.Raised = iteration > 0 && r.ridges() > r.raisedBefore
		r.history = append(r.history, bound)
		r.converged = iteration > 0 && !bound.Raised && bound.Objective-r.history[iteration-1].Objective < r.e.opt.Tol
		if r.converged || iteration == r.e.opt.MaxIter {
			r.of = r
			return nil
		}
		r.raisedBefore = r.ridges()
		r.made, r.posterior = r.posterior, r.made
		if err := r.make(ctx); err != nil {
			return err
		}
	}
}

// begin makes the first mixture of a turn.
func (r *run) begin(ctx context.Context, t *starts.Turn) error {
	if t.Resumed {
		copy(r.m.level, r.before)
		return r.make(ctx)
	}
	r.history, r.converged, r.raisedBefore = nil, false, 0
	for b := range r.m.level {
		r.m.level[b] = r.e.level()
	}
	return r.e.start(ctx, r, t.Start)
}

// make makes the mixture from the responsibilities.
func (r *run) make(ctx context.Context) error {
	r.before = append(r.before[:0], r.m.level...)
	return r.e.MStep(ctx, r.made, r.m)
}

// restore makes the last mixture of a finished run again, with its posterior, if the work is
// another run's.
func (r *run) restore(ctx context.Context) error {
	if r.of == r {
		return nil
	}
	copy(r.m.level, r.before)
	if err := r.make(ctx); err != nil {
		return err
	}
	_, err := r.e.step(ctx, r.m, r.posterior)
	return err
}

// ridges is the sum of the ridges in force.
func (r *run) ridges() (sum float64) {
	for _, l := range r.m.level {
		sum += l
	}
	return sum
}

// known reports whether the mixture before an iteration can be made again from responsibilities,
// which a mixture of given means cannot.
func (r *run) known(iteration int) bool { return iteration > 0 || r.e.opt.Start == nil }

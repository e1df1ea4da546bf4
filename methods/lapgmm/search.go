package lapgmm

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"gonum.org/v1/gonum/mat"
)

// gammas are the γ that the search tries: restart probabilities 1−γ of 1, 1/2, 1/4, ..., walks of
// 1, 2, 4, ... steps on average, up to most.
func gammas(most float64) []float64 {
	grid := []float64{0}
	for stop := 0.5; 1-stop < most; stop /= 2 {
		grid = append(grid, 1-stop)
	}
	return append(grid, most)
}

// firstGamma is the γ that the first search begins next to, and the first one of the literal
// schedule: line 0 of table 1.
const firstGamma = 0.9

const (
	literalDecay = 0.9 // line 10
	literalLeast = 0.05
)

// value is the criterion of a mixture, with the penalty of the responsibilities it was made from.
type value struct{ logLikelihood, penalty, objective float64 }

// Step is the result of an iteration, per row (divided by n).
type Step struct {
	LogLikelihood float64 `json:"log_likelihood"` // Σ log p(x_i)
	Penalty       float64 `json:"penalty"`        // λ·Σ_k f_kᵀLf_k of the smoothed posteriors
	// Objective is the regularised log-likelihood, eq. (6), less the penalty of the covariances'
	// prior (see package gmm; 0 with an absolute ridge).
	Objective float64 `json:"objective"`
	Gamma     float64 `json:"gamma"`  // the accepted one
	Refits    int     `json:"refits"` // mixtures tried, an M-step and an E-step each
	// Raised marks that a trial raised a ridge and the mixture was made again under it: its
	// Objective is not comparable with the one before.
	Raised bool `json:"raised,omitempty"`
}

func (f *fitter) step(v value, gamma float64, refits int, raised bool) Step {
	n := float64(f.all)
	return Step{LogLikelihood: v.logLikelihood / n, Penalty: v.penalty / n, Objective: v.objective / n, Gamma: gamma, Refits: refits, Raised: raised}
}

// turn is what an iteration takes of a turn of package starts.
type turn interface {
	Save() error
	Step(done int) error
}

// iterate goes on from s until it converges or its run has had the given number of iterations.
func (f *fitter) iterate(ctx context.Context, s *state, iterations int, t turn) error {
	for !s.converged && len(s.history) < iterations {
		if s.made != nil {
			if err := t.Save(); err != nil {
				return err
			}
		}
		if err := t.Step(len(s.history)); err != nil {
			return err
		}
		tried, err := f.trials(ctx, s)
		if err != nil {
			return err
		}
		switch {
		case tried.raised:
			if err := f.refit(ctx, s); err != nil {
				return err
			}
		case s.made == nil && !(tried.best.objective > math.Inf(-1)):
			return invalid.Errorf("the regularised log-likelihood of the first mixture is no finite number: give a smaller lambda than %v, or multiply the data by a constant", f.opt.Lambda)
		case !(tried.best.objective > s.value.objective):
			s.converged = true
		default:
			s.converged = tried.best.objective-s.value.objective < f.opt.Tol*float64(f.all)
			f.give(s.made, s.posterior)
			s.made, s.posterior, s.value, s.gamma = tried.made, tried.posterior, tried.best, tried.gamma
			tried.made, tried.posterior = nil, nil
			s.history = append(s.history, f.step(s.value, s.gamma, tried.refits, false))
		}
		f.give(tried.made, tried.posterior)
	}
	return nil
}

// trials are mixtures tried from one state, and the best of them.
type trials struct {
	f               *fitter
	made, posterior *mat.Dense
	best            value
	gamma           float64
	refits          int
	raised          bool // a ridge was raised: values are not comparable any more
}

// try fits a mixture to responsibilities smoothed with γ, which it takes over, and returns its
// objective.
func (t *trials) try(ctx context.Context, gamma float64, responsibilities *mat.Dense) (float64, error) {
	f := t.f
	if err := f.e.MStep(ctx, responsibilities, f.m); err != nil {
		return 0, err
	}
	t.refits++
	if t.raised = f.raised(); t.raised {
		f.give(responsibilities)
		return math.Inf(-1), nil
	}
	posterior := f.take()
	v, err := f.measure(ctx, responsibilities, posterior)
	if err != nil {
		return 0, err
	}
	if t.made == nil || v.objective > t.best.objective {
		f.give(t.made, t.posterior)
		t.made, t.posterior, t.best, t.gamma = responsibilities, posterior, v, gamma
	} else {
		f.give(responsibilities, posterior)
	}
	return v.objective, nil
}

// trials makes one iteration's trials by the schedule.
func (f *fitter) trials(ctx context.Context, s *state) (*trials, error) {
	t := &trials{f: f}
	var err error
	switch f.opt.Schedule {
	case Literal:
		err = f.literal(ctx, s, t)
	case Unsmoothed:
		_, err = t.try(ctx, 0, f.copyOf(s.posterior))
	default:
		err = f.search(ctx, s, t)
	}
	return t, err
}

// search climbs on the grid from the last γ: that one, the next, and further while the objective
// rises, else the other way: three trials mostly. If none of them is above the state, it tries all
// others. Neighbours on the grid share their products.
func (f *fitter) search(ctx context.Context, s *state, t *trials) error {
	grid := f.grid
	from := 0
	for j, gamma := range grid {
		if math.Abs(gamma-s.gamma) < math.Abs(grid[from]-s.gamma) {
			from = j
		}
	}
	smoothed, tried := make([]*mat.Dense, len(grid)), make([]bool, len(grid))
	defer func() { f.give(smoothed...) }()
	objective := make([]float64, len(grid))
	// try evaluates grid[j]. If its posteriors are not made yet, it makes those for lo to hi together.
	try := func(j, lo, hi int) error {
		if smoothed[j] == nil {
			var gamma []float64
			var to []*mat.Dense
			for b := max(lo, 0); b <= min(hi, len(grid)-1); b++ {
				if smoothed[b] != nil || tried[b] {
					continue
				}
				if grid[b] == 0 {
					smoothed[b] = f.copyOf(s.posterior)
					continue
				}
				smoothed[b] = f.take()
				gamma, to = append(gamma, grid[b]), append(to, smoothed[b])
			}
			if err := f.smoother.restart(ctx, s.posterior, gamma, to); err != nil {
				return err
			}
		}
		var err error
		objective[j], err = t.try(ctx, grid[j], smoothed[j])
		smoothed[j], tried[j] = nil, true
		return err
	}
	if err := try(from, from-1, from+1); err != nil || t.raised {
		return err
	}
	for _, way := range []int{1, -1} {
		for j := from + way; j >= 0 && j < len(grid); j += way {
			if err := try(j, j, j); err != nil || t.raised {
				return err
			}
			if objective[j] <= objective[j-way] {
				break
			}
		}
		if t.gamma != grid[from] {
			break
		}
	}
	for j := 0; j < len(grid) && !(t.best.objective > s.value.objective); j++ {
		if tried[j] {
			continue
		}
		if err := try(j, j, len(grid)); err != nil || t.raised {
			return err
		}
	}
	return nil
}

// literal tries the last γ, and after every fall one smaller by a tenth; below literalLeast γ is 0,
// the EM step.
func (f *fitter) literal(ctx context.Context, s *state, t *trials) error {
	for gamma := s.gamma; ; gamma *= literalDecay {
		if gamma < literalLeast {
			gamma = 0
		}
		smoothed := f.copyOf(s.posterior)
		if gamma > 0 {
			room := f.take()
			for range smoothings {
				if err := f.smoother.step(ctx, smoothed, gamma, room); err != nil {
					return err
				}
				smoothed, room = room, smoothed
			}
			f.give(room)
		}
		reached, err := t.try(ctx, gamma, smoothed)
		if err != nil || t.raised || reached > s.value.objective || gamma == 0 {
			return err
		}
	}
}

func (f *fitter) copyOf(m *mat.Dense) *mat.Dense {
	c := f.take()
	c.Copy(m)
	return c
}

// smoothings is how often [Literal] applies eq. (12) before an M-step.
const smoothings = 10

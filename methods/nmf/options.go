package nmf

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Weighting says how documents are scaled before they are factorised.
type Weighting string

const (
	// Plain takes the rows as they are. The default.
	Plain Weighting = "none"
	// NCW divides row i by √((X·Xᵀ·1)_i): the weights of the normalised cut (Xu, Liu and Gong 2003). Rows whose sum is
	// zero stay.
	NCW Weighting = "ncw"
)

// Solver says how the objective is lowered.
type Solver string

const (
	// ProjectedGradient solves for W with H fixed and for H with W fixed in turn, each by projected gradients with Lin's line
	// search and tolerances (2007, algorithm 4 and section 5). The default.
	ProjectedGradient Solver = "projected-gradient"
	// Multiplicative multiplies entries by the ratio of the gradient's negative and positive part (Lee and Seung
	// 2001). It nears the optimum slowly, and entries that ought to be zero keep the projected gradient up for long: it
	// also ends where ten iterations have lowered the objective by no more than Tol times the start's.
	Multiplicative Solver = "multiplicative"
	// HALS minimises over one topic after the other, exactly (hierarchical alternating least squares).
	HALS Solver = "hals"
)

// Options of a fit. The zero value of every field but Rank is its default.
type Options struct {
	Rank      int       `json:"rank" yaml:"rank"`           // topics k, 1..min(rows, columns)
	Weighting Weighting `json:"weighting" yaml:"weighting"` // "" = none
	Solver    Solver    `json:"solver" yaml:"solver"`       // "" = projected-gradient
	Restarts  int       `json:"restarts" yaml:"restarts"`   // runs from different starts, the best is kept; 0 = 10
	MaxIter   int       `json:"max_iter" yaml:"max_iter"`   // iterations (one update of W and of H) of a run at most; 0 = 300
	Tol       float64   `json:"tol" yaml:"tol"`             // projected gradient at the end against the start's gradient, in (0, 1); 0 = 1e-5
	Seed      uint64    `json:"seed" yaml:"seed"`           // run r draws from the PCG stream (Seed, r)

	// StartW (n×k) and StartH (k×m), where they are not nil, are where the only run begins; Restarts and Seed mean
	// nothing then. They approximate X after its weighting. They are not written.
	StartW *mat.Dense `json:"-" yaml:"-"`
	StartH *mat.Dense `json:"-" yaml:"-"`
	// Observer hears stage "nmf": iterations done of all that are allowed, and a note where the run that won did not
	// converge or documents have no topic.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	if o.Rank < 1 {
		errs = append(errs, invalid.Errorf("the rank of the factorisation must be at least 1, not %d", o.Rank))
	}
	switch o.Weighting {
	case "", Plain, NCW:
	default:
		errs = append(errs, invalid.Errorf("unknown weighting %q: choose %q or %q", string(o.Weighting), string(Plain), string(NCW)))
	}
	switch o.Solver {
	case "", ProjectedGradient, Multiplicative, HALS:
	default:
		errs = append(errs, invalid.Errorf("unknown solver %q: choose %q, %q or %q", string(o.Solver), string(ProjectedGradient), string(Multiplicative), string(HALS)))
	}
	if o.Restarts < 0 {
		errs = append(errs, invalid.Errorf("the number of restarts must not be negative, but is %d", o.Restarts))
	}
	if o.MaxIter < 0 {
		errs = append(errs, invalid.Errorf("the number of iterations must not be negative, but is %d", o.MaxIter))
	}
	if !(o.Tol >= 0 && o.Tol < 1) {
		errs = append(errs, invalid.Errorf("the tolerance must lie between 0 and 1, but is %g", o.Tol))
	}
	if (o.StartW == nil) != (o.StartH == nil) {
		errs = append(errs, invalid.Errorf("a start needs both factors, W and H, but only one is given"))
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Weighting == "" {
		o.Weighting = Plain
	}
	if o.Solver == "" {
		o.Solver = ProjectedGradient
	}
	if o.Restarts == 0 {
		o.Restarts = 10
	}
	if o.MaxIter == 0 {
		o.MaxIter = 300
	}
	if o.Tol == 0 {
		o.Tol = 1e-5
	}
	if o.StartW != nil {
		o.Restarts = 1
	}
	return o
}

// checkStart looks at the given start of an n×m matrix.
func (o Options) checkStart(n, m int) error {
	if o.StartW == nil {
		return nil
	}
	for _, s := range []struct {
		name       string
		f          *mat.Dense
		rows, cols int
	}{{"W", o.StartW, n, o.Rank}, {"H", o.StartH, o.Rank, m}} {
		if r, c := s.f.Dims(); r != s.rows || c != s.cols {
			return invalid.Errorf("the start of %s is %d × %d, but must be %d × %d", s.name, r, c, s.rows, s.cols)
		}
		for i := range s.rows {
			for j, v := range s.f.RawRowView(i) {
				if !(v >= 0) || math.IsInf(v, 1) {
					return invalid.Errorf("the start of %s is %g in row %d, column %d (counted from 0), but must be finite and at least 0", s.name, v, i, j)
				}
			}
		}
	}
	return nil
}

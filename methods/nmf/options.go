package nmf

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Weighting says how documents are scaled before they are factorised.
type Weighting string

const (
	// Plain takes the rows as they are.
	Plain Weighting = "none"
	// NCW divides row i by √((X·Xᵀ·1)_i): the weights of the normalised cut (Xu, Liu and Gong
	// 2003). Rows whose sum is zero stay. The default.
	NCW Weighting = "ncw"
)

// Solver says how the objective is lowered.
type Solver string

const (
	// ProjectedGradient solves for W with H fixed and for H with W fixed in turn, each by projected
	// gradients with Lin's line search and tolerances (2007, algorithm 4 and section 5).
	ProjectedGradient Solver = "projected-gradient"
	// Multiplicative multiplies entries by the ratio of the gradient's negative and positive part
	// (Lee and Seung 2001). It approaches the optimum slowly, and entries that should be zero keep
	// the projected gradient large for long: it also stops when ten iterations have lowered the
	// objective by no more than Tol times the start's.
	Multiplicative Solver = "multiplicative"
	// HALS minimises over one topic after the other, exactly (hierarchical alternating least
	// squares). The default: it reaches a lower objective than the others in the same time. Its last
	// iterations lower the objective very little, so without a Tol it also stops when ten iterations
	// have lowered it by no more than 1e-4 of the start's.
	HALS Solver = "hals"
)

// Options of a fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of topics k, 1 to the smaller of rows and columns. Through the contract of
	// package method 0 is the number of clusters or classes.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"dimensions of the embedding: the number of topics" group:"method"`
	// Weighting scales the documents; "" = ncw.
	Weighting Weighting `json:"weighting" flag:"nmf-weighting" choices:"ncw|none" default:"ncw" help:"weights of the documents: as in the normalised cut, or none" group:"method"`
	// Solver lowers the objective; "" = hals.
	Solver Solver `json:"solver" flag:"nmf-solver" choices:"projected-gradient|multiplicative|hals" default:"hals" help:"how the objective is lowered" group:"method"`
	// Restarts is the number of runs from different starts, of which the best is kept; 0 = 10.
	Restarts int `json:"restarts" flag:"restarts" range:">=1" default:"10" help:"starts, of which the best is kept" group:"method"`
	// MaxIter bounds the iterations of a run, each one update of W and of H; 0 = 200.
	MaxIter int `json:"max_iter" flag:"nmf-iter" range:">=1" default:"200" help:"most iterations of one start" group:"method"`
	// Tol ends a run: the norm of the projected gradient over its norm at the start; 0 = 1e-4, and the
	// objective's decrease in HALS.
	Tol float64 `json:"tol" flag:"nmf-tol" range:"0<x<1" unset:"0.0001, and hals stops when ten iterations lower the objective by no more than 0.0001 of the start's" help:"stop when the projected gradient is at most this share of the start's" group:"method"`
	// Seed decides the starts: run r draws from the PCG stream (Seed, r).
	Seed uint64 `json:"seed"`

	// StartW (n×k) and StartH (k×m), if they are not nil, are the start of the only run; Restarts
	// and Seed are not used then. They approximate X after its weighting. They are not written.
	StartW *mat.Dense `json:"-"`
	StartH *mat.Dense `json:"-"`
	// Observer receives stage "nmf": iterations done of all that are allowed, and a note if the run
	// that won did not converge or documents have no topic.
	Observer progress.Observer `json:"-"`
	// Share divides the rows among the ranks of a team, which call Fit together: x, StartW and what
	// the model says of documents have the own rows, the rest is of all. nil: x has all rows.
	Share *ranks.Share `json:"-"`

	early bool // the objective's decrease may end a run of HALS
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the
// data.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	if (o.StartW == nil) != (o.StartH == nil) {
		errs = append(errs, invalid.Errorf("a start needs both factors, W and H, but only one is given"))
	}
	return invalid.Join(errs...)
}

// defaultTol is Tol if it is 0.
const defaultTol = 1e-4

func (o Options) withDefaults() Options {
	option.Default(&o)
	if o.Tol == 0 {
		o.Tol, o.early = defaultTol, o.Solver == HALS
	}
	if o.StartW != nil {
		o.Restarts = 1
	}
	return o
}

// checkStart checks the given start of an n×m matrix.
func (o Options) checkStart(n, m int) error {
	if o.StartW == nil {
		return nil
	}
	for _, s := range []struct {
		name       string
		f          *mat.Dense
		rows, cols int
	}{{"W", o.StartW, n, o.Dims}, {"H", o.StartH, o.Dims, m}} {
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

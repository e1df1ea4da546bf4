package eigen

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/factor"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// Inertia is the count that proves a result complete: by Sylvester's law of inertia the number of
// negative pivots of a sparse LDLᵀ factorisation of A − σM is the number of eigenvalues below σ.
type Inertia struct {
	// Shift is σ; Below is the number of eigenvalues below it, known zeros included.
	Shift float64 `json:"shift"`
	Below int     `json:"below"`
	// Copies counts the eigenvalues within Width of the last one that are not in the result: copies
	// of it, as far as residuals and the rounding of the count can say. Shift then lies below all of
	// them, and Below counts the pairs before them.
	Copies int     `json:"copies,omitempty"`
	Width  float64 `json:"width,omitempty"`
	// Returned is the number of pairs in the result, if more were found: values so close to the last
	// one that no count was possible between them. All Below are known then.
	Returned int `json:"returned,omitempty"`
	// Above is true if the largest eigenvalues were wanted: Below then counts those above Shift.
	Above bool `json:"above,omitempty"`
	// Problems is the number of eigenproblems, if there are several (the maps of constraints): each
	// has Below eigenvalues below its shift, the largest of which is Shift.
	Problems int `json:"problems,omitempty"`
	// Bound is the largest error of an eigenvalue for which the count is proved.
	Bound float64 `json:"bound"`
	// Factorisations, Entries of one factor and Flops of one factorisation are the cost.
	Factorisations int     `json:"factorisations"`
	Entries        int64   `json:"entries"`
	Flops          float64 `json:"flops"`
	// Time is the wall-clock time.
	Time time.Duration `json:"time_ns"`
}

// String says what was counted: "inertia: 30 eigenvalues below 0.0412, as found".
func (c Inertia) String() string {
	side := "below"
	if c.Above {
		side = "above"
	}
	text := fmt.Sprintf("inertia: %s %s %.4g, as found", words.Plural(c.Below, "eigenvalue", "eigenvalues"), side, c.Shift)
	if c.Problems > 1 {
		text += fmt.Sprintf(", in each of %s", words.Plural(c.Problems, "map", "maps"))
	}
	if c.Returned > 0 {
		text += fmt.Sprintf(", the first %d of which are the result", c.Returned)
	}
	if c.Copies > 0 {
		text += fmt.Sprintf(", and %s of the last value within %.1e", words.Plural(c.Copies, "further copy", "further copies"), c.Width)
	}
	return text
}

// InertiaError is the error if the eigenvalues counted by inertia are not as many as those found.
type InertiaError struct {
	Shift          float64
	Counted, Found int
	// Above is true if the eigenvalues above Shift were counted (the largest were wanted).
	Above bool
}

// Error gives both numbers and a way out.
func (e *InertiaError) Error() string { return (*factor.Mismatch)(e).Error() }

// spectrum analyses S for counting and solving.
func (p *Pencil) spectrum(observer progress.Observer) (*factor.Spectrum, error) {
	return factor.Analyse(p.s, p.massless, observer)
}

// CountBelow returns the number of eigenvalues of the pencil below sigma, zeros included, by
// inertia: one sparse LDLᵀ factorisation of L − σM. bound is the distance from sigma within which
// rounding may have moved an eigenvalue to the other side; the count is certain if no eigenvalue is
// that close.
//
// Time and memory depend on the fill: nearly linear on paths and planar graphs, n³/3 operations and
// 4n² bytes on graphs without small separators, such as neighbour graphs of documents. Too large a
// factor gives an error with the bytes (errors.Is(err, fs.ErrInvalid)) before any of it is
// taken.
func (p *Pencil) CountBelow(ctx context.Context, sigma float64, observer progress.Observer) (count int, bound float64, err error) {
	s, err := p.spectrum(observer)
	if err != nil {
		return 0, 0, err
	}
	return s.Above(ctx, 1-sigma)
}

// verify counts the eigenvalues of every open map up to the one found: the zero and the map's own.
func (s *mapSolver) verify(ctx context.Context, maps []bipartition, open []int, found []solvedMap) error {
	total := Inertia{Problems: len(open)}
	for done, at := range open {
		p, err := NewPencil(s.merged(maps[at]))
		if err != nil {
			return err
		}
		m := found[at]
		y := space.AsBlock(append(slices.Clone(m.x), m.atA, m.atB), s.n+2, 1)
		u := p.scaled(y)
		space.ScaleBlock(u, 1/blas64.Nrm2(space.Vector(u)))
		t := problem.Task{Op: p.s, N: s.n + 2, Known: p.known, K: 1, Top: 1, Pencil: true, Fixed: p.massless, Observer: s.opt.Observer}
		one := problem.Pairs{Values: []float64{1 - m.value}, Vectors: u, Converged: 1}
		if err := verify(ctx, t, &one, s.opt); err != nil {
			return fmt.Errorf("map %d: %w", at+1, err)
		}
		c := one.Stats.Inertia
		if done == 0 || c.Shift > total.Shift {
			total.Shift, total.Below = c.Shift, c.Below
		}
		total.Bound, total.Entries = max(total.Bound, c.Bound), max(total.Entries, c.Entries)
		total.Flops = max(total.Flops, c.Flops)
		total.Factorisations += c.Factorisations
		total.Time += c.Time
	}
	s.stats.Inertia = &total
	return nil
}

package eigen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
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
func (e *InertiaError) Error() string { return (*miscount)(e).Error() }

// miscount is the error if a count disagrees with what was found; eigen.InertiaError explains the
// fields.
type miscount struct {
	Shift          float64
	Counted, Found int
	Above          bool
}

func (e *miscount) Error() string {
	side, way := "below", "an eigenpair was missed: use another solver or seed, or a smaller tolerance"
	if e.Above {
		side = "above"
	}
	if e.Counted < e.Found {
		way = "the result holds a pair that is no eigenpair: use a smaller tolerance or another solver"
	}
	return fmt.Sprintf("by inertia %s %s %.6g, but %d were found; %s", words.Plural(e.Counted, "eigenvalue lies", "eigenvalues lie"), side, e.Shift, e.Found, way)
}

// unverified is the error if no shift gave a count that rounding leaves certain.
type unverified struct{ bound, margin float64 }

func (e *unverified) Error() string {
	return fmt.Sprintf("the count of eigenvalues by inertia is not certain: rounding of the factorisation may move eigenvalues by %.1e, and the shift lies %.1e from the last one; leave out ‹verify›, or ask for another number of eigenpairs", e.bound, e.margin)
}

// certify counts the eigenvalues of a solved task by inertia, if its solver has not done it. A
// result that has not converged is left to its own error. All ranks count, and get the same error.
func certify(ctx context.Context, t task, p *pairs) error {
	if !open(p) {
		return nil
	}
	_, err := countAll(ctx, t, p, false)
	return ranks.Agree(ranks.From(ctx), named(t, err))
}

// open reports whether pairs are still to be counted.
func open(p *pairs) bool {
	return p.stats.Inertia == nil && !p.unsearched && p.converged >= len(p.values)
}

// countAll compares pairs with a count by inertia. It returns the analysis of the matrix for a solve
// that goes on. The errors are those of check.
func countAll(ctx context.Context, t task, p *pairs, goesOn bool) (s *spectrum, err error) {
	if s, err = newSpectrum(t.op, t.fixed, t.observer); err != nil {
		return nil, err
	}
	if s == nil {
		return nil, invalid.Errorf("‹verify› needs the entries of the matrix, and this problem is known by its products only: leave it out")
	}
	c, err := newAudit(t, s, goesOn).check(ctx, claimOf(t, s, *p, len(p.values)))
	if err == nil {
		p.stats.Inertia = inTerms(t, c)
	}
	return s, err
}

// completed is certify for the task of a whole solve: if eigenvalues are missing, or lie so close to
// the last value that only finding them as well decides, shift-invert solves the problem.
func completed(ctx context.Context, t task, p pairs) (pairs, error) {
	if !open(&p) {
		return p, nil
	}
	s, err := countAll(ctx, t, &p, true)
	var short *shortfall
	if errors.As(err, &short) {
		first := p.stats
		why := "a count by inertia needs all values close to the last one"
		if !short.beyond {
			why = named(t, err).Error()
		}
		t.observer.Detailf(stage, "%s; shift-invert solves the problem", why)
		var q pairs
		if q, err = invertOver(ctx, t, s); err == nil && same(t, q, p) {
			p.stats.Inertia = q.stats.Inertia
			return p, ranks.Agree(ranks.From(ctx), nil)
		}
		if p = q; err == nil {
			p.stats.after(first)
			p.stats.Why = fmt.Sprintf("a count by inertia does not agree with %s (%s)", first.Solver, why)
		}
	}
	return p, ranks.Agree(ranks.From(ctx), named(t, err))
}

// same reports whether p is certified and other has the same values, up to the errors of both.
func same(t task, p, other pairs) bool {
	if p.stats.Inertia == nil || len(p.values) != len(other.values) {
		return false
	}
	errs := other.errors
	if errs == nil {
		errs = residualsOf(t.op, other)
	}
	for j, v := range p.values {
		if math.Abs(v-other.values[j]) > p.errors[j]+errs[j] {
			return false
		}
	}
	return true
}

// named returns a mismatch of a count as *miscount in terms of the problem's eigenvalues.
func named(t task, err error) error {
	var short *shortfall
	if errors.As(err, &short) {
		if short.beyond {
			return &unverified{bound: short.bound, margin: short.bound}
		}
		err = &miscount{Shift: short.tau, Counted: short.above, Found: short.found}
	}
	var miss *miscount
	if errors.As(err, &miss) {
		in := inTerms(t, inertiaCount{Shift: miss.Shift})
		miss.Shift, miss.Above = in.Shift, in.Above
	}
	return err
}

// inTerms converts a count from the operator's eigenvalues to those of the problem.
func inTerms(t task, c inertiaCount) *inertiaCount {
	switch {
	case t.pencil:
		c.Shift = 1 - c.Shift
	case !t.largest:
		c.Shift = -c.Shift
	default:
		c.Above = true
	}
	return &c
}

// fallingOrder lists values by falling size, ties by index.
func fallingOrder(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order
}

// residualsOf returns ‖op·u − μu‖ of unit vectors, which bounds the distance of μ from an
// eigenvalue.
func residualsOf(op operator, p pairs) []float64 {
	product := space.NewBlock(p.vectors.Rows, p.vectors.Cols)
	if product.Cols == 0 {
		return nil
	}
	op.MulBlock(product, p.vectors)
	return space.Residuals(space.Space{}, product, p.vectors, nil, p.values)
}

// spectrum analyses S for counting and solving.
func (p *Pencil) spectrum(observer progress.Observer) (*spectrum, error) {
	return newSpectrum(p.s, p.massless, observer)
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
	return s.above(ctx, 1-sigma)
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
		t := task{op: p.s, n: s.n + 2, known: p.known, k: 1, top: 1, pencil: true, fixed: p.massless, observer: s.opt.Observer}
		one := pairs{values: []float64{1 - m.value}, vectors: u, converged: 1}
		if err := verify(ctx, t, &one, s.opt); err != nil {
			return fmt.Errorf("map %d: %w", at+1, err)
		}
		c := one.stats.Inertia
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

package eigen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse/ldl"
	"gonum.org/v1/gonum/blas/blas64"
)

// Inertia is the count that proves a result complete: by Sylvester's law of inertia the number of
// negative pivots of a sparse LDLᵀ factorisation of A − σM is the number of eigenvalues below σ.
type Inertia struct {
	// Shift is σ; Below is the number of eigenvalues below it, known zeros included.
	Shift float64 `json:"shift"`
	Below int     `json:"below"`
	// Copies counts the eigenvalues that equal the last one found up to the accuracy of the count
	// but are not in the result. Shift then lies below all of them, and Below counts the pairs
	// before them.
	Copies int `json:"copies,omitempty"`
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
	if c.Copies > 0 {
		text += fmt.Sprintf(", and %s of the last value", words.Plural(c.Copies, "further copy", "further copies"))
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

func (e *InertiaError) Error() string {
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

// certify counts the eigenvalues of the operator of s above a tau just below the last of values,
// and compares with their number. values are all eigenvalues at the upper end that are claimed, in
// descending order; errs bounds the error of each.
//
// If there are more, the last value may have further copies, or others may be missing. The count
// above a tau just above the cluster of the last value decides: then only copies of the cluster
// can be missing, and which of them a result holds is arbitrary.
func certify(ctx context.Context, s *spectrum, values, errs []float64) (Inertia, error) {
	began := time.Now()
	k := len(values)
	last := values[k-1]
	spread := values[0] - last
	margin := max(4*errs[k-1], 1e-3*spread/float64(k), 1e-13*max(s.norm, math.Abs(last)))
	// A wider margin would leave most of the values on one side.
	limit := max(margin, spread/4, 1e-9*s.norm)
	c := Inertia{Entries: s.analysis.Entries(), Flops: s.analysis.Flops()}
	count, tau, bound, err := s.certain(ctx, last, &margin, -1, limit, &c)
	if err != nil {
		return c, err
	}
	c.Shift, c.Below, c.Bound, c.Time = tau, count, bound, time.Since(began)
	if count <= k {
		if count < k {
			return c, &InertiaError{Shift: tau, Counted: count, Found: k}
		}
		return c, nil
	}
	first := k - 1
	for first > 0 && values[first-1]-values[first] <= 2*(margin+errs[first-1]) {
		first--
	}
	c.Copies = count - k
	if first > 0 {
		gap := values[first-1] - values[first]
		upper := min(margin, gap/2)
		count, tau, bound, err = s.certain(ctx, values[first], &upper, 1, limit, &c)
		if err != nil {
			return c, err
		}
	} else {
		// Nothing lies above the cluster; the count above it must be zero.
		upper := margin
		count, tau, bound, err = s.certain(ctx, values[0], &upper, 1, limit, &c)
		if err != nil {
			return c, err
		}
	}
	c.Shift, c.Below, c.Bound, c.Time = tau, count, bound, time.Since(began)
	if count != first {
		return c, &InertiaError{Shift: tau, Counted: count, Found: first}
	}
	return c, nil
}

// certain counts the eigenvalues above value + side·margin. It widens the margin until the count
// holds for every operator within the rounding of the factorisation, and moves away from shifts at
// which the factorisation breaks down.
func (s *spectrum) certain(ctx context.Context, value float64, margin *float64, side, limit float64, c *Inertia) (count int, tau, bound float64, err error) {
	const attempts = 12
	for range attempts {
		if *margin > limit {
			break
		}
		tau = value + side**margin
		count, bound, err = s.above(ctx, tau)
		c.Factorisations++
		var pivot *ldl.PivotError
		switch {
		case errors.As(err, &pivot):
			s.observer.Detailf(ldl.Stage, "the factorisation broke down at the shift %.6g; the next one is moved by %.1e", tau, *margin/2)
			*margin *= 1.37
		case err != nil:
			return 0, 0, 0, err
		case bound <= *margin/2:
			return count, tau, bound, nil
		default:
			s.observer.Detailf(ldl.Stage, "at the shift %.6g rounding may move eigenvalues by %.1e; the shift is moved", tau, bound)
			// A different shift has other pivots; a wider margin needs less.
			*margin = max(1.37**margin, min(2.1*bound, 8**margin))
		}
	}
	if err != nil {
		return 0, 0, 0, err
	}
	return 0, 0, 0, &unverified{bound: bound, margin: *margin}
}

// verify counts the eigenvalues of a solved task by inertia, if the options ask for it and the
// solver has not done it. A result that has not converged is left to its own error. Ranks, which
// all count, get the same error.
func (t task) verify(ctx context.Context, p *pairs, opt Options) error {
	if !opt.Verify || p.stats.Inertia != nil || p.unsearched || p.converged < len(p.values) {
		return nil
	}
	return ranks.Agree(ranks.From(ctx), t.count(ctx, p))
}

// count is verify of a result that needs it.
func (t task) count(ctx context.Context, p *pairs) error {
	s := t.spectrum
	if s == nil {
		var err error
		if s, err = newSpectrum(t.op, t.fixed, t.observer); err != nil {
			return err
		}
	}
	if s == nil {
		return invalid.Errorf("‹verify› needs the entries of the matrix, and this problem is known by its products only: leave it out")
	}
	c, err := certifyPairs(ctx, s, t, *p)
	if err != nil {
		return err
	}
	p.stats.Inertia = t.inTerms(c)
	return nil
}

// inTerms converts a count from the operator's eigenvalues to those of the problem.
func (t task) inTerms(c Inertia) *Inertia {
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

// certifyPairs certifies the pairs that a solver found for an operator, besides known ones.
func certifyPairs(ctx context.Context, s *spectrum, t task, p pairs) (Inertia, error) {
	known := t.known.size()
	values := append(slices.Repeat([]float64{t.top}, known), p.values...)
	bounds := slices.Repeat([]float64{1e-15 * s.norm}, known)
	if p.errors != nil {
		bounds = append(bounds, p.errors...)
	} else {
		bounds = append(bounds, residualsOf(t.op, p)...)
	}
	order := fallingOrder(values)
	sorted, errs := make([]float64, len(values)), make([]float64, len(values))
	for to, from := range order {
		sorted[to], errs[to] = values[from], bounds[from]
	}
	c, err := certify(ctx, s, sorted, errs)
	var miss *InertiaError
	if errors.As(err, &miss) {
		in := t.inTerms(Inertia{Shift: miss.Shift})
		miss.Shift, miss.Above = in.Shift, in.Above
	}
	return c, err
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
func residualsOf(op Operator, p pairs) []float64 {
	product := newBlock(p.vectors.Rows, p.vectors.Cols)
	if product.Cols == 0 {
		return nil
	}
	op.MulBlock(product, p.vectors)
	return residuals(space{}, product, p.vectors, nil, p.values)
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
		y := asBlock(append(slices.Clone(m.x), m.atA, m.atB), s.n+2, 1)
		u := p.scaled(y)
		scaleBlock(u, 1/blas64.Nrm2(vector(u)))
		t := task{op: p.s, n: s.n + 2, known: p.known, k: 1, top: 1, pencil: true, fixed: p.massless, observer: s.opt.Observer}
		one := pairs{values: []float64{1 - m.value}, vectors: u, converged: 1}
		if err := t.verify(ctx, &one, s.opt); err != nil {
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

// scaleBlock sets x = f·x for a contiguous block, in parallel.
func scaleBlock(x blas64.General, f float64) {
	mustRun(parallel.For(context.Background(), len(x.Data), 1<<15, func(_, lo, hi int) error {
		for i, v := range x.Data[lo:hi] {
			x.Data[lo+i] = f * v
		}
		return nil
	}))
}

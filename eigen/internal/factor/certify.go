package factor

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/sparse/ldl"
)

// claim is what a count is compared with: all eigenvalues found at the upper end of op, descending,
// the first k of which are the result. errs bounds the error of each.
type claim struct {
	values, errs []float64
	k            int
}

// last is the smallest value of the result.
func (c claim) last() float64 { return c.values[c.k-1] }

// above is the number of values above tau. clear is false if a value is so close that it may lie on
// the other side, by its own error or the error of the count.
func (c claim) above(tau, bound float64) (count int, clear bool) {
	clear = true
	for j, v := range c.values {
		if v > tau {
			count++
		}
		if math.Abs(v-tau) <= c.errs[j]+bound {
			clear = false
		}
	}
	return count, clear
}

// clearOf is the least margin by which a shift value + side·margin has no value of the claim within
// the claim's errors and bound, if all values lie on the other side of it.
func (c claim) clearOf(value, side, bound float64) float64 {
	margin := 0.0
	for j, v := range c.values {
		if d := side * (v - value); d <= 0 {
			margin = max(margin, 1.01*(d+c.errs[j]+bound))
		}
	}
	return margin
}

// audit compares what a solve has found with counts by inertia. It keeps its counts, so that a
// solve that goes on for what is missing needs no further factorisation.
//
// The first tau lies a thousandth of the mean distance of the values below the last one. If as many
// eigenvalues exceed it as were found, nothing is missing. If there are more, they are copies of
// the last value, values close to it, or missing ones, and counts as close to the last value as
// errors and rounding allow decide:
//
//   - just below it. If the numbers agree there, nothing is missing.
//   - just above it, between two values that their errors hold apart. If the numbers agree there,
//     the values below it in the result lie within this distance of the eigenvalues in their
//     place, and which of the copies a result holds is arbitrary.
//   - If rounding allows no count that close, as where leading parts of the matrix have nearly the
//     same eigenvalue, all eigenvalues above the first tau are to be found. If they are too many,
//     a count farther above the last value decides, and what lies between counts as copies.
type audit struct {
	s       *Spectrum
	counts  []tally
	pending *tally          // of the last shortfall
	cost    problem.Inertia // factorisations, time and sizes
	// widest is the largest width of copies; goesOn is set if the solve finds what is missing.
	widest float64
	goesOn bool
}

// newAudit makes the audit of a task, in which a value counts as missing that exceeds the last one
// by as much as in a search of the complement.
func newAudit(t problem.Task, s *Spectrum, goesOn bool) *audit {
	limit := t.Tol
	if t.Scaled {
		limit *= s.least
	}
	return &audit{s: s, cost: problem.Inertia{Entries: s.analysis.Entries(), Flops: s.analysis.Flops()},
		widest: max(problem.Slack*limit, problem.SlackRounding*s.norm), goesOn: goesOn}
}

// short makes a shortfall and keeps it for the next check.
func (a *audit) short(t tally, found int, beyond bool) error {
	a.pending = &t
	return &shortfall{t, found, beyond}
}

// The width within which eigenvalues count as copies: so many bounds of the last value's error, or
// so much of the norm. If rounding allows no count that close and there are too many copies to find
// them all, it is wideErrors bounds, or the widest of the audit, or wideNorm of the norm.
//
// At a distance δ from an eigenvalue of many copies, pivots of size δ make an error of about ε/δ
// each, relative to the norm. It exceeds δ below √ε, so that nothing can be counted closer.
const (
	narrowErrors, narrowNorm = 16, 1e-11
	wideErrors, wideNorm     = 64, 4 * 0x1p-26
)

// A solve finds eigenvalues beyond the result, in place of a count within their cluster, if they
// are at most so many or if keeping all vectors orthogonal takes at most so many operations.
const (
	mostBeyond      = 64
	mostBeyondFlops = 1e10
)

// affords reports whether a solve that has found so many eigenvalues may go on to all of them.
func (a *audit) affords(found, all int) bool {
	return a.goesOn && (all-found <= mostBeyond || 4*float64(a.s.n)*float64(all)*float64(all) <= mostBeyondFlops)
}

// check certifies a claim. The error is *shortfall if eigenvalues are missing or are to be found as
// well, *Mismatch if the claim has too many, and *Unverified if rounding allows no count.
func (a *audit) check(ctx context.Context, c claim) (problem.Inertia, error) {
	began := time.Now()
	defer func() { a.cost.Time += time.Since(began) }()
	if t := a.pending; t != nil {
		n, clear := c.above(t.tau, t.bound)
		switch {
		case clear && n < t.above && (n < c.k || a.affords(n, t.above)):
			return a.cost, &shortfall{*t, n, n >= c.k}
		case clear && n == t.above && n >= c.k:
			return a.complete(*t, c, began), nil
		}
		a.pending = nil
	}
	if len(c.values) == a.s.n { // all there are
		return a.complete(tally{tau: slices.Min(c.values), above: a.s.n}, c, began), nil
	}
	spread := c.values[0] - c.last()
	own := max(4*c.errs[c.k-1], 8*0x1p-52*max(a.s.norm, math.Abs(c.last())))
	first := max(own, 1e-3*spread/float64(c.k), 1e-13*a.s.norm)
	low, err := a.below(ctx, c, first, max(first, spread/4, a.widest))
	if err != nil {
		return a.cost, err
	}
	n, _ := c.above(low.tau, low.bound)
	if low.above <= n {
		return a.compare(low, c, n, began)
	}
	return a.cluster(ctx, c, low, own, began)
}

// cluster certifies a claim where more eigenvalues exceed low.tau than were found.
func (a *audit) cluster(ctx context.Context, c claim, low tally, own float64, began time.Time) (problem.Inertia, error) {
	width := max(narrowErrors*c.errs[c.k-1], narrowNorm*a.s.norm)
	var rounding *Unverified
	all := low // whose values are to be found if no count decides; clear of the copies, if it can be
	if n, _ := c.above(low.tau, low.bound); low.bound > width && a.affords(n, low.above) {
		// The bound of a count rarely falls towards eigenvalues: none within the width is tried.
		return a.cost, a.short(low, n, true)
	}
	if c.last()-low.tau > width {
		near, err := a.below(ctx, c, own, width)
		if err != nil && !errors.As(err, &rounding) {
			return a.cost, err
		}
		if err == nil {
			if low = near; !a.affords(len(c.values), all.above) {
				all = near
			}
			if n, _ := c.above(low.tau, low.bound); low.above <= n {
				return a.compare(low, c, n, began)
			}
		}
	}
	n, _ := c.above(all.tau, all.bound)
	wide := max(width, wideErrors*c.errs[c.k-1], a.widest, wideNorm*a.s.norm)
	for _, width := range []float64{width, wide, math.Inf(1)} {
		up, err := a.over(ctx, c, own, width)
		if err == nil {
			return a.copies(up, low, c, wide, began)
		}
		if !errors.As(err, &rounding) {
			return a.cost, err
		}
		if a.affords(n, all.above) {
			return a.cost, a.short(all, n, true)
		}
	}
	return a.cost, rounding
}

// compare is the verdict of a count below the last value that is not larger than found values.
func (a *audit) compare(t tally, c claim, found int, began time.Time) (problem.Inertia, error) {
	if t.above < found {
		return a.cost, &Mismatch{Shift: t.tau, Counted: t.above, Found: found}
	}
	return a.complete(t, c, began), nil
}

// complete is the certificate of a claim that has all eigenvalues above t.
func (a *audit) complete(t tally, c claim, began time.Time) problem.Inertia {
	out := a.cost
	out.Shift, out.Below, out.Bound, out.Time = t.tau, t.above, t.bound, a.cost.Time+time.Since(began)
	if t.above > c.k {
		out.Returned = c.k
	}
	return out
}

// copies is the verdict of a count above the last value and its copies, where low is one below
// them. A count farther above the last value than widest only proves that values are missing.
func (a *audit) copies(up, low tally, c claim, widest float64, began time.Time) (problem.Inertia, error) {
	n, _ := c.above(up.tau, up.bound)
	switch {
	case up.above > n:
		return a.cost, a.short(up, n, false)
	case up.above < n:
		return a.cost, &Mismatch{Shift: up.tau, Counted: up.above, Found: n}
	case up.tau+up.bound-c.last() > 2*widest:
		return a.cost, &Unverified{bound: up.bound, margin: up.tau - c.last()}
	}
	out := a.complete(up, c, began)
	out.Copies, out.Width = low.above-c.k, up.tau+up.bound-(low.tau-low.bound)
	return out, nil
}

// below counts the eigenvalues above a tau below the last value, by a distance from first to most.
func (a *audit) below(ctx context.Context, c claim, first, most float64) (tally, error) {
	return a.certain(ctx, c, c.last(), -1, first, most)
}

// over counts the eigenvalues above a tau above the last value and all that their errors do not
// hold apart from it: by a distance of at most width from it, between two values of the claim or
// above all.
func (a *audit) over(ctx context.Context, c claim, own, width float64) (tally, error) {
	var err error
	for at := c.k - 1; c.values[at]-c.last() < width; at-- {
		room := math.Inf(1)
		if at > 0 {
			room = c.values[at-1] - c.values[at] - c.errs[at-1]
		}
		// Half of the distance is the most that leaves room for both values.
		most := min(room/2, c.last()+width-c.values[at])
		if first := max(4*c.errs[at], own/4); first <= most {
			var t tally
			var rounding *Unverified
			if t, err = a.certain(ctx, c, c.values[at], 1, first, most); err == nil || !errors.As(err, &rounding) {
				return t, err
			}
		}
		if at == 0 {
			break
		}
	}
	if err == nil {
		err = &Unverified{margin: width}
	}
	return tally{}, err
}

// certain counts the eigenvalues above value + side·margin, for a margin from first to most. It
// widens the margin until the count holds for every operator within the rounding of the
// factorisation, with no value of the claim within it, and moves away from shifts at which the
// factorisation breaks down.
func (a *audit) certain(ctx context.Context, c claim, value, side, first, most float64) (tally, error) {
	for _, t := range a.counts {
		if d := side * (t.tau - value); d >= first && d <= most && t.bound <= d/2 {
			if _, clear := c.above(t.tau, t.bound); clear {
				return t, nil
			}
		}
	}
	const attempts = 12
	margin, least, product := first, math.Inf(1), 0.0
	for range attempts {
		tau := value + side*margin
		count, bound, err := a.s.Above(ctx, tau)
		a.cost.Factorisations++
		var pivot *ldl.PivotError
		next := 1.37 * margin
		switch {
		case errors.As(err, &pivot):
			a.s.observer.Detailf(ldl.Stage, "the factorisation broke down at the shift %.6g; the next one is moved by %.1e", tau, next-margin)
		case err != nil:
			return tally{}, err
		default:
			if least = min(least, bound); bound <= margin/2 {
				if _, clear := c.above(tau, bound); clear {
					t := tally{tau: tau, bound: bound, above: count}
					a.counts = append(a.counts, t)
					return t, nil
				}
			}
			a.s.observer.Detailf(ldl.Stage, "at the shift %.6g rounding may move eigenvalues by %.1e; the shift is moved", tau, bound)
			// A different shift has other pivots. Close to eigenvalues the bound falls as the margin
			// rises: their product then stays the same.
			need := 2.1 * bound
			if bound*margin < 2*product {
				need = 1.05 * math.Sqrt(2*bound*margin)
			}
			next, product = max(next, min(need, 8*margin), c.clearOf(value, side, bound)), bound*margin
		}
		if margin >= most {
			break
		}
		margin = min(next, most)
	}
	return tally{}, &Unverified{bound: least, margin: margin}
}

// claimOf returns the claim of pairs that a solver found, besides the known ones. result is the
// number of pairs that are the result.
func claimOf(t problem.Task, s *Spectrum, p problem.Pairs, result int) claim {
	known := t.Known.Size()
	values := append(slices.Repeat([]float64{t.Top}, known), p.Values...)
	bounds := slices.Repeat([]float64{1e-15 * s.norm}, known)
	if p.Errors != nil {
		bounds = append(bounds, p.Errors...)
	} else {
		bounds = append(bounds, residualsOf(t.Op, p)...)
	}
	c := claim{k: known + result}
	for _, from := range indices.Falling(values) {
		c.values, c.errs = append(c.values, values[from]), append(c.errs, bounds[from])
	}
	return c
}

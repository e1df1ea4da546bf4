package lars

import (
	"context"
	"math"
	"slices"
)

// inward is the slope 1 − s·x_jᵀu above which a column at the bound would overshoot it.
const inward = 1e-10

// tie is a column at the bound whose coefficient is zero, with the sign of its correlation.
type tie struct {
	term int32
	sign float64
	done bool // entered and left, or refused, at this knot
}

// resolve makes columns at the bound active until none would overshoot it along the direction, and
// so sets the next direction: the minimiser of ½dᵀGd − sᵀd over active d, where coefficients that
// are zero may only move with their sign (except under LAR). Each round costs one entering column
// and a new direction. A tie of far more columns than MaxTerms allows is not resolved completely:
// the path ends there in any case.
func (f *follower) resolve(ctx context.Context, ties []tie) error {
	slices.SortFunc(ties, func(a, b tie) int { return int(a.term) - int(b.term) })
	a := f.active
	for i := range a.fresh {
		a.fresh[i] = false
	}
	f.entered = f.entered[:0]
	a.solve()
	for {
		at := f.overshooting(ties)
		if at < 0 {
			break
		}
		k := len(a.terms)
		if f.opt.MaxTerms > 0 && k > 2*f.opt.MaxTerms+64 {
			return nil
		}
		if err := f.worked(ctx, k*k+len(ties)*64); err != nil {
			return err
		}
		j := &ties[at]
		if !a.enter(j.term, f.weight(*j)) {
			j.done = true
			f.exclude(j.term)
			continue
		}
		f.state[j.term] = isActive
		f.entered = append(f.entered, j.term)
		f.before = append(f.before[:0], a.d...) // with 0 for the newest
		a.solve()
		if !f.opt.LAR {
			f.backtrack(ties)
		}
	}
	// Columns that stay at the bound along the direction may be dependent on those that entered.
	for i, w := range f.slopes(ties, func(t tie) bool { return f.state[t.term] == isFree }) {
		if j := ties[i].term; w > -1e-8 {
			if _, _, ratio := a.project(int(j)); !(ratio > dependence) {
				f.exclude(j)
			}
		}
	}
	return nil
}

// weight is the tied column's correlation in units of λ: its sign up to rounding, which corrections
// of nearly dependent coefficients have spread to this column. Following the bound times this
// weight, in place of the bound, costs the conditions about 1e-10 of λ at every knot; a correction
// to the bound itself would move the new coefficient by the rounding divided by the square of its
// distance from dependence, and all correlations with it.
func (f *follower) weight(t tie) float64 {
	w := f.c.dot(int(t.term), f.r) / f.lambda
	if math.Abs(t.sign*w-1) < 1e-6 {
		return w
	}
	return t.sign
}

// slopes are 1 − s·x_jᵀu, the rates at which the bound approaches the correlations of those columns
// that count, and −∞ for the others: one sum of the ranks for all of them.
func (f *follower) slopes(ties []tie, counts func(tie) bool) []float64 {
	all := make([]float64, len(ties))
	var terms []int32
	var at []int
	for i, t := range ties {
		if all[i] = math.Inf(-1); counts(t) {
			terms, at = append(terms, t.term), append(at, i)
		}
	}
	dots := make([]float64, len(terms))
	f.c.dotAll(terms, f.active.u, dots)
	for k, i := range at {
		all[i] = 1 - ties[i].sign*dots[k]
	}
	return all
}

// overshooting is the tied column of the largest slope, the lower index among equals, or -1.
func (f *follower) overshooting(ties []tie) int {
	at, most := -1, 0.0
	for i, w := range f.slopes(ties, func(t tie) bool { return !t.done && f.state[t.term] == isFree }) {
		if at < 0 && w > inward || at >= 0 && w > most+1e-9*max(1, most) {
			at, most = i, w
		}
	}
	return at
}

// backtrack is the inner loop of Lawson and Hanson's non-negative least squares: while a
// coefficient that is zero would move against its sign, or not at all, go from the former direction
// only as far as none does, and remove those that blocked it. The objective falls in every round,
// so no set recurs.
func (f *follower) backtrack(ties []tie) {
	a := f.active
	newest := a.terms[len(a.terms)-1]
	for {
		still := 0.0
		for i, j := range a.terms {
			still = max(still, 1e-13*math.Abs(a.d[i])*f.c.norm[j])
		}
		stops := func(i int, d float64) bool { return a.fresh[i] && a.s[i]*d*f.c.norm[a.terms[i]] <= still }
		share, first := 1.0, -1
		for i := range a.terms {
			if stops(i, a.d[i]) {
				reach := 1.0
				if now, was := a.s[i]*a.d[i], max(0, a.s[i]*f.before[i]); now < 0 {
					reach = was / (was - now)
				}
				if first < 0 || reach < share {
					share, first = reach, i
				}
			}
		}
		if first < 0 {
			return
		}
		for i := range a.terms {
			f.before[i] += share * (a.d[i] - f.before[i])
		}
		for i := len(a.terms) - 1; i >= 0; i-- {
			if i != first && !(stops(i, a.d[i]) && stops(i, f.before[i])) {
				continue
			}
			j := a.terms[i]
			f.before = append(f.before[:i], f.before[i+1:]...)
			f.remove(i)
			f.entered = slices.DeleteFunc(f.entered, func(t int32) bool { return t == j })
			if j == newest { // rounding only: a column that overshoots moves with its sign
				for t := range ties {
					ties[t].done = ties[t].done || ties[t].term == j
				}
			}
		}
		a.solve()
	}
}

// remove makes the active column at place i free, at the bound.
func (f *follower) remove(i int) {
	j := f.active.terms[i]
	f.active.leave(i)
	f.state[j] = isFree
	f.refer(int(j), f.lambda)
}

// part leaves the columns of the highest indices out of a tie that exceeds MaxTerms, to the end of
// the path, and resolves the rest of the tie.
func (f *follower) part(ctx context.Context, all []tie) error {
	a, most := f.active, f.opt.MaxTerms
	old := len(a.terms) - len(f.entered)
	if most == 0 || len(a.terms) <= most || old >= most {
		return nil
	}
	entered := slices.Sorted(slices.Values(f.entered))
	var ties []tie
	for i := len(a.terms) - 1; i >= 0; i-- {
		j := a.terms[i]
		at, found := slices.BinarySearch(entered, j)
		if !found {
			continue
		}
		sign := a.s[i]
		f.remove(i)
		if at < most-old {
			ties = append(ties, tie{term: j, sign: sign})
			continue
		}
		f.state[j] = isConstant
		f.path.Parted = append(f.path.Parted, j)
	}
	if err := f.resolve(ctx, ties); err != nil {
		return err
	}
	held := func(t tie) bool { return f.state[t.term] == isFree || f.state[t.term] == isExcluded }
	for i, w := range f.slopes(all, held) { // what those kept out had held back
		if w > inward {
			f.state[all[i].term] = isConstant
			f.path.Parted = append(f.path.Parted, all[i].term)
		}
	}
	slices.Sort(f.path.Parted)
	return nil
}

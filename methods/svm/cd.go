package svm

import (
	"context"
	"fmt"
	"math"
)

// NotConvergedError says that the margin's conditions still fail by more than the tolerance.
type NotConvergedError struct {
	Sweeps    int
	Violation float64 // largest gradient that points into the box
	Tol       float64
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("the support vector machine was not solved after %d sweeps: the margin's conditions fail by %.2g, the tolerance is %.2g; lower ‹c›, scale the data, or in a program allow more sweeps or a larger tolerance",
		e.Sweeps, e.Violation, e.Tol)
}

// Reached returns the sweeps made, the largest violation and the tolerance.
func (e *NotConvergedError) Reached() (iterations int, residual, tol float64) {
	return e.Sweeps, e.Violation, e.Tol
}

const (
	// closer is the share of the tolerance that descent aims at. The violation is measured at the
	// worst row, but the gap between the objectives is a sum over all rows. On TDT2 it is twice
	// LIBLINEAR's at 1, and below LIBLINEAR's at 0.3.
	closer = 0.3
	// inner is the share of what the last look found to which the active rows are solved before the
	// next look. On TDT2 0.03 and 0.3 need as many visits.
	inner = 0.1
)

// descend is coordinate descent with w kept. It visits the active rows only, and those with large
// gradients among them more often. When they are solved, it looks at the others, and ends if none
// of them fails its condition.
//
// With a free b, f = w·x + centre + ρ·Σβ, and the centre follows b whenever the rest is solved more
// closely than Σβ = 0 is (Hestenes' method of multipliers). ρ is the mean squared length of the
// rows, so that b moves at the pace of the terms' weights; recentre says when it is larger.
func (m *Machine) descend(ctx context.Context, tol float64) error {
	free := m.t.opt.Bias == Free
	if !free {
		m.centre = 0
	}
	m.before = math.Inf(1)
	d := m.newDescent()
	aim := closer * tol
	found, limit := math.Inf(1), math.Inf(1)
	budget := steps(m.t.opt.MaxIter, max(1, len(d.all)))
	for first := m.visits; m.visits-first < budget; {
		worst, err := d.sweep(ctx, limit)
		if err != nil {
			return err
		}
		off := 0.0 // by how much the centre is not b
		if free {
			off = math.Abs(m.length * m.sum)
		}
		if worst > max(aim, inner*found, 0.3*off) {
			limit = worst
			if err := d.hot(ctx, max(warm*worst, cool*aim)); err != nil {
				return err
			}
			continue
		}
		if off > aim && worst <= max(aim, 0.3*off) {
			m.recentre()
		}
		out, err := d.look(ctx)
		if err != nil {
			return err
		}
		limit, found = math.Inf(1), max(worst, out)
		if !(found <= aim) || off > aim { // not a number is no end
			continue
		}
		if free && !m.balanced() { // ρ·Σβ is small if rows are short or costs small
			m.recentre()
			continue
		}
		m.bias = m.centre + m.length*m.sum
		if free {
			m.centre = m.middle(d.all, m.bias)
			m.bias = m.centre
		}
		m.state = d.state
		return nil
	}
	// The aim is below the tolerance, and worst covers only the active rows of the last sweep.
	worst, err := d.look(ctx)
	if err != nil {
		return err
	}
	m.bias = m.centre + m.length*m.sum
	if free {
		worst = max(worst, math.Abs(m.length*m.sum))
	}
	m.state = d.state
	if worst <= tol && (!free || m.balanced()) {
		if free {
			m.centre = m.middle(d.all, m.bias)
			m.bias = m.centre
		}
		return nil
	}
	return &NotConvergedError{Sweeps: m.t.opt.MaxIter, Violation: worst, Tol: tol}
}

// recentre moves the centre to b. If Σβ is far from 0 and has not halved since the last time, b
// would move too slowly, and ρ grows: while all β are at their bounds, b may have a long way to go.
// If Σβ has fallen to a tenth, b is near, and ρ is set by the rows again: beside a ρ far above
// their squared lengths sweeps are too slow to move β along what leaves Σβ unchanged.
func (m *Machine) recentre() {
	m.centre += m.length * m.sum
	switch sum := math.Abs(m.sum); {
	case sum <= 0.1*m.before:
		m.length = m.least
	case sum > 0.5*m.before && !m.balanced():
		m.length *= 10
	}
	m.before = math.Abs(m.sum)
}

// balanced says whether Σβ = 0 holds to a hundredth of Σ|β|, or to an amount that is negligible
// beside the examples' costs: if all targets are the same, Σ|β| is |Σβ|.
func (m *Machine) balanced() bool {
	total, costs := 0.0, 0.0
	for i, b := range m.beta {
		total += math.Abs(b)
		costs += m.cost[i]
	}
	return !(math.Abs(m.sum) > max(0.01*total, 1e-4*costs)) || math.IsInf(10*m.length, 1)
}

// middle is the b that smo would choose if no coordinate is inside its box, so that the conditions
// leave it a range: the middle of the range, or its one end. Else it is b.
func (m *Machine) middle(all []int32, b float64) float64 {
	up, low := math.Inf(-1), math.Inf(1)
	for _, i := range all {
		if m.beta[i] > m.lo[i] && m.beta[i] < m.hi[i] {
			return b
		}
	}
	for _, i := range all {
		v := -m.slope(int(i), m.dot(int(i)))
		if m.beta[i] < m.hi[i] {
			up = max(up, v)
		}
		if m.beta[i] > m.lo[i] {
			low = min(low, v)
		}
	}
	if up > low { // within the tolerance
		return b
	}
	return between(up, low, b)
}

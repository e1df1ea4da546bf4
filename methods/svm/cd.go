package svm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// NotConvergedError says that the margin's conditions still fail by more than the tolerance.
type NotConvergedError struct {
	Sweeps    int
	Violation float64 // largest gradient that points into the box
	Tol       float64
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("the support vector machine was not solved after %d sweeps: the margin's conditions fail by %.2g, the tolerance is %.2g; allow more sweeps or a larger tolerance, lower the costs, or scale the data",
		e.Sweeps, e.Violation, e.Tol)
}

// Reached returns the sweeps made, the largest violation and the tolerance.
func (e *NotConvergedError) Reached() (iterations int, residual, tol float64) {
	return e.Sweeps, e.Violation, e.Tol
}

// unshrink is the share of the worst violation of the last full sweep at which those left out come
// back. On TDT2 a thousandth took 11 to 15 % fewer visits than a tenth.
const unshrink = 1e-3

// orderStream keeps the orders of coordinate descent apart from other uses of a seed.
const orderStream = 0x73766d6f72640000

// descend is coordinate descent with w kept. A coordinate at a bound whose gradient is beyond the
// worst violation of the last sweep is left out (shrinking) until the others are solved to the
// tolerance, as in LIBLINEAR, or to [unshrink] of what the last full sweep found: with a small
// tolerance the others would take long if the wrong ones are left out.
//
// With a free b, f = w·x + centre + ρ·Σβ, and the centre follows b whenever the rest is solved more
// closely than Σβ = 0 is (Hestenes' method of multipliers). ρ is the mean squared length of the
// rows, so that b moves at the pace of the terms' weights; it grows if Σβ stays far from 0.
func (m *Machine) descend(ctx context.Context, tol float64) error {
	free := m.t.opt.Bias == Free
	if !free {
		m.centre = 0
	}
	rng := rand.New(rand.NewPCG(m.t.opt.Seed, orderStream+m.stream))
	var all []int32
	for i, lo := range m.lo {
		if lo < m.hi[i] {
			all = append(all, int32(i))
		}
	}
	active := all
	every := max(1, (1<<18)/m.t.data.Work()) // examples between two looks at the context
	m.before = math.Inf(1)
	limit, worst, full := math.Inf(1), math.Inf(1), math.Inf(1)
	for range m.t.opt.MaxIter {
		rng.Shuffle(len(active), func(a, b int) { active[a], active[b] = active[b], active[a] })
		var count int
		var err error
		if count, worst, err = m.sweep(ctx, active, limit, every); err != nil {
			return err
		}
		m.swept()
		if len(active) == len(all) {
			full = worst
		}
		active = active[:count]
		off := 0.0 // by how much the centre is not b
		if free {
			off = math.Abs(m.length * m.sum)
		}
		shrunk := count < len(all)
		if worst > max(tol, 0.3*off) && !(shrunk && worst <= unshrink*full) {
			if !m.whole {
				limit = worst
			}
			continue
		}
		if !shrunk && worst <= tol && off <= tol {
			if free && !m.balanced() { // ρ·Σβ is small if rows are short or costs small
				m.recentre()
				limit = math.Inf(1)
				continue
			}
			m.bias = m.centre + m.length*m.sum
			if free {
				m.centre = m.middle(all, m.bias)
				m.bias = m.centre
			}
			return nil
		}
		if worst <= max(tol, 0.3*off) && off > tol {
			m.recentre()
		}
		active, limit = all, math.Inf(1)
	}
	m.bias = m.centre + m.length*m.sum
	return &NotConvergedError{Sweeps: m.t.opt.MaxIter, Violation: max(worst, math.Abs(m.length*m.sum)), Tol: tol}
}

// sweep minimises over one coordinate after the other. Those at a bound whose gradient is beyond
// limit are left out and go behind the first count. worst is the largest gradient that pointed into
// the box; every is the number of examples between two looks at the context.
func (m *Machine) sweep(ctx context.Context, active []int32, limit float64, every int) (count int, worst float64, err error) {
	count = len(active)
	for s := 0; s < count; s++ {
		if s%every == 0 {
			if err := ctx.Err(); err != nil {
				return count, worst, err
			}
		}
		i := int(active[s])
		b := m.beta[i]
		g := m.slope(i, m.dot(i)+m.centre+m.length*m.sum)
		if b <= m.lo[i] && g > limit || b >= m.hi[i] && g < -limit {
			count--
			active[s], active[count] = active[count], active[s]
			s--
			continue
		}
		pg := m.inward(i, g)
		if pg == 0 {
			continue
		}
		worst = max(worst, math.Abs(pg))
		q := m.t.data.SqNorm[i] + m.length
		if m.diag != nil {
			q += m.diag[i]
		}
		to := min(max(b-g/q, m.lo[i]), m.hi[i]) // q = 0: straight to the bound
		if d := to - b; d != 0 {
			m.beta[i] = to
			m.sum += d
			m.axpy(i, d)
		}
	}
	return count, worst, nil
}

// recentre moves the centre to b. If Σβ is far from 0 and has not halved since the last time, b
// would move too slowly, and ρ grows.
func (m *Machine) recentre() {
	m.centre += m.length * m.sum
	if math.Abs(m.sum) > 0.5*m.before && !m.balanced() {
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

package svm

import (
	"context"
	"math"
	"slices"
)

// flat replaces a curvature of zero, relative to K_ii + K_jj.
const flat = 1e-12

// pairwise is sequential minimal optimisation: of the two coordinates, the first is the one that
// breaks its condition most, the second the one with which the objective falls most (Fan, Chen and
// Lin 2005, WSS 2). A step is two passes over the rows, 8 flops a row, and at most two rows of the
// kernel.
func (m *Machine) pairwise(ctx context.Context, tol float64) error {
	n := len(m.beta)
	diag := m.t.gram.diag
	tiny := max(flat*flat*slices.Max(diag), math.SmallestNonzeroFloat64)
	gap := math.Inf(1)
	every := m.patience()
	i, up, low := m.advance(0, nil, nil)
	for step := range steps(m.t.opt.MaxIter, n) {
		if step%n == 0 {
			m.swept()
		}
		if step%every == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if gap = up - low; i < 0 || !(gap > tol) {
			m.bias = m.offset(up, low)
			return nil
		}
		row := m.t.gram.row(i)
		j, width := m.partner(i, up, tiny, row)
		if j < 0 {
			m.t.gram.done(i)
			break // the gain underflows
		}
		from, to := m.beta[i], m.beta[j]
		d := min(width, m.hi[i]-from, to-m.lo[j])
		m.beta[i], m.beta[j] = from+d, to-d
		if d == m.hi[i]-from {
			m.beta[i] = m.hi[i]
		}
		if d == to-m.lo[j] {
			m.beta[j] = m.lo[j]
		}
		first, other := i, m.t.gram.row(j)
		i, up, low = m.advance(d, row, other)
		m.t.gram.done(first)
		m.t.gram.done(j)
	}
	if gap <= tol {
		return nil
	}
	m.bias = m.offset(math.Inf(-1), math.Inf(1))
	return &NotConvergedError{Sweeps: m.t.opt.MaxIter, Violation: gap, Tol: tol}
}

// advance adds d·(row − other) to Kβ, if d is not 0, and returns the coordinate below its upper end
// with the largest −g, that −g, and the least −g of the coordinates above their lower ends.
func (m *Machine) advance(d float64, row, other []float64) (i int, up, low float64) {
	i, up, low = -1, math.Inf(-1), math.Inf(1)
	f := m.f
	if d != 0 {
		row, other = row[:len(f)], other[:len(f)]
	}
	y, beta, lo, hi := m.y[:len(f)], m.beta[:len(f)], m.lo[:len(f)], m.hi[:len(f)]
	for k, v := range f {
		if d != 0 {
			v += d * (row[k] - other[k])
			f[k] = v
		}
		v = y[k] - v
		b := beta[k]
		if m.diag != nil {
			v -= m.diag[k] * b
		}
		if v > up && b < hi[k] {
			i, up = k, v
		}
		if v < low && b > lo[k] {
			low = v
		}
	}
	return i, up, low
}

// partner returns the coordinate above its lower end with which a step of coordinate i, of this row
// of the kernel and of −g = up, lowers the objective most, and how long the step is without a box;
// −1 if there is none.
func (m *Machine) partner(i int, up, tiny float64, row []float64) (j int, width float64) {
	f, diag := m.f, m.t.gram.diag
	row, diag = row[:len(f)], diag[:len(f)]
	y, beta, lo := m.y[:len(f)], m.beta[:len(f)], m.lo[:len(f)]
	own, best := diag[i], 0.0
	j = -1
	for k, v := range f {
		b := beta[k]
		if b <= lo[k] {
			continue
		}
		diff := up + (v - y[k])
		if m.diag != nil {
			diff = up + m.slope(k, v)
		}
		if diff <= 0 {
			continue
		}
		a := own + diag[k] - 2*row[k]
		if m.diag != nil {
			a += m.diag[i] + m.diag[k]
		}
		a = max(a, flat*(own+diag[k]), tiny)
		if gain := diff / a * diff; gain > best {
			j, best, width = k, gain, diff/a
		}
	}
	return j, width
}

// patience is how many steps may pass between two looks at the context: a million multiplications,
// but one step if it makes rows of the kernel.
func (m *Machine) patience() int {
	if m.t.gram.whole == nil {
		return 1
	}
	return max(1, (1<<20)/len(m.beta))
}

// steps is sweeps·n, or the largest number.
func steps(sweeps, n int) int {
	if sweeps > math.MaxInt/n {
		return math.MaxInt
	}
	return sweeps * n
}

// offset is b: the mean of −g over coordinates inside their boxes; if there are none, the middle of
// the range that the conditions allow, or its finite end.
func (m *Machine) offset(up, low float64) float64 {
	sum, inside := 0.0, 0
	for k, f := range m.f {
		if m.beta[k] > m.lo[k] && m.beta[k] < m.hi[k] {
			sum -= m.slope(k, f)
			inside++
		}
	}
	if inside > 0 {
		return sum / float64(inside)
	}
	return between(up, low, 0)
}

// between is the middle of [up, low], its finite end, or b if neither is finite.
func between(up, low, b float64) float64 {
	switch {
	case !math.IsInf(up, 0) && !math.IsInf(low, 0):
		return up/2 + low/2
	case !math.IsInf(up, 0):
		return up
	case !math.IsInf(low, 0):
		return low
	}
	return b
}

// single moves one coordinate per step, the one whose move lowers the objective most: the machine
// without a free b.
func (m *Machine) single(ctx context.Context, tol float64) error {
	n := len(m.beta)
	diag := m.t.gram.diag
	sum := 0.0
	for _, b := range m.beta {
		sum += b
	}
	worst := math.Inf(1)
	every := m.patience()
	for step := range steps(m.t.opt.MaxIter, n) {
		if step%n == 0 {
			m.swept()
		}
		if step%every == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		i, best, to := -1, 0.0, 0.0
		worst = 0
		m.bias = m.length * sum
		for k, f := range m.f {
			g := m.inward(k, m.slope(k, f+m.bias))
			if g == 0 {
				continue
			}
			worst = max(worst, math.Abs(g))
			q := diag[k] + m.length
			if m.diag != nil {
				q += m.diag[k]
			}
			next := min(max(m.beta[k]-g/q, m.lo[k]), m.hi[k])
			d := next - m.beta[k]
			if gain := -d * (g + q*d/2); gain > best {
				i, best, to = k, gain, next
			}
		}
		if worst <= tol {
			return nil
		}
		if i < 0 {
			break
		}
		d := to - m.beta[i]
		m.beta[i], sum = to, sum+d
		row := m.t.gram.row(i)
		for k, v := range row {
			m.f[k] += d * v
		}
		m.t.gram.done(i)
	}
	return &NotConvergedError{Sweeps: m.t.opt.MaxIter, Violation: worst, Tol: tol}
}

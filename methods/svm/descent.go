package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// orderStream keeps the orders of coordinate descent apart from other uses of a seed.
const orderStream = 0x73766d6f72640000

const (
	// warm is the share of the worst gradient of a sweep above which hot visits rows again. On TDT2
	// 0.2 needs a third more visits, 0.02 as many.
	warm = 0.05
	// cool is the same in shares of the aim, for the last sweeps. At 1 the visits are 1.6 times as
	// many.
	cool = 0.25
	// rounds bounds how often hot visits a row between two sweeps.
	rounds = 20
)

// descent is the state of one coordinate descent. Memory: 28 bytes per row, 8 per column.
type descent struct {
	m      *Machine
	rng    *rand.Rand
	every  int       // visits between two looks at the context
	all    []int32   // the rows whose boxes are not points, in ascending order
	active []int32   // those that are visited
	again  []int32   // those that hot visits
	grad   []float64 // |gradient into the box| of each row at its last visit
	state  *screen
}

// newDescent begins with the rows that look finds if the machine was solved before, else with all
// if β ≠ 0, else with a random part of them: the first rows move w far, and what others would add
// is soon taken back.
func (m *Machine) newDescent() *descent {
	n := m.t.data.N
	d := &descent{m: m, every: max(1, (1<<18)/m.t.data.Work()), grad: make([]float64, n)}
	d.rng = rand.New(rand.NewPCG(m.t.opt.Seed, orderStream+m.stream))
	for i, lo := range m.lo {
		if lo < m.hi[i] {
			d.all = append(d.all, int32(i))
		}
	}
	if d.state, m.state = m.state, nil; d.state != nil {
		for _, i := range d.all {
			if !(d.state.slack[i] > 0) {
				d.active = append(d.active, i)
			}
		}
		return d
	}
	d.state = newScreen(n, len(m.w))
	d.active = slices.Clone(d.all)
	if !m.whole && !slices.ContainsFunc(m.beta, func(b float64) bool { return b != 0 }) {
		d.shuffle(d.active)
		d.active = d.active[:(len(d.active)+2)/3]
	}
	return d
}

// shuffle draws an order: one draw and one exchange per row.
func (d *descent) shuffle(list []int32) {
	for k := len(list) - 1; k > 0; k-- {
		j := int(d.rng.Uint64() >> 32 * uint64(k+1) >> 32)
		list[k], list[j] = list[j], list[k]
	}
}

// visit minimises over coordinate i, and returns its gradient before, and as much of it as pointed
// into the box. 2 flops per entry of the row, 4 if the coordinate moves.
func (d *descent) visit(i int) (g, inward float64) {
	m := d.m
	b := m.beta[i]
	g = m.slope(i, m.dot(i)+m.centre+m.length*m.sum)
	if inward = m.inward(i, g); inward == 0 {
		return g, 0
	}
	q := m.t.data.SqNorm[i] + m.length
	if m.diag != nil {
		q += m.diag[i]
	}
	to := min(max(b-g/q, m.lo[i]), m.hi[i]) // q = 0: straight to the bound
	if e := to - b; e != 0 {
		m.beta[i] = to
		m.sum += e
		m.axpy(i, e)
	}
	return g, inward
}

// sweep visits the active rows once, in random order. Rows at a bound whose gradient is beyond
// limit, the worst of the last sweep, are left out until the next look (shrinking, as in
// LIBLINEAR). worst is the largest gradient that pointed into the box. The next row is fetched
// while one is visited: if rows come from memory, a visit then takes half of the time.
func (d *descent) sweep(ctx context.Context, limit float64) (worst float64, err error) {
	d.shuffle(d.active)
	kept := d.active[:0]
	for s, i := range d.active {
		if s%d.every == 0 && ctx.Err() != nil {
			return worst, ctx.Err()
		}
		if s+1 < len(d.active) {
			d.m.fetch(int(d.active[s+1]))
		}
		g, inward := d.visit(int(i))
		d.grad[i] = math.Abs(inward)
		worst = max(worst, d.grad[i])
		if inward != 0 || math.Abs(g) <= limit || d.m.whole {
			kept = append(kept, i)
		}
	}
	d.m.visited(len(d.active))
	d.active = kept
	return worst, nil
}

// hot visits the active rows whose gradients were above the bound until they are not. After some
// sweeps most gradients are far below the worst ones, which belong to a few rows that are nearly
// alike and move slowly.
func (d *descent) hot(ctx context.Context, bound float64) error {
	if d.m.whole {
		return nil
	}
	d.again = d.again[:0]
	for _, i := range d.active {
		if d.grad[i] > bound {
			d.again = append(d.again, i)
		}
	}
	for range rounds {
		if len(d.again) == 0 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		d.shuffle(d.again)
		left := d.again[:0]
		for s, i := range d.again {
			if s+1 < len(d.again) {
				d.m.fetch(int(d.again[s+1]))
			}
			if _, inward := d.visit(int(i)); math.Abs(inward) > bound {
				left = append(left, i)
			}
		}
		d.m.visited(len(d.again))
		d.again = left
	}
	return nil
}

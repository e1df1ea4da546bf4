package svm

import (
	"context"
	"math"
)

// screen knows which rows outside the active set cannot fail their conditions. A row at a bound
// whose gradient g points out of the box keeps doing so until its value f has moved by |g|, and f
// moves by at most ‖x‖·‖w − w'‖ + |b − b'| from w', b' to w, b.
type screen struct {
	slack []float64 // of each row: by how much f may still move. 0: look at it
	w     []float64 // w and b for which slack holds
	b     float64
}

// rounding covers what rounding adds to ‖w − w'‖, relative to the lengths.
const rounding = 1e-9

func newScreen(n, d int) *screen {
	return &screen{slack: make([]float64, n), w: make([]float64, d)}
}

// move brings the screen to another w and b, and returns by how much w and b moved.
func (s *screen) move(w []float64, b float64) (length, shift float64) {
	square, size := 0.0, 0.0
	for j, v := range w {
		e := v - s.w[j]
		square += e * e
		size += v * v
		s.w[j] = v
	}
	shift = math.Abs(b-s.b) + rounding*math.Abs(b)
	s.b = b
	return math.Sqrt(square) + rounding*math.Sqrt(size), shift
}

// spend takes from the slack of a row of this squared length what a move of w and b may have
// changed f by.
func (s *screen) spend(i int, square, length, shift float64) {
	if s.slack[i] > 0 {
		s.slack[i] -= math.Sqrt(square)*length + shift
	}
}

// spare is by how much f may move before row i with gradient g fails its condition: 0 inside the
// box and where the gradient points into it.
func (m *Machine) spare(i int, g float64) float64 {
	if v := m.beta[i]; v > m.lo[i] && v < m.hi[i] || m.inward(i, g) != 0 {
		return 0
	}
	return math.Abs(g)
}

// look makes the rows active that are inside their boxes or whose gradient points into them. It
// returns the largest gradient that points into the box. It skips rows that the screen excludes: 2
// flops per entry of the others, and one pass over w.
func (d *descent) look(ctx context.Context) (worst float64, err error) {
	m, s := d.m, d.state
	b := m.centre + m.length*m.sum
	length, shift := s.move(m.w, b)
	for _, i := range d.active {
		s.slack[i] = 0
	}
	d.active = d.active[:0]
	looked := 1
	for _, i := range d.all {
		if s.spend(int(i), m.t.data.SqNorm[i], length, shift); s.slack[i] > 0 && !m.whole {
			continue
		}
		if looked%d.every == 0 && ctx.Err() != nil {
			return worst, ctx.Err()
		}
		looked++
		g := m.slope(int(i), m.dot(int(i))+b)
		worst = max(worst, math.Abs(m.inward(int(i), g)))
		if s.slack[i] = m.spare(int(i), g); s.slack[i] == 0 || m.whole {
			d.active = append(d.active, i)
		}
	}
	m.visited(looked)
	return worst, nil
}

package nmf

import (
	"context"
	"math"
)

// Lin's constants: the ratio of steps β, the share σ of the decrease that the gradient predicts,
// and his program's limits on steps per subproblem and tries per step.
const (
	stepRatio      = 0.1
	sufficient     = 0.01
	subproblemMost = 1000
	triesMost      = 20
	outerLoosest   = 1e-3 // first tolerance of the subproblems relative to the start's gradient
)

// projectedGradient lowers the side's objective by projected gradients until their norm is below
// s.tol (Lin 2007, algorithm 4). The step that a subproblem ends with is the first that the next
// one tries; Lin begins at 1 each time. stalled says that no step lowers the objective any more.
func (w *workspace) projectedGradient(ctx context.Context, s *side, gram block) (stalled bool, err error) {
	if math.Sqrt(s.pg) < s.tol {
		s.tol *= 0.1 // solved before it began: the tolerance is too loose by now
		return false, nil
	}
	for range subproblemMost {
		chosen, err := w.search(ctx, s, gram)
		if err != nil || chosen < 0 {
			return chosen < 0, err
		}
		if err := w.accept(ctx, s, chosen); err != nil {
			return false, err
		}
		if math.Sqrt(s.pg) < s.tol {
			break
		}
	}
	return false, nil
}

// search finds a step: if the first try is good the step grows while it stays good, else it shrinks
// until it is. It returns the candidate that has it, -1 for none.
func (w *workspace) search(ctx context.Context, s *side, gram block) (int, error) {
	good, _, err := w.try(ctx, s, gram, 0)
	if err != nil {
		return 0, err
	}
	at := 0
	grow := good
	for range triesMost - 1 {
		if !grow && good {
			return at, nil
		}
		if !grow {
			s.alpha *= stepRatio
			if good, _, err = w.try(ctx, s, gram, 0); err != nil {
				return 0, err
			}
			continue
		}
		s.alpha /= stepRatio
		better, same, err := w.try(ctx, s, gram, 1-at)
		if err != nil {
			return 0, err
		}
		if !better || same {
			return at, nil
		}
		at = 1 - at
	}
	if !good {
		s.alpha = 1
		return -1, nil
	}
	return at, nil
}

// try computes candidate at for the step s.alpha: D = max(F − α·g, 0) − F and D·G. good is Lin's
// condition (1−σ)·⟨g, D⟩ + ½⟨D, D·G⟩ < 0 (eq. 17), same says that both candidates are equal. 2·k²
// flops per row, and 32·k bytes.
func (w *workspace) try(ctx context.Context, s *side, gram block, at int) (good, same bool, err error) {
	c, o := w.candidate[at], w.candidate[1-at]
	alpha := s.alpha
	sum, err := w.over(ctx, s, func(_, lo, hi int, out *partial) {
		a, b := lo*w.width, hi*w.width
		f, g, d, dg := s.f.Data[a:b], s.g.Data[a:b], c.d[a:b], c.dg[a:b]
		out.a = step(d, f, g, alpha)
		timesGram(block{Rows: hi - lo, Cols: w.k, Stride: w.width, Data: d}, gram, block{Rows: hi - lo, Cols: w.k, Stride: w.width, Data: dg})
		out.b = dot(d, dg)
		out.flag = differ(d, o.d[a:b])
	})
	return (1-sufficient)*sum.a+0.5*sum.b < 0, !sum.flag, err
}

// step sets d = max(f − α·g, 0) − f and returns ⟨g, d⟩. ½(v + |v|) is max(v, 0) without a branch,
// exactly.
func step(d, f, g []float64, alpha float64) float64 {
	var s0, s1, s2, s3 float64
	for len(d) >= 4 && len(f) >= 4 && len(g) >= 4 {
		d4, f4, g4 := (*[4]float64)(d), (*[4]float64)(f), (*[4]float64)(g)
		v0, v1, v2, v3 := f4[0]-alpha*g4[0], f4[1]-alpha*g4[1], f4[2]-alpha*g4[2], f4[3]-alpha*g4[3]
		v0 = 0.5*(v0+math.Abs(v0)) - f4[0]
		v1 = 0.5*(v1+math.Abs(v1)) - f4[1]
		v2 = 0.5*(v2+math.Abs(v2)) - f4[2]
		v3 = 0.5*(v3+math.Abs(v3)) - f4[3]
		d4[0], d4[1], d4[2], d4[3] = v0, v1, v2, v3
		s0 += g4[0] * v0
		s1 += g4[1] * v1
		s2 += g4[2] * v2
		s3 += g4[3] * v3
		d, f, g = d[4:], f[4:], g[4:]
	}
	return (s0 + s1) + (s2 + s3)
}

func differ(a, b []float64) bool {
	b = b[:len(a)]
	for i, v := range a {
		if v != b[i] {
			return true
		}
	}
	return false
}

// accept takes the step of a candidate: F += D, g += D·G. D ≥ −F, and rounding is monotone: F stays
// ≥ 0.
func (w *workspace) accept(ctx context.Context, s *side, at int) error {
	c := w.candidate[at]
	sum, err := w.over(ctx, s, func(_, lo, hi int, out *partial) {
		a, b := lo*w.width, hi*w.width
		f, g, d, dg := s.f.Data[a:b], s.g.Data[a:b], c.d[a:b], c.dg[a:b]
		out.a = move(f, g, d, dg)
	})
	s.pg = sum.a
	return err
}

// move adds d to f and dg to g and returns projectedSquare of them.
func move(f, g, d, dg []float64) float64 {
	var s0, s1 float64
	for len(f) >= 2 && len(g) >= 2 && len(d) >= 2 && len(dg) >= 2 {
		f2, g2, d2, dg2 := (*[2]float64)(f), (*[2]float64)(g), (*[2]float64)(d), (*[2]float64)(dg)
		u0, u1, v0, v1 := f2[0]+d2[0], f2[1]+d2[1], g2[0]+dg2[0], g2[1]+dg2[1]
		f2[0], f2[1], g2[0], g2[1] = u0, u1, v0, v1
		p0, p1 := projected(u0, v0), projected(u1, v1)
		s0 += p0 * p0
		s1 += p1 * p1
		f, g, d, dg = f[2:], g[2:], d[2:], dg[2:]
	}
	return s0 + s1
}

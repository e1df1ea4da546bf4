package nmf

import "context"

// tiny is the value below which the multiplicative updates set an entry to zero: factors of data of
// size 1 shrink towards it without end, through numbers that processors handle slowly.
const tiny = 1e-64

// multiplicative is one multiplicative update F ← F ∘ P / (F·G) (Lee and Seung 2001, theorem 1),
// and with measured the gradient after it. If the denominator is zero, so is the entry or its
// factor, and it stays. 2·k² flops per row, and 2·k² for the gradient.
func (w *workspace) multiplicative(ctx context.Context, s *side, gram block, measured bool) error {
	_, err := w.over(ctx, s, func(worker, lo, hi int, _ *partial) {
		fg := part(w.scratch[worker], 0, hi-lo)
		timesGram(part(s.f, lo, hi), gram, fg)
		f, p, q := values(s.f, lo, hi), values(s.p, lo, hi), fg.Data
		p, q = p[:len(f)], q[:len(f)]
		for i, v := range f {
			if q[i] <= 0 {
				continue
			}
			// v/q is at most 1/G_jj: nothing overflows.
			if v = v / q[i] * p[i]; v < tiny {
				v = 0
			}
			f[i] = v
		}
	})
	if err != nil || !measured {
		return err
	}
	return w.gradient(ctx, s, gram, true)
}

// Gillis and Glineur's rule for repeated sweeps (2012, section 4): they end when one changes the
// factor less than this share of the first, or when they cost half as much as the products.
const (
	halsShare = 0.1
	halsCost  = 0.5
)

// hals sweeps over the topics: F_j ← max(0, F_j − g_j/G_jj), and updates g. Rows do not depend on
// each other, so a chunk of them goes through all its sweeps in cache. 2·k flops for each entry
// that changes; the kernel also takes them for entries beside it that do not. With measured the
// norm of the projected gradient is known afterwards.
func (w *workspace) hals(ctx context.Context, s *side, gram block, measured bool) error {
	from, to := s.whole()
	w.widen(gram)
	sum, err := w.overRows(ctx, s, from, to, func(worker, lo, hi int, out *partial) {
		w.sweeps(worker, s, lo, hi, gram)
		if measured {
			out.a = projectedSquare(values(s.f, lo, hi), values(s.g, lo, hi))
		}
	})
	if err != nil {
		return err
	}
	if sum.a += w.sweepCuts(s, gram); measured {
		s.pg = s.joined(sum).a
	}
	return nil
}

// sweep is one sweep over the rows [lo, hi); it returns the squared change.
func (w *workspace) sweep(s *side, lo, hi int, gram block) float64 {
	change := 0.0
	for i := lo; i < hi; i++ {
		change += halsRow(s.f.Data[i*s.f.Stride:][:w.k], s.g.Data[i*s.g.Stride:][:w.k], gram)
	}
	return change
}

// halsRow minimises over one entry of a row after the other and returns the squared change.
func halsRow(f, g []float64, gram block) float64 {
	change := 0.0
	for j, v := range f {
		slope := g[j]
		if v == 0 && slope >= 0 {
			continue
		}
		row := gram.Data[j*gram.Stride:][:len(f)]
		if row[j] <= 0 {
			continue
		}
		to := v - slope/row[j]
		if to < tiny {
			to = 0
		}
		d := to - v
		if d == 0 {
			continue
		}
		f[j] = to
		change += float64(d * d)
		g := g[:len(row)]
		for t, c := range row {
			g[t] += float64(d * c)
		}
	}
	return change
}

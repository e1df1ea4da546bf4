package gmm

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

// firstRaise is the ridge, relative to the mean variance, that a component without a ridge gets
// when it needs one.
const firstRaise = 1e-10

// mostRaises bounds how often a ridge is raised, the first one by 1e40, before another cause is
// assumed.
const mostRaises = 40

// finish divides the sums in the blocks by the counts, adds the ridge, factors, and raises the
// ridge of blocks that need it.
func (e *Estimator) finish(ctx context.Context, counts []float64, m *Mixture) error {
	least := make([]float64, e.d)
	for j, v := range e.variances {
		// If the values of a column are equal, its variance is the rounding of a mean.
		rounding := 8 * 0x1p-52 * e.largest[j]
		if least[j] = max(leastVariance*v, rounding*rounding); m.Type == Spherical {
			least[j] = leastVariance * e.variance
		}
	}
	panels := e.scratch.of(parallel.Workers(m.blocks(), 1), e.d)
	return parallel.For(ctx, m.blocks(), 1, func(worker, b, _ int) error {
		count := counts[b]
		switch {
		case m.Type != Tied && m.Lost[b]:
			e.setLost(m, b)
		default:
			e.divide(m, b, count)
		}
		for raised := 0; m.compute(ctx, panels[worker].engine, b, least) != nil; raised++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			if raised == mostRaises {
				return invalid.Errorf("the covariance of component %d (counted from 0) cannot be computed: divide the data by a constant, or choose another ‹ridge›", b)
			}
			e.raise(m, b, count)
		}
		return e.conclude(ctx, m, b, count, panels[worker])
	})
}

// setLost makes block b s²·I.
func (e *Estimator) setLost(m *Mixture, b int) {
	block := m.block(b)
	clear(block)
	step := 1
	if m.dense() {
		step = e.d + 1
	}
	for i := 0; i < len(block); i += step {
		block[i] = e.variance
	}
}

// divide turns the sums of block b into (sum + ν·s²·I)/(count + ν), or sum/count + a·I.
func (e *Estimator) divide(m *Mixture, b int, count float64) {
	block, level := m.block(b), m.level[b]
	by, add := count+level, level*e.variance/(count+level)
	if e.opt.RidgeKind == RidgeAbsolute {
		by, add = count, level
	}
	switch m.Type {
	case Spherical:
		s := 0.0
		for _, v := range e.accumulator(m, b, 0) {
			s += v
		}
		block[0] = s/float64(e.d)/by + add
	case Diagonal:
		for j, v := range e.accumulator(m, b, 0) {
			block[j] = v/by + add
		}
	default:
		for i := range e.d {
			row := block[i*e.d+i : (i+1)*e.d]
			for j := range row {
				row[j] /= by
			}
			row[0] += add
		}
	}
}

// compute prepares block b for the densities. errSingular leaves the covariance as it was.
// Variances must exceed least.
func (m *Mixture) compute(ctx context.Context, engine native.Engine, b int, least []float64) error {
	if m.dense() {
		return m.factor(b).compute(ctx, engine, least)
	}
	block := m.block(b)
	inverse := m.pivot[b*len(block):]
	for j, v := range block {
		if inverse[j] = 1 / v; !(v > least[j]) || math.IsInf(inverse[j], 1) || math.IsInf(v, 1) {
			return errSingular
		}
	}
	return nil
}

// logDet is log|Σ| of block b.
func (m *Mixture) logDet(b int) float64 {
	switch m.Type {
	case Spherical:
		return float64(m.d) * math.Log(m.cov[b])
	case Diagonal:
		s := 0.0
		for _, v := range m.block(b) {
			s += math.Log(v)
		}
		return s
	}
	return m.factor(b).logDet()
}

// traceInverse is s²·tr Σ⁻¹ of block b: for tiny data neither factor alone is a finite number.
func (m *Mixture) traceInverse(ctx context.Context, square float64, b int, p *panel) (float64, error) {
	switch m.Type {
	case Spherical:
		return float64(m.d) * (square * m.pivot[b]), nil
	case Diagonal:
		s := 0.0
		for _, v := range m.pivot[b*m.d : (b+1)*m.d] {
			s += square * v
		}
		return s, nil
	}
	return m.factor(b).traceInverse(ctx, math.Sqrt(square), p)
}

// of returns the components of block b: [first, last).
func (m *Mixture) of(b int) (first, last int) {
	if m.Type == Tied {
		return 0, m.k
	}
	return b, b + 1
}

func (m *Mixture) setLogNorm(b int, logDet float64) {
	first, last := m.of(b)
	for k := first; k < last; k++ {
		m.logNorm[k] = -(float64(m.d)*math.Log(2*math.Pi) + logDet) / 2
	}
}

// raise multiplies the ridge of block b by ten and changes its covariance accordingly.
func (e *Estimator) raise(m *Mixture, b int, count float64) {
	block, old := m.block(b), m.level[b]
	var scale, add float64
	if e.opt.RidgeKind == RidgeAbsolute {
		m.level[b] = max(10*old, firstRaise*e.variance)
		scale, add = 1, m.level[b]-old
	} else {
		m.level[b] = max(10*old, firstRaise*e.share())
		scale, add = (count+old)/(count+m.level[b]), (m.level[b]-old)*e.variance/(count+m.level[b])
	}
	if !m.dense() {
		for j := range block {
			block[j] = block[j]*scale + add
		}
		return
	}
	for i := range e.d {
		row := block[i*e.d+i : (i+1)*e.d]
		for j := range row {
			row[j] *= scale
		}
		row[0] += add
	}
}

// conclude sets the values that follow from the covariance of block b: normaliser, penalty, and the
// ridge that the model reports.
func (e *Estimator) conclude(ctx context.Context, m *Mixture, b int, count float64, p *panel) error {
	logDet := m.logDet(b)
	m.setLogNorm(b, logDet)
	m.penalty[b] = 0
	ridge := m.level[b]
	if e.opt.RidgeKind == RidgePrior {
		if ridge > 0 {
			trace, err := m.traceInverse(ctx, e.variance, b, p)
			if err != nil {
				return err
			}
			m.penalty[b] = ridge / 2 * (logDet + trace)
		}
		ridge *= e.variance / (count + ridge)
	}
	first, last := m.of(b)
	for k := first; k < last; k++ {
		m.Ridge[k], m.Raised[k] = ridge, m.level[b] > e.level()
		if m.Lost[k] && m.Type != Tied {
			m.Ridge[k] = e.variance
		}
	}
	return nil
}

// Notes reports which components of a fit to n rows had their ridge raised or were lost, and
// covariances of more columns than a component has rows if the prior is none to speak of.
func (m *Mixture) Notes(o progress.Observer, n int) {
	if m.level[0] < 1 && (m.Type == Full && n < m.d*m.k || m.Type == Tied && n < m.d) {
		o.Warnf(stage, "Covariances of %d columns from %d rows and %d components are singular but for the ridge, which then makes most of likelihood and BIC: reduce the columns, or choose covariance %q.",
			m.d, n, m.k, string(Diagonal))
	}
	raised, lost := which(m.Raised), which(m.Lost)
	if len(raised) > 0 {
		top := 0.0
		for _, k := range raised {
			top = max(top, m.Ridge[k])
		}
		o.Warnf(stage, "The covariances of %d of %d components (%s) were too near to singular ones: their ridge was raised, up to %.3g.",
			len(raised), m.k, list(raised), top)
	}
	if len(lost) > 0 {
		o.Warnf(stage, "%d of %d components (%s) lost all their rows and take no part any more.", len(lost), m.k, list(lost))
	}
}

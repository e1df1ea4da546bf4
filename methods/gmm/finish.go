package gmm

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/progress"
)

// firstRaise is the ridge, relative to the mean variance, that a component without one is given when it needs it.
const firstRaise = 1e-10

// mostRaises is how often a ridge is raised before something else must be wrong: the first one by 1e40.
const mostRaises = 40

// finish divides the sums in the blocks by the counts, adds the ridge, factors, and raises the ridge of blocks that need it.
func (e *Estimator) finish(ctx context.Context, counts []float64, m *Mixture) error {
	least := make([]float64, e.d)
	for j, v := range e.variances {
		least[j] = leastVariance * v
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
		for raised := 0; e.compute(m, b, least) != nil; raised++ {
			if raised == mostRaises {
				return invalid.Errorf("the covariance of component %d (counted from 0) cannot be computed: divide the data by a constant, or choose another ridge than %v", b, e.opt.Ridge)
			}
			e.raise(m, b, count)
		}
		e.conclude(m, b, count, panels[worker])
		return nil
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

// compute makes what the densities need of block b. errSingular leaves the covariance as it was.
func (e *Estimator) compute(m *Mixture, b int, least []float64) error {
	if m.dense() {
		return m.factor(b).compute(e.scratch.panels[0].engine, least)
	}
	block, inverse := m.block(b), m.pivot[b*len(m.pivot)/m.k:]
	for j, v := range block {
		floor := least[j]
		if m.Type == Spherical {
			floor = leastVariance * e.variance
		}
		if inverse[j] = 1 / v; !(v > floor) || math.IsInf(inverse[j], 1) {
			return errSingular
		}
	}
	return nil
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

// conclude sets what follows from the covariance of block b: normaliser, penalty, and what the model tells of its ridge.
func (e *Estimator) conclude(m *Mixture, b int, count float64, p *panel) {
	var logDet, trace float64
	prior := e.opt.RidgeKind == RidgePrior && m.level[b] > 0
	switch m.Type {
	case Spherical:
		logDet, trace = float64(e.d)*math.Log(m.cov[b]), float64(e.d)*m.pivot[b]
	case Diagonal:
		for j, v := range m.block(b) {
			logDet += math.Log(v)
			trace += m.pivot[b*e.d+j]
		}
	default:
		f := m.factor(b)
		logDet = f.logDet()
		if prior {
			trace = f.traceInverse(p)
		}
	}
	m.penalty[b] = 0
	ridge := m.level[b]
	if e.opt.RidgeKind == RidgePrior {
		if prior {
			m.penalty[b] = m.level[b] / 2 * (logDet + e.variance*trace)
		}
		ridge = m.level[b] * e.variance / (count + m.level[b])
	}
	first, last := b, b+1
	if m.Type == Tied {
		first, last = 0, m.k
	}
	for k := first; k < last; k++ {
		m.logNorm[k] = -(float64(e.d)*math.Log(2*math.Pi) + logDet) / 2
		m.Ridge[k] = ridge
		m.Raised[k] = m.level[b] > e.level()
		if m.Lost[k] && m.Type != Tied {
			m.Ridge[k] = e.variance
		}
	}
}

// Tell notes which components had their ridge raised or were lost.
func (m *Mixture) Tell(o progress.Observer) {
	raised, lost := which(m.Raised), which(m.Lost)
	if len(raised) > 0 {
		top := 0.0
		for _, k := range raised {
			top = max(top, m.Ridge[k])
		}
		o.Notef(stage, "The covariances of %d of %d components (%s) were too near to singular ones: their ridge was raised, up to %.3g.",
			len(raised), m.k, list(raised), top)
	}
	if len(lost) > 0 {
		o.Notef(stage, "%d of %d components (%s) lost all their rows and take no part any more.", len(lost), m.k, list(lost))
	}
}

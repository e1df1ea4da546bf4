package gmm

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const (
	// lost is the sum of responsibilities below which a component is lost.
	lost = 1e-12
	// wantedTasks is the least number of tasks that the covariances are cut into, if memory allows.
	wantedTasks = 16
)

// MStep fills m with the weights, means and covariances, eq. (13)-(15) and the ridge, that belong
// to the responsibilities, n×K, finite and not negative; rows need not sum to one. Cost: n·d² flops
// per component with full covariances, for the rows whose responsibility is not zero. m keeps the
// ridges that were raised in it before. Ranks that divide the rows call it together, each with the
// responsibilities of its own rows; the mixture is fitted to all rows.
func (e *Estimator) MStep(ctx context.Context, responsibilities *mat.Dense, m *Mixture) error {
	ctx, _ = e.opt.Share.Watch(ctx)
	for b := range m.level {
		m.level[b] = max(m.level[b], e.level())
	}
	counts, err := e.sums(ctx, responsibilities, m)
	if err != nil {
		return err
	}
	err = ranks.Agree(e.opt.Share, e.finish(ctx, counts, m))
	e.opt.Share.Share(m.level)
	return err
}

// sums fills m with weights and means, and its blocks with the sums r·(x−µ)(x−µ)ᵀ (of diagonals the
// first accumulators). It returns the sum of responsibilities of each block.
func (e *Estimator) sums(ctx context.Context, responsibilities *mat.Dense, m *Mixture) ([]float64, error) {
	r, err := e.posteriorData(m, responsibilities)
	if err != nil {
		return nil, err
	}
	counts, active, err := e.tally(ctx, r)
	if err = rows.Agreed(e.opt.Share, err); err != nil {
		return nil, err
	}
	e.opt.Share.Sum(counts)
	total := 0.0
	for _, c := range counts {
		total += c
	}
	if total < lost || math.IsInf(total, 1) {
		return nil, invalid.Errorf("the responsibilities sum to %v: they must be finite and not all zero", total)
	}
	if err := e.means(ctx, r, counts, m); err != nil {
		return nil, err
	}
	for k, c := range counts {
		m.Weights[k], m.Lost[k] = c/total, c < lost
		if m.Lost[k] {
			m.Weights[k] = 0
			copy(m.mean(k), e.mean)
		}
	}
	if m.Type == Tied {
		return []float64{total}, e.scatterTied(ctx, r, m)
	}
	return counts, e.scatter(ctx, r, active, m)
}

// tally sums the responsibilities of each component, counts those that are not zero, and takes
// hints from the greatest of each row.
func (e *Estimator) tally(ctx context.Context, r []float64) (counts []float64, active []int, err error) {
	k := e.opt.K
	if e.hint == nil {
		e.hint = make([]int32, e.n)
	}
	step := max(grain(8*k), (e.n+63)/64) // at most 64 partial sums
	chunks := parallel.Chunks(e.n, step)
	sums, nonzero := make([]float64, chunks*k), make([]int, chunks*k)
	err = parallel.For(ctx, e.n, step, func(_, lo, hi int) error {
		sum, positive := sums[lo/step*k:][:k], nonzero[lo/step*k:][:k]
		for i := lo; i < hi; i++ {
			best := 0
			row := r[i*k : (i+1)*k]
			for j, v := range row {
				if v > 0 && v <= math.MaxFloat64 {
					sum[j] += v
					positive[j]++
					if v > row[best] {
						best = j
					}
				} else if v-v != 0 {
					return &sparse.NotFiniteError{Row: i, Col: j, Value: v}
				} else if v < 0 {
					return invalid.Errorf("the responsibility of row %d for component %d (counted from 0) is %v: it must not be negative", i, j, v)
				}
			}
			e.hint[i] = int32(best)
		}
		return nil
	})
	counts, active = make([]float64, k), make([]int, k)
	for c := range chunks {
		for j := range k {
			counts[j] += sums[c*k+j]
			active[j] += nonzero[c*k+j]
		}
	}
	return counts, active, err
}

// meansWork is the number of multiplications after which means looks at the context: some 20 ms.
const meansWork = 1 << 29

// means sets m.Means to Rᵀ·X with its rows divided by the counts. 2·n·K·d flops. A product of many
// rows is cut into parts of them by package native, which the cores share.
func (e *Estimator) means(ctx context.Context, r, counts []float64, m *Mixture) error {
	step := max(4096, meansWork/max(1, m.k*e.d))
	to := m.Means.RawMatrix()
	for lo := 0; lo < e.n; lo += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, beta := min(step, e.n-lo), 1.0
		if lo == 0 {
			beta = 0
		}
		native.Default().Gemm(blas.Trans, blas.NoTrans, 1, part(r[lo*m.k:], rows, m.k, m.k), part(e.x.Data[lo*e.x.Stride:], rows, e.d, e.x.Stride), beta, to)
	}
	e.opt.Share.Sum(to.Data)
	for k, c := range counts {
		mean := m.mean(k)
		for j := range mean {
			mean[j] /= c
		}
	}
	return nil
}

// segments is the number of ranges of rows that the sum over the rows of one block is cut into, so
// that there are enough tasks for the cores: at most as many as keep all partial sums together no
// larger than x.
func segments(n, d int, opt Options) int {
	b := int64(blocksOf(opt))
	most := int64(n) * int64(d) / (b * opt.blockLen(d))
	return int(max(1, min(most, (wantedTasks+b-1)/b)))
}

// partialBlocks is the number of accumulators besides the blocks of the mixture, which serve as the
// first ones of dense covariances.
func partialBlocks(n, d int, opt Options) int {
	s := segments(n, d, opt)
	if opt.Covariance == Full || opt.Covariance == Tied {
		s--
	}
	return s * blocksOf(opt)
}

// accumulator returns the sums of segment s of block b.
func (e *Estimator) accumulator(m *Mixture, b, s int) []float64 {
	if m.dense() {
		if s == 0 {
			return m.block(b)
		}
		s--
	}
	if e.partials == nil {
		e.partials = make([]float64, int64(partialBlocks(e.n, e.d, e.opt))*e.opt.blockLen(e.d))
	}
	size := int(e.opt.blockLen(e.d))
	at := (s*m.blocks() + b) * size
	return e.partials[at : at+size : at+size]
}

// forSegments calls body for every segment of every block on all cores, the blocks in the given
// order, and adds the segments of each block to the first in their order, and then the first of all
// ranks.
func (e *Estimator) forSegments(ctx context.Context, m *Mixture, order []int, body func(p *panel, b, lo, hi int, sum []float64) error) error {
	s := segments(e.n, e.d, e.opt)
	length := parallel.Chunks(e.n, s)
	tasks := len(order) * s
	e.accumulator(m, 0, min(1, s-1)) // made before the goroutines need it
	panels := e.scratch.of(parallel.Workers(tasks, 1), e.d)
	err := parallel.For(ctx, tasks, 1, func(worker, t, _ int) error {
		b, at := order[t/s], t%s
		sum := e.accumulator(m, b, at)
		clear(sum)
		return body(panels[worker], b, min(at*length, e.n), min((at+1)*length, e.n), sum)
	})
	if err != nil {
		return err
	}
	err = parallel.For(ctx, m.blocks(), 1, func(_, b, _ int) error {
		sum := e.accumulator(m, b, 0)
		for at := 1; at < s; at++ {
			for j, v := range e.accumulator(m, b, at) {
				sum[j] += v
			}
		}
		return nil
	})
	if m.dense() {
		e.opt.Share.Sum(m.cov)
	} else {
		e.opt.Share.Sum(e.partials[:m.blocks()*e.d])
	}
	return err
}

// scatter sums r·(x−µ)(x−µ)ᵀ over the rows, or its diagonal, for each component: syrk of panels of
// rows scaled by √r.
func (e *Estimator) scatter(ctx context.Context, r []float64, active []int, m *Mixture) error {
	// Components of many rows first, so that the cores finish together.
	order := indices.Falling(active)
	return e.forSegments(ctx, m, order, func(p *panel, k, lo, hi int, sum []float64) error {
		if m.Lost[k] {
			return nil
		}
		mean := m.mean(k)
		rows := e.newRows(ctx, p, sum)
		for i := lo; i < hi; i++ {
			weight := r[i*m.k+k]
			if weight == 0 {
				continue
			}
			x := e.x.Data[i*e.x.Stride:][:e.d]
			if !m.dense() {
				addSquares(sum, x, mean, weight)
				continue
			}
			scaledDifference(rows.next(), x, mean, math.Sqrt(weight))
			if err := rows.full(); err != nil {
				return err
			}
		}
		return rows.flush()
	})
}

// scatterTied sums over all components at once. With w_i = Σ_k r_ik and m_i = Σ_k r_ik µ_k / w_i,
//
//	Σ_k r_ik (x_i−µ_k)(x_i−µ_k)ᵀ = w_i (x_i−m_i)(x_i−m_i)ᵀ
//	    + Σ_{k<l} (r_ik r_il / w_i) (µ_k−µ_l)(µ_k−µ_l)ᵀ:
//
// n rows and K²/2 for all i together instead of n·K, and only sums of squares, so nothing cancels.
func (e *Estimator) scatterTied(ctx context.Context, r []float64, m *Mixture) error {
	k, d := m.k, e.d
	err := e.forSegments(ctx, m, []int{0}, func(p *panel, _, lo, hi int, sum []float64) error {
		rows := e.newRows(ctx, p, sum)
		mean := make([]float64, d)
		for i := lo; i < hi; i++ {
			w := 0.0
			clear(mean)
			for j, v := range r[i*k : (i+1)*k] {
				if v > 0 {
					w += v
					for t, u := range m.mean(j) {
						mean[t] += v * u
					}
				}
			}
			if w == 0 {
				continue
			}
			for t := range mean {
				mean[t] /= w
			}
			scaledDifference(rows.next(), e.x.Data[i*e.x.Stride:][:d], mean, math.Sqrt(w))
			if err := rows.full(); err != nil {
				return err
			}
		}
		return rows.flush()
	})
	if err != nil {
		return err
	}
	shared, err := e.shared(ctx, r)
	if err != nil {
		return err
	}
	rows := e.newRows(ctx, e.scratch.of(1, d)[0], m.block(0))
	for i := range k {
		for j := i + 1; j < k; j++ {
			if a := shared[i*k+j]; a > 0 {
				scaledDifference(rows.next(), m.mean(i), m.mean(j), math.Sqrt(a))
				if err := rows.full(); err != nil {
					return err
				}
			}
		}
	}
	return rows.flush()
}

// shared is Σ_i r_i r_iᵀ / w_i over the rows of all ranks, K×K, upper triangle. n·K² flops.
func (e *Estimator) shared(ctx context.Context, r []float64) ([]float64, error) {
	const step = 1024
	k := e.opt.K
	a, scaled := make([]float64, k*k), make([]float64, min(step, e.n)*k)
	for lo := 0; lo < e.n; lo += step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(step, e.n-lo)
		for i := range rows {
			row, to := r[(lo+i)*k:][:k], scaled[i*k:][:k]
			w := 0.0
			for _, v := range row {
				w += v
			}
			scale := 0.0
			if w > 0 {
				scale = 1 / math.Sqrt(w)
			}
			for j, v := range row {
				to[j] = v * scale
			}
		}
		native.Default().Syrk(blas.Trans, 1, part(scaled, rows, k, k), 1, blas64.Symmetric{N: k, Stride: k, Data: a, Uplo: blas.Upper})
	}
	e.opt.Share.Sum(a)
	return a, nil
}

// gathered collects rows in a panel and adds their products to a sum when it is full.
type gathered struct {
	ctx  context.Context
	p    *panel
	most int
	sum  []float64
}

func (e *Estimator) newRows(ctx context.Context, p *panel, sum []float64) *gathered {
	p.n = 0
	return &gathered{ctx, p, syrkRows(e.d), sum}
}

func (r *gathered) next() []float64 {
	r.p.n++
	return r.p.data[(r.p.n-1)*r.p.d : r.p.n*r.p.d]
}

func (r *gathered) full() error {
	if r.p.n < r.most {
		return nil
	}
	return r.flush()
}

func (r *gathered) flush() error {
	if r.p.n > 0 {
		d := r.p.d
		r.p.engine.Syrk(blas.Trans, 1, part(r.p.data, r.p.n, d, d), 1, blas64.Symmetric{N: d, Stride: d, Data: r.sum, Uplo: blas.Upper})
		r.p.n = 0
	}
	return r.ctx.Err()
}

// scaledDifference sets dst = s·(x−c).
func scaledDifference(dst, x, c []float64, s float64) {
	x, c = x[:len(dst)], c[:len(dst)]
	for j := range dst {
		dst[j] = s * (x[j] - c[j])
	}
}

// addSquares adds s·(x−c)² to sum.
func addSquares(sum, x, c []float64, s float64) {
	x, c = x[:len(sum)], c[:len(sum)]
	for j := range sum {
		u := x[j] - c[j]
		sum[j] += s * u * u
	}
}

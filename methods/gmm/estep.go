package gmm

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
)

// joint sets out, n×K, to log(α_k·p_k(x_i)); components of weight 0 give −∞. With hints, one
// component per row, it also gives −∞ if the posterior is negligible (see never) relative to the
// hinted component's.
func (m *Mixture) joint(ctx context.Context, s *scratch, x blas64.General, hint []int32, out []float64) error {
	switch m.Type {
	case Full:
		return m.jointFull(ctx, s, x, hint, out)
	case Tied:
		return m.jointTied(ctx, s, x, out)
	}
	return m.jointDiagonal(ctx, x, out)
}

// constant is log α_k − ½(d·log 2π + log|Σ_k|), −∞ for a lost component.
func (m *Mixture) constant(k int) float64 { return math.Log(m.Weights[k]) + m.logNorm[k] }

// stretch is rows [lo, hi) of an order, for component k.
type stretch struct{ k, lo, hi int }

// jointFull takes the component outermost: its factor stays in cache while panels of rows pass.
// With hints, every row is first evaluated for its hinted component, and then for the others with
// that value as a reference.
func (m *Mixture) jointFull(ctx context.Context, s *scratch, x blas64.General, hint []int32, out []float64) error {
	n, step := x.Rows, solveRows(m.d)
	panels := s.of(parallel.Workers(m.k*parallel.Chunks(n, step), 1), m.d)
	if hint != nil {
		order, tasks := byHint(hint, m.k, step)
		err := parallel.For(ctx, len(tasks), 1, func(worker, t, _ int) error {
			p, task := panels[worker], tasks[t]
			p.n = copy(p.id, order[task.lo:task.hi])
			p.bounded = false
			m.measure(p, task.k, x, out)
			return nil
		})
		if err != nil {
			return err
		}
	}
	chunks := parallel.Chunks(n, step)
	return parallel.For(ctx, m.k*chunks, 1, func(worker, t, _ int) error {
		k, lo := t/chunks, t%chunks*step
		p, constant := panels[worker], m.constant(k)
		p.n, p.bounded = 0, hint != nil
		for i := lo; i < min(lo+step, n); i++ {
			limit := math.Inf(1)
			if hint != nil {
				if int(hint[i]) == k {
					continue
				}
				limit = limitFor(constant, out[i*m.k+int(hint[i])])
			}
			out[i*m.k+k] = math.Inf(-1)
			if limit >= 0 {
				p.id[p.n], p.limit[p.n] = int32(i), limit
				p.n++
			}
		}
		m.measure(p, k, x, out)
		return nil
	})
}

// measure sets out for the rows of p and component k; rows that drop out keep the value that is
// there.
func (m *Mixture) measure(p *panel, k int, x blas64.General, out []float64) {
	constant := m.constant(k)
	if m.Weights[k] == 0 {
		for _, i := range p.id[:p.n] {
			out[int(i)*m.k+k] = math.Inf(-1)
		}
		return
	}
	p.mahalanobis(m.factor(k), &source{x, m.mean(k)})
	for r, i := range p.id[:p.n] {
		out[int(i)*m.k+k] = constant - p.q[r]/2
	}
}

// byHint lists the rows by the component they are hinted to, and cuts each component's into
// stretches.
func byHint(hint []int32, k, step int) (order []int32, tasks []stretch) {
	begin := make([]int, k+1)
	for _, h := range hint {
		begin[h+1]++
	}
	for j := range k {
		begin[j+1] += begin[j]
	}
	next := append([]int(nil), begin...)
	order = make([]int32, len(hint))
	for i, h := range hint {
		order[next[h]] = int32(i)
		next[h]++
	}
	for j := range k {
		for lo := begin[j]; lo < begin[j+1]; lo += step {
			tasks = append(tasks, stretch{j, lo, min(lo+step, begin[j+1])})
		}
	}
	return order, tasks
}

// jointTied whitens every row once and measures plain distances to the whitened means.
func (m *Mixture) jointTied(ctx context.Context, s *scratch, x blas64.General, out []float64) error {
	n, k, d, step := x.Rows, m.k, m.d, solveRows(m.d)
	panels := s.of(parallel.Workers(n, step), d)
	f, centre := m.factor(0), m.mean(0)
	whiten := func(p *panel, rows blas64.General, lo, hi int) {
		p.n, p.bounded = hi-lo, false
		for r := range p.n {
			p.id[r] = int32(lo + r)
		}
		p.mahalanobis(f, &source{rows, centre})
	}
	means := make([]float64, k*d)
	for lo := 0; lo < k; lo += panels[0].rows {
		hi := min(lo+panels[0].rows, k)
		whiten(panels[0], m.Means.RawMatrix(), lo, hi)
		copy(means[lo*d:], panels[0].data[:(hi-lo)*d])
	}
	return parallel.For(ctx, n, step, func(worker, lo, hi int) error {
		p := panels[worker]
		whiten(p, x, lo, hi)
		for i := lo; i < hi; i++ {
			row := p.data[(i-lo)*d : (i-lo+1)*d]
			for j := range k {
				out[i*k+j] = m.constant(j) - sqDist(row, means[j*d:(j+1)*d])/2
			}
		}
		return nil
	})
}

func (m *Mixture) jointDiagonal(ctx context.Context, x blas64.General, out []float64) error {
	k, d := m.k, m.d
	return parallel.For(ctx, x.Rows, grain(k*d), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := x.Data[i*x.Stride:][:d]
			for j := range k {
				var q float64
				if m.Type == Diagonal {
					q = weightedSqDist(row, m.mean(j), m.pivot[j*d:(j+1)*d])
				} else {
					q = sqDist(row, m.mean(j)) * m.pivot[j]
				}
				out[i*k+j] = m.constant(j) - q/2
			}
		}
		return nil
	})
}

// grain is how many rows of so many multiplications make a task of about a tenth of a millisecond:
// enough tasks for many cores, each long beside handing it out.
func grain(work int) int { return max(1, min(4096, (1<<17)/max(1, work))) }

func sqDist(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1 float64
	t := 0
	for ; t+1 < len(a); t += 2 {
		u, v := a[t]-b[t], a[t+1]-b[t+1]
		s0 += u * u
		s1 += v * v
	}
	if t < len(a) {
		u := a[t] - b[t]
		s0 += u * u
	}
	return s0 + s1
}

func weightedSqDist(a, b, w []float64) float64 {
	b, w = b[:len(a)], w[:len(a)]
	var s0, s1 float64
	t := 0
	for ; t+1 < len(a); t += 2 {
		u, v := a[t]-b[t], a[t+1]-b[t+1]
		s0 += u * u * w[t]
		s1 += v * v * w[t+1]
	}
	if t < len(a) {
		u := a[t] - b[t]
		s0 += u * u * w[t]
	}
	return s0 + s1
}

// normalise turns rows of joint log-densities into posteriors, eq. (8), by subtracting the largest
// first; those below never become zero. It returns the sum of the rows' log-densities; rows, if it
// is not nil, gets each of them. A row for which every density underflows gets the weights.
func normalise(ctx context.Context, joint, weights []float64, rows []float64) (float64, error) {
	k := len(weights)
	n := len(joint) / k
	step := grain(20 * k)
	sums := make([]float64, parallel.Chunks(n, step))
	err := parallel.For(ctx, n, step, func(_, lo, hi int) error {
		total := 0.0
		for i := lo; i < hi; i++ {
			row := joint[i*k : (i+1)*k]
			top := math.Inf(-1)
			for _, v := range row {
				top = max(top, v)
			}
			if math.IsInf(top, -1) {
				copy(row, weights)
			} else {
				sum := 0.0
				for j, v := range row {
					if v -= top; v > never {
						v = math.Exp(v)
						sum += v
					} else {
						v = 0
					}
					row[j] = v
				}
				for j := range row {
					row[j] /= sum
				}
				top += math.Log(sum)
			}
			total += top
			if rows != nil {
				rows[i] = top
			}
		}
		sums[lo/step] = total
		return nil
	})
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total, err
}

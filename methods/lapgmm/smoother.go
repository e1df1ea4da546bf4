package lapgmm

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const (
	// seriesTol bounds the sum of the coefficients that the series of a fixed point leaves out.
	seriesTol = 1e-9
	// fixedTol bounds how much a step of the iteration may still change an entry of a fixed point.
	// Entries below it are set to zero.
	fixedTol = 1e-8
)

// smoother spreads posteriors over a graph. It owns scratch memory and is not safe for concurrent
// use.
type smoother struct {
	g    *graph.Graph
	near near
	walk *sparse.CSR // M = D⁻¹W, rows of isolated nodes empty; columns as in near.w

	before, now, next blas64.General
	products          int // with blocks of K columns
}

func newSmoother(g *graph.Graph, k int) *smoother {
	n := g.W.NumRows
	near := newNear(g)
	walk := near.w.Clone()
	for i, d := range g.Degrees {
		_, w := walk.Row(i)
		for e := range w {
			w[e] /= d // at most 1, while 1/d may overflow
		}
	}
	block := func() blas64.General { return mat.NewDense(n, k, nil).RawMatrix() }
	return &smoother{g: g, near: near, walk: walk, before: block(), now: block(), next: block()}
}

// series is (1−γ)·(1 − γt)⁻¹ = Σ_d c_d T_d(t) on [−1, 1], for 0 < γ < 1: with ρ = γ/(1 + √(1−γ²)),
// c_0 = (1−γ)/√(1−γ²), c_d = 2ρ^d·c_0.
type series struct {
	rho, c float64 // c is the next coefficient
	degree int     // after it the coefficients sum to less than seriesTol
}

func newSeries(gamma float64) series {
	root := math.Sqrt((1 - gamma) * (1 + gamma))
	s := series{rho: gamma / (1 + root), c: (1 - gamma) / root}
	s.degree = max(1, int(math.Ceil(math.Log(seriesTol*(1-s.rho)/(2*s.c))/math.Log(s.rho)))-1)
	return s
}

// restart sets to[j] to the fixed point of F ← (1−γ_j)·P + γ_j·D⁻¹W·F, for 0 < γ_j < 1: F = (1−γ)(1
// − γM)⁻¹P, random walks from every point that stop with probability 1−γ at each step. M = D⁻¹W has
// its eigenvalues in [−1, 1], so all γ_j share the vectors T_d(M)·P: as many products as the
// largest γ takes (16 for 0.5, 44 for 0.9, 146 for 0.99), while the plain iteration takes
// ln(1e-9)/ln γ (30, 197, 2,062). A product is 2·nnz·K flops. Rows of F stay not negative with sum
// 1; isolated points keep their rows of P.
//
// The coefficients bound the error in the norm that weighs points by their degrees. If degrees fall
// by orders of magnitude from neighbour to neighbour, the values of points of low degree may be far
// off: steps of the iteration itself, a contraction by γ in the largest entry, then go on until one
// changes no entry by more than fixedTol. Graphs of weights 0 and 1 need a single one, as a check.
func (s *smoother) restart(ctx context.Context, p *mat.Dense, gamma []float64, to []*mat.Dense) error {
	ctx, _ = s.near.share.Watch(ctx)
	n, k := p.Dims()
	all := make([]series, len(gamma))
	degree := 0
	for j, g := range gamma {
		all[j] = newSeries(g)
		degree = max(degree, all[j].degree)
	}
	source := p.RawMatrix()
	// T_0 P = P, T_1 P = M P, T_d P = 2·M·T_{d−1}P − T_{d−2}P.
	before, now, next := s.before, s.now, s.next
	for d := 0; d <= degree; d++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d > 0 {
			s.multiply(next, now)
		}
		var active []int
		for j := range all {
			if d <= all[j].degree {
				active = append(active, j)
			}
		}
		err := parallel.For(ctx, n, rowsFor(k*(2+len(active))), func(_, lo, hi int) error {
			term := next.Data[lo*k : hi*k]
			switch {
			case d == 0:
				copy(term, source.Data[lo*k:hi*k])
			case d > 1:
				for i, old := range before.Data[lo*k : hi*k] {
					term[i] = 2*term[i] - old
				}
			}
			for _, j := range active {
				sum, c := to[j].RawMatrix().Data[lo*k:hi*k], all[j].c
				if d == 0 {
					for i, v := range term {
						sum[i] = c * v
					}
					continue
				}
				for i, v := range term {
					sum[i] += c * v
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, j := range active {
			if all[j].c *= all[j].rho; d == 0 {
				all[j].c *= 2
			}
		}
		before, now, next = now, next, before
	}
	for j, f := range to {
		for change := 1.0; change > fixedTol; {
			var err error
			if change, err = s.improve(ctx, p, gamma[j], f); err != nil {
				return err
			}
		}
		if err := s.settle(ctx, p, f, fixedTol); err != nil {
			return err
		}
	}
	return nil
}

// improve is a step of the iteration whose fixed point f is to be, from f with its entries limited
// to [0, 1]. It returns the largest change, of the points of all ranks.
func (s *smoother) improve(ctx context.Context, p *mat.Dense, gamma float64, f *mat.Dense) (change float64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	n, k := p.Dims()
	source, data := p.RawMatrix().Data, f.RawMatrix().Data
	grain := rowsFor(3 * k)
	err = parallel.For(ctx, n, grain, func(_, lo, hi int) error {
		for i, v := range data[lo*k : hi*k] {
			data[lo*k+i] = min(max(v, 0), 1)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	s.multiply(s.next, f.RawMatrix())
	largest := make([]float64, parallel.Chunks(n, grain))
	err = parallel.For(ctx, n, grain, func(_, lo, hi int) error {
		top := 0.0
		for i := lo * k; i < hi*k; i++ {
			v := (1-gamma)*source[i] + gamma*s.next.Data[i]
			top = max(top, math.Abs(v-data[i]))
			data[i] = v
		}
		largest[lo/grain] = top
		return nil
	})
	all := []float64{slices.Max(largest)}
	ranks.Largest(s.near.share, all)
	return all[0], err
}

// step sets to = (1−γ)·P + γ·D⁻¹W·P, eq. (12) once for every point. to is not p.
func (s *smoother) step(ctx context.Context, p *mat.Dense, gamma float64, to *mat.Dense) error {
	ctx, _ = s.near.share.Watch(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	n, k := p.Dims()
	from, out := p.RawMatrix().Data, to.RawMatrix()
	s.multiply(out, p.RawMatrix())
	err := parallel.For(ctx, n, rowsFor(3*k), func(_, lo, hi int) error {
		for i := lo * k; i < hi*k; i++ {
			out.Data[i] = (1-gamma)*from[i] + gamma*out.Data[i]
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.settle(ctx, p, to, 0)
}

func (s *smoother) multiply(dst, x blas64.General) {
	s.walk.MulBlock(dst, s.near.rows(x))
	s.products++
}

// settle normalises rows of f that are probabilities except for rounding, and drops entries below
// least; isolated points get their rows of p.
func (s *smoother) settle(ctx context.Context, p, f *mat.Dense, least float64) error {
	n, k := f.Dims()
	data := f.RawMatrix().Data
	err := parallel.For(ctx, n, rowsFor(3*k), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := data[i*k : (i+1)*k]
			if s.g.Degrees[i] == 0 {
				copy(row, p.RawRowView(i))
				continue
			}
			sum := 0.0
			for j, v := range row {
				if v < least {
					v, row[j] = 0, 0
				}
				sum += v
			}
			for j := range row {
				row[j] /= sum
			}
		}
		return nil
	})
	return err
}

// penalty is Σ_k f_kᵀLf_k, eq. (5), as the sum over the edges of w_ij·Σ_k (f_ik − f_jk)²: nothing
// cancels. 3·nnz·K/2 flops.
func (s *smoother) penalty(ctx context.Context, f *mat.Dense) (float64, error) {
	ctx, _ = s.near.share.Watch(ctx)
	n, k := f.Dims()
	data, all, w, low := f.RawMatrix().Data, s.near.rows(f.RawMatrix()).Data, s.near.w, s.near.low
	step := rowsFor(3 * k * (1 + len(w.Val)/max(1, n)))
	sums := make([]float64, parallel.Chunks(n, step))
	err := parallel.For(ctx, n, step, func(_, lo, hi int) error {
		total := 0.0
		for i := lo; i < hi; i++ {
			row := data[i*k : (i+1)*k]
			cols, vals := w.Row(i)
			for e, j := range cols {
				if int(j) <= low+i {
					continue
				}
				other := all[int(j)*k:][:len(row)]
				square := 0.0
				for c, v := range row {
					v -= other[c]
					square += v * v
				}
				total += vals[e] * square
			}
		}
		sums[lo/step] = total
		return nil
	})
	total := []float64{0}
	for _, v := range sums {
		total[0] += v
	}
	s.near.share.Sum(total)
	return total[0], err
}

// rowsFor is the number of rows of a task, given the flops per row.
func rowsFor(flops int) int { return max(16, (1<<15)/max(1, flops)) }

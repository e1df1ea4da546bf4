package lpp

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/panel"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Davidson is [eigen.Stats].Solver of large problems with a ridge.
const Davidson eigen.Solver = "davidson"

const (
	guard     = 8   // pairs kept besides those wanted
	fresh     = 8   // random vectors that look for what the start and the corrections are blind to
	lookouts  = 5   // rounds given to them
	maxRounds = 300 // expansions of the basis
)

// davidson finds the largest μ of BᵀSB·a = μ(BᵀB + αI)·a, α > 0, in vectors of the documents: with
// a = Bᵀc, u = Ba = G·c, G = BBᵀ, a pair has
//
//	r = S·u − μ(u + α·c) = 0  but for the null space of Bᵀ.
//
// It starts from the eigenvectors of S, which solve the problem as α → 0 (theorem 1), and grows a
// space by corrections of the residuals (corrector), from which Rayleigh and Ritz take the pairs
// (Davidson's method, Morgan and Scott 1986). Linear systems inside are solved to one digit only;
// the tested residuals are the problem's own, ‖Bᵀr‖ ≤ tol·‖Bᵀ(u + αc)‖. When all pairs meet the
// tolerance, random vectors are added and their best Ritz pairs are corrected a few times, since
// the space may be orthogonal to a wanted pair.
type davidson struct {
	p     *problem
	tol   float64
	rng   *rand.Rand
	fix   *corrector
	space *space
	stats eigen.Stats
	long  []float64 // of products
}

// davidsonBytes is the memory for a space of room vectors and blocks of width vectors, on n
// documents of p terms.
func davidsonBytes(n, p, room, width int) int64 {
	return 8 * (int64(n)*int64(3*room+12*width) + int64(p)*int64(2*width))
}

// davidsonSizes are the vectors of the space and of a block for some pairs of n documents of p
// terms, in as many bytes as may be taken.
func davidsonSizes(n, p, want int, most int64) (room, width int) {
	width = want + guard
	room = 6*width + fresh
	for room > 2*width+fresh && davidsonBytes(n, p, room, width) > most {
		room--
	}
	return room, width
}

func (p *problem) davidson(ctx context.Context) (solution, error) {
	began := time.Now()
	n, want := p.b.Rows, p.opt.Dims
	room, width := davidsonSizes(n, p.b.Cols, want, p.most)
	d := &davidson{p: p, tol: p.tol(), rng: rand.New(rand.NewPCG(p.opt.Seed, 70)), stats: eigen.Stats{Solver: Davidson, Why: "a ridge bounds the regressions"}}
	d.stats.Subspace, d.stats.Block = min(n, room), min(n, want)
	d.space = newSpace(p, d.gram, min(n, room))
	var err error
	if d.fix, err = newCorrector(ctx, d); err != nil {
		return solution{}, err
	}
	if err := d.start(ctx, min(n, width)); err != nil {
		return solution{}, err
	}
	r, res, err := d.run(ctx, want, width)
	if err != nil {
		return solution{}, err
	}
	s, err := d.solution(ctx, r, res, began)
	var unmet *eigen.NotConvergedError
	if err != nil && !errors.As(err, &unmet) {
		return s, err
	}
	// Measured again: with a tiny ridge and nearly dependent documents c may have grown too large for
	// Bᵀc to be accurate, or the space may have ended before the pairs met the tolerance.
	final, err := p.residuals(ctx, s)
	if err != nil {
		return s, err
	}
	if worst := slices.Max(final); unmet != nil || !(worst <= 2*d.tol) {
		p.opt.Observer.Notef(Stage, "The residuals are %.1e, not %.1e: once more by exact regressions, which take longer.", worst, d.tol)
		return p.projected(ctx)
	}
	return s, nil
}

func (p *problem) tol() float64 {
	if p.opt.Tol == 0 {
		return eigen.DefaultTol
	}
	return max(p.opt.Tol, 1e-13)
}

// start puts the eigenvectors of S into the space, as (G + α)c = u, and random vectors.
func (d *davidson) start(ctx context.Context, k int) error {
	p := d.p
	s := p.b.onRows(func(dst, x blas64.General) { p.mid.mul(dst, panel.Clone(x)) })
	found, err := descending(eigen.Symmetric(ctx, s, eigen.Options{K: k, Which: eigen.Largest, Tol: 1e-3, Solver: eigen.Lanczos, Seed: p.opt.Seed}))
	if len(found.values) == 0 && err != nil {
		return err
	}
	d.stats.Products += found.stats.Products
	if len(found.values) > 0 {
		c, _, err := d.fix.solve(ctx, found.a)
		if err != nil {
			return err
		}
		if _, err := d.space.expand(ctx, c); err != nil {
			return err
		}
	}
	_, err = d.space.expand(ctx, d.random())
	return err
}

// run iterates until the wanted pairs are met or maxRounds are over. It returns the pairs and their
// residuals.
func (d *davidson) run(ctx context.Context, want, width int) (ritz, []float64, error) {
	looking := 0 // rounds of the lookout left; it ends for good when nothing has come of it
	looked := false
	for round := 0; ; round++ {
		r, err := d.space.best(ctx, width, 2*width)
		if err != nil {
			return r, nil, err
		}
		k := min(want, len(r.mu))
		rest := d.space.rest(r)
		res, err := d.residuals(ctx, r, rest, k)
		if err != nil {
			return r, nil, err
		}
		var open []int
		for j, v := range res {
			if !(v <= d.tol) {
				open = append(open, j)
			}
		}
		d.p.opt.Observer.Report(Stage, int64(k-len(open)), int64(want), "pairs")
		if round == maxRounds || len(open) == 0 && looked && looking == 0 {
			return r, res, nil
		}
		switch {
		case len(open) > 0 && looking > 0: // what the lookout brought up is corrected with its others
			looked = false
		case len(open) == 0 && !looked:
			looked, looking = true, lookouts
			if _, err := d.space.expand(ctx, d.random()); err != nil {
				return r, nil, err
			}
			continue
		}
		if looking > 0 {
			looking--
			for j := k; j < min(k+fresh, len(r.mu)); j++ {
				open = append(open, j)
			}
		}
		grown := 0
		if len(open) > 0 {
			c, err := d.fix.correct(ctx, chosen(rest, open))
			if err != nil {
				return r, nil, err
			}
			if grown, err = d.space.expand(ctx, c); err != nil {
				return r, nil, err
			}
		}
		if grown == 0 {
			if grown, err = d.space.expand(ctx, d.random()); err != nil {
				return r, nil, err
			}
		}
		if grown == 0 { // the space is all there is
			return r, res, nil
		}
	}
}

// residuals are ‖Bᵀr‖/‖Bᵀ(u + αc)‖ of the first k pairs. r itself need not vanish: its part in the
// null space of Bᵀ has no effect.
func (d *davidson) residuals(ctx context.Context, r ritz, rest blas64.General, k int) ([]float64, error) {
	both := panel.New(rest.Rows, 2*k)
	fill(columns(both, 0, k), columns(rest, 0, k))
	fill(columns(both, k, 2*k), d.space.right(columns(r.u, 0, k), columns(r.c, 0, k)))
	out := panel.New(d.p.b.Cols, 2*k)
	if err := d.p.b.MulT(ctx, out, both); err != nil {
		return nil, err
	}
	sizes := panel.Dots(out, out)
	res := make([]float64, k)
	for j := range res {
		res[j] = math.Sqrt(sizes[j] / sizes[k+j])
	}
	return res, nil
}

func (d *davidson) solution(ctx context.Context, r ritz, res []float64, began time.Time) (solution, error) {
	if len(res) < d.p.opt.Dims {
		return solution{}, d.p.tooMany(len(res))
	}
	k := len(res)
	d.stats.Total = time.Since(began)
	d.stats.BasisTime = d.space.spent
	s := solution{values: r.mu[:k], a: panel.New(d.p.b.Cols, k), stats: d.stats}
	if err := d.p.b.MulT(ctx, s.a, panel.Clone(part(r.c, 0, r.c.Rows, 0, k))); err != nil {
		return solution{}, err
	}
	converged, worst := 0, 0.0
	for _, v := range res {
		if v <= d.tol {
			converged++
		}
		worst = max(worst, v)
	}
	if converged == k {
		return s, nil
	}
	return s, &eigen.NotConvergedError{Result: &eigen.Result{Values: s.values, Vectors: mat.NewDense(s.a.Rows, k, s.a.Data), Residuals: res, Converged: converged, Stats: s.stats},
		Wanted: k, Worst: worst, Tol: d.tol}
}

// gram sets dst = B·Bᵀ·x.
func (d *davidson) gram(ctx context.Context, dst, x blas64.General) error {
	began := time.Now()
	if size := d.p.b.Cols * x.Cols; cap(d.long) < size {
		d.long = make([]float64, size)
	}
	long := blas64.General{Rows: d.p.b.Cols, Cols: x.Cols, Stride: x.Cols, Data: d.long[:d.p.b.Cols*x.Cols]}
	if err := d.p.b.MulT(ctx, long, x); err != nil {
		return err
	}
	err := d.p.b.Mul(ctx, dst, long)
	d.stats.Products += x.Cols
	d.stats.ProductTime += time.Since(began)
	return errors.Join(err, d.p.b.stopped(ctx))
}

// random returns the own rows of random vectors, which are the same with any number of ranks.
func (d *davidson) random() blas64.General {
	x := panel.New(d.p.b.own, fresh)
	first := d.p.b.share.First()
	for i := range d.p.b.Rows {
		for j := range fresh {
			v := d.rng.NormFloat64()
			if i >= first && i < first+x.Rows {
				x.Data[(i-first)*fresh+j] = v
			}
		}
	}
	return x
}

// chosen copies columns.
func chosen(a blas64.General, columns []int) blas64.General {
	c := panel.New(a.Rows, len(columns))
	for i := range a.Rows {
		from, to := row(a, i), row(c, i)
		for t, j := range columns {
			to[t] = from[j]
		}
	}
	return c
}

// fill copies a into dst.
func fill(dst, a blas64.General) {
	for i := range a.Rows {
		copy(row(dst, i), row(a, i))
	}
}

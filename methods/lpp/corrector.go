package lpp

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/vecmath"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

const (
	correctorRank = 64  // eigenpairs of G that are known
	graphSteps    = 12  // of conjugate gradients with S
	gramSteps     = 300 // and with G
	digit         = 0.1 // to which both are solved
)

// corrector makes corrections of residuals Bᵀr of pairs a = Bᵀc, u = Gc. Newton's are (K − BᵀSB)·δa
// = Bᵀr with K = BᵀB + αI, where 1 replaces the μ on the left, so that the system stays positive.
// Two approximate solutions with K replace it: δa₀ = K⁻¹Bᵀr with u₀ = B·δa₀; the graph's part δu of
// (1/s − S)·δu = u₀/s, where s is B·K⁻¹Bᵀ as a number; then δa = δa₀ + K⁻¹BᵀS·δu. One digit of each
// is enough.
type corrector struct {
	d *davidson
	// w are n×rank with WᵀGW = I, so that the Bᵀw are about the first right singular vectors of B; gw
	// = G·w; value their eigenvalues.
	w, gw blas64.General
	value []float64
	bulk  float64 // mean of the other eigenvalues
}

func newCorrector(ctx context.Context, d *davidson) (*corrector, error) {
	f := &corrector{d: d}
	n := d.p.b.own
	if rank := min(correctorRank, d.p.b.Rows/8); rank > 0 {
		var failed error
		g := d.p.b.onRows(func(dst, x blas64.General) {
			if err := d.gram(ctx, dst, x); err != nil {
				failed = err
			}
		})
		found, err := descending(eigen.Symmetric(ctx, g, eigen.Options{K: rank, Which: eigen.Largest, Tol: 1e-2, MaxIter: 3, Solver: eigen.Lanczos, Block: 8, Seed: d.p.opt.Seed}))
		if failed != nil {
			return nil, failed
		}
		if len(found.values) == 0 && err != nil {
			return nil, err
		}
		if err := f.know(ctx, found.a); err != nil {
			return nil, err
		}
	}
	// zᵀGz/zᵀz of random z orthogonal to V is about the mean of the other eigenvalues.
	z := d.random()
	for i, w := range d.p.mid.root {
		if w == 0 {
			clear(row(z, i))
		}
	}
	if len(f.value) > 0 {
		h := panel.New(len(f.value), z.Cols)
		d.p.b.cross(f.gw, z, h)
		gemm(blas.NoTrans, -1, f.w, h, 1, z)
	}
	g := panel.New(n, z.Cols)
	if err := d.gram(ctx, g, z); err != nil {
		return nil, err
	}
	above, below := 0.0, 0.0
	for j, v := range d.p.b.dots(z, g) {
		above += v
		below += d.p.b.squares(z)[j]
	}
	if f.bulk = above / below; !(f.bulk > 0) {
		f.bulk = 1
	}
	if len(f.value) > 0 {
		f.bulk = min(f.bulk, f.value[len(f.value)-1])
	}
	return f, nil
}

// know makes w and gw of approximate eigenvectors of G.
func (f *corrector) know(ctx context.Context, v blas64.General) error {
	if v.Cols == 0 {
		return nil
	}
	gv, t := panel.New(v.Rows, v.Cols), panel.New(v.Cols, v.Cols)
	if err := f.d.gram(ctx, gv, v); err != nil {
		return err
	}
	f.d.p.b.cross(v, gv, t)
	values, q, err := f.d.p.b.eigenpairs(ctx, blas64.Symmetric{N: v.Cols, Stride: v.Cols, Data: t.Data, Uplo: blas.Upper}, native.EigRange{})
	if err != nil {
		return err
	}
	first := 0
	for first < len(values) && !(values[first] > vanishing*values[len(values)-1]) {
		first++
	}
	if first == len(values) {
		return nil
	}
	f.value = values[first:]
	q = panel.Clone(columns(q, first, len(values)))
	panel.ScaleColumns(q, vecmath.InverseRoots(f.value))
	f.w, f.gw = panel.New(v.Rows, q.Cols), panel.New(v.Rows, q.Cols)
	gemm(blas.NoTrans, 1, v, q, 0, f.w)
	gemm(blas.NoTrans, 1, gv, q, 0, f.gw)
	return nil
}

// correct returns δc for residuals r.
func (f *corrector) correct(ctx context.Context, r blas64.General) (blas64.General, error) {
	c, u, err := f.solve(ctx, r)
	if err != nil {
		return c, err
	}
	mid, share := f.d.p.mid, (f.bulk+f.d.p.alpha)/f.bulk
	s := panel.New(r.Rows, r.Cols)
	for i := range u.Data {
		u.Data[i] *= share
	}
	if u, err = f.along(ctx, u, share); err != nil {
		return c, err
	}
	mid.mul(s, u)
	more, _, err := f.solve(ctx, s)
	for i, v := range more.Data {
		c.Data[i] += v
	}
	return c, err
}

// along solves (share·I − S)·x = b by conjugate gradients; share > 1.
func (f *corrector) along(ctx context.Context, b blas64.General, share float64) (blas64.General, error) {
	k := b.Cols
	x, r, direction, q := panel.New(b.Rows, k), panel.Clone(b), panel.Clone(b), panel.New(b.Rows, k)
	gamma := f.d.p.b.squares(r)
	first := append([]float64(nil), gamma...)
	step, turn := make([]float64, k), make([]float64, k)
	for range graphSteps {
		f.d.p.mid.mul(q, panel.Clone(direction))
		for i, v := range direction.Data {
			q.Data[i] = share*v - q.Data[i]
		}
		if !steps(step, gamma, f.d.p.b.dots(direction, q), first) {
			break
		}
		panel.Add(x, step, direction, 1)
		panel.Add(r, step, q, -1)
		next := f.d.p.b.squares(r)
		turns(turn, step, gamma, next)
		gamma = next
		panel.Turn(direction, turn, r)
	}
	return x, f.d.p.b.stopped(ctx)
}

// solve returns c with K·Bᵀc = Bᵀb, to a digit, and G·c. These are conjugate gradients for a = Bᵀc,
// written in c: one product with G per step; the part of b in the null space of Bᵀ has no effect.
// The known eigenpairs make the preconditioner I + BᵀW·D·WᵀB, D = (g + α)/(λ + α) − 1 with g for
// the unknown.
func (f *corrector) solve(ctx context.Context, b blas64.General) (c, gc blas64.General, err error) {
	n, k, alpha := b.Rows, b.Cols, f.d.p.alpha
	c, gc = panel.New(n, k), panel.New(n, k)
	r, gr, q := panel.Clone(b), panel.New(n, k), panel.New(n, k)
	z, gz, err := f.precondition(ctx, r, gr)
	if err != nil {
		return c, gc, err
	}
	direction, along := panel.Clone(z), panel.Clone(gz)
	gamma := f.d.p.b.dots(r, gz)
	first := append([]float64(nil), gamma...)
	step, turn := make([]float64, k), make([]float64, k)
	for range gramSteps {
		for i, v := range along.Data {
			q.Data[i] = v + alpha*direction.Data[i]
		}
		if !steps(step, gamma, f.d.p.b.dots(along, q), first) {
			break
		}
		panel.Add(c, step, direction, 1)
		panel.Add(gc, step, along, 1)
		panel.Add(r, step, q, -1)
		if z, gz, err = f.precondition(ctx, r, gr); err != nil {
			break
		}
		next := f.d.p.b.dots(r, gz)
		turns(turn, step, gamma, next)
		gamma = next
		panel.Turn(direction, turn, z)
		panel.Turn(along, turn, gz)
	}
	return c, gc, err
}

// precondition returns z and G·z; gr is scratch.
func (f *corrector) precondition(ctx context.Context, r, gr blas64.General) (z, gz blas64.General, err error) {
	if err := f.d.gram(ctx, gr, r); err != nil {
		return r, gr, err
	}
	z, gz = panel.Clone(r), panel.Clone(gr)
	if len(f.value) > 0 {
		h, by := panel.New(len(f.value), r.Cols), make([]float64, len(f.value))
		f.d.p.b.cross(f.gw, r, h)
		for j, v := range f.value {
			by[j] = (f.bulk+f.d.p.alpha)/(v+f.d.p.alpha) - 1
		}
		scaleRows(h, by)
		gemm(blas.NoTrans, 1, f.w, h, 1, z)
		gemm(blas.NoTrans, 1, f.gw, h, 1, gz)
	}
	return z, gz, nil
}

// steps sets the steps of the columns that are not solved to a digit; 0 for the others. It says
// whether there are any.
func steps(step, gamma, curve, first []float64) bool {
	open := false
	for j, v := range gamma {
		step[j] = 0
		if curve[j] > 0 && v > digit*digit*first[j] {
			step[j] = v / curve[j]
			open = true
		}
	}
	return open
}

// turns sets how much of the last direction goes into the next; a column without a step is
// finished.
func turns(turn, step, gamma, next []float64) {
	for j, v := range gamma {
		turn[j] = 0
		if step[j] == 0 {
			next[j] = 0
		} else {
			turn[j] = next[j] / v
		}
	}
}

package krylov

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// widen adds room for a few more blocks if recovered pairs have filled the basis with locked
// vectors.
func (k *krylov) widen(blocks int) {
	need := min(k.basis.Size+blocks*k.Task.Block, k.Room()+k.Task.Block)
	if have := k.basis.Capacity(); need > have {
		k.grow(need + k.K - have)
	}
}

// grow takes memory for more columns of the basis and of T.
func (k *krylov) grow(more int) {
	k.basis.Grow(more)
	capacity := k.basis.Capacity()
	k.Subspace = capacity - k.Task.Block
	k.stats.Subspace = k.Subspace
	t := space.NewBlock(capacity, capacity)
	space.CopyBlock(space.Columns(space.Rows(t, 0, k.t.Rows), 0, k.t.Cols), k.t)
	k.t = t
}

// startFrom makes the first block: random combinations of the given approximate eigenvectors, and
// one random vector, because a wanted vector may be missing among them. With a block of one vector
// a tenth of it is random.
func (k *krylov) startFrom(start blas64.General) {
	before := k.basis.Size
	if start.Cols > 0 {
		mixture := space.NewBlock(start.Cols, max(1, k.Task.Block-1))
		for i := range mixture.Data {
			mixture.Data[i] = k.basis.Common.NormFloat64()
		}
		guess := space.NewBlock(k.N, mixture.Cols)
		k.basis.Engine.Gemm(blas.NoTrans, blas.NoTrans, 1, start, mixture, 0, guess)
		if k.Task.Block == 1 {
			share := 0.1 * k.Space.Longest(guess) / math.Sqrt(float64(k.Whole()))
			for i := range guess.Data {
				guess.Data[i] += share * k.basis.Rng.NormFloat64()
			}
		}
		k.basis.AppendOneByOne(guess, guess.Cols, 1e-8*k.Space.Longest(guess))
	}
	k.fillRandom(before)
}

// fillRandom completes the next block, which starts at column from, with random vectors.
func (k *krylov) fillRandom(from int) {
	column := space.NewBlock(k.N, 1)
	for k.basis.Size-from < k.Task.Block && k.basis.Room() > 0 && k.basis.PushRandom(column) {
	}
	k.active, k.next, k.chain = 0, k.basis.Size-from, 0
}

// extend multiplies the next block, updates T, and makes the block after it.
func (k *krylov) extend(ctx context.Context) error {
	began := time.Now()
	from := k.basis.Size - k.next
	block := func(data []float64) blas64.General { return space.AsBlock(data[:k.N*k.next], k.N, k.next) }
	x, w := block(k.x), block(k.w)
	k.basis.Read(x, from)
	if k.filter == nil {
		k.Op.MulBlock(w, x)
		k.stats.Products += k.next
		if k.growth = k.Space.Longest(w); math.IsNaN(k.growth) || math.IsInf(k.growth, 0) {
			return problem.NotFinite(w)
		}
		k.scale = max(k.scale, k.growth)
		k.growth = k.scale
	} else {
		var spare [2]blas64.General
		if k.y != nil {
			spare = [2]blas64.General{block(k.y), block(k.z)}
		}
		if err := k.filter.apply(ctx, k.Op, w, x, spare); err != nil {
			return err
		}
		k.stats.Products += k.next * k.filter.degree
		if k.growth = max(k.growth, k.Space.Longest(w)); math.IsNaN(k.growth) || math.IsInf(k.growth, 0) {
			return problem.NotFinite(w)
		}
	}
	multiplied := time.Now()
	k.stats.ProductTime += multiplied.Sub(began)

	h := k.basis.Orthogonalise(w, k.chain)
	k.chain = from
	fixed, a, c := k.fixed(), k.active, k.next
	for j := range c {
		for i := range a {
			v := h.Data[(fixed+i)*h.Stride+j]
			k.t.Data[i*k.t.Stride+a+j], k.t.Data[(a+j)*k.t.Stride+i] = v, v
		}
		for i := range c {
			v := 0.5 * (h.Data[(fixed+a+i)*h.Stride+j] + h.Data[(fixed+a+j)*h.Stride+i])
			k.t.Data[(a+i)*k.t.Stride+a+j] = v
		}
	}
	r := k.basis.Append(w, k.Task.Block, k.growth)
	k.active, k.next = a+c, r.Rows
	k.b = space.NewBlock(r.Rows, k.active)
	space.CopyBlock(space.Columns(k.b, a, a+c), r)
	k.stats.BasisTime += time.Since(multiplied)
	return k.Task.Stopped(ctx)
}

// ritz solves the projected problem and returns its values, descending, with vectors and the
// residual norms ‖B·s‖.
func (k *krylov) ritz() (*ritz, error) {
	began := time.Now()
	defer func() { k.stats.BasisTime += time.Since(began) }()
	a := k.active
	values, vectors, err := k.basis.Ritz(k.t, a)
	if err != nil {
		return nil, err
	}
	k.Space.Alike(values, vectors.Data)
	r := &ritz{theta: make([]float64, a), vectors: space.NewBlock(a, a), raw: make([]float64, a)}
	for j := range a {
		from := a - 1 - j
		r.theta[j] = values[from]
		for i := range a {
			r.vectors.Data[i*a+j] = vectors.Data[i*vectors.Stride+from]
		}
	}
	bs := k.times(r.vectors)
	r.coupling = bs
	for j := range a {
		r.raw[j] = blas64.Nrm2(blas64.Vector{N: k.next, Inc: bs.Stride, Data: bs.Data[min(j, len(bs.Data)):]})
	}
	r.values, r.residuals = r.theta, r.raw
	if f := k.filter; f != nil {
		r.values, r.residuals = make([]float64, a), make([]float64, a)
		for j, theta := range r.theta {
			r.values[j] = f.inverse(theta)
			r.residuals[j] = f.residual(r.values[j], theta, r.raw[j])
		}
	}
	return r, nil
}

// restart rotates the active vectors to the Ritz vectors, locks the first r.lock of r.order and
// keeps the following keep vectors; the next block remains.
func (k *krylov) restart(r *ritz, keep int) {
	began := time.Now()
	q := space.AsBlock(k.x[:k.N*k.next], k.N, k.next)
	k.basis.Read(q, k.basis.Size-k.next)

	s := space.NewBlock(k.active, r.lock+keep)
	for to, from := range r.order[:s.Cols] {
		for i := range k.active {
			s.Data[i*s.Stride+to] = r.vectors.Data[i*r.vectors.Stride+from]
		}
	}
	k.basis.Rotate(k.fixed(), s)
	k.basis.Push(q)

	if k.proof != nil {
		floor, least := k.missing()
		k.proof.settle(floor, least, k.growth)
		k.proof.restarted(r, r.order[r.lock:r.lock+keep], append(slices.Clone(r.order[:r.lock]), r.order[r.lock+keep:]...))
	}
	k.b = k.times(space.Columns(s, r.lock, r.lock+keep))
	clear(k.t.Data)
	for j, from := range r.order[r.lock : r.lock+keep] {
		k.t.Data[j*k.t.Stride+j] = r.theta[from]
	}
	for _, from := range r.order[:r.lock] {
		k.locked = append(k.locked, r.values[from])
	}
	k.active, k.chain = keep, 0
	k.stats.BasisTime += time.Since(began)
}

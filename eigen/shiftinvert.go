package eigen

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse/ldl"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// inverted is block Lanczos on T = norm·(tau·I − op)⁻¹ with tau above the spectrum of op, in the
// complement of the known vectors. The largest μ of op are the largest ν = norm/(tau − μ) of T, and
// far from each other: a few dozen vectors suffice where Lanczos on op needs thousands of products.
// The basis is restarted with the best Ritz vectors when it is full. Whether a pair was missed is
// decided by inertia, not by a search.
type inverted struct {
	task
	s      *spectrum
	f      *ldl.Factor
	tau    float64
	basis  *space.Basis
	locked []float64 // μ of the locked vectors, which come first in the basis
	bounds []float64 // bounds of their errors
	// rounding bounds the error that the factorisation makes in an eigenvalue.
	rounding float64
	x, w     blas64.General // scratch memory, n×block: a block and its product
	t        blas64.General
	b        blas64.General
	active   int
	chain    int // first column with coefficients of the next product that are not just rounding
	next     int
	audit    *audit
	// found is the number of pairs that the first pass found, and fruitless that of searches in turn
	// without a value above their floor.
	found, fruitless int
	floor            float64 // in a search: values above it are wanted
	missing          int     // and so many of them; 0 outside of a search
	stats            work
}

// shiftInvert solves by Lanczos on the inverse of a shifted operator, which is factored once.
//
// Memory: the factor (predicted before it is made), and a basis of about 5k/2 + 20 vectors, at
// least k + 40. Time: Flops of the factorisation, 4·Entries per vector of the basis, and one or
// two further factorisations for the count.
func shiftInvert(ctx context.Context, t task) (pairs, error) {
	s, err := newSpectrum(t.op, t.fixed, t.observer)
	if err != nil {
		return pairs{}, err
	}
	if s == nil {
		return pairs{}, invalid.Errorf("solver shift-invert needs the entries of the matrix, and this problem is known by its products only; use lanczos or dense")
	}
	return invertOver(ctx, t, s)
}

// invertOver is shiftInvert with an analysis of the operator that is there already.
func invertOver(ctx context.Context, t task, s *spectrum) (pairs, error) {
	began := time.Now()
	if t.k >= t.room() || t.room() < 8 {
		return everything(ctx, t, s)
	}
	v := &inverted{task: t, s: s, audit: newAudit(t, s, true)}
	v.task.block = min(max(1, t.block), t.room())
	if t.block == 0 {
		// Narrow blocks need fewer vectors; copies of values are found by the count anyway.
		v.task.block = min(2, t.room())
		if t.k > 40 {
			v.task.block = min(4, t.room())
		}
	}
	if t.subspace == 0 {
		v.task.subspace = max(5*t.k/2, t.k+30) + 4*v.task.block
	}
	v.task.subspace = min(max(v.task.subspace, t.k+4*v.task.block), t.room())
	if err := v.invert(ctx); err != nil {
		return pairs{}, err
	}
	v.rounding = v.f.Error()
	v.basis = space.NewBasis(t.n, 0, t.known, t.seed)
	v.basis.Grow(min(v.task.subspace, t.room()) + v.task.block)
	v.x, v.w = space.NewBlock(t.n, v.task.block), space.NewBlock(t.n, v.task.block)
	v.basis.Spare = v.x.Data // which is free while columns are made orthonormal
	v.stats = work{Solver: shiftInvertName, Subspace: v.task.subspace, Block: v.task.block}
	p, err := v.run(ctx)
	v.stats.Total = time.Since(began)
	p.stats = v.stats
	return p, err
}

// everything solves a problem of which nearly all pairs are wanted by LAPACK, which finds all.
func everything(ctx context.Context, t task, s *spectrum) (pairs, error) {
	k := t.k
	t.k = t.room()
	p, err := dense(ctx, t)
	if err != nil {
		return pairs{}, err
	}
	p.errors = residualsOf(t.op, p)
	c, err := newAudit(t, s, false).check(ctx, claimOf(t, s, p, k))
	if err != nil {
		return pairs{}, named(t, err)
	}
	p.stats.Inertia = inTerms(t, c)
	return firstPairs(p, k), nil
}

// shiftAway is the distance of the first shift from the upper end of a spectrum whose end is known,
// relative to the norm: far above rounding, below the eigenvalues of nearly all problems.
const shiftAway = 1e-11

// invert chooses tau above the spectrum of op and factors. Pencils end at 1, negative semidefinite
// operators near 0. For others a few Lanczos steps estimate the end; inertia tells whether a shift
// lies above it.
func (v *inverted) invert(ctx context.Context) error {
	ok, err := v.try(ctx, v.top+shiftAway*v.s.norm)
	if err != nil || ok && v.known.Size() > 0 {
		return err
	}
	end, off := v.upperEnd()
	if ok {
		if end+off < v.top { // the spectrum ends well below: a closer shift separates it better
			first := *v
			if ok, err = v.try(ctx, end+off); !ok {
				v.f, v.tau = first.f, first.tau
			}
		}
		return err
	}
	for gap := max(off, 1e-6*v.s.norm); gap < 100*v.s.norm; gap *= 4 {
		if ok, err := v.try(ctx, end+gap); ok || err != nil {
			return err
		}
	}
	return invalid.Errorf("no shift above the spectrum was found: look for entries that are not finite")
}

// try factors at tau and reports whether no eigenvalue lies above.
func (v *inverted) try(ctx context.Context, tau float64) (bool, error) {
	f, err := v.s.factor(ctx, tau)
	var pivot *ldl.PivotError
	if errors.As(err, &pivot) || err == nil && f.Negative() != v.s.borderNegative {
		v.observer.Detailf(ldl.Stage, "the shift %.6g is not above the spectrum", tau)
		return false, nil
	}
	v.f, v.tau = f, tau
	return err == nil, err
}

// upperEnd estimates the largest eigenvalue of op in the complement of the known vectors by Lanczos
// steps with one vector, and returns the estimate and its residual.
func (v *inverted) upperEnd() (end, off float64) {
	const steps = 12
	b := space.NewBasis(v.n, steps+1, v.known, v.seed)
	x, w := space.NewBlock(v.n, 1), space.NewBlock(v.n, 1)
	b.PushRandom(x)
	t := space.NewBlock(steps, steps)
	for a := 0; a < steps && a < b.Size; a++ {
		space.CopyBlock(x, space.Columns(b.V, a, a+1))
		v.op.MulBlock(w, x)
		space.ScaleBlock(w, 1/v.s.norm)
		h := b.Orthogonalise(w, 0)
		for i := range a + 1 {
			t.Data[i*steps+a], t.Data[a*steps+i] = h.Data[i], h.Data[i]
		}
		off = blas64.Nrm2(space.Vector(w))
		if b.Append(w, 1, 1).Rows == 0 {
			break
		}
	}
	values, _, err := space.OneThread(func() ([]float64, blas64.General, error) {
		return b.Engine.SymEig(blas64.Symmetric{N: steps, Stride: steps, Uplo: blas.Upper, Data: t.Data}, native.EigRange{}, false)
	})
	if err != nil {
		return v.top, v.s.norm
	}
	return values[steps-1] * v.s.norm, off * v.s.norm
}

// apply sets w = Tx in the complement of the known vectors. T is in units of 1/norm, so that its
// entries neither overflow nor vanish.
func (v *inverted) apply(w, x blas64.General) {
	v.s.solve(v.f, w, x)
	space.ScaleBlock(w, v.s.norm)
	v.known.Project(w)
}

func (v *inverted) run(ctx context.Context) (pairs, error) {
	capacity := v.basis.Capacity()
	v.t = space.NewBlock(capacity, capacity)
	if v.start.Cols > 0 {
		v.basis.AppendOneByOne(space.Columns(v.start, 0, min(v.start.Cols, v.task.block)), min(v.start.Cols, v.task.block), 1e-8*v.space.Longest(v.start))
	}
	v.refill()
	for {
		r, err := v.cycle(ctx)
		if err != nil {
			return pairs{}, err
		}
		if r.done {
			before := len(v.locked)
			v.lock(r)
			if p, done, err := v.judge(ctx, before); done || err != nil {
				return p, err
			}
			continue
		}
		if v.stats.Restarts++; v.stats.Restarts > v.maxIter {
			v.stats.Restarts--
			v.lock(r)
			p := firstPairs(v.result(len(v.locked)), v.k)
			p.unsearched = true
			return p, nil
		}
		if !v.lockApart(r) {
			v.restart(r, r.keep)
		}
	}
}

// Pairs that are locked ahead of the others have at least apart times the value of T that the last
// wanted pair has, and residuals of apartTol, relative to the largest.
const (
	apart    = 1e4
	apartTol = 1e-13
)

// lockApart locks the converged leading pairs if their values of T are far above the others', as
// those of weak bridges are, and reports whether it did. Rounding in T is relative to its largest
// value: while such pairs are active, the others cannot converge. The next cycle starts with random
// vectors in their complement, where T is smaller.
func (v *inverted) lockApart(r *approximation) bool {
	need := v.needed(r)
	if len(v.locked) >= v.k || need == 0 || need > len(r.nu) {
		return false
	}
	count := 0
	for count < r.good && count < need-1 && r.nu[count] >= apart*math.Abs(r.nu[need-1]) && r.residual[count] <= apartTol*r.nu[0] {
		count++
	}
	if count == 0 || !v.measured(r, count) {
		return false
	}
	r.good = count
	v.lock(r)
	clear(v.t.Data)
	v.chain = 0
	v.refill()
	return true
}

// firstPairs returns the first k pairs.
func firstPairs(p pairs, k int) pairs {
	k = min(k, len(p.values))
	out := p
	out.values, out.errors = p.values[:k], p.errors[:k]
	out.vectors = space.NewBlock(p.vectors.Rows, k)
	space.CopyBlock(out.vectors, space.Columns(p.vectors, 0, k))
	out.converged = min(p.converged, k)
	return out
}

// refill completes the next block with random vectors.
func (v *inverted) refill() {
	column := space.NewBlock(v.n, 1)
	from := len(v.locked) + v.active
	for v.basis.Size-from < v.task.block && v.basis.Room() > 0 && v.basis.Size < v.basis.Capacity() && v.basis.PushRandom(column) {
	}
	v.next = v.basis.Size - from
}

// approximation holds the Ritz pairs of a cycle.
type approximation struct {
	nu       []float64 // descending
	vectors  blas64.General
	residual []float64 // ‖Tu − νu‖
	mu       []float64
	done     bool
	good     int // leading pairs that have converged
	keep     int
}

// cycle fills the basis; it stops early when the pairs have converged.
func (v *inverted) cycle(ctx context.Context) (*approximation, error) {
	look := v.task.block * 2
	for v.next > 0 && v.basis.Size+v.task.block <= v.basis.Capacity() {
		if err := v.extend(ctx); err != nil {
			return nil, err
		}
		if v.active < min(look, v.wanted()+v.task.block) && v.next > 0 {
			continue
		}
		look = v.active + 2*v.task.block
		r, err := v.ritz()
		if err != nil || r.done {
			return r, err
		}
	}
	return v.ritz()
}

// wanted is how many more pairs are needed besides the locked ones.
func (v *inverted) wanted() int { return max(1, v.k-len(v.locked)) }

// extend multiplies the next block by T.
func (v *inverted) extend(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	began := time.Now()
	from := v.basis.Size - v.next
	x, w := space.AsBlock(v.x.Data[:v.n*v.next], v.n, v.next), space.AsBlock(v.w.Data[:v.n*v.next], v.n, v.next)
	v.basis.Read(x, from)
	v.apply(w, x)
	v.stats.Products += v.next
	solved := time.Now()
	v.stats.ProductTime += solved.Sub(began)
	scale := v.space.Longest(w)
	h := v.basis.Orthogonalise(w, v.chain)
	v.chain = from
	locked, a, c := len(v.locked), v.active, v.next
	for j := range c {
		for i := range a + c {
			value := h.Data[(locked+i)*h.Stride+j]
			if i >= a {
				value = 0.5 * (value + h.Data[(locked+a+j)*h.Stride+i-a])
			}
			v.t.Data[i*v.t.Stride+a+j], v.t.Data[(a+j)*v.t.Stride+i] = value, value
		}
	}
	r := v.basis.Append(w, v.task.block, scale)
	v.active, v.next = a+c, r.Rows
	v.b = space.NewBlock(r.Rows, v.active)
	space.CopyBlock(space.Columns(v.b, a, a+c), r)
	v.stats.BasisTime += time.Since(solved)
	return nil
}

// ritz solves the projected problem and tests the leading pairs.
func (v *inverted) ritz() (*approximation, error) {
	began := time.Now()
	defer func() { v.stats.BasisTime += time.Since(began) }()
	a := v.active
	sym := blas64.Symmetric{N: a, Stride: a, Uplo: blas.Upper, Data: make([]float64, a*a)}
	for i := range a {
		copy(sym.Data[i*a:][:a], v.t.Data[i*v.t.Stride:][:a])
	}
	values, vectors, err := space.OneThread(func() ([]float64, blas64.General, error) {
		return v.basis.Engine.SymEig(sym, native.EigRange{}, true)
	})
	if err != nil {
		return nil, err
	}
	r := &approximation{nu: make([]float64, a), mu: make([]float64, a), residual: make([]float64, a), vectors: space.NewBlock(a, a)}
	for j := range a {
		from := a - 1 - j
		r.nu[j] = values[from]
		r.mu[j] = v.tau - v.s.norm/values[from]
		for i := range a {
			r.vectors.Data[i*a+j] = vectors.Data[i*vectors.Stride+from]
		}
	}
	for j := range a {
		for q := range v.next {
			sum := 0.0
			for i := range a {
				sum += v.b.Data[q*v.b.Stride+i] * r.vectors.Data[i*a+j]
			}
			r.residual[j] = math.Hypot(r.residual[j], sum)
		}
	}
	need := v.needed(r)
	for r.good < a && v.converged(r, r.good) {
		r.good++
	}
	r.done = r.good >= need && need <= a || v.next == 0
	if r.done && need > 0 && (v.next > 0 || v.missing == 0) {
		r.done = v.measured(r, need) // in a search an invariant space has nothing better
	}
	v.observer.Report(stage, int64(min(len(v.locked)+r.good, v.k)), int64(v.k), "pairs")
	r.keep = min(need+(v.task.subspace-len(v.locked)-need)*2/5, a, v.task.subspace-len(v.locked)-2*v.task.block)
	r.keep = max(0, r.keep)
	return r, nil
}

// needed is the number of leading Ritz pairs that must converge: those that fill up k, or in a
// search those above its floor, and at least one.
func (v *inverted) needed(r *approximation) int {
	if v.missing == 0 {
		return max(0, v.k-len(v.locked))
	}
	need := 0
	for need < len(r.mu) && need < v.missing && r.mu[need] > v.floor {
		need++
	}
	return min(max(need, 1), len(r.mu))
}

// invertedTol bounds ‖Tu − νu‖/ν of a pair.
const invertedTol = 1e-9

// converged tests pair j by its residual with T, relative to ν: then the distance of μ from tau has
// at most that relative error, and the residual of op is at most ‖tau·I − op‖ times as large.
func (v *inverted) converged(r *approximation, j int) bool {
	rounding := 1e-14 * r.nu[0] // of the solves
	return r.residual[j] <= max(invertedTol*math.Abs(r.nu[j]), rounding)
}

// measured tests the first count pairs on the original problem.
func (v *inverted) measured(r *approximation, count int) bool {
	u := v.basis.Combine(len(v.locked), space.Columns(r.vectors, 0, count))
	product := space.NewBlock(v.n, count)
	v.op.MulBlock(product, u)
	for i := range v.n {
		row := product.Data[i*product.Stride:][:count]
		for j, x := range u.Data[i*u.Stride:][:count] {
			row[j] -= r.mu[j] * x
		}
	}
	limit, measure := v.tol, space.Space.Norms
	if v.scaled {
		limit *= v.s.least
	}
	if v.task.measure != nil {
		limit, measure = v.task.measured, v.task.measure
	}
	norms := space.ColumnNorms(u, product)
	for j, m := range measure(v.task.space, u, product) {
		if !(m <= limit) && !(norms[j] <= 1e-13*v.s.norm) { // or as far as rounding allows
			return false
		}
	}
	return true
}

// lock moves the converged pairs to the locked ones.
func (v *inverted) lock(r *approximation) {
	for j := range r.good {
		v.locked = append(v.locked, r.mu[j])
		v.bounds = append(v.bounds, v.bound(r.mu[j], r.residual[j], r.nu[j], r.nu[0]))
	}
	v.rotate(r, r.good)
	v.active, v.next = 0, 0
}

// bound bounds the error of a value mu of op, for the value nu of T with a residual: |1/(tau−μ') −
// ν| ≤ residual, so μ is off by at most (tau−μ)·residual/ν, to first order. The factor is that of
// an operator within Error of op, and solves round off relative to the largest value of T in the
// space.
func (v *inverted) bound(mu, residual, nu, largest float64) float64 {
	return 2*math.Abs(v.tau-mu)*(residual+1e-15*math.Abs(largest))/math.Abs(nu) + v.rounding
}

// rotate turns the active vectors into the leading Ritz vectors.
func (v *inverted) rotate(r *approximation, count int) {
	v.basis.Rotate(v.basis.Size-v.next-v.active, space.Columns(r.vectors, 0, count))
}

// restart keeps the leading Ritz vectors and the next block.
func (v *inverted) restart(r *approximation, keep int) {
	q := space.AsBlock(v.x.Data[:v.n*v.next], v.n, v.next)
	v.basis.Read(q, v.basis.Size-v.next)
	old := v.b
	v.rotate(r, keep)
	v.basis.Push(q)
	v.b = space.NewBlock(v.next, keep)
	for p := range v.next {
		for j := range keep {
			sum := 0.0
			for i := range v.active {
				sum += old.Data[p*old.Stride+i] * r.vectors.Data[i*r.vectors.Stride+j]
			}
			v.b.Data[p*v.b.Stride+j] = sum
		}
	}
	clear(v.t.Data)
	for j := range keep {
		v.t.Data[j*v.t.Stride+j] = r.nu[j]
	}
	v.active, v.chain = keep, 0
}

// result returns the count largest locked pairs, descending.
func (v *inverted) result(count int) pairs {
	order := fallingOrder(v.locked)
	order = order[:min(count, len(order))]
	p := pairs{vectors: space.NewBlock(v.n, len(order)), converged: len(order), norm: v.s.least}
	for _, from := range order {
		p.values = append(p.values, v.locked[from])
		p.errors = append(p.errors, v.bounds[from])
	}
	v.basis.Pick(p.vectors, order, func(row int) int { return row })
	return p
}

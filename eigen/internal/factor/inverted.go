package factor

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/indices"
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
	problem.Task
	s      *Spectrum
	f      *ldl.Factor
	tau    float64
	basis  *space.Basis
	locked []float64 // μ of the locked vectors, which come first in the basis
	bounds []float64 // bounds of their errors
	// rounding bounds the error that the factorisation makes in an eigenvalue.
	rounding float64
	x, w     blas64.General // scratch memory, n×block: a block and its product
	held     bool           // w holds the next block, which is the last one of the basis
	t        blas64.General
	b        blas64.General
	active   int
	chain    int // first column with coefficients of the next product that are not just rounding
	next     int
	audit    *audit
	// found is the number of pairs that the first pass found. fruitless is the number of searches, one
	// after the other, that met no value above their floor.
	found, fruitless int
	floor            float64 // in a search: values above it are wanted
	missing          int     // and so many of them; 0 outside of a search
	searched         int     // the restarts before it
	spared           int     // looks in it at pairs that held by the whole tolerance alone, see spare
	// loose says that a search which kept to the residuals as errors was stale: bounds by T, which
	// are larger, are the errors from then on.
	loose bool
	stats problem.Stats
}

// shiftAway is the distance of the first shift from the upper end of a spectrum whose end is known,
// relative to the norm: far above rounding, below the eigenvalues of nearly all problems.
const shiftAway = 1e-11

// invert chooses tau above the spectrum of op and factors. Pencils end at 1, negative semidefinite
// operators near 0. For others a few Lanczos steps estimate the end; inertia shows whether a shift
// lies above it.
func (v *inverted) invert(ctx context.Context) error {
	ok, err := v.try(ctx, v.Top+shiftAway*v.s.norm)
	if err != nil || ok && v.Known.Size() > 0 {
		return err
	}
	end, off := v.upperEnd()
	if ok {
		if end+off < v.Top { // the spectrum ends well below: a closer shift separates it better
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
		v.Observer.Detailf(ldl.Stage, "the shift %.6g is not above the spectrum", tau)
		return false, nil
	}
	v.f, v.tau = f, tau
	return err == nil, err
}

// upperEnd estimates the largest eigenvalue of op in the complement of the known vectors by Lanczos
// steps with one vector, and returns the estimate and its residual.
func (v *inverted) upperEnd() (end, off float64) {
	const steps = 12
	b := space.NewBasis(v.N, steps+1, v.Known, v.Seed)
	x, w := space.NewBlock(v.N, 1), space.NewBlock(v.N, 1)
	b.PushRandom(x)
	t := space.NewBlock(steps, steps)
	for a := 0; a < steps && a < b.Size; a++ {
		space.CopyBlock(x, space.Columns(b.V, a, a+1))
		v.Op.MulBlock(w, x)
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
		return v.Top, v.s.norm
	}
	return values[steps-1] * v.s.norm, off * v.s.norm
}

// apply sets w = Tx; w and x may be the same. T is in units of 1/norm, so that its entries neither
// overflow nor vanish. What rounding leaves of the known vectors in x grows to a part of w, which
// Orthogonalise removes.
func (v *inverted) apply(w, x blas64.General) {
	v.s.solve(v.f, w, x)
	space.ScaleBlock(w, v.s.norm)
}

// Pairs that are locked ahead of the others have at least apart times the value of T that the last
// wanted pair has, and residuals of apartTol, relative to the largest.
const (
	apart    = 1e4
	apartTol = 1e-13
)

// lockApart locks the converged leading pairs if their values of T are far above the others', as
// with weak bridges, and reports whether it did. Rounding in T is relative to its largest value:
// while such pairs are active, the others cannot converge. The next cycle starts with random
// vectors in their complement, where T is smaller.
func (v *inverted) lockApart(r *approximation) bool {
	need := v.needed(r)
	if len(v.locked) >= v.K || need == 0 || need > len(r.nu) {
		return false
	}
	count := 0
	for count < r.good && count < need-1 && r.nu[count] >= apart*math.Abs(r.nu[need-1]) && r.residual[count] <= apartTol*r.nu[0] {
		count++
	}
	if count == 0 || v.measured(r, count, 1) < count {
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
func firstPairs(p problem.Pairs, k int) problem.Pairs {
	k = min(k, len(p.Values))
	out := p
	out.Values, out.Errors = p.Values[:k], p.Errors[:k]
	out.Vectors = space.NewBlock(p.Vectors.Rows, k)
	space.CopyBlock(out.Vectors, space.Columns(p.Vectors, 0, k))
	out.Converged = min(p.Converged, k)
	return out
}

// refill completes the next block with random vectors.
func (v *inverted) refill() {
	column := space.NewBlock(v.N, 1)
	from := len(v.locked) + v.active
	for v.basis.Size-from < v.Task.Block && v.basis.Room() > 0 && v.basis.Size < v.basis.Capacity() && v.basis.PushRandom(column) {
	}
	v.next, v.held = v.basis.Size-from, false
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
	look := v.Task.Block * 2
	for v.next > 0 && v.basis.Size+v.Task.Block <= v.basis.Capacity() {
		if err := v.extend(ctx); err != nil {
			return nil, err
		}
		if v.active < min(look, v.wanted()+v.Task.Block) && v.next > 0 {
			continue
		}
		look = v.active + 2*v.Task.Block
		r, err := v.ritz()
		if err != nil || r.done {
			return r, err
		}
	}
	return v.ritz()
}

// wanted is how many more pairs are needed besides the locked ones.
func (v *inverted) wanted() int { return max(1, v.K-len(v.locked)) }

// extend multiplies the next block by T.
func (v *inverted) extend(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	began := time.Now()
	from := v.basis.Size - v.next
	w := space.AsBlock(v.w.Data[:v.N*v.next], v.N, v.next)
	if !v.held {
		v.basis.Read(w, from)
	}
	v.apply(w, w)
	v.stats.Products += v.next
	solved := time.Now()
	v.stats.ProductTime += solved.Sub(began)
	scale := v.Space.Longest(w)
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
	r := v.basis.Append(w, v.Task.Block, scale)
	v.active, v.next, v.held = a+c, r.Rows, r.Rows == c
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
	values, vectors, err := v.basis.Ritz(v.t, a)
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
	if r.done {
		part := 1.0
		if v.spared < mostSpared {
			part = spare
		}
		exact := v.measured(r, r.good, part)
		if need > 0 && (v.next > 0 || v.missing == 0) {
			// In a search an invariant space has nothing better. Pairs that T has settled there, and that
			// further cycles do not make better, have the errors of the locked ones, to which they are
			// orthogonal; refine then finds the best pairs of all.
			r.done = exact >= need || v.loose && v.stale() && v.settled(r, need)
			if !r.done && part < 1 && need <= a && v.measured(r, need, 1) >= need {
				v.spared++
			}
		}
		// Further pairs that are not exact would leave their errors to all that is found beside them.
		r.good = max(exact, min(need, r.good))
	}
	v.Observer.Report(problem.Stage, int64(min(len(v.locked)+r.good, v.K)), int64(v.K), "pairs")
	r.keep = min(need+(v.Task.Subspace-len(v.locked)-need)*2/5, a, v.Task.Subspace-len(v.locked)-2*v.Task.Block)
	r.keep = max(0, r.keep)
	return r, nil
}

// copyTol is the distance of two values of T, relative to them, within which a Ritz pair beyond the
// last wanted one counts as a copy of it.
const copyTol = 1e-6

// needed is the number of leading Ritz pairs that must converge: those that fill up k, with the
// copies of the last one that a space of this block can have, or in a search those above its floor,
// and at least one. A copy that is locked beside the last pair takes a step or two; one that the
// count finds missing takes a search of the complement.
func (v *inverted) needed(r *approximation) int {
	if v.missing == 0 {
		need := max(0, v.K-len(v.locked))
		most := min(need+v.Task.Block-1, len(r.nu))
		for last := need - 1; need > 0 && need < most && r.nu[need] >= (1-copyTol)*r.nu[last]; {
			need++
		}
		return need
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

// settledTol is the residual of a pair with T, relative to ν, from which on further cycles change
// it by rounding alone.
//
// A search ends with such pairs after settledCycles restarts.
const settledTol, settledCycles = 1e-13, 8

// stale reports whether a search has gone on for as many cycles as may end it.
func (v *inverted) stale() bool {
	return v.missing > 0 && v.stats.Restarts-v.searched >= settledCycles
}

// settled reports whether the first count pairs are settled.
func (v *inverted) settled(r *approximation, count int) bool {
	for j := range count {
		if r.residual[j] > settledTol*math.Abs(r.nu[j]) {
			return false
		}
	}
	return true
}

// spare is the part of the tolerance that pairs are first held to: refine mixes the pairs of a
// cluster, and so their residuals. After mostSpared looks that found pairs between the part and the
// whole, the whole is enough.
const spare, mostSpared = 0.25, 3

// measured is the number of pairs that hold on the original problem, by a part of the tolerance, of
// the first count, up to the first that does not.
func (v *inverted) measured(r *approximation, count int, part float64) int {
	if count == 0 {
		return 0
	}
	u := v.basis.Combine(len(v.locked), space.Columns(r.vectors, 0, count))
	product := space.NewBlock(v.N, count)
	v.Op.MulBlock(product, u)
	for i := range v.N {
		row := product.Data[i*product.Stride:][:count]
		for j, x := range u.Data[i*u.Stride:][:count] {
			row[j] -= r.mu[j] * x
		}
	}
	limit, measure := part*v.Tol, space.Space.Norms
	if v.Scaled {
		limit *= v.s.least
	}
	if v.Task.Measure != nil {
		limit, measure = part*v.Task.Measured, v.Task.Measure
	}
	norms := space.ColumnNorms(u, product)
	for j, m := range measure(v.Task.Space, u, product) {
		if !(m <= limit) && !(norms[j] <= 1e-13*v.s.norm) { // or as far as rounding allows
			return j
		}
	}
	return count
}

// lock moves the converged pairs to the locked ones.
func (v *inverted) lock(r *approximation) {
	for j := range r.good {
		v.locked = append(v.locked, r.mu[j])
		v.bounds = append(v.bounds, v.bound(r.mu[j], r.residual[j], r.nu[j], r.nu[0]))
	}
	v.rotate(r, r.good)
	v.active, v.next, v.held = 0, 0, false
}

// bound bounds the error of a value mu of op, for the value nu of T with a residual: |1/(tau−μ') −
// ν| ≤ residual, so μ is off by at most (tau−μ)·residual/ν, to first order. The factor belongs to
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
	q := space.AsBlock(v.x.Data[:v.N*v.next], v.N, v.next)
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
	v.active, v.chain, v.held = keep, 0, false
}

// result returns the count largest locked pairs, descending.
func (v *inverted) result(count int) problem.Pairs {
	order := indices.Falling(v.locked)
	order = order[:min(count, len(order))]
	p := problem.Pairs{Vectors: space.NewBlock(v.N, len(order)), Converged: len(order), Norm: v.s.least}
	for _, from := range order {
		p.Values = append(p.Values, v.locked[from])
		p.Errors = append(p.Errors, v.bounds[from])
	}
	v.basis.Pick(p.Vectors, order, func(row int) int { return row })
	return p
}

package eigen

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
)

// tryFilter decides whether to use a filter and makes the first one. It uses a filter if the
// operator is a matrix with few entries per row, and is large enough that estimating its spectrum
// does not exhaust it.
func (k *krylov) tryFilter(ctx context.Context) error {
	a, ok := k.op.(matrix)
	if !ok || k.room() < 20*scoutSteps || a.NNZ() > maxRowEntries*k.whole() || k.task.k > k.room()/10 {
		return nil
	}
	// The basis takes its memory only later.
	ordered, err := arrange(ctx, k.op, (memory.Left(ctx)-k.task.bytes(Lanczos))/2)
	if err != nil {
		return err
	}
	below := roomy * float64(k.task.subspace)
	seen, err := k.scout(ctx, ordered, below)
	if err != nil || !(seen.top > seen.low) {
		return err
	}
	wanted := seen.where(float64(k.task.k))
	if len(k.locked) >= k.task.k {
		wanted = k.locked[k.byValue()[k.task.k-1]]
	}
	fit := func(size int) (*filter, bool) {
		return fitted(seen.low, seen.where(roomy*float64(size)), wanted, max(seen.top, wanted), k.basisProducts(size), k.known.size() > 0)
	}
	// If the crowd around the wanted values is larger than the basis, its filter is weak or there is
	// none. A basis that holds the crowd has a better one.
	size := k.task.subspace
	f, near := fit(size)
	for next := size + size/2; near && k.affords(next); next += next / 2 {
		larger, still := fit(next)
		if larger != nil {
			f, size = larger, next
		}
		near = still
	}
	if f == nil {
		return nil // a filtered cycle, degree times as many products, would only confirm that
	}
	if more := size - k.task.subspace; more > 0 {
		k.grow(more)
	}
	k.useFilter(f, ordered)
	return nil
}

// basisProducts is the cost of a vector in a basis of so many, in products with one vector.
func (k *krylov) basisProducts(size int) float64 {
	return basisCost * float64(size) * float64(k.whole()) / float64(max(k.op.(matrix).NNZ(), 1))
}

// useFilter takes a filter where there was none, and the operator, perhaps with its rows in another
// order, that it multiplies by.
func (k *krylov) useFilter(f *filter, ordered Operator) {
	k.filter, k.filtered = f, ordered
	k.y, k.z = memory.Large(make([]float64, len(k.x))), memory.Large(make([]float64, len(k.x)))
	k.basis.spare = k.y // a filter is not applied while columns are made orthonormal
}

// Lanczos steps that outline the spectrum: at least scoutSteps, which bound it (its ends converge
// first; the residual covers the error), and at most mostScoutSteps until scoutValues Ritz values
// stand for the eigenvalues that are to be counted. The larger the matrix, the more it takes.
const (
	scoutSteps     = 12
	mostScoutSteps = 60
	scoutValues    = 6
)

// outline is an estimate of a spectrum from a few Lanczos steps.
type outline struct {
	low, top float64   // its bounds
	values   []float64 // Ritz values, descending
	weights  []float64 // estimated number of eigenvalues near each Ritz value
}

// scout estimates the spectrum in the complement of the known vectors, so finely that the value
// with count eigenvalues above it can be estimated. ordered is the operator, perhaps with its rows
// in another order. The scout uses the free columns of the basis.
func (k *krylov) scout(ctx context.Context, ordered Operator, count float64) (outline, error) {
	t := k.task
	if a, ok := ordered.(*arranged); ok {
		t.op = &inOrder{a, newBlock(k.n, 1), newBlock(k.n, 1)}
	}
	t.block, t.subspace = 1, scoutSteps
	if count > 0 {
		t.subspace = mostScoutSteps
	}
	s := &krylov{task: t, basis: t.newBasis(0, t.seed+2), x: k.x, w: k.w}
	if k.basis != nil && k.basis.capacity()-k.basis.size > scoutSteps {
		s.basis.more = k.basis.parts(k.basis.size, k.basis.capacity())
	} else {
		s.basis.grow(scoutSteps + 1)
	}
	t.subspace = min(t.subspace, s.basis.capacity()-1)
	s.t = newBlock(t.subspace+1, t.subspace+1)
	room := float64(s.basis.room())
	s.fillRandom(0)
	var o outline
	for step := 1; step <= t.subspace && s.next > 0; step++ {
		if err := s.extend(ctx); err != nil {
			return outline{}, err
		}
		if s.next > 0 && step < t.subspace && (step < scoutSteps || step%4 != 0) {
			continue
		}
		r, err := s.ritz()
		if err != nil {
			return outline{}, err
		}
		if o = r.outline(room); o.resolves(count) {
			break
		}
	}
	k.stats.Products += s.stats.Products
	k.stats.ProductTime += s.stats.ProductTime
	k.stats.BasisTime += s.stats.BasisTime
	k.scale = max(k.scale, s.scale)
	return o, nil
}

// outline is the estimate from the Ritz pairs of a space that began with a random vector, in room
// dimensions.
func (r *ritz) outline(room float64) outline {
	last := len(r.values) - 1
	o := outline{low: r.values[last] - r.residuals[last], top: r.values[0] + r.residuals[0], values: r.values}
	for _, first := range r.vectors.Data[:last+1] {
		o.weights = append(o.weights, room*first*first)
	}
	return o
}

// resolves reports whether scoutValues or more Ritz values stand for the count largest eigenvalues.
func (o outline) resolves(count float64) bool {
	for _, weight := range o.weights[:min(scoutValues, len(o.weights))] {
		count -= weight
	}
	return count >= 0
}

// above estimates how many eigenvalues lie above x (stochastic Lanczos quadrature). The squared
// component of a Ritz vector in the random start vector is the estimated number of eigenvalues near
// its value. They are spread evenly on both sides of the value, up to half the distance to the
// nearer neighbour, so a gap of the spectrum appears as a gap between Ritz values. An estimate of k
// from one vector has an error of about √(2k).
func (o outline) above(x float64) float64 {
	count := 0.0
	for j, v := range o.values {
		reach := max(o.top-v, v-o.low)
		if j > 0 {
			reach = (o.values[j-1] - v) / 2
		}
		if j+1 < len(o.values) {
			reach = min(reach, (v-o.values[j+1])/2)
		}
		switch {
		case x <= v-reach:
			count += o.weights[j]
		case x < v+reach:
			count += o.weights[j] * (v + reach - x) / (2 * reach)
		}
	}
	return count
}

// where estimates the value with count eigenvalues above it.
func (o outline) where(count float64) float64 {
	low, high := o.low, o.top
	for range 50 {
		if x := (low + high) / 2; o.above(x) < count {
			high = x
		} else {
			low = x
		}
	}
	return low
}

// Values of p at the k-th eigenvalue: below useful a filter does hardly more than stretch the
// spectrum, enough is what a new one has at least, and above steep its band is far too wide.
const (
	useful = 2.5
	enough = 4
	steep  = 300
)

// patience is the number of cycles after which a filter is judged: Ritz values rise from below.
const patience = 3

// refilter checks the filter after a cycle, by its value at the last wanted Ritz value. If that is
// too small or far too large, it makes another one from the Ritz values, or takes the safe one, or
// none. Then pairs that have converged are locked, the Krylov space begins anew with random
// combinations of the other wanted Ritz vectors, and refilter returns true. That loses most of what
// the space knew, so a filter that serves well enough stays.
func (k *krylov) refilter(r *ritz) bool {
	wanted := min(k.k-len(k.locked), len(r.values))
	if k.filter == nil || wanted < 1 {
		return false
	}
	reached := r.theta[wanted-1]
	weak := reached < useful && k.stats.Restarts-k.filterSince >= patience
	if !weak && reached <= steep {
		return false
	}
	values := k.byFalling(r)
	f := k.filter.refitted(values, len(k.locked)+wanted, k.basisProducts(k.task.subspace), k.known.size() > 0)
	if f == nil && weak {
		f = safeFilter(k.filter.low, values[0])
		if f.high >= k.filter.high || k.known.size() > 0 && f.at(knownValue) > largestKnown {
			f = nil
		}
	} else if f == nil || !weak && f.degree < 2*k.filter.degree {
		return false
	}
	open := wanted
	for _, j := range r.order[:r.lock] {
		if j < wanted {
			open--
		}
	}
	if open < 1 {
		return false
	}
	k.restart(r, open)
	k.filter, k.filterSince = f, k.stats.Restarts
	mixture := newBlock(open, k.task.block)
	for i := range mixture.Data {
		mixture.Data[i] = k.basis.common.NormFloat64()
	}
	locked := len(k.locked)
	start := k.basis.combine(locked, mixture)
	k.basis.size = locked
	k.basis.appendOneByOne(start, start.Cols, 1e-8)
	k.growth = 0
	clear(k.t.Data)
	k.fillRandom(locked)
	return true
}

// byFalling lists the values of locked and active vectors, descending.
func (k *krylov) byFalling(r *ritz) []float64 {
	values := slices.Concat(k.locked, r.values)
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
	return values
}

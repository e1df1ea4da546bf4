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
	seen, err := k.scout(ctx)
	if err != nil || !(seen.top > seen.low) {
		return err
	}
	f := firstFilter(seen.low, seen.top)
	if seen.above(f.inverse(useful)) < float64(k.task.k) {
		return nil // a filtered cycle, degree times as many products, would only confirm that
	}
	if k.known.size() > 0 && f.at(knownValue) > largestKnown {
		return nil
	}
	if len(k.locked) >= k.task.k && f.at(k.locked[k.byValue()[k.task.k-1]]) < useful {
		return nil // would search above the k-th locked value, which is in the band
	}
	// The basis takes its memory only later.
	return k.useFilter(ctx, f, (memory.Left(ctx)-k.task.bytes(Lanczos))/2)
}

// useFilter takes a filter where there was none: its memory, and the matrix in an order that suits
// its products, if that takes at most the given bytes.
func (k *krylov) useFilter(ctx context.Context, f *filter, most int64) (err error) {
	k.filter = f
	k.y, k.z = make([]float64, len(k.x)), make([]float64, len(k.x))
	k.filtered, err = arrange(ctx, k.op, most)
	return err
}

// scoutSteps is the number of Lanczos steps that bound the spectrum. Its ends converge first; the
// residual covers the error.
const scoutSteps = 12

// outline is an estimate of a spectrum from a few Lanczos steps.
type outline struct {
	low, top float64   // its bounds
	values   []float64 // Ritz values, descending
	weights  []float64 // estimated number of eigenvalues near each Ritz value
}

// scout estimates the spectrum in the complement of the known vectors.
func (k *krylov) scout(ctx context.Context) (outline, error) {
	t := k.task
	t.block, t.subspace = 1, scoutSteps
	s := &krylov{
		task: t, basis: t.newBasis(scoutSteps+1, t.seed+2), t: newBlock(scoutSteps+1, scoutSteps+1),
		x: k.x, w: k.w,
	}
	room := float64(s.basis.room())
	s.fillRandom(0)
	for range scoutSteps {
		if s.next == 0 {
			break
		}
		if err := s.extend(ctx); err != nil {
			return outline{}, err
		}
	}
	r, err := s.ritz()
	if err != nil {
		return outline{}, err
	}
	k.stats.Products += s.stats.Products
	k.stats.ProductTime += s.stats.ProductTime
	k.stats.BasisTime += s.stats.BasisTime
	k.scale = max(k.scale, s.scale)
	last := len(r.values) - 1
	o := outline{low: r.values[last] - r.residuals[last], top: r.values[0] + r.residuals[0], values: r.values}
	for _, first := range r.vectors.Data[:last+1] {
		o.weights = append(o.weights, room*first*first)
	}
	return o, nil
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

// useful is the smallest p(μ) of a wanted value at which a filter does more than stretch the
// spectrum slightly.
const useful = 8

// refilter checks the filter after a cycle. It drops a filter whose band reaches wanted values, and
// replaces a filter by a much sharper one if the values now allow it. In both cases pairs that have
// converged are locked, the Krylov space begins anew with random combinations of the other wanted
// Ritz vectors, and refilter returns true.
//
// The sharper filter comes as soon as the values allow it, although pairs that are far from the
// others converge before: those that are near each other take nearly all of the products.
func (k *krylov) refilter(r *ritz) bool {
	wanted := min(k.k-len(k.locked), len(r.values))
	if k.filter == nil || wanted < 1 {
		return false
	}
	var f *filter
	if r.theta[wanted-1] >= useful {
		f = k.filter.sharper(k.byFalling(r), len(k.locked)+wanted, k.known.size() > 0)
		if f == nil {
			return false
		}
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
	k.filter = f
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

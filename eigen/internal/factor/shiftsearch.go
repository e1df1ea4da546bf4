package factor

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// mostFruitless is the number of searches in turn that may find nothing of what a count says is
// missing.
const mostFruitless = 4

// judge compares the locked pairs with a count by inertia. If it does not certify them, the solve
// goes on with a search of their complement. before is the number of pairs locked earlier. A search
// that found some of what is missing goes on for the rest: that takes no count.
func (v *inverted) judge(ctx context.Context, before int) (p problem.Pairs, done bool, err error) {
	gained := v.gained(before)
	switch {
	case v.found == 0:
		v.found = len(v.locked)
	case gained > 0 && gained < v.missing && v.stats.Restarts < v.MaxIter:
		v.stats.Restarts++
		v.search(v.floor, v.missing-gained)
		return p, false, nil
	default:
		if err := v.refine(ctx); err != nil {
			return p, true, err
		}
	}
	return v.compare(ctx, gained)
}

// compare compares the locked pairs with a count, after a search that gained so many of them, and
// begins the next search if pairs are missing.
func (v *inverted) compare(ctx context.Context, gained int) (p problem.Pairs, done bool, err error) {
	p = v.result(len(v.locked))
	claimed := claimOf(v.Task, v.s, v.withErrors(p), v.K)
	c, err := v.audit.check(ctx, claimed)
	var short *shortfall
	if !errors.As(err, &short) {
		if err != nil {
			return problem.Pairs{}, true, named(v.Task, err)
		}
		v.stats.Inertia = inTerms(v.Task, c)
		return v.taken(p), true, nil
	}
	v.fruitless++
	if gained > 0 {
		v.fruitless = 0
	}
	v.Observer.Detailf(problem.Stage, "by inertia %d eigenvalues are in the range of the result or close to its last value, and %d were found; the complement is searched", short.above, short.found)
	if v.stats.Restarts++; v.stats.Restarts > v.MaxIter || v.fruitless > mostFruitless {
		v.stats.Restarts = min(v.stats.Restarts, v.MaxIter)
		p = v.taken(p)
		p.Unsearched = true
		if !short.beyond {
			p.Missing = short.above - short.found
		}
		return p, true, nil
	}
	missing := short.above - short.found
	if claimed.k > short.found && !v.audit.affords(short.found, short.above) {
		missing = min(missing, claimed.k-short.found)
	}
	v.search(short.tau, missing)
	return p, false, nil
}

// withErrors are pairs whose errors are their residuals where these are smaller than the bounds by
// T, as where T is large somewhere.
func (v *inverted) withErrors(p problem.Pairs) problem.Pairs {
	if v.loose {
		return p
	}
	p.Errors = slices.Clone(p.Errors)
	for j, r := range residualsOf(v.Op, p) {
		p.Errors[j] = min(p.Errors[j], r+8*0x1p-52*v.s.norm)
	}
	return p
}

// gained is the number of pairs locked since the number was before that a search wanted.
func (v *inverted) gained(before int) int {
	count := 0
	for _, mu := range v.locked[before:] {
		if v.missing == 0 || mu > v.floor {
			count++
		}
	}
	return count
}

// taken returns the result of all locked pairs and counts those that only searches found.
func (v *inverted) taken(p problem.Pairs) problem.Pairs {
	for _, from := range indices.Falling(v.locked)[:min(v.K, len(v.locked))] {
		if from >= v.found {
			v.stats.Recovered++
		}
	}
	return firstPairs(p, v.K)
}

// searchWidth is the largest block of a search, which is for several values close to each other.
const searchWidth = 8

// search starts again in the complement of the locked vectors, for so many pairs above floor.
func (v *inverted) search(floor float64, missing int) {
	v.floor, v.missing, v.searched, v.spared = floor, missing, v.stats.Restarts, 0
	if width := min(v.missing, searchWidth, v.Room()-len(v.locked)); width > v.Task.Block {
		v.Task.Block = width
		v.x, v.w = space.NewBlock(v.N, width), space.NewBlock(v.N, width)
		v.basis.Spare = v.x.Data
	}
	need := len(v.locked) + 2*min(v.missing, 2*searchWidth) + 10*v.Task.Block
	if need = min(need, v.Room()) + v.Task.Block; need > v.basis.Capacity() {
		v.basis.Grow(need - v.basis.Capacity())
		v.Task.Subspace = need - v.Task.Block
		v.stats.Subspace = v.Task.Subspace
	}
	v.basis.Size = len(v.locked)
	v.active, v.chain = 0, 0
	v.t = space.NewBlock(v.basis.Capacity(), v.basis.Capacity())
	v.refill()
}

// refine replaces the locked vectors by the Ritz vectors of T in their space. What a search finds
// is orthogonal to pairs that were locked before, with the errors of these; within a cluster of
// nearly equal values such errors add up. Leading values far above the others, as of weak bridges,
// stay: see lockApart.
//
// It takes a product with every vector, 6·n·m² operations and n×m numbers of memory for m vectors.
func (v *inverted) refine(ctx context.Context) error {
	nu := func(j int) float64 { return v.s.norm / (v.tau - v.locked[j]) }
	least := math.Inf(1)
	for j := range v.locked {
		least = min(least, nu(j))
	}
	from := 0
	for from < len(v.locked) && nu(from) >= apart*least {
		from++
	}
	m := len(v.locked) - from
	v.basis.Size = len(v.locked)
	h, rest := space.NewBlock(len(v.locked), m), space.NewBlock(v.N, m)
	for at := 0; at < m; at += v.Task.Block {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := min(v.Task.Block, m-at)
		x, w := space.AsBlock(v.x.Data[:v.N*c], v.N, c), space.AsBlock(v.w.Data[:v.N*c], v.N, c)
		v.basis.Read(x, from+at)
		v.apply(w, x)
		space.CopyBlock(space.Columns(h, at, at+c), v.basis.Orthogonalise(w, 0))
		space.CopyBlock(space.Columns(rest, at, at+c), w)
	}
	v.stats.Products += m
	sym := blas64.Symmetric{N: m, Stride: m, Uplo: blas.Upper, Data: make([]float64, m*m)}
	for i := range m {
		for j := i; j < m; j++ {
			sym.Data[i*m+j] = 0.5 * (h.Data[(from+i)*m+j] + h.Data[(from+j)*m+i])
		}
	}
	values, vectors, err := space.OneThread(func() ([]float64, blas64.General, error) {
		return v.basis.Engine.SymEig(sym, native.EigRange{}, true)
	})
	if err != nil {
		return err
	}
	v.basis.Rotate(from, vectors)
	residual, couples := space.NewBlock(v.N, m), space.NewBlock(from, m)
	v.basis.Engine.Gemm(blas.NoTrans, blas.NoTrans, 1, rest, vectors, 0, residual)
	if from > 0 {
		v.basis.Engine.Gemm(blas.NoTrans, blas.NoTrans, 1, space.Rows(h, 0, from), vectors, 0, couples)
	}
	outside := space.ColumnNorms(residual, residual)
	for j, value := range values {
		off := outside[j]
		for i := range from {
			off = math.Hypot(off, couples.Data[i*m+j])
		}
		v.locked[from+j] = v.tau - v.s.norm/value
		v.bounds[from+j] = v.bound(v.locked[from+j], off, value, values[m-1])
	}
	return nil
}

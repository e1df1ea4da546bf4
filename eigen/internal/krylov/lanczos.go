package krylov

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// krylov is block Lanczos with thick restart (Wu and Simon 2000, in blocks), full
// reorthogonalisation and locking. The basis holds, in this order,
//
//	locked   vectors that met the tolerance; the rest is kept orthogonal to them,
//	aside    in a search, approximate eigenvectors that the rest is kept orthogonal to as well,
//	active   V, with the projected matrix T = VᵀAV and AV = VT + QB up to the tolerance,
//	next     Q, the block to be multiplied next.
//
// T and B are full matrices, so V may hold any combination of restarted, random and new columns. If
// products are cheap, A is replaced by a Chebyshev polynomial of it ([filter]); T then belongs to
// the polynomial, and its values are converted back.
type krylov struct {
	problem.Task
	basis  *space.Basis
	filter *filter // nil without a filter
	// filterSince counts the restarts before the filter was made.
	filterSince int
	locked      []float64      // eigenvalues of the locked vectors
	aside       int            // vectors set aside
	t           blas64.General // capacity×capacity, the leading active×active part is T
	b           blas64.General // next×active, B
	active      int
	next        int // columns of Q
	// First column at which the next product has coefficients that are not just rounding.
	chain  int
	scale  float64      // estimate of the norm of A
	growth float64      // norm of the multiplied operator, A or p(A)
	proof  *certificate // of the search that runs, nil outside of one
	free   bool         // the size of the basis was not given, so it may grow
	most   int          // largest size that it may grow to
	worst  float64      // excess of the worst wanted pair at the end of the last cycle
	past   milestone    // see stagnant
	state  *store.Progress
	stats  problem.Stats
	// scratch memory, n×block each: the packed block, its product, and with a filter of an operator
	// that is no matrix alone two for its recurrence
	x, w, y, z []float64
}

// Lanczos solves with the block Lanczos method.
//
// Cost of one restart cycle with m basis vectors: (m − kept) operator products (degree times as
// many with a filter) and about 2·n·m·(m − kept) + 2·n·m·kept flops in gemm. Memory:
// (m + 2·block)·8n bytes, and 2·block·8n more with a filter of an operator that is no matrix alone.
func Lanczos(ctx context.Context, t problem.Task) (problem.Pairs, error) {
	return continueLanczos(ctx, t, blas64.General{Rows: t.N}, nil)
}

// continueLanczos is lanczos with some known pairs: locked holds orthonormal vectors that meet the
// tolerance, in the complement of the null space; values are their eigenvalues.
func continueLanczos(ctx context.Context, t problem.Task, locked blas64.General, values []float64) (problem.Pairs, error) {
	began := time.Now()
	free := t.Subspace == 0
	t.Block, t.Subspace = problem.LanczosSizes(t, locked.Cols)
	wide := widest(t)
	k := &krylov{
		Task:   t,
		basis:  t.NewBasis(0, t.Seed),
		locked: append([]float64(nil), values...),
		t:      space.NewBlock(t.Subspace+wide, t.Subspace+wide),
		x:      memory.Large(make([]float64, t.N*wide)),
		w:      memory.Large(make([]float64, t.N*wide)),
		state:  lanczosState(ctx),
		free:   free,
	}
	k.basis.Spare = k.x // which is free while columns are made orthonormal
	k.stats = problem.Stats{Solver: problem.Lanczos, Subspace: t.Subspace, Block: t.Block}
	for _, v := range values {
		k.scale = max(k.scale, math.Abs(v))
	}
	resumed, err := k.resume(ctx)
	if err == nil && !resumed {
		err = k.begin(ctx, locked)
	}
	if err != nil {
		return problem.Pairs{}, err
	}
	p, err := k.run(ctx, !resumed && len(k.locked) >= k.K)
	if err == nil {
		k.state.End()
	}
	k.stats.Total = time.Since(began)
	p.Stats, p.Norm = k.stats, k.scale
	return p, err
}

// begin makes the first block.
func (k *krylov) begin(ctx context.Context, locked blas64.General) error {
	k.basis.V, k.basis.More = space.NewBlock(k.N, 0), nil
	if k.filterable() {
		// The basis takes its memory only later.
		if err := k.arrange(ctx, (memory.Left(ctx)-k.Task.Bytes(problem.Lanczos))/2); err != nil {
			return err
		}
	}
	k.basis.Grow(min(k.Subspace, k.Task.Room()) + widest(k.Task))
	if locked.Cols > 0 {
		k.basis.Push(space.InOrder(locked, k.Space.Order))
	}
	k.most = k.mostGrown(ctx)
	err := k.tryFilter(ctx)
	if err == nil && len(k.locked) < k.Task.K {
		k.startFrom(k.Start)
	}
	return err
}

// widest returns the width of the widest block, which is the block of a search.
func widest(t problem.Task) int { return max(t.Block, min(searchBlock, t.Room())) }

// run iterates until k pairs are locked and a search of the complement from a fresh random block
// has shown that nothing larger is missing. searching begins with the search.
func (k *krylov) run(ctx context.Context, searching bool) (problem.Pairs, error) {
	if searching {
		k.searchComplement(aside{})
	}
	for {
		if !searching {
			if err := k.save(); err != nil {
				return problem.Pairs{}, err
			}
		}
		r, err := k.cycle(ctx, searching)
		if err != nil {
			return problem.Pairs{}, err
		}
		k.Observer.Report(problem.Stage, int64(min(len(k.locked)+r.lock, k.K)), int64(k.K), "pairs")
		found := r.satisfied && (k.next == 0 && k.aside == 0 || searching && r.nothingAbove(k))
		if !found && k.hides(r) {
			k.basis.Size, k.next = len(k.locked), 0
			k.searchComplement(aside{})
			continue
		}
		if found {
			k.proof = nil
			k.restart(r, 0)
			return k.result(k.K), nil
		}
		if k.stats.Restarts++; k.stats.Restarts > k.MaxIter {
			k.stats.Restarts--
			return k.partial(r), nil
		}
		if r.satisfied && !searching {
			searching = true
			k.searchAfter(r)
			continue
		}
		if k.changed(r, searching) {
			continue
		}
		if r.lock > 0 && searching {
			k.stats.Recovered += r.lock
			searching, k.proof = false, nil // add what the search found, then search again
		}
		k.restart(r, r.keep)
	}
}

// hides reports whether vectors that were set aside keep the search from ending: a value is
// missing, and they would count in its residual; or the space is invariant, and they hide whether
// anything is missing; or the search finds copies of the k-th value that were not set aside, and
// what was hides too much beside them.
func (k *krylov) hides(r *ritz) bool {
	return k.aside > 0 && (r.wanted(k) > 0 || k.next == 0 || k.proof.spent(r))
}

// changed reports whether another cycle from the same vectors comes next: with more room for a
// crowd, another filter, or a larger basis where the values stagnate.
func (k *krylov) changed(r *ritz, searching bool) bool {
	if !searching && (k.crowded(r) || k.refilter(r)) {
		return true
	}
	return (r.lock == 0 || !searching) && k.stagnant(searching)
}

// cycle fills the basis and solves the projected problem. It solves it from time to time on the way
// as well, and stops early if more vectors would not help.
func (k *krylov) cycle(ctx context.Context, searching bool) (*ritz, error) {
	if k.next > 0 {
		k.widen(3)
	}
	look := 2 * (max(0, k.K-len(k.locked)) + k.Task.Block)
	if searching {
		look = min(k.active+k.Task.Block, max(k.active, firstLook*k.Task.Block))
	}
	for k.next > 0 && k.basis.Size+k.Task.Block <= k.basis.Capacity() {
		if err := k.extend(ctx); err != nil {
			return nil, err
		}
		if k.active < look {
			continue
		}
		look = k.active + max(4*k.Task.Block, k.active/2)
		if searching {
			look = k.active + max(k.Task.Block, k.active/8)
		}
		r, err := k.ritz()
		if err != nil {
			return nil, err
		}
		if r.plan(k); r.satisfied && (!searching || r.nothingAbove(k)) {
			return r, nil
		}
	}
	r, err := k.ritz()
	if err != nil {
		return nil, err
	}
	r.plan(k)
	return r, nil
}

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

// searchComplement restarts with a random first block. It has a component in every vector that the
// first pass missed because its block was narrower than the multiplicity of an eigenvalue. Nothing
// else is kept, because a vector that is already nearly exact would look like a result of the
// search.
//
// Each search takes new Gaussian vectors, independent of everything before, on which its
// certificate depends.
func (k *krylov) searchComplement(a aside) {
	k.basis.Size -= k.next
	k.aside = a.vectors
	k.Task.Block = max(k.Task.Block, min(searchBlock, k.Room()))
	k.widen(searchBlocks)
	least := k.locked[k.byValue()[k.K-1]]
	if k.filter != nil && k.filter.at(least) < useful {
		k.filter, k.growth = nil, k.scale // the k-th value is in its band
	}
	if k.filter != nil {
		k.growth = 0 // that of the locked vectors, far above all that the search meets
	}
	omega := space.NewBlock(k.N, min(k.Task.Block, k.basis.Room()))
	for i := range omega.Data {
		omega.Data[i] = k.basis.Rng.NormFloat64()
	}
	before := k.basis.Size
	k.basis.Orthogonalise(omega, 0)
	r := k.basis.Append(omega, omega.Cols, math.Sqrt(float64(k.Whole())))
	k.active, k.next, k.chain = 0, k.basis.Size-before, 0
	k.b, k.proof = blas64.General{}, newCertificate(r, a)
	k.stats.Missed += MissProbability
}

// missing returns the smallest value, in terms of T, that counts as missing beside the k-th locked
// one, and the latter.
func (k *krylov) missing() (floor, least float64) {
	least = k.locked[k.byValue()[k.K-1]]
	floor = least + max(problem.Slack*k.limit(), problem.SlackRounding*k.scale)
	if f := k.filter; f != nil {
		return f.at(floor), f.at(least)
	}
	return floor, least
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

// fixed is the number of basis vectors that are not part of the Krylov space.
func (k *krylov) fixed() int { return len(k.locked) + k.aside }

// ritz solves the projected problem and returns its values, descending, with vectors and the
// residual norms ‖B·s‖.
func (k *krylov) ritz() (*ritz, error) {
	began := time.Now()
	defer func() { k.stats.BasisTime += time.Since(began) }()
	a := k.active
	sym := blas64.Symmetric{N: a, Stride: a, Uplo: 'U', Data: make([]float64, a*a)}
	for i := range a {
		copy(sym.Data[i*a:][:a], k.t.Data[i*k.t.Stride:][:a])
	}
	values, vectors, err := space.OneThread(func() ([]float64, blas64.General, error) {
		return k.basis.Engine.SymEig(sym, native.EigRange{}, true)
	})
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

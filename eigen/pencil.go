package eigen

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Pencil is L y = λ M y for a graph with symmetric non-negative weights W: L = diag(W·1) − W is its
// Laplacian and M = diag(mass). With mass = W·1 (the degrees, D) this is the normalised problem of
// spectral methods, with all λ in [0, 2]. Other masses occur if a graph is contracted.
//
// A Pencil is safe for concurrent use. It holds W, and one scaled copy of it while it needs that.
type Pencil struct {
	w       Operator // W; the degrees are W·1
	degree  []float64
	mass    []float64
	invSqrt []float64 // M^-1/2, 0 for isolated points
	// largestMass is the largest mass of all points, 1 if none has any.
	largestMass float64
	s           Operator // S of the package comment; a unit diagonal entry never occurs
	label       []int32
	count       int
	known       *space.Nullspace
	heaviest    []int // components by falling volume
	// space says which points the slices are of: all, or those of this rank (see [Shared]), where
	// setSize is the number of points of each set.
	space   space.Space
	setSize []float64
}

// NewPencil makes the pencil of the graph W, which must be symmetric, non-negative and finite. Its
// diagonal is ignored: it cancels in L, and the degrees include it only through mass. A nil mass
// means the degrees.
//
// A point without edges has degree 0. It is a component of its own with eigenvalue 0, and its
// eigenvector is its indicator. A given mass must be positive and finite for every point.
func NewPencil(w *sparse.CSR, mass []float64) (*Pencil, error) {
	return newPencil(w, mass, cliques{})
}

// newPencil is NewPencil with sets of points that are joined by edges of a weight. With sets, mass
// must be nil (the degrees).
func newPencil(w *sparse.CSR, mass []float64, sets cliques) (*Pencil, error) {
	n, c := w.Dims()
	switch {
	case n != c:
		return nil, invalid.Errorf("the affinity matrix is %d×%d; it must be square", n, c)
	case n == 0:
		return nil, invalid.Errorf("the affinity matrix is empty; there must be at least one point")
	case mass != nil && len(mass) != n:
		return nil, invalid.Errorf("%d masses were given for %d points", len(mass), n)
	}
	w, err := offDiagonal(w)
	if err != nil {
		return nil, err
	}
	p := &Pencil{w: w, degree: w.RowSums()}
	if err := p.weigh(mass, sets); err != nil {
		return nil, err
	}
	label, count := w.Components()
	p.connect(label, count, sets)
	p.s = &problem.Scaled{W: w, Make: p.normalised}
	if len(sets.members) > 0 {
		p.w = &cliqued{CSR: w, cliques: sets}
		sets.scale = p.invSqrt
		p.s = &cliqued{CSR: p.normalised(w), cliques: sets}
	}
	return p, nil
}

// weigh adds the edges of the sets to the degrees and sets the masses; nil means the degrees.
func (p *Pencil) weigh(mass []float64, sets cliques) error {
	p.mass = mass
	for s, set := range sets.members {
		for _, i := range set {
			p.degree[i] += sets.weight * (sets.size[s] - 1)
		}
	}
	if mass == nil {
		p.mass = p.degree
	}
	if p.overflows() {
		return invalid.Errorf("the weights are so large that their sum overflows; scale them down")
	}
	p.invSqrt = make([]float64, len(p.mass))
	for i, m := range p.mass {
		switch {
		case math.IsInf(m, 0) || math.IsNaN(m) || m < 0 || m == 0 && mass != nil:
			return invalid.Errorf("the mass of point %d is %v; it must be positive and finite", i+1, m)
		case m > 0:
			p.invSqrt[i] = 1 / math.Sqrt(m)
		}
	}
	p.largestMass = p.space.LargestOf(p.mass)
	return nil
}

// connect sets the components, joined by the sets, and the null space that they make.
func (p *Pencil) connect(label []int32, count int, sets cliques) {
	p.label, p.count = sets.joined(label, count)
	volume := p.volumes()
	p.known = space.NewNullspace(p.label, volume, p.mass)
	p.known.Space = p.space
	p.heaviest = space.ByVolume(volume)
}

// checkWeights checks that the weights are finite, not negative and symmetric, and reports whether
// there are any on the diagonal.
func checkWeights(w *sparse.CSR) (diagonal bool, err error) {
	for i := range w.NumRows {
		cols, vals := w.Row(i)
		for k, j := range cols {
			if v := vals[k]; v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
				return false, invalid.Errorf("the weight between points %d and %d is %v; weights must be finite and not negative", i+1, j+1, v)
			}
			diagonal = diagonal || int(j) == i
		}
	}
	if !w.IsSymmetric(0) {
		return false, invalid.Errorf("the affinity matrix is not symmetric; symmetrise it first")
	}
	return diagonal, nil
}

// offDiagonal checks the weights and returns W without its diagonal (W itself if it has none).
func offDiagonal(w *sparse.CSR) (*sparse.CSR, error) {
	diagonal, err := checkWeights(w)
	if err != nil || !diagonal {
		return w, err
	}
	out := &sparse.CSR{NumRows: w.NumRows, NumCols: w.NumCols, RowPtr: make([]int, 1, w.NumRows+1)}
	for i := range w.NumRows {
		cols, vals := w.Row(i)
		for k, j := range cols {
			if int(j) != i {
				out.Col = append(out.Col, j)
				out.Val = append(out.Val, vals[k])
			}
		}
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	return out, nil
}

// normalised makes S = M^-1/2 W M^-1/2 + diag(1 − degree/mass). If mass = degree, the diagonal is
// zero; for isolated points it is zero by convention.
func (p *Pencil) normalised(w *sparse.CSR) *sparse.CSR {
	s := w.Scale(p.invSqrt, p.invSqrt)
	shift := make([]float64, len(p.mass))
	plain := true
	for i, m := range p.mass {
		if m > 0 {
			shift[i] = 1 - p.degree[i]/m
		}
		plain = plain && shift[i] == 0
	}
	if plain {
		return s
	}
	return problem.WithDiagonal(s, shift)
}

// Size is the number of points; of a shared pencil, those of all ranks.
func (p *Pencil) Size() int { return p.space.Among(len(p.mass)) }

// volumes are the sums of mass of the components, over all ranks.
func (p *Pencil) volumes() []float64 {
	return p.space.Summed(space.VolumesOf(p.label, p.count, p.mass))
}

// Components returns the component of each point, numbered by lowest point, and their number, which
// is the multiplicity of λ = 0.
func (p *Pencil) Components() (label []int32, count int) { return p.label, p.count }

// Operator is S: its eigenvalues are 1 − λ and its eigenvectors M^1/2 y.
func (p *Pencil) Operator() Operator { return p.s }

// Solve finds the opt.K smallest eigenpairs, eigenvalues ascending, vectors with yᵀMy = 1.
//
// The first pairs (unless SkipNull leaves them out) are the null vectors with exact zeros, one per
// component: constant on the component and zero elsewhere, ordered by falling sum of mass. The
// solver finds the others. Every pair satisfies ‖Ly − λMy‖ ≤ Tol·‖y‖, recomputed here, or the error
// is *NotConvergedError.
func (p *Pencil) Solve(ctx context.Context, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	return stored(ctx, opt, p.hash, func(ctx context.Context) (*Result, error) { return p.solve(ctx, opt) })
}

// solve is Solve without a store.
func (p *Pencil) solve(ctx context.Context, opt Options) (*Result, error) {
	began := time.Now()
	n := p.Size()
	if err := opt.check(n, n); err != nil {
		return nil, err
	}
	if opt.Which == Largest {
		return nil, invalid.Errorf("a Laplacian pencil is solved for its smallest eigenvalues only; use Symmetric for the other end")
	}
	if opt.Verify && p.space.Divided() {
		return nil, invalid.Errorf("‹verify› needs the whole matrix, and its rows are divided among %d ranks: leave it out", p.space.Size())
	}
	zeros := min(opt.K, p.count)
	if opt.SkipNull {
		if zeros = 0; opt.K > n-p.count {
			return nil, invalid.Errorf("%d eigenpairs above zero were requested; a graph of %d points in %d components has %d", opt.K, n, p.count, n-p.count)
		}
	}
	found := problem.Pairs{Stats: problem.Stats{Solver: "none", Why: "the connected components say it all"}}
	if rest := opt.K - zeros; rest > 0 {
		t := newTask(p.s, len(p.mass), p.known, rest, opt)
		t.Space = p.space
		t.Tol, t.Scaled = p.tolerance(opt.Tol), false
		t.Measure, t.Measured = p.measure, opt.Tol
		t.Top, t.Pencil, t.Fixed = 1, true, p.massless
		if t.Start.Cols > 0 {
			t.Start = p.scaled(t.Start)
		}
		var err error
		if found, err = solve(ctx, t, opt); err != nil {
			return nil, err
		}
		if found, err = verified(ctx, t, found, opt); err != nil {
			return nil, err
		}
	} else if opt.Verify {
		t := problem.Task{Op: p.s, N: n, Known: p.known, Top: 1, Pencil: true, Fixed: p.massless, Observer: opt.Observer}
		if err := verify(ctx, t, &found, opt); err != nil {
			return nil, err
		}
	}
	found.Stats.Deflated = p.count
	if zeros+len(found.Values) == 0 {
		return (&Result{Vectors: new(mat.Dense), Stats: statsOf(found.Stats)}).finish(opt, began, found.Lack, nil)
	}
	r := p.assemble(zeros, found, opt.Tol)
	r.Residuals = p.residuals(r)
	rounding := p.rounding(r)
	return r.finish(opt, began, found.Lack, func(j int) float64 {
		return max(opt.Tol, rounding[j])
	})
}

// massless reports whether a point is isolated.
func (p *Pencil) massless(i int) bool { return !(p.mass[i] > 0) }

// tolerance returns the bound on ‖Su − μu‖, for unit u, that guarantees ‖Ly − λMy‖ ≤ tol·‖y‖ for y
// = M^-1/2 u: the residual grows by at most √(max M), and ‖y‖ is at least 1/√(max M). If all masses
// are small, that bound would guarantee nothing for u, so tol itself is used.
func (p *Pencil) tolerance(tol float64) float64 {
	return tol / max(1, p.largestMass)
}

// measure returns ‖Ly − λMy‖/‖y‖ for the columns u of M^1/2·y and r of S·u − μu. If all masses are
// below 1, it is in units of the largest mass. The space is that of the rows.
func (p *Pencil) measure(s space.Space, u, r blas64.General) []float64 {
	sums := make([]float64, 2*u.Cols)
	residual, norm := sums[:u.Cols], sums[u.Cols:]
	unit := min(1, p.largestMass)
	for i := range u.Rows {
		at := s.Row(i) - p.space.First()
		m, inv := p.mass[at]/unit, p.invSqrt[at]
		inv = unit * inv * inv
		x := u.Data[i*u.Stride:][:u.Cols]
		for j, e := range r.Data[i*r.Stride:][:u.Cols] {
			residual[j] += m * e * e
			norm[j] += inv * x[j] * x[j]
		}
	}
	s.Summed(sums)
	for j := range residual {
		residual[j] = math.Sqrt(residual[j] / norm[j])
	}
	return residual
}

// rounding returns the residual that rounding allows for each pair: some units in the last place of
// ‖L‖, or of ‖S‖ carried from u to y. ‖S‖ ≤ 1 + 2·max(d/m) exceeds 1 where a point has less mass
// than degree, and ‖Ly − λMy‖/‖y‖ is at most √(max M)·‖Su − μu‖/‖y‖ for y = M^-1/2 u of unit
// M-norm.
func (p *Pencil) rounding(r *Result) []float64 {
	largest, ratio := 0.0, 1.0
	for i, d := range p.degree {
		largest = max(largest, d)
		if p.mass[i] > 0 {
			ratio = max(ratio, d/p.mass[i])
		}
	}
	largest, ratio = p.space.Largest(largest), p.space.Largest(ratio)
	limits := p.space.Norms(blas64.General{}, r.Vectors.RawMatrix())
	for j, length := range limits {
		limits[j] = 1e-13 * max(largest, 2*(ratio-1)*math.Sqrt(p.largestMass)/length)
	}
	return limits
}

// scaled maps vectors y to u = M^1/2 y.
func (p *Pencil) scaled(y blas64.General) blas64.General {
	u := space.NewBlock(y.Rows, y.Cols)
	p.eachRow(func(i int) {
		root := math.Sqrt(p.mass[i])
		for j, v := range y.Data[i*y.Stride:][:y.Cols] {
			u.Data[i*u.Stride+j] = root * v
		}
	})
	return u
}

// assemble combines the null vectors and the pairs of the solver, in terms of y and λ.
func (p *Pencil) assemble(zeros int, found problem.Pairs, tol float64) *Result {
	k := zeros + len(found.Values)
	y := space.NewBlock(len(p.mass), k)
	r := &Result{Values: make([]float64, k), Stats: statsOf(found.Stats)}
	place := make([]int, p.count)
	for c := range place {
		place[c] = -1
	}
	for at, c := range p.heaviest[:zeros] {
		place[c] = at
	}
	p.eachRow(func(i int) {
		row, c := y.Data[i*y.Stride:][:k], p.label[i]
		if at := place[c]; at >= 0 {
			row[at] = p.known.Height[c]
		}
		for j := range found.Values {
			row[zeros+j] = found.Vectors.Data[i*found.Vectors.Stride+j] * p.invSqrt[i]
		}
	})
	for j, mu := range found.Values {
		r.Values[zeros+j] = max(0, 1-mu)
	}
	r.Vectors = mat.NewDense(len(p.mass), k, y.Data)
	if !p.refine(r, zeros, tol) {
		p.sharpen(r, zeros)
	}
	p.space.CanonicalSigns(r.Vectors.RawMatrix())
	return r
}

// residuals computes ‖Ly − λMy‖/‖y‖ with the unscaled Laplacian, rows in parallel.
func (p *Pencil) residuals(r *Result) []float64 {
	y := r.Vectors.RawMatrix()
	ly := space.NewBlock(y.Rows, y.Cols)
	p.w.MulBlock(ly, y)
	p.eachRow(func(i int) {
		out := ly.Data[i*ly.Stride:][:y.Cols]
		for j, v := range y.Data[i*y.Stride:][:y.Cols] {
			out[j] = p.degree[i]*v - out[j]
		}
	})
	return space.Residuals(p.space, ly, y, p.mass, r.Values)
}

// eachRow calls body for each of the rows that are here, in parallel.
func (p *Pencil) eachRow(body func(i int)) {
	space.MustRun(parallel.For(context.Background(), len(p.mass), 4096, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			body(i)
		}
		return nil
	}))
}

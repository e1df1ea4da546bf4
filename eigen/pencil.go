package eigen

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
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
	// space says which points the slices have: all, or this rank's (see [Shared]), where setSize is
	// the number of points of each set.
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
	p.heaviest = indices.Falling(volume)
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

// Size returns the number of points; of a shared pencil, the number of all ranks' points.
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

// massless reports whether a point is isolated.
func (p *Pencil) massless(i int) bool { return !(p.mass[i] > 0) }

// eachRow calls body for each of the rows that are here, in parallel.
func (p *Pencil) eachRow(body func(i int)) {
	space.MustRun(parallel.For(context.Background(), len(p.mass), 4096, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			body(i)
		}
		return nil
	}))
}

// NewCliquePencil makes the pencil L y = λ D y of the graph with weights W and additional edges of
// the given weight between every two points of each set (for example the labelled documents of a
// class). The sets are disjoint; W should have no edges inside them, because the weights would add
// up. D holds the degrees of all edges. Memory and the cost of products are O(nnz(W) + points in
// the sets), not quadratic in the sets.
func NewCliquePencil(w *sparse.CSR, sets [][]int32, weight float64) (*Pencil, error) {
	n, _ := w.Dims()
	c, err := newCliques(nil, n, sets, weight)
	if err != nil {
		return nil, err
	}
	return newPencil(w, nil, c)
}

// overflows reports whether the masses' sum, of all ranks, is infinite.
func (p *Pencil) overflows() bool {
	total := 0.0
	for _, m := range p.mass {
		total += m
	}
	return math.IsInf(p.space.Summed([]float64{total})[0], 0)
}

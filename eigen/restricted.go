package eigen

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Restricted is PᵀLP z = λ PᵀDP z for a graph with degrees D and any sparse P whose columns are
// D-orthogonal: the Laplacian pencil on the subspace y = P z (De Bie, Suykens and De Moor 2004). If
// P is a partition, Contract is cheaper and knows more zero eigenvalues.
type Restricted struct {
	p      *sparse.CSR
	c      Operator  // PᵀWP
	mass   []float64 // PᵀDP
	s      Operator
	known  *space.Nullspace // the constant, if it has the form P z
	height []float64        // z of the constant, zᵀPᵀDPz = 1
}

// NewRestricted prepares the pencil of the symmetric weights W ≥ 0 on the columns of the n×q matrix
// P. A row of P without entries fixes its point at 0. O(nnz(W)·r²) for r entries per row of P.
func NewRestricted(w, p *sparse.CSR) (*Restricted, error) {
	n, m := w.Dims()
	rows, q := p.Dims()
	if n != m || rows != n || q == 0 {
		return nil, invalid.Errorf("a %d×%d basis does not fit a %d×%d affinity matrix", rows, q, n, m)
	}
	w, err := offDiagonal(w)
	if err != nil {
		return nil, err
	}
	r, inverse, err := newRestricted(w.RowSums(), p)
	if err != nil {
		return nil, err
	}
	c := congruence(w, p)
	r.c, r.s = c, c.Scale(inverse, inverse)
	return r, nil
}

// newRestricted checks the basis and finds masses and constant. It returns the inverse roots of the
// masses too.
func newRestricted(degree []float64, p *sparse.CSR) (*Restricted, []float64, error) {
	_, q := p.Dims()
	d := congruence(diagonal(degree), p)
	r := &Restricted{p: p, mass: make([]float64, q)}
	for g := range r.mass {
		r.mass[g] = d.At(g, g)
		if !(r.mass[g] > 0) || math.IsInf(r.mass[g], 0) {
			return nil, nil, invalid.Errorf("column %d of the basis has the mass %v; every column needs a point with neighbours", g+1, r.mass[g])
		}
	}
	inverse := make([]float64, q)
	for g, m := range r.mass {
		inverse[g] = 1 / math.Sqrt(m)
	}
	for g := range q {
		cols, vals := d.Row(g)
		for k, h := range cols {
			if int(h) != g && math.Abs(vals[k])*inverse[g]*inverse[h] > 1e-10 {
				return nil, nil, invalid.Errorf("columns %d and %d of the basis are not orthogonal with respect to the degrees", g+1, h+1)
			}
		}
	}
	r.findConstant(degree)
	return r, inverse, nil
}

// findConstant checks whether P z is constant on the points that have neighbours, for z = (PᵀDP)^-1
// PᵀD 1.
func (r *Restricted) findConstant(degree []float64) {
	n, q := r.p.Dims()
	z, volume := make([]float64, q), 0.0
	for i := range n {
		cols, vals := r.p.Row(i)
		for k, g := range cols {
			z[g] += degree[i] * vals[k] / r.mass[g]
		}
		if len(cols) > 0 {
			volume += degree[i]
		} else if degree[i] > 0 {
			return // a point with neighbours is fixed at 0: the constant is no null vector
		}
	}
	weight := make([]float64, q)
	for g, m := range r.mass {
		z[g] /= math.Sqrt(volume)
		weight[g] = math.Sqrt(m) * z[g]
	}
	for i := range n {
		cols, vals := r.p.Row(i)
		sum := 0.0
		for k, g := range cols {
			sum += vals[k] * z[g]
		}
		if degree[i] > 0 && math.Abs(sum*math.Sqrt(volume)-1) > 1e-12 {
			return
		}
	}
	r.known = &space.Nullspace{Label: make([]int32, q), Weight: weight, Height: []float64{1}, Count: 1}
	r.height = z
}

// Solve finds the opt.K smallest eigenpairs, ascending, with zᵀPᵀDPz = 1 for the columns z of
// Vectors; Expand converts z to y. The constant comes first if P contains it, and opt.SkipNull
// leaves it out. Further zeros, of components that P does not join, are found like any other pair.
// Residuals are ‖PᵀLPz − λPᵀDPz‖/‖z‖. Errors: as Pencil.Solve.
func (r *Restricted) Solve(ctx context.Context, opt Options) (*Result, error) {
	began := time.Now()
	opt = opt.withDefaults()
	q := len(r.mass)
	if err := opt.check(q, q); err != nil {
		return nil, err
	}
	zeros := 0
	if r.known != nil && !opt.SkipNull {
		zeros = 1
	}
	rest := opt.K - zeros
	if rest > q-r.known.Size() {
		return nil, invalid.Errorf("%d eigenpairs were requested; the restricted problem has %d", opt.K, q-r.known.Size()+zeros)
	}
	found := problem.Pairs{Stats: problem.Stats{Solver: "none", Why: "the constant says it all"}}
	largest := 1.0
	for _, m := range r.mass {
		largest = max(largest, m)
	}
	if rest > 0 {
		t := newTask(r.s, q, r.known, rest, opt)
		t.Tol, t.Scaled, t.Start, t.Top = opt.Tol/largest, false, blas64.General{Rows: q}, 1
		t.Pencil = true
		var err error
		if found, err = solve(ctx, t, opt); err != nil {
			return nil, err
		}
		if found, err = verified(ctx, t, found, opt); err != nil {
			return nil, err
		}
	}
	k := zeros + len(found.Values)
	if k == 0 {
		return (&Result{Vectors: new(mat.Dense), Stats: statsOf(found.Stats)}).finish(opt, began, found.Lack, nil)
	}
	out := &Result{Values: make([]float64, k), Stats: statsOf(found.Stats), Vectors: mat.NewDense(q, k, nil)}
	for g, m := range r.mass {
		row := out.Vectors.RawRowView(g)
		if zeros == 1 {
			row[0] = r.height[g]
		}
		for j := range found.Values {
			row[zeros+j] = found.Vectors.Data[g*found.Vectors.Stride+j] / math.Sqrt(m)
		}
	}
	for j, mu := range found.Values {
		out.Values[zeros+j] = max(0, 1-mu)
	}
	CanonicalSigns(out.Vectors)
	z := out.Vectors.RawMatrix()
	product := space.NewBlock(q, z.Cols)
	r.c.MulBlock(product, z)
	for g, m := range r.mass { // PᵀLPz = PᵀDPz − PᵀWPz
		for j, v := range z.Data[g*z.Stride:][:k] {
			product.Data[g*product.Stride+j] = m*v - product.Data[g*product.Stride+j]
		}
	}
	out.Residuals = space.Residuals(space.Space{}, product, z, r.mass, out.Values)
	return out.finish(opt, began, found.Lack, func(int) float64 { return max(opt.Tol, 1e-13*largest) })
}

// Expand returns y = P z with one row per point.
func (r *Restricted) Expand(z *mat.Dense) *mat.Dense {
	n, _ := r.p.Dims()
	_, k := z.Dims()
	if k == 0 {
		return new(mat.Dense)
	}
	y := mat.NewDense(n, k, nil)
	r.p.MulBlock(y.RawMatrix(), z.RawMatrix())
	return y
}

func diagonal(d []float64) *sparse.CSR {
	out := &sparse.CSR{NumRows: len(d), NumCols: len(d), RowPtr: make([]int, 1, len(d)+1)}
	for i, v := range d {
		if v != 0 {
			out.Col, out.Val = append(out.Col, int32(i)), append(out.Val, v)
		}
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	return out
}

// congruence returns PᵀAP for a symmetric A, symmetric bit for bit.
func congruence(a, p *sparse.CSR) *sparse.CSR {
	t := p.Transpose()
	q := t.NumRows
	upper := &sparse.CSR{NumRows: q, NumCols: q, RowPtr: make([]int, 1, q+1)}
	var onDiagonal []float64
	sum, seen := make([]float64, q), make([]int, q)
	for g := range q {
		start := len(upper.Col)
		points, factors := t.Row(g)
		diagonal := 0.0
		for k, i := range points {
			cols, vals := a.Row(int(i))
			for l, j := range cols {
				to, weights := p.Row(int(j))
				for m, h := range to {
					v := factors[k] * vals[l] * weights[m]
					switch {
					case int(h) == g:
						diagonal += v
					case int(h) > g:
						if seen[h] != g+1 {
							seen[h], sum[h] = g+1, 0
							upper.Col = append(upper.Col, h)
						}
						sum[h] += v
					}
				}
			}
		}
		slices.Sort(upper.Col[start:])
		for _, h := range upper.Col[start:] {
			upper.Val = append(upper.Val, sum[h])
		}
		onDiagonal = append(onDiagonal, diagonal)
		upper.RowPtr = append(upper.RowPtr, len(upper.Col))
	}
	return problem.WithDiagonal(addTransposed(upper), onDiagonal)
}

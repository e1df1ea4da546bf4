package svd

import (
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// wide is the number of vectors multiplied between two checks of the context.
const wide = 64

// refine converts eigenvectors of the Gram matrix to singular values and vectors: half steps of
// subspace iteration to an orthonormal V₀, then A·V₀ = Q·R, R = U'ΣV'ᵀ, V = V₀·V'. About 3 sparse
// products per vector, and (3n + 4d)·k² flops.
func (m *Matrix) refine(ctx context.Context, pairs eigenpairs) (*Factors, error) {
	ctx, stopped := m.share.Watch(ctx)
	k := len(pairs.values)
	u := pairs.vectors
	_, byRows := m.side()
	if !byRows {
		u = m.longBlock(m.own, k)
		m.block = nil // which is u's, and AV's
		if err := m.wide(ctx, stopped, u, whole(m.columns, pairs.vectors), m.Mul); err != nil {
			return nil, err
		}
		if _, err := orthonormalise(ctx, m.share, u, true); err != nil {
			return nil, err
		}
	}
	memory.Ahead(memory.Bytes(8, m.Cols, k))
	v := panel.New(m.Cols, k)
	if err := m.wide(ctx, stopped, v, u, m.MulT); err != nil {
		return nil, err
	}
	if _, err := orthonormalise(ctx, nil, v, true); err != nil {
		return nil, err
	}
	av := u
	if byRows { // the eigenvectors are the caller's, who may start from them again
		av = panel.New(m.own, k)
	}
	if err := m.wide(ctx, stopped, av, v, m.Mul); err != nil {
		return nil, err
	}
	r, err := orthonormalise(ctx, m.share, av, false)
	if err != nil {
		return nil, err
	}
	sigma, rotation, err := jacobi(ctx, r)
	if err = ranks.Agree(m.share, err); err != nil {
		return nil, err
	}
	m.share.Share(sigma)
	m.share.Share(rotation.Data)
	if err := multiplyRows(ctx, v, rotation); err != nil {
		return nil, err
	}
	f := &Factors{Singular: sigma, V: v, AV: av, Left: make([]float64, k), Right: make([]float64, k)}
	m.dropNull(f)
	eigen.CanonicalSigns(asDense(f.V))
	if err := m.measure(ctx, stopped, f); err != nil {
		return nil, err
	}
	for j := range k {
		f.Singular[j] /= m.Scale
		f.Left[j] /= m.Scale
		f.Right[j] /= m.Scale
	}
	return f, nil
}

// wide applies a product to a few columns at a time, so that the context is checked in between. A
// pass over dense panels checks it itself and is cheapest with all columns.
func (m *Matrix) wide(ctx context.Context, stopped func() error, dst, x blas64.General, product func(ctx context.Context, dst, x blas64.General) error) error {
	step := wide
	if m.a == nil {
		step = x.Cols
	}
	for lo := 0; lo < x.Cols; lo += step {
		hi := min(lo+step, x.Cols)
		if err := product(ctx, columns(dst, lo, hi), columns(x, lo, hi)); err != nil {
			return err
		}
		if err := stopped(); err != nil {
			return err
		}
	}
	return nil
}

// step is how many of k columns of the longer side are kept at a time. A pass over dense panels is
// cheapest with all; a pass over sparse rows takes the same time for each column from 16 on.
func (m *Matrix) step(k int) int {
	if m.a == nil {
		return k
	}
	return 16
}

// dropNull writes zeros for values that are zero up to rounding.
func (m *Matrix) dropNull(f *Factors) {
	limit := f.Singular[0] * float64(max(m.Rows, m.Cols)) * 0x1p-52
	f.Rank = len(f.Singular)
	for f.Rank > 0 && f.Singular[f.Rank-1] <= limit {
		f.Rank--
	}
	clear(f.Singular[f.Rank:])
	for i := range f.V.Rows {
		clear(f.V.Data[i*f.V.Stride:][f.Rank:f.V.Cols])
	}
}

// measure recomputes AV and from it the residuals of both equations.
func (m *Matrix) measure(ctx context.Context, stopped func() error, f *Factors) error {
	k := len(f.Singular)
	step := m.step(k)
	for lo := 0; lo < k; lo += step {
		hi := min(lo+step, k)
		y, v := columns(f.AV, lo, hi), columns(f.V, lo, hi)
		if err := m.Mul(ctx, y, v); err != nil {
			return err
		}
		back := m.longBlock(m.Cols, hi-lo)
		norms := m.norms(y)
		if err := m.MulT(ctx, back, y); err != nil { // divided by ‖Av‖ below: AV keeps its lengths
			return err
		}
		for i := range m.Cols {
			b := back.Data[i*back.Stride:][:hi-lo]
			for j, x := range v.Data[i*v.Stride:][:hi-lo] {
				if norms[j] > 0 {
					b[j] /= norms[j]
				}
				b[j] -= f.Singular[lo+j] * x
			}
		}
		copy(f.Right[lo:hi], panel.Norms(back))
		for j, norm := range norms {
			f.Left[lo+j] = math.Abs(norm - f.Singular[lo+j])
		}
		if err := stopped(); err != nil {
			return err
		}
	}
	m.share.Share(f.Right) // what the tolerance is compared with is the same on all ranks
	return nil
}

// norms are the lengths of the columns of which y has the own rows.
func (m *Matrix) norms(y blas64.General) []float64 {
	norms := panel.Norms(y)
	if !m.share.Divided() {
		return norms // a root of a square would round them again
	}
	for j, v := range norms {
		norms[j] = v * v
	}
	for j, v := range m.sum(norms) {
		norms[j] = math.Sqrt(v)
	}
	return norms
}

// leastApart is the smallest part of a unit column outside the span of those before it for which
// CholeskyQR is as accurate as Householder's method: the loss is rounding divided by its square.
const leastApart = 0.1

// orthonormalise returns R, k×k upper triangular, with z = Q·R and, if keep is set, overwrites z
// with Q; share divides the rows of z. The columns are orthogonal up to the error of the solver, so
// a Cholesky factor of the Gram matrix of their unit vectors is well conditioned at any lengths (k²
// flops per row, and as many for Q). If they are not, because the matrix has a lower rank or values
// near rounding, QR is used.
func orthonormalise(ctx context.Context, share *ranks.Share, z blas64.General, keep bool) (blas64.Triangular, error) {
	k, engine := z.Cols, native.Default()
	g := blas64.Symmetric{N: k, Stride: k, Uplo: blas.Upper, Data: make([]float64, k*k)}
	if err := slabs(ctx, z, func(part blas64.General) { engine.Syrk(blas.Trans, 1, part, 1, g) }); err != nil {
		return blas64.Triangular{}, err
	}
	share.Sum(g.Data)
	length, regular, err := factorUnit(g)
	if err != nil {
		return blas64.Triangular{}, err
	}
	decided := []float64{0}
	if regular {
		decided[0] = 1
	}
	if share.Share(decided); decided[0] == 0 {
		return orthonormaliseQR(ctx, share, z)
	}
	r := blas64.Triangular{N: k, Stride: k, Uplo: blas.Upper, Diag: blas.NonUnit, Data: g.Data}
	for i := range k {
		clear(r.Data[i*k:][:i])
		for j := i; j < k; j++ {
			r.Data[i*k+j] *= length[j]
		}
	}
	if !keep {
		return r, nil
	}
	return r, slabs(ctx, z, func(part blas64.General) { engine.Trsm(blas.Right, blas.NoTrans, 1, r, part) })
}

// factorUnit replaces the Gram matrix of vectors by the Cholesky factor of the one of their unit
// vectors, and returns their lengths. regular says that the factor is accurate.
func factorUnit(g blas64.Symmetric) (length []float64, regular bool, err error) {
	k := g.N
	length, regular = make([]float64, k), true
	for j := range length {
		length[j] = math.Sqrt(g.Data[j*k+j])
		regular = regular && length[j] > 0
	}
	if regular {
		for i := range k {
			for j := i; j < k; j++ {
				g.Data[i*k+j] /= length[i] * length[j]
			}
		}
		end := native.Parallel() // one thread, the same bits
		err := native.Default().Cholesky(g)
		end()
		var indefinite *native.NotPositiveDefiniteError
		if err != nil && !errors.As(err, &indefinite) {
			return nil, false, err
		}
		regular = err == nil
	}
	for j := 0; j < k && regular; j++ {
		regular = g.Data[j*k+j] >= leastApart
	}
	return length, regular, nil
}

// orthonormaliseQR is orthonormalise by Householder's method, always with Q. Ranks that divide the
// rows factor their own, and then their factors, one below the other (Demmel, Grigori, Hoemmen and
// Langou 2012, SIAM J. Sci. Comput. 34): 8·k² bytes of each rank go to all.
func orthonormaliseQR(ctx context.Context, share *ranks.Share, z blas64.General) (blas64.Triangular, error) {
	engine, k := native.Default(), z.Cols
	if !share.Divided() {
		return native.Abandonable(ctx, func() (blas64.Triangular, error) { return engine.QR(z) })
	}
	own := panel.New(max(z.Rows, k), k) // rows of zeros below change nothing
	copyRows(own, z)
	r, err := engine.QR(own)
	if err = ranks.Agree(share, err); err != nil {
		return r, err
	}
	upper := make([]float64, k*k)
	for i := range k {
		copy(upper[i*k+i:][:k-i], r.Data[i*r.Stride+i:])
	}
	all := ranks.GatherFloats(share, upper)
	stacked := blas64.General{Rows: len(all) / k, Cols: k, Stride: k, Data: all}
	r, err = engine.QR(stacked)
	if err = ranks.Agree(share, err); err != nil {
		return r, err
	}
	engine.Gemm(blas.NoTrans, blas.NoTrans, 1, panel.Rows(own, 0, z.Rows), panel.Rows(stacked, share.Rank()*k, (share.Rank()+1)*k), 0, z)
	return r, nil
}

// copyRows copies the rows of from to the first ones of to.
func copyRows(to, from blas64.General) {
	for i := range from.Rows {
		copy(to.Data[i*to.Stride:][:from.Cols], from.Data[i*from.Stride:])
	}
}

// slabs visits z a few thousand rows at a time, so that the context is checked in between.
func slabs(ctx context.Context, z blas64.General, visit func(part blas64.General)) error {
	size := max(256, panelSize/z.Cols)
	for lo := 0; lo < z.Rows; lo += size {
		if err := ctx.Err(); err != nil {
			return err
		}
		visit(panel.Rows(z, lo, min(lo+size, z.Rows)))
	}
	return ctx.Err()
}

// jacobi decomposes R = U'ΣV'ᵀ by one-sided Jacobi rotations of its columns (Hestenes 1958; every
// value has a small relative error if the columns are nearly orthogonal: Demmel and Veselić 1992).
// It returns Σ descending and V'. 2k³ flops per sweep if nothing is left to rotate, which is usual,
// else up to 14k³.
func jacobi(ctx context.Context, r blas64.Triangular) ([]float64, blas64.General, error) {
	k := r.N
	column := make([][]float64, k)
	rotation := make([][]float64, k) // its columns, too
	for j := range k {
		column[j], rotation[j] = make([]float64, k), make([]float64, k)
		rotation[j][j] = 1
		for i := range j + 1 {
			column[j][i] = r.Data[i*r.Stride+j]
		}
	}
	square := make([]float64, k)
	orthogonal := float64(max(k, 10)) * 0x1p-52
	const sweeps = 40 // quadratic convergence needs fewer than ten
	for range sweeps {
		for j := range square {
			square[j] = dot(column[j], column[j])
		}
		rotated := false
		for i := range k {
			if err := ctx.Err(); err != nil {
				return nil, blas64.General{}, err
			}
			for j := i + 1; j < k; j++ {
				g := dot(column[i], column[j])
				if !(math.Abs(g) > orthogonal*math.Sqrt(square[i])*math.Sqrt(square[j])) {
					continue
				}
				rotated = true
				zeta := (square[j] - square[i]) / (2 * g)
				t := math.Copysign(1/(math.Abs(zeta)+math.Hypot(1, zeta)), zeta)
				c := 1 / math.Sqrt(1+t*t)
				rotate(column[i], column[j], c, c*t)
				rotate(rotation[i], rotation[j], c, c*t)
				square[i] = max(0, square[i]-t*g)
				square[j] += t * g
			}
		}
		if !rotated {
			break
		}
	}
	for j := range k {
		square[j] = math.Sqrt(dot(column[j], column[j]))
	}
	order := indices.Falling(square)
	sigma, v := make([]float64, k), panel.New(k, k)
	for to, from := range order {
		sigma[to] = square[from]
		for i, x := range rotation[from] {
			v.Data[i*k+to] = x
		}
	}
	return sigma, v, nil
}

// rotate replaces (a, b) by (c·a − s·b, s·a + c·b).
func rotate(a, b []float64, c, s float64) {
	b = b[:len(a)]
	for i, x := range a {
		y := b[i]
		a[i], b[i] = c*x-s*y, s*x+c*y
	}
}

func dot(a, b []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(a), Inc: 1, Data: a}, blas64.Vector{N: len(b), Inc: 1, Data: b})
}

// multiplyRows replaces v by v·s.
func multiplyRows(ctx context.Context, v, s blas64.General) error {
	var copied []float64
	return slabs(ctx, v, func(to blas64.General) {
		copied = append(copied[:0], to.Data[:(to.Rows-1)*to.Stride+to.Cols]...)
		from := blas64.General{Rows: to.Rows, Cols: to.Cols, Stride: to.Stride, Data: copied}
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, from, s, 0, to)
	})
}

// asDense returns the matrix that shares b's memory; nil if b is empty.
func asDense(b blas64.General) *mat.Dense {
	if b.Rows == 0 || b.Cols == 0 {
		return nil
	}
	var d mat.Dense
	d.SetRawMatrix(b)
	return &d
}

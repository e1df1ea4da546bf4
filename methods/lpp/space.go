package lpp

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/vecmath"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// space is the search space of a Davidson iteration: vectors C with U = G·C and S·U, orthonormal in
// BᵀB + αI as Bᵀc, that is Uᵀ(U + αC) = I. The first size columns are in use.
type space struct {
	p        *problem
	gram     func(ctx context.Context, dst, x blas64.General) error
	c, u, su blas64.General
	h        blas64.General // UᵀSU
	size     int
	top      float64 // about the largest eigenvalue of G, once it is known
	spent    time.Duration
}

// ritz are approximate pairs, the largest μ first.
type ritz struct {
	mu       []float64
	c, u, su blas64.General
}

func newSpace(p *problem, gram func(ctx context.Context, dst, x blas64.General) error, room int) *space {
	n := p.b.own
	return &space{p: p, gram: gram, c: panel.New(n, room), u: panel.New(n, room), su: panel.New(n, room), h: panel.New(room, room)}
}

// right returns u + α·c.
func (s *space) right(u, c blas64.General) blas64.General {
	v := panel.Clone(u)
	for i := range v.Rows {
		to, from := row(v, i), row(c, i)
		for j, x := range from {
			to[j] += s.p.alpha * x
		}
	}
	return v
}

func columns(a blas64.General, lo, hi int) blas64.General { return part(a, 0, a.Rows, lo, hi) }

func gemm(t blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	native.Default().Gemm(t, blas.NoTrans, alpha, a, b, beta, c)
}

const (
	// dependent is the least share of a vector that must lie outside the space: less would bring
	// rounding errors of its products into the space.
	dependent = 1e-4
	// vanishing is the part of the largest eigenvalue of G below which documents count as equal.
	vanishing = 1e-12
)

// expand adds the parts of the directions c outside the space to it, as far as there is room, and
// returns how many were added. It overwrites c. One product with G, 8·n·size·b flops.
func (s *space) expand(ctx context.Context, c blas64.General) (int, error) {
	s.p.b.project(c)
	for i, f := range s.p.mid.root {
		if f == 0 {
			clear(row(c, i))
		}
	}
	panel.ScaleColumns(c, vecmath.InverseRoots(s.p.b.squares(c)))
	u := panel.New(c.Rows, c.Cols)
	if err := s.gram(ctx, u, c); err != nil {
		return 0, err
	}
	began := time.Now()
	defer func() { s.spent += time.Since(began) }()
	for _, v := range s.p.b.squares(u) {
		s.top = max(s.top, math.Sqrt(v))
	}
	low := vanishing * s.top
	before := s.p.b.dots(u, s.right(u, c))
	for pass := range 2 {
		if s.size > 0 {
			bc, bu := columns(s.c, 0, s.size), columns(s.u, 0, s.size)
			h := panel.New(s.size, c.Cols)
			s.p.b.cross(bu, s.right(u, c), h)
			gemm(blas.NoTrans, -1, bc, h, 1, c)
			gemm(blas.NoTrans, -1, bu, h, 1, u)
		}
		if pass == 0 {
			var kept []int
			for j, v := range s.p.b.dots(u, s.right(u, c)) {
				if v > dependent*dependent*before[j] && v > low*(low+s.p.alpha) {
					kept = append(kept, j)
				}
			}
			if len(kept) == 0 {
				return 0, nil
			}
			c, u = chosen(c, kept), chosen(u, kept)
		}
		var err error
		if c, u, err = s.orthonormal(ctx, c, u); err != nil {
			return 0, err
		}
	}
	return s.append(c, u), nil
}

// append makes orthonormal directions c, whose images are u, the next columns of the space and of
// its projected matrix, as far as there is room, and returns how many they are.
func (s *space) append(c, u blas64.General) int {
	lo := s.size
	hi := min(lo+c.Cols, s.c.Cols)
	if hi == lo {
		return 0
	}
	k := hi - lo
	c, u = columns(c, 0, k), columns(u, 0, k)
	fill(columns(s.c, lo, hi), c)
	fill(columns(s.u, lo, hi), u)
	su := panel.New(u.Rows, k)
	s.p.mid.mul(su, panel.Clone(u))
	fill(columns(s.su, lo, hi), su)
	h := panel.New(hi, k)
	s.p.b.cross(columns(s.u, 0, hi), su, h)
	for i := range hi {
		for j := range k {
			v := h.Data[i*k+j]
			if i >= lo {
				v = (v + h.Data[(lo+j)*k+i-lo]) / 2
			}
			row(s.h, i)[lo+j], row(s.h, lo+j)[i] = v, v
		}
	}
	s.size = hi
	return k
}

// orthonormal turns c and u into an orthonormal basis of their span, through the eigenvectors of
// their Gram matrix with unit diagonal: directions that are dependent to half of the digits are
// omitted.
func (s *space) orthonormal(ctx context.Context, c, u blas64.General) (oc, ou blas64.General, err error) {
	k := c.Cols
	g := panel.New(k, k)
	s.p.b.cross(u, s.right(u, c), g)
	diagonal := make([]float64, k)
	for j := range diagonal {
		diagonal[j] = g.Data[j*k+j]
	}
	scale := vecmath.InverseRoots(diagonal)
	for i := range k {
		for j := range i + 1 {
			v := (g.Data[i*k+j] + g.Data[j*k+i]) / 2 * scale[i] * scale[j]
			g.Data[i*k+j], g.Data[j*k+i] = v, v
		}
	}
	values, z, err := s.p.b.eigenpairs(ctx, blas64.Symmetric{N: k, Stride: k, Data: g.Data, Uplo: blas.Upper}, native.EigRange{})
	if err != nil {
		return c, u, err
	}
	first := 0
	for first < k-1 && !(values[first] > 1e-10) {
		first++
	}
	t := panel.Clone(columns(z, first, k))
	scaleRows(t, scale)
	panel.ScaleColumns(t, vecmath.InverseRoots(values[first:]))
	oc, ou = panel.New(c.Rows, k-first), panel.New(c.Rows, k-first)
	gemm(blas.NoTrans, 1, c, t, 0, oc)
	gemm(blas.NoTrans, 1, u, t, 0, ou)
	return oc, ou, nil
}

// best returns the best Ritz pairs, at most width of them. If less than width columns are free, the
// space is cut to its best keep vectors.
func (s *space) best(ctx context.Context, width, keep int) (ritz, error) {
	began := time.Now()
	defer func() { s.spent += time.Since(began) }()
	full := s.size+width > s.c.Cols && s.size > keep
	k := min(width, s.size)
	if full {
		k = keep
	}
	if k == 0 {
		return ritz{}, s.p.tooMany(0)
	}
	h := panel.Clone(part(s.h, 0, s.size, 0, s.size))
	values, z, err := s.p.b.eigenpairs(ctx, blas64.Symmetric{N: s.size, Stride: s.size, Data: h.Data, Uplo: blas.Upper}, native.EigRange{First: s.size - k, Count: k})
	if err != nil {
		return ritz{}, err
	}
	values, z = reversed(values, z)
	r := ritz{mu: values, c: panel.New(s.c.Rows, k), u: panel.New(s.c.Rows, k), su: panel.New(s.c.Rows, k)}
	gemm(blas.NoTrans, 1, columns(s.c, 0, s.size), z, 0, r.c)
	gemm(blas.NoTrans, 1, columns(s.u, 0, s.size), z, 0, r.u)
	gemm(blas.NoTrans, 1, columns(s.su, 0, s.size), z, 0, r.su)
	if full {
		fill(columns(s.c, 0, k), r.c)
		fill(columns(s.u, 0, k), r.u)
		fill(columns(s.su, 0, k), r.su)
		s.size = k
		for i := range k {
			clear(row(s.h, i)[:k])
			row(s.h, i)[i] = values[i]
		}
		r = ritz{mu: values[:width], c: columns(r.c, 0, width), u: columns(r.u, 0, width), su: columns(r.su, 0, width)}
	}
	return r, nil
}

// rest returns S·u − μ(u + α·c) of the pairs.
func (s *space) rest(r ritz) blas64.General {
	rest := panel.Clone(r.su)
	panel.Add(rest, r.mu, s.right(r.u, r.c), -1)
	s.p.b.project(rest)
	return rest
}

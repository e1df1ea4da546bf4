package nmf

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// side is one of the two factors with its gradient and products. With X ≈ A·Bᵀ (A = W, B = Hᵀ) the
// two subproblems are the same: min over F ≥ 0 of ½‖Y − F·Oᵀ‖², where O is the other factor and Y
// is X or Xᵀ. Its gradient is F·G − P with G = Oᵀ·O and P = Y·O; nothing else of the data enters.
//
// Ranks divide the rows of X, and so of A. B is on every rank, which does the same with it.
type side struct {
	op   operator
	same bool // p has the memory of g
	// join turns numbers computed from this rank's rows into the same numbers for all rows, on every
	// rank. add sums the ranks' products with their rows of X.
	join, add func(x []float64)
	cuts      []cut   // chunks of which other ranks have rows
	f         block   // the factor, rows × k
	g         block   // its gradient
	p         block   // Y·O; the memory of g if the solver needs it only for the gradient
	inner     float64 // ⟨F, P⟩ when the gradient was last measured
	pg        float64 // squared norm of the projected gradient
	partials  []partial

	// Of the projected gradients: the next step to try and Lin's tolerance on the norm.
	alpha, tol float64
	// Of HALS: the repetitions that are worth a product.
	repeats int
}

// partial holds a chunk's share of up to two sums and a flag; chunks are added in order.
type partial struct {
	a, b float64
	flag bool
}

// workspace is what a restart needs besides its factors: its loop and scratch memory.
type workspace struct {
	k, width  int // columns, and with padding
	chunk     int // rows handled at a time: some 32 KiB of each block
	each      parallel.Loop
	scratch   []block // one per worker, chunk × k
	candidate [2]candidate
	eights    []eights // of HALS, one per worker; nil without a kernel
	square    block    // the Gram matrix for it
}

// candidate is a step that was tried: D, what is added to F, and D·G.
type candidate struct{ d, dg []float64 }

// over calls body for the chunks of the factor's rows and returns the sums that it fills in, of all
// ranks.
func (w *workspace) over(ctx context.Context, s *side, body func(worker, lo, hi int, out *partial)) (partial, error) {
	total, err := w.overRows(ctx, s, 0, s.f.Rows, body)
	if err != nil {
		return total, err
	}
	return s.joined(total), nil
}

// overRows is over for the rows [from, to) that are here, of which it returns the sums.
func (w *workspace) overRows(ctx context.Context, s *side, from, to int, body func(worker, lo, hi int, out *partial)) (partial, error) {
	n := to - from
	err := w.each(ctx, n, w.chunk, func(worker, lo, hi int) error {
		p := partial{}
		body(worker, from+lo, from+hi, &p)
		s.partials[lo/w.chunk] = p
		return nil
	})
	total := partial{}
	if err != nil {
		return total, err
	}
	for _, p := range s.partials[:(n+w.chunk-1)/w.chunk] {
		total.a += p.a
		total.b += p.b
		total.flag = total.flag || p.flag
	}
	return total, nil
}

// joined are the sums of all ranks.
func (s *side) joined(own partial) partial {
	x := [3]float64{own.a, own.b, 0}
	if own.flag {
		x[2] = 1
	}
	s.join(x[:])
	return partial{x[0], x[1], x[2] > 0}
}

// values returns the numbers of rows [lo, hi), padding included.
func values(b block, lo, hi int) []float64 { return b.Data[lo*b.Stride : hi*b.Stride] }

// timesGram sets dst = b·gram for a few rows. 2·k² flops per row.
func timesGram(b, gram, dst block) {
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, b, gram, 0, dst)
}

// gram sets both triangles of dst = FᵀF. k² flops per row.
func (s *side) gram(dst block) {
	clear(dst.Data)
	if s.f.Rows > 0 {
		native.Default().Syrk(blas.Trans, 1, s.f, 0, blas64.Symmetric{N: dst.Rows, Stride: dst.Stride, Data: dst.Data, Uplo: blas.Upper})
	}
	s.join(dst.Data)
	for i := range dst.Rows {
		for j := range i {
			dst.Data[i*dst.Stride+j] = dst.Data[j*dst.Stride+i]
		}
	}
}

// renew computes the gradient afresh: P = Y·O, then g = F·G − P; with measured also ⟨F, P⟩ and the
// norm of the projected gradient.
func (w *workspace) renew(ctx context.Context, s *side, other block, gram block, measured bool) error {
	if err := s.op.mul(ctx, s.p, other, w.each); err != nil {
		return err
	}
	s.add(s.p.Data)
	return w.gradient(ctx, s, gram, measured)
}

// gradient is renew with P given.
func (w *workspace) gradient(ctx context.Context, s *side, gram block, measured bool) error {
	sum, err := w.over(ctx, s, func(_, lo, hi int, out *partial) {
		f, p, g := values(s.f, lo, hi), values(s.p, lo, hi), values(s.g, lo, hi)
		if measured {
			out.a = dot(f, p)
		}
		if !s.same {
			copy(g, p)
		}
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, part(s.f, lo, hi), gram, -1, part(s.g, lo, hi))
		if measured {
			out.b = projectedSquare(f, g)
		}
	})
	s.inner, s.pg = sum.a, sum.b
	return err
}

// dot returns Σ x_i·y_i in four interleaved sums; lengths are multiples of 4.
func dot(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]float64)(x), (*[4]float64)(y)
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		x, y = x[4:], y[4:]
	}
	return (s0 + s1) + (s2 + s3)
}

// projectedSquare returns the squared norm of the projected gradient (Lin 2007, eq. 11): entries
// count if the factor is positive, or could grow because the gradient is negative.
func projectedSquare(f, g []float64) float64 {
	var s0, s1 float64
	for len(f) >= 2 && len(g) >= 2 {
		f2, g2 := (*[2]float64)(f), (*[2]float64)(g)
		p0, p1 := projected(f2[0], g2[0]), projected(f2[1], g2[1])
		s0 += p0 * p0
		s1 += p1 * p1
		f, g = f[2:], g[2:]
	}
	return s0 + s1
}

// projected returns g if f > 0 or g < 0, else 0, for f ≥ 0: by the signs of 0 − f and g, since a
// branch here would be unpredictable.
func projected(f, g float64) float64 {
	b := math.Float64bits(g)
	mask := uint64(int64(math.Float64bits(0-f)|b) >> 63)
	return math.Float64frombits(b & mask)
}

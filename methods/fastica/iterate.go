package fastica

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// search finds W over the whitened rows z, n×k with zᵀz = n·I.
type search struct {
	z     blas64.General
	g     contrast
	opt   Options
	panel []float64
}

// rotation is the result of a search.
type rotation struct {
	w          blas64.General // k×k, orthogonal
	iterations int
	change     float64 // the largest 1 − |cos| of the last steps
}

func (s *search) run(ctx context.Context) (rotation, error) {
	k := s.z.Cols
	w := panel.New(k, k)
	rng := rand.New(rand.NewPCG(s.opt.Seed, 0))
	for i := range w.Data {
		w.Data[i] = rng.NormFloat64()
	}
	if _, err := native.Default().QR(w); err != nil {
		return rotation{}, err
	}
	if s.opt.Algorithm == Deflation {
		return s.deflate(ctx, w)
	}
	return s.symmetric(ctx, w)
}

func (s *search) symmetric(ctx context.Context, w blas64.General) (rotation, error) {
	r := rotation{w: w}
	for r.iterations < s.opt.MaxIter {
		next, err := s.step(ctx, r.w)
		if err != nil {
			return r, err
		}
		if err := decorrelate(ctx, next, r.w); err != nil {
			return r, err
		}
		r.change = 0
		for i := range next.Rows {
			r.change = max(r.change, turn(row(next, i), row(r.w, i)))
		}
		r.w = next
		r.iterations++
		s.opt.Observer.Report(Stage, int64(r.iterations), 0, "steps")
		if r.change <= s.opt.Tol {
			break
		}
	}
	return r, nil
}

// deflate finds the rows of w one after the other, from their values on entry.
func (s *search) deflate(ctx context.Context, w blas64.General) (rotation, error) {
	r := rotation{w: w}
	k := w.Cols
	for p := range k {
		one := blas64.General{Rows: 1, Cols: k, Stride: k, Data: row(w, p)}
		unit(w, p, nil)
		change, steps := math.Inf(1), 0
		for ; steps < s.opt.MaxIter && change > s.opt.Tol; steps++ {
			next, err := s.step(ctx, one)
			if err != nil {
				return r, err
			}
			before := append([]float64(nil), one.Data...)
			copy(one.Data, next.Data)
			unit(w, p, before)
			change = turn(one.Data, before)
		}
		r.change, r.iterations = max(r.change, change), max(r.iterations, steps)
		s.opt.Observer.Report(Stage, int64(p+1), int64(k), "components")
	}
	return r, nil
}

// panelRows is the number of rows of a panel: two gigaflops of products, so that the context is
// checked, and at most 64 MB of one.
func panelRows(k int) int { return max(64, min(1<<23/k, int(2e9)/(4*k*k))) }

// grain is the number of rows that one goroutine passes through g at a time.
const grain = 256

// step returns E[g(wᵀz)·zᵀ] − E[g′(wᵀz)]·w for each row of w, r×k: 4·n·r·k flops.
func (s *search) step(ctx context.Context, w blas64.General) (blas64.General, error) {
	n, r := s.z.Rows, w.Rows
	next, bends := panel.New(r, w.Cols), make([]float64, r)
	size := min(n, panelRows(w.Cols))
	if len(s.panel) < size*r {
		s.panel = make([]float64, size*r)
	}
	parts := panel.New(parallel.Chunks(size, grain), r)
	for lo := 0; lo < n; lo += size {
		if err := ctx.Err(); err != nil {
			return next, err
		}
		z := blas64.General{Rows: min(size, n-lo), Cols: w.Cols, Stride: s.z.Stride, Data: s.z.Data[lo*s.z.Stride:]}
		y := blas64.General{Rows: z.Rows, Cols: r, Stride: r, Data: s.panel}
		native.Default().Gemm(blas.NoTrans, blas.Trans, 1, z, w, 0, y)
		clear(parts.Data)
		if err := parallel.For(ctx, z.Rows, grain, func(_, from, to int) error {
			s.g.slopes(y.Data[from*r:to*r], row(parts, from/grain))
			return nil
		}); err != nil {
			return next, err
		}
		for c := range parallel.Chunks(z.Rows, grain) {
			for j, v := range row(parts, c) {
				bends[j] += v
			}
		}
		native.Default().Gemm(blas.Trans, blas.NoTrans, 1, y, z, 1, next)
	}
	for i := range r {
		old := row(w, i)
		for j, v := range row(next, i) {
			row(next, i)[j] = (v - bends[i]*old[j]) / float64(n)
		}
	}
	return next, nil
}

// decorrelate sets w = (wwᵀ)^-½w: the nearest matrix with orthonormal rows. If w is singular to
// rounding, old, whose rows are orthonormal, decides.
func decorrelate(ctx context.Context, w, old blas64.General) error {
	k := w.Rows
	size := 0.0
	for _, v := range w.Data {
		size = max(size, math.Abs(v))
	}
	if size == 0 {
		copy(w.Data, old.Data)
		return nil
	}
	for i := range w.Data {
		w.Data[i] /= size
	}
	for attempt := 0; ; attempt++ {
		values, v, err := eigenvectors(ctx, gram(w))
		if err != nil {
			return err
		}
		// Regular except for a few multiples of old, of which four in a row do not occur.
		if top := values[k-1]; values[0] <= 1e-12*top && attempt < 4 {
			for i, o := range old.Data {
				w.Data[i] += 1e-4 * math.Sqrt(top) * o
			}
			continue
		}
		scaled, root, was := panel.New(k, k), panel.New(k, k), panel.Clone(w)
		for i := range k {
			for j := range k {
				scaled.Data[i*k+j] = v.Data[i*v.Stride+j] / math.Sqrt(max(values[j], 1e-14*values[k-1]))
			}
		}
		native.Default().Gemm(blas.NoTrans, blas.Trans, 1, scaled, v, 0, root)
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, root, was, 0, w)
		break
	}
	// One step of Newton and Schulz removes the rounding of the squared matrix: w ← (3w − wwᵀw)/2.
	g, was := gram(w), panel.Clone(w)
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, -0.5, g, was, 1.5, w)
	return ctx.Err()
}

// eigenvectors is SymEig on one thread, so that its bits do not depend on the number of threads. It
// cannot be interrupted: if the context ends first it finishes in the background.
func eigenvectors(ctx context.Context, g blas64.General) (values []float64, v blas64.General, err error) {
	done := make(chan error, 1)
	var own []float64
	var vectors blas64.General
	go func() {
		defer native.Parallel()()
		var err error
		own, vectors, err = native.Default().SymEig(blas64.Symmetric{N: g.Rows, Stride: g.Stride, Data: g.Data, Uplo: blas.Upper}, native.EigRange{}, true)
		done <- err
	}()
	select {
	case <-ctx.Done():
		return nil, v, ctx.Err()
	case err := <-done:
		return own, vectors, err
	}
}

// gram is wwᵀ.
func gram(w blas64.General) blas64.General {
	g := panel.New(w.Rows, w.Rows)
	native.Default().Gemm(blas.NoTrans, blas.Trans, 1, w, w, 0, g)
	return g
}

// unit makes row p of w orthogonal to the rows before it and of length 1; if nothing of it is left,
// before takes its place, or for a start the first axis of which enough is left.
func unit(w blas64.General, p int, before []float64) {
	own := row(w, p)
	if orthonormal(w, p) {
		return
	}
	if before != nil {
		copy(own, before)
		return
	}
	for axis := range w.Cols {
		clear(own)
		own[axis] = 1
		if orthonormal(w, p) {
			return
		}
	}
}

// orthonormal is two passes of Gram and Schmidt over row p of w. It returns whether more than
// rounding was left of the row.
func orthonormal(w blas64.General, p int) bool {
	own := row(w, p)
	began := math.Sqrt(dot(own, own))
	for range 2 {
		for q := range p {
			other := row(w, q)
			along := dot(own, other)
			for j, v := range other {
				own[j] -= along * v
			}
		}
	}
	length := math.Sqrt(dot(own, own))
	if !(length > 1e-10*began) {
		return false
	}
	for j := range own {
		own[j] /= length
	}
	return true
}

// turn is 1 − |cos| of the angle between unit vectors, from their distance: no digits are lost if
// it is small.
func turn(a, b []float64) float64 {
	sign := 1.0
	if dot(a, b) < 0 {
		sign = -1
	}
	sum := 0.0
	for j, v := range a {
		d := v - sign*b[j]
		sum += d * d
	}
	return sum / 2
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}

func row(a blas64.General, i int) []float64 { return a.Data[i*a.Stride:][:a.Cols] }

package kernelkmeans

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// MeanSquaredDistance returns the mean of ‖x_i − x_j‖² over all pairs of different rows (0 for
// one row) by the variance identity 2/(n−1)·Σ‖x_i − x̄‖², in O(n·d): the σ_m of Zhou and Wang
// 2019, section 4.2. Errors are as for [Fit] about the data.
func MeanSquaredDistance(ctx context.Context, x mat.Matrix) (float64, error) {
	r, err := pairs.New(ctx, x)
	if err != nil {
		return 0, err
	}
	return r.MeanSqDist(ctx)
}

// columns is the number of columns of the kernel that a goroutine takes at once: with the rows of a
// panel, 256 KiB.
const columns = 256

// kernel is a kernel function of rows, or stored values.
type kernel struct {
	opt  Options
	x    mat.Matrix  // the rows; nil if the kernel is precomputed
	data *pairs.Rows // the same; nil if the kernel is precomputed

	dense blas64.General // precomputed: the kernel, or the rows of one against the training rows
	graph *sparse.CSR

	most int64 // bytes of the largest matrix that is formed; 0: none is
}

// newKernel checks the data and completes the width.
func newKernel(ctx context.Context, x mat.Matrix, opt Options) (*kernel, error) {
	k := &kernel{opt: opt}
	if opt.Kernel != Precomputed {
		var err error
		if k.data, err = pairs.New(ctx, x); err != nil {
			return nil, err
		}
		k.x = x
		if opt.Kernel == Gaussian && opt.Width == 0 {
			if k.opt.Width, err = k.data.MeanSqDist(ctx); err != nil {
				return nil, err
			}
		}
		return k, nil
	}
	if err := k.store(x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	if n != d {
		return nil, invalid.Errorf("a precomputed kernel must be square, but this matrix is %d × %d", n, d)
	}
	return k, k.symmetric(ctx, n)
}

// store takes precomputed values.
func (k *kernel) store(x mat.Matrix) error {
	if x == nil {
		return invalid.Errorf("there is no kernel matrix")
	}
	if n, d := x.Dims(); n == 0 || d == 0 {
		return invalid.Errorf("the kernel matrix is empty (%d × %d)", n, d)
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return err
	}
	if s, ok := x.(*sparse.CSR); ok {
		k.graph = s
	} else {
		k.dense = x.(*mat.Dense).RawMatrix()
	}
	return sparse.CheckFinite(x)
}

// symmetric allows a difference of 1e-10 of the largest entry.
func (k *kernel) symmetric(ctx context.Context, n int) error {
	const tol = 1e-10
	refuse := func(i, j int) error {
		return invalid.Errorf("the precomputed kernel is not symmetric: entries (%d, %d) and (%d, %d), counted from 0, differ", i, j, j, i)
	}
	if k.graph != nil {
		if i, j, ok := k.graph.Asymmetry(tol); !ok {
			return refuse(i, j)
		}
		return nil
	}
	largest := 0.0
	for i := range n {
		for _, v := range k.dense.Data[i*k.dense.Stride : i*k.dense.Stride+n] {
			largest = max(largest, math.Abs(v))
		}
	}
	for i := range n {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for j := range i {
			if math.Abs(k.dense.Data[i*k.dense.Stride+j]-k.dense.Data[j*k.dense.Stride+i]) > tol*largest {
				return refuse(j, i)
			}
		}
	}
	return nil
}

// rows is n.
func (k *kernel) rows() int {
	switch {
	case k.data != nil:
		return k.data.N
	case k.graph != nil:
		return k.graph.NumRows
	}
	return k.dense.Rows
}

// diagonal returns K_ii + Shift.
func (k *kernel) diagonal(data *pairs.Rows) ([]float64, error) {
	n := k.rows()
	if data != nil {
		n = data.N
	}
	diag := make([]float64, n)
	for i := range diag {
		switch {
		case data != nil && k.opt.Kernel == Gaussian:
			diag[i] = 1
		case data != nil:
			diag[i] = k.of(data.SqNorm[i])
		case k.graph != nil:
			diag[i] = k.graph.At(i, i)
		default:
			diag[i] = k.dense.Data[i*k.dense.Stride+i]
		}
		diag[i] += k.opt.Shift
		if math.Abs(diag[i]) > math.MaxFloat64/16/float64(n)/float64(n) {
			return nil, invalid.At(i, -1, "the kernel of {} with itself is too large to sum (%.3g): divide the data by a constant", diag[i])
		}
	}
	return diag, nil
}

// of turns a squared distance (Gaussian) or a dot product into the kernel.
func (k *kernel) of(v float64) float64 {
	switch k.opt.Kernel {
	case Gaussian:
		if v == 0 {
			return 1 // also if the width is 0 because all rows are equal
		}
		return math.Exp(-v / k.opt.Width)
	case Polynomial:
		base, p := *k.opt.Offset+v, 1.0
		for e := k.opt.Degree; e > 0; e >>= 1 {
			if e&1 == 1 {
				p *= base
			}
			base *= base
		}
		return p
	}
	return v
}

// source gives rows of K, a panel at a time. fill is safe for concurrent use between two loads.
type source interface {
	size() int         // rows a panel takes
	load(rows []int32) // at most size; kept until the next load
	// fill sets out[q] to K[rows[q], lo:hi]; dst has room for all of them.
	fill(lo, hi int, dst []float64, out [][]float64)
	computes() bool // whether a load is dear
}

// computed makes rows of K from the data.
type computed struct {
	k     *kernel
	panel *pairs.Panel
	count int
}

func (c *computed) size() int         { return c.panel.Size() }
func (c *computed) computes() bool    { return true }
func (c *computed) load(rows []int32) { c.panel.Load(rows); c.count = len(rows) }

func (c *computed) fill(lo, hi int, dst []float64, out [][]float64) {
	w := hi - lo
	c.tile(lo, blas64.General{Rows: c.count, Cols: w, Stride: w, Data: dst})
	for q := range out {
		out[q] = dst[q*w : (q+1)*w]
	}
}

func (c *computed) tile(lo int, dst blas64.General) {
	if c.k.opt.Kernel == Gaussian {
		c.panel.SqDists(lo, dst)
	} else {
		c.panel.Dots(lo, dst)
	}
	if c.k.opt.Kernel == Linear {
		return
	}
	for q := range dst.Rows {
		row := dst.Data[q*dst.Stride : q*dst.Stride+dst.Cols]
		for i, v := range row {
			row[i] = c.k.of(v)
		}
	}
}

// stored is a K that is there.
type stored struct {
	m     blas64.General
	which []int32
}

func (s *stored) size() int         { return 128 }
func (s *stored) computes() bool    { return false }
func (s *stored) load(rows []int32) { s.which = rows }

func (s *stored) fill(lo, hi int, _ []float64, out [][]float64) {
	for q := range out {
		at := int(s.which[q]) * s.m.Stride
		out[q] = s.m.Data[at+lo : at+hi]
	}
}

// entries is a sparse K.
type entries struct {
	a     *sparse.CSR
	which []int32
}

func (s *entries) size() int         { return 128 }
func (s *entries) computes() bool    { return false }
func (s *entries) load(rows []int32) { s.which = rows }

func (s *entries) fill(lo, hi int, dst []float64, out [][]float64) {
	w := hi - lo
	for q := range out {
		out[q] = dst[q*w : (q+1)*w]
		clear(out[q])
		cols, vals := s.a.Row(int(s.which[q]))
		for p, j := range cols {
			if int(j) >= lo && int(j) < hi {
				out[q][int(j)-lo] = vals[p]
			}
		}
	}
}

// form computes the whole of K: the tiles, and so the bits, of the sweeps that compute it.
func form(ctx context.Context, c *computed, report func(done int)) (*stored, error) {
	n := c.k.data.N
	m := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	for first := 0; first < n; first += c.size() {
		rows := pairs.Span(first, min(first+c.size(), n))
		c.load(rows)
		err := parallel.For(ctx, n, columns, func(_, lo, hi int) error {
			c.tile(lo, blas64.General{Rows: len(rows), Cols: hi - lo, Stride: n, Data: m.Data[first*n+lo:]})
			return nil
		})
		if err != nil {
			return nil, err
		}
		report(first + len(rows))
	}
	return &stored{m: m}, nil
}

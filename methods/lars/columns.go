package lars

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// longest bounds the vectors to 2 GiB, since a sparse file of a few bytes can claim any size.
const longest = 1 << 28

// columns are the columns of X for all responses, scaled by 2^-exp so that the largest magnitude
// lies in [½, 1). With an intercept they stand for centred columns: a column that is stored in full
// is centred already; for one with implicit zeros mean holds the mean, and products are right for
// vectors that sum to zero.
type columns struct {
	n, p     int
	centred  bool
	exp      int
	t        *sparse.CSR // p×n, nil for dense data
	dense    []float64   // p rows of n
	mean     []float64   // scaled; of the columns as given
	norm     []float64   // ‖x_j‖ of the centred column; 0 for a constant one
	constant []int32
	largest  float64 // the largest norm
}

// newColumns checks and transposes x. 12 bytes an entry (8 dense), O(entries).
func newColumns(ctx context.Context, x mat.Matrix, centre bool) (*columns, error) {
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to regress on")
	}
	n, p := x.Dims()
	if n == 0 || p == 0 {
		return nil, invalid.Errorf("the matrix to regress on is empty (%d × %d)", n, p)
	}
	if max(n, p) > longest {
		return nil, invalid.Errorf("a matrix of %d × %d is too large to regress on (%d rows and columns at most): drop empty ones", n, p, longest)
	}
	c := &columns{n: n, p: p, centred: centre, mean: make([]float64, p), norm: make([]float64, p)}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	if s, ok := x.(*sparse.CSR); ok {
		err = c.setSparse(s)
	} else {
		err = c.setDense(ctx, x.(*mat.Dense).RawMatrix())
	}
	if err != nil {
		return nil, err
	}
	if err := parallel.For(ctx, p, max(1, min(4096, (1<<20)/n)), func(_, lo, hi int) error {
		for j := lo; j < hi; j++ {
			c.measure(j)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for j, v := range c.norm {
		c.largest = max(c.largest, v)
		if v == 0 {
			c.constant = append(c.constant, int32(j))
		}
	}
	return c, nil
}

func (c *columns) setSparse(x *sparse.CSR) error {
	if err := x.CheckFinite(); err != nil {
		return err
	}
	c.t = x.Transpose()
	c.exp = exponent(panel.Largest(x.Val))
	rescale(c.t.Val, -c.exp)
	return nil
}

// setDense copies x into columns, a band of columns at a time so that lines of x in the cache are
// fully used.
func (c *columns) setDense(ctx context.Context, x blas64.General) error {
	largest := 0.0
	for i := range c.n {
		for j, v := range x.Data[i*x.Stride:][:c.p] {
			if v-v != 0 {
				return &sparse.NotFiniteError{Row: i, Col: j, Value: v}
			}
			largest = max(largest, math.Abs(v))
		}
	}
	c.exp = exponent(largest)
	c.dense = make([]float64, c.n*c.p)
	return parallel.For(ctx, c.p, 8, func(_, lo, hi int) error {
		for i := range c.n {
			for j := lo; j < hi; j++ {
				c.dense[j*c.n+i] = x.Data[i*x.Stride+j]
			}
		}
		rescale(c.dense[lo*c.n:hi*c.n], -c.exp)
		return nil
	})
}

// measure sets mean and norm of column j and centres it if it is stored in full. A column whose
// values after centring are below 8 ulp of those before counts as constant.
func (c *columns) measure(j int) {
	vals := c.values(j)
	implicit := c.n - len(vals)
	before := norm(vals)
	if c.centred && len(vals) > 0 {
		origin := 0.0
		if implicit == 0 {
			origin = vals[0] // equal values have exactly themselves as their mean
		}
		sum := 0.0
		for _, v := range vals {
			sum += v - origin
		}
		c.mean[j] = origin + sum/float64(c.n)
		if implicit == 0 {
			for i := range vals {
				vals[i] -= c.mean[j]
			}
			c.norm[j] = norm(vals)
		} else {
			m, sum := c.mean[j], 0.0
			for _, v := range vals {
				sum += (v - m) * (v - m)
			}
			c.norm[j] = math.Sqrt(sum + float64(implicit)*m*m)
		}
		if c.norm[j] <= 0x1p-50*before {
			c.norm[j] = 0
		}
		return
	}
	c.norm[j] = before
}

// values are the stored values of column j.
func (c *columns) values(j int) []float64 {
	if c.t != nil {
		_, vals := c.t.Row(j)
		return vals
	}
	return c.dense[j*c.n : (j+1)*c.n]
}

// work is the number of multiply-adds of a product with column j.
func (c *columns) work(j int) int {
	if c.t != nil {
		return c.t.RowPtr[j+1] - c.t.RowPtr[j]
	}
	return c.n
}

// dot is x_jᵀv, for v that sums to zero if columns are centred. 12 bytes and a gather an entry.
func (c *columns) dot(j int, v []float64) float64 {
	if c.t == nil {
		return blas64.Dot(vector(c.values(j)), vector(v))
	}
	rows, vals := c.t.Row(j)
	sum := 0.0
	for k, i := range rows {
		sum += vals[k] * v[i]
	}
	return sum
}

// dots is x_jᵀv and x_jᵀw, in one pass over a sparse column.
func (c *columns) dots(j int, v, w []float64) (a, b float64) {
	if c.t == nil {
		return c.dot(j, v), c.dot(j, w)
	}
	rows, vals := c.t.Row(j)
	for k, i := range rows {
		a += vals[k] * v[i]
		b += vals[k] * w[i]
	}
	return a, b
}

// add adds alpha times the stored column j to dst; the sum is to be centred by [columns.centre].
func (c *columns) add(j int, alpha float64, dst []float64) {
	if c.t == nil {
		blas64.Axpy(alpha, vector(c.values(j)), vector(dst))
		return
	}
	rows, vals := c.t.Row(j)
	for k, i := range rows {
		dst[i] += alpha * vals[k]
	}
}

// combine sets dst = Σ coefficients[k]·x_terms[k], centred.
func (c *columns) combine(dst []float64, terms []int32, coefficients []float64) {
	clear(dst)
	for k, j := range terms {
		c.add(int(j), coefficients[k], dst)
	}
	c.centre(dst)
}

// centre subtracts the mean from v if columns are centred.
func (c *columns) centre(v []float64) {
	if c.centred {
		centre(v)
	}
}

// centre subtracts the mean from v and returns the mean.
func centre(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x - v[0]
	}
	mean := v[0] + sum/float64(len(v))
	for i := range v {
		v[i] -= mean
	}
	return mean
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }

// norm is for values of at most about 1: it may underflow, not overflow.
func norm(v []float64) float64 { return math.Sqrt(square(v)) }

func square(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// exponent is e with |v| in [½, 1)·2^e, 0 for 0.
func exponent(v float64) int {
	_, e := math.Frexp(v)
	return e
}

// rescale multiplies by 2^e.
func rescale(v []float64, e int) {
	if e == 0 {
		return
	}
	if e > -1000 && e < 1000 {
		f := math.Ldexp(1, e)
		for i := range v {
			v[i] *= f
		}
		return
	}
	for i := range v {
		v[i] = math.Ldexp(v[i], e)
	}
}

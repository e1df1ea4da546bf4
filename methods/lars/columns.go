package lars

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// longest bounds the rows and columns, since a sparse file of a few bytes can claim any size: no
// budget of memory reaches these packages' vectors by column.
const longest = 1 << 28

// columns are the columns of X for all responses, scaled by 2^-exp so that the largest magnitude
// lies in [½, 1). With an intercept they stand for centred columns: a column that is stored in full
// is centred already; for one with implicit zeros mean holds the mean, and products are right for
// vectors that sum to zero.
type columns struct {
	share    *ranks.Share // divides the rows; nil: all are here
	n, p     int          // own rows
	all      int          // rows of all ranks
	centred  bool
	exp      int
	t        *sparse.CSR // p×n, nil for dense data
	dense    []float64   // p rows of n
	mean     []float64   // scaled; of the columns as given
	norm     []float64   // ‖x_j‖ of the centred column; 0 for a constant one
	constant []int32
	largest  float64 // the largest norm
}

// newColumns checks and transposes x. 12 bytes an entry (8 dense), O(entries). Ranks that divide
// the rows call it together, each with its own.
func newColumns(ctx context.Context, share *ranks.Share, x mat.Matrix, centre bool) (*columns, error) {
	ctx, stopped := share.Watch(ctx)
	c := &columns{share: share, centred: centre}
	x, top, err := c.check(x)
	if err = rows.Agreed(share, err); err != nil {
		return nil, err
	}
	largest := []float64{top}
	ranks.Largest(share, largest)
	c.exp = exponent(largest[0])
	c.mean, c.norm = make([]float64, c.p), make([]float64, c.p)
	if err := ranks.Agree(share, c.set(ctx, x)); err != nil {
		return nil, err
	}
	if err := c.measure(ctx); err != nil {
		return nil, err
	}
	for j, v := range c.norm {
		c.largest = max(c.largest, v)
		if v == 0 {
			c.constant = append(c.constant, int32(j))
		}
	}
	return c, stopped()
}

// check refuses sizes and values, and returns the rows as they are stored and their largest
// magnitude.
func (c *columns) check(x mat.Matrix) (stored mat.Matrix, largest float64, err error) {
	if x == nil {
		return nil, 0, invalid.Errorf("there is no matrix to regress on")
	}
	c.n, c.p = x.Dims()
	c.all = c.share.Among(c.n)
	if c.all == 0 || c.p == 0 {
		return nil, 0, invalid.Errorf("the matrix to regress on is empty (%d × %d)", c.all, c.p)
	}
	if max(c.all, c.p) > longest {
		return nil, 0, invalid.Errorf("a matrix of %d × %d is too large to regress on (%d rows and columns at most): drop empty ones", c.all, c.p, longest)
	}
	if x, err = sparse.Stored(x); err != nil {
		return nil, 0, err
	}
	if s, ok := x.(*sparse.CSR); ok {
		return s, panel.Largest(s.Val), s.CheckFinite()
	}
	raw := x.(*mat.Dense).RawMatrix()
	for i := range c.n {
		for j, v := range raw.Data[i*raw.Stride:][:c.p] {
			if v-v != 0 {
				return nil, 0, &sparse.NotFiniteError{Row: i, Col: j, Value: v}
			}
			largest = max(largest, math.Abs(v))
		}
	}
	return x, largest, nil
}

// set stores the scaled columns.
func (c *columns) set(ctx context.Context, x mat.Matrix) error {
	if s, ok := x.(*sparse.CSR); ok {
		c.t = s.Transpose()
		rescale(c.t.Val, -c.exp)
		return nil
	}
	return c.setDense(ctx, x.(*mat.Dense).RawMatrix())
}

// setDense copies x into columns, a band of columns at a time so that lines of x in the cache are
// fully used.
func (c *columns) setDense(ctx context.Context, x blas64.General) error {
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

// measure sets mean and norm of each column, and centres those that are stored in full. A column
// whose values after centring are below 8 ulp of those before counts as constant.
func (c *columns) measure(ctx context.Context) error {
	each := func(of func(j int, vals []float64) float64, out []float64) error {
		err := parallel.For(ctx, c.p, max(1, min(4096, (1<<20)/max(1, c.n))), func(_, lo, hi int) error {
			for j := lo; j < hi; j++ {
				out[j] = of(j, c.values(j))
			}
			return nil
		})
		c.share.Sum(out)
		return err
	}
	before := make([]float64, c.p)
	if err := each(func(_ int, vals []float64) float64 { return square(vals) }, before); err != nil {
		return err
	}
	if !c.centred {
		for j, v := range before {
			c.norm[j] = math.Sqrt(v)
		}
		return nil
	}
	stored, origin := make([]float64, c.p), make([]float64, c.p)
	if err := each(func(_ int, vals []float64) float64 { return float64(len(vals)) }, stored); err != nil {
		return err
	}
	full := func(j int) bool { return int(stored[j]) == c.all }
	if err := each(func(j int, vals []float64) float64 {
		if full(j) && c.first() {
			return vals[0] // equal values have exactly themselves as their mean
		}
		return 0
	}, origin); err != nil {
		return err
	}
	if err := each(func(j int, vals []float64) float64 {
		sum := 0.0
		for _, v := range vals {
			sum += v - origin[j]
		}
		return sum
	}, c.mean); err != nil {
		return err
	}
	for j, sum := range c.mean {
		if stored[j] > 0 {
			c.mean[j] = origin[j] + sum/float64(c.all)
		}
	}
	if err := each(func(j int, vals []float64) float64 {
		if full(j) {
			for i := range vals {
				vals[i] -= c.mean[j]
			}
			return square(vals)
		}
		m, sum := c.mean[j], 0.0
		for _, v := range vals {
			sum += (v - m) * (v - m)
		}
		return sum
	}, c.norm); err != nil {
		return err
	}
	for j, sum := range c.norm {
		if m := c.mean[j]; stored[j] > 0 && !full(j) {
			sum += (float64(c.all) - stored[j]) * m * m
		}
		if c.norm[j] = math.Sqrt(sum); c.norm[j] <= 0x1p-50*math.Sqrt(before[j]) {
			c.norm[j] = 0
		}
	}
	return nil
}

// first says whether the first of all rows is here.
func (c *columns) first() bool { return c.n > 0 && c.share.First() == 0 }

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

// dot is x_jᵀv over all rows, for v that sums to zero if columns are centred. 12 bytes and a gather
// an entry.
func (c *columns) dot(j int, v []float64) float64 {
	return c.sum(c.ownDot(j, v))
}

// dotAll sets out[i] to x_terms[i]ᵀv: ranks add up all of them at once.
func (c *columns) dotAll(terms []int32, v, out []float64) {
	for i, t := range terms {
		out[i] = c.ownDot(int(t), v)
	}
	c.share.Sum(out[:len(terms)])
}

// sum is the sum of v over the ranks.
func (c *columns) sum(v float64) float64 {
	if !c.share.Divided() {
		return v
	}
	all := []float64{v}
	c.share.Sum(all)
	return all[0]
}

// square is the squared length of a vector of rows, of all ranks.
func (c *columns) square(v []float64) float64 { return c.sum(square(v)) }

// length is the length of a vector of rows, of all ranks.
func (c *columns) length(v []float64) float64 { return math.Sqrt(c.square(v)) }

// ownDot is the part of dot of the own rows.
func (c *columns) ownDot(j int, v []float64) float64 {
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

// ownDots is the part of the own rows of x_jᵀv and x_jᵀw, in one pass over a sparse column.
func (c *columns) ownDots(j int, v, w []float64) (a, b float64) {
	if c.t == nil {
		return c.ownDot(j, v), c.ownDot(j, w)
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
		centre(c.share, v)
	}
}

// centre subtracts from v, of which share divides the rows, the mean of all, and returns it.
func centre(share *ranks.Share, v []float64) float64 {
	origin, sum := []float64{0}, []float64{0}
	if len(v) > 0 && share.First() == 0 {
		origin[0] = v[0]
	}
	share.Sum(origin)
	for _, x := range v {
		sum[0] += x - origin[0]
	}
	share.Sum(sum)
	mean := origin[0] + sum[0]/float64(share.Among(len(v)))
	for i := range v {
		v[i] -= mean
	}
	return mean
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }

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

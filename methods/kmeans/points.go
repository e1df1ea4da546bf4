package kmeans

import (
	"context"
	"math"
	"sync"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// ulp is twice the relative error of one rounded operation.
const ulp = 0x1p-52

// points are rows of data, sparse or dense.
type points interface {
	dims() (n, d int)
	// sqNorms returns ‖x‖² of every row.
	sqNorms() []float64
	// work estimates the multiplications of one distance.
	work() int
	// gather is the length of the memory that centers.tile needs to gather that many rows.
	gather(rows int) int
	// newCenters makes k centres at the origin; bytes is their memory, and tileBytes that of a tile
	// of tileRows rows for one worker.
	newCenters(k int) centers
	bytes(k int) int64
	tileBytes(k int) int64
	// copyRow copies row i to dst, which is zero.
	copyRow(i int, dst []float64)
	// addRows adds to sum what finishMean makes the mean of n rows of, if the sums of all ranks are
	// added. origin is the first of the rows; equal rows have exactly themselves as their mean.
	addRows(sum []float64, rows []int32, origin []float64)
	finishMean(sum, origin []float64, n float64)
}

// centers are k centres in a layout for the storage of the points, and the distances from points to
// them. Methods that only read are safe for concurrent use, and so is mean for different j.
type centers interface {
	// place sets centre j to row i, and set sets it to the given point.
	place(j, i int)
	set(j int, c []float64)
	// mean moves centre j to the mean of rows (not empty, ascending); tmp has d entries. It returns
	// an upper bound, including rounding, of the distance that the centre moved.
	mean(ctx context.Context, j int, rows []int32, tmp []float64) (float64, error)
	// shift moves centre j to the given point and returns what mean returns.
	shift(j int, to []float64) float64
	// sqNorm returns ‖c_j‖².
	sqNorm(j int) float64
	// exact returns the squared distance of row i and centre j without cancellation. Its value is
	// the distance by definition: it alone decides which centre is nearest.
	exact(i, j int) float64
	// near is exact, added up in any order: its error has the same bound.
	near(i, j int) float64
	// tile sets out[r*k+j] to the squared distance of row rows[r] and centre j, computed the fast
	// way. The rows ascend, no two alike.
	tile(rows []int32, out, gather []float64)
	// rough is tile with a larger error: by screenAbs()·(‖x‖² + max ‖c‖²).
	rough(rows []int32, out, gather []float64)
	screenAbs() float64
	// errors bounds the rounding: true, exact and tile values differ from each other by at most
	// rel·(exact value) + abs·(‖x‖² + max ‖c‖²). tileAbs is abs for tile, exactAbs between true and
	// exact.
	errors() (rel, exactAbs, tileAbs float64)
	// compact reports whether distances among centres cost no more than those to rows, so that they
	// save time.
	compact() bool
	// between returns the squared distance of centres a and b, added up in any order.
	between(a, b int) float64
	// row copies centre j to dst.
	row(j int, dst []float64)
}

// newPoints takes the rows of any matrix and checks them.
func newPoints(ctx context.Context, x mat.Matrix) (points, error) {
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to cluster")
	}
	if n, d := x.Dims(); n > math.MaxInt32 {
		return nil, invalid.Errorf("the matrix to cluster has %d rows: k-means allows at most %d", n, math.MaxInt32)
	} else if n == 0 || d == 0 {
		return nil, invalid.Errorf("the matrix to cluster is empty (%d × %d)", n, d)
	}
	x, err := sparse.Kept(x)
	if err != nil {
		return nil, err
	}
	if s, ok := x.(sparse.Rows); ok {
		return newSparsePoints(ctx, s)
	}
	return newDensePoints(ctx, x)
}

// rowBuffers are buffers in which rows in single precision are converted; rows in double precision
// need none.
type rowBuffers struct {
	single bool
	pool   sync.Pool
}

var noBuffer []float64

func (b *rowBuffers) get(length int) *[]float64 {
	if !b.single {
		return &noBuffer
	}
	if v, _ := b.pool.Get().(*[]float64); v != nil && cap(*v) >= length {
		return v
	}
	v := make([]float64, length)
	return &v
}

func (b *rowBuffers) put(v *[]float64) {
	if b.single {
		b.pool.Put(v)
	}
}

// squareRows sets norms[i] = Σ row(i)². A value that is not finite, or so large that squared
// distances of n rows may overflow, is an error. column returns the column of the v-th value of row
// i.
func squareRows(ctx context.Context, n, width int, row func(i int, buf []float64) []float64, col func(i, v int) int, single bool) ([]float64, error) {
	norms := make([]float64, n)
	limit := math.MaxFloat64 / 16 / float64(n)
	err := parallel.For(ctx, n, grain(n, width), func(_, lo, hi int) error {
		var buf []float64
		for i := lo; i < hi; i++ {
			s := 0.0
			values := row(i, buf)
			if single {
				buf = values
			}
			for _, v := range values {
				s += v * v
			}
			norms[i] = s
			if s <= limit {
				continue
			}
			for p, v := range values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return &sparse.NotFiniteError{Row: i, Col: col(i, p), Value: v}
				}
			}
			return invalid.At(i, -1, "{} is too long, its squared length overflows (its values reach %.3g): divide the data by a constant", panel.Largest(values))
		}
		return nil
	})
	return norms, err
}

// grain is the chunk length for a loop over n rows with that many multiplications each: about a
// millisecond of work, so that cores share it evenly and a cancelled context is noticed at once.
func grain(n, work int) int {
	return max(1, min(n, 4096, (1<<20)/max(1, work)))
}

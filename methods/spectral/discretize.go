package spectral

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"gonum.org/v1/gonum/mat"
)

const (
	discretizeStarts = 10
	discretizeSteps  = 100
)

// Discretize clusters rows of unit length into as many clusters as there are columns, without
// k-means: it looks for the rotation R that brings the rows nearest to the unit vectors, and each
// row's cluster is the column of U·R with its largest entry, the first of equal ones. It keeps the
// best of ten starts; the rows that start one are drawn by the seed. Rows of zeros are in cluster
// 0. Clusters are in no order, and some may be empty.
//
// Source: Yu and Shi 2003, "Multiclass spectral clustering", ICCV, section 3: the start of figure
// 3 and the alternation of theorems 2 and 3.
//
// Cost: 2·n·k² flops a step, some ten steps a start; memory n·k. Errors: more columns than rows
// (fs.ErrInvalid), and the context's.
func Discretize(ctx context.Context, u *mat.Dense, seed uint64) ([]int, error) {
	n, k := u.Dims()
	if k > n {
		return nil, invalid.Errorf("%d columns are more than its %d rows", k, n)
	}
	var best []int
	most := math.Inf(-1)
	d := &discretizer{u: u, turned: mat.NewDense(n, k, nil), labels: make([]int, n)}
	rng := rand.New(rand.NewPCG(seed, 0x9d15c))
	for range discretizeStarts {
		r := d.start(rng.IntN(n))
		last := math.Inf(-1)
		for range discretizeSteps {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			sum, next := d.step(r)
			if sum > most {
				most, best = sum, slices.Clone(d.labels)
			}
			if next == nil || sum <= last*(1+1e-12) {
				break
			}
			last, r = sum, next
		}
	}
	return best, nil
}

// discretizer has the rows and the memory of the steps.
type discretizer struct {
	u, turned *mat.Dense
	labels    []int
}

// start is a matrix of rows of u that are far from parallel, beginning with one of them.
func (d *discretizer) start(first int) *mat.Dense {
	n, k := d.u.Dims()
	r := mat.NewDense(k, k, nil)
	overlap := make([]float64, n)
	for j, row := 0, first; ; {
		chosen := d.u.RawRowView(row)
		r.SetCol(j, chosen)
		if j++; j == k {
			return r
		}
		row = 0
		for i := range n {
			sum := 0.0
			for c, v := range d.u.RawRowView(i) {
				sum += v * chosen[c]
			}
			if overlap[i] += math.Abs(sum); overlap[i] < overlap[row] {
				row = i
			}
		}
	}
}

// step assigns the rows by the rotation r and returns how near they are, the sum of the singular
// values of Xᵀ·U for the indicators X, with the rotation that is best for X; nil if it is not
// found.
func (d *discretizer) step(r *mat.Dense) (sum float64, next *mat.Dense) {
	n, k := d.u.Dims()
	d.turned.Mul(d.u, r)
	within := mat.NewDense(k, k, nil) // Xᵀ·U
	for i := range n {
		row := d.turned.RawRowView(i)
		c := 0
		for j, v := range row {
			if v > row[c] {
				c = j
			}
		}
		d.labels[i] = c
		to := within.RawRowView(c)
		for j, v := range d.u.RawRowView(i) {
			to[j] += v
		}
	}
	var svd mat.SVD
	if !svd.Factorize(within, mat.SVDFull) {
		return 0, nil
	}
	var left, right mat.Dense
	svd.UTo(&left)
	svd.VTo(&right)
	for _, s := range svd.Values(nil) {
		sum += s
	}
	next = mat.NewDense(k, k, nil)
	next.Mul(&right, left.T())
	return sum, next
}

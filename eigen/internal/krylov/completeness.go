package krylov

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/indices"
	"gonum.org/v1/gonum/blas/blas64"
)

// MissProbability bounds the probability that one search of the complement ends although an
// eigenvalue is missing. See "Completeness" in the package comment of eigen.
const MissProbability = 1e-8

// Sizes of the search of the complement.
const (
	searchBlock  = 4   // smallest number of its random vectors
	searchBlocks = 10  // blocks for which it has room at least
	firstLook    = 3   // blocks after which it looks at its certificate for the first time
	gridPoints   = 256 // values above the k-th at which the bound is computed
)

// gaussianRadius returns the radius r with P(‖g‖ ≤ r) ≤ probability for a vector g of columns
// independent standard normal numbers: the density of g is at most (2π)^(−columns/2), so the
// probability is at most (r²/2)^(columns/2)/Γ(columns/2 + 1).
func gaussianRadius(columns int, probability float64) float64 {
	half := float64(columns) / 2
	lnGamma, _ := math.Lgamma(half + 1)
	return math.Sqrt(2) * math.Exp((math.Log(probability)+lnGamma)/(2*half))
}

// A search of the complement need not resolve the eigenvalues just below the k-th again, where the
// solve has left good approximations of their vectors. It sets these aside: it keeps its own space
// orthogonal to them, and the largest value that is left lies farther below the k-th.
//
// They are not exact, so a missing eigenvector v may have components c = Uᵀv in the vectors U set
// aside. Let AU = UΘ + R with UᵀR = 0, the values θ_j of Θ below the eigenvalue μ of v, and δ_j the
// lengths of R's columns. Then (μ − θ_j)c_j = r_jᵀv, so |c_j| ≤ δ_j/(μ − θ_j). The rest w = v − Uc
// is as long as √(1 − ‖c‖²) or longer, and the operator A' of the complement of U has A'w = μw −
// Rc. So a search with A' bounds ‖Ωᵀw‖ as the package comment of eigen says, with one more term,
// ‖Rc‖ times ‖ΩᵀV(μ − T)⁻¹‖, that is of second order in δ: ‖Rc‖ ≤ Σδ_j²/(μ − θ_j).

// aside bounds what vectors set aside can hold of a missing eigenvector.
type aside struct {
	vectors int
	// inside bounds ‖c‖², and couples ‖Rc‖, for every μ from the smallest that counts as missing.
	inside, couples float64
}

// certificate bounds the components that a missed eigenvector v, with an eigenvalue of at least
// the values of the grid, has in the columns of the random block Ω of a search.
//
// Between two restarts A·V = V·T + Q·B holds for the basis V and the next block Q, both orthogonal
// to all locked vectors. From Av = μv follows (μ − T)z = Bᵀs for z = Vᵀv and s = Qᵀv, and so
//
//	g = Ωᵀv = ΩᵀV·(μ − T)⁻¹·Bᵀ·s,  ‖s‖ ≤ 1.
//
// The norm of this matrix is therefore a bound of ‖g‖. For larger μ it falls as 1/T_d(μ) in a
// Krylov space of degree d. A restart drops Ritz vectors; their part, which depends on μ, is kept
// for every μ of the grid.
type certificate struct {
	radius  float64        // ‖g‖ is larger, except with MissProbability
	couples float64        // see aside
	omega   blas64.General // columns×width: Ωᵀ in terms of the first block
	size    float64        // Frobenius norm of omega
	columns int
	width   int         // vectors of the basis with coefficients: those kept at the last restart and the block after them
	grid    []float64   // ascending, in terms of T
	gamma   [][]float64 // for each value of the grid: columns×width coefficients
	dropped []float64   // for each value of the grid: the weight of the Ritz vectors dropped so far
}

// newCertificate starts with Ω = Q·r for the first block Q of a search, in the complement of the
// vectors of a.
func newCertificate(r blas64.General, a aside) *certificate {
	c := &certificate{
		radius:  gaussianRadius(r.Cols, MissProbability) * math.Sqrt(1-a.inside),
		couples: a.couples, columns: r.Cols, width: r.Rows,
		omega: space.NewBlock(r.Cols, r.Rows),
	}
	for q := range r.Rows {
		for j := range r.Cols {
			v := r.Data[q*r.Stride+j]
			c.omega.Data[j*r.Rows+q] = v
			c.size = math.Hypot(c.size, v)
		}
	}
	return c
}

// settle fixes the grid: from floor, the smallest value that counts as missing, to the largest
// value that an eigenvalue with ‖g‖ ≥ radius can have, since ‖AΩ‖ ≥ μ‖g‖. Its points are geometric
// in the distance from a value a little below floor. growth is the norm of the operator.
func (c *certificate) settle(floor, below, growth float64) {
	if c.grid != nil {
		return
	}
	first := math.Max((floor-below)/2, 1e-12*growth)
	top := math.Max(2*growth*c.size/c.radius, 2*first)
	step := math.Pow(top/first, 1/float64(gridPoints-1))
	distance := first
	for range gridPoints {
		c.grid = append(c.grid, floor-first+distance)
		c.gamma = append(c.gamma, c.omega.Data)
		distance *= step
	}
	c.dropped = make([]float64, gridPoints)
}

// coefficients returns columns×active numbers: Ωᵀ in terms of the Ritz vectors, at one value of the
// grid.
func (c *certificate) coefficients(at int, r *ritz) []float64 {
	active := r.vectors.Cols
	f := make([]float64, c.columns*active)
	for j := range c.columns {
		out := f[j*active:][:active]
		for i, g := range c.gamma[at][j*c.width:][:c.width] {
			if g == 0 {
				continue
			}
			for l, x := range r.vectors.Data[i*r.vectors.Stride:][:active] {
				out[l] += g * x
			}
		}
	}
	return f
}

// onNext returns columns×next numbers: Ωᵀv in terms of s = Qᵀv, through the Ritz vectors that are
// listed.
func (c *certificate) onNext(at int, r *ritz, f []float64, through []int) []float64 {
	next, active := r.coupling.Rows, r.vectors.Cols
	g := make([]float64, c.columns*next)
	for _, l := range through {
		distance := c.grid[at] - r.theta[l]
		for q := range next {
			// Dividing the coupling, which may be 0, by the distance, which may be subnormal, cannot
			// make 0·∞.
			part := r.coupling.Data[q*r.coupling.Stride+l] / distance
			for j := range c.columns {
				g[j*next+q] += f[j*active+l] * part
			}
		}
	}
	return g
}

// restarted follows a restart that keeps the Ritz vectors kept and drops or locks the others.
func (c *certificate) restarted(r *ritz, kept, others []int) {
	next, active := r.coupling.Rows, r.vectors.Cols
	width := len(kept) + next
	for at := range c.grid {
		f := c.coefficients(at, r)
		g := c.onNext(at, r, f, others)
		if c.couples > 0 {
			c.dropped[at] += c.weight(at, r, f, others)
		}
		gamma := make([]float64, c.columns*width)
		for j := range c.columns {
			for to, l := range kept {
				gamma[j*width+to] = f[j*active+l]
			}
			copy(gamma[j*width+len(kept):][:next], g[j*next:][:next])
		}
		c.gamma[at] = gamma
	}
	c.width = width
}

// weight returns the Frobenius norm of ΩᵀV(μ − T)⁻¹ through the Ritz vectors that are listed, times
// couples. Each factor alone may be out of range where the operator is very large or small.
func (c *certificate) weight(at int, r *ritz, f []float64, through []int) float64 {
	sum, active := 0.0, r.vectors.Cols
	for _, l := range through {
		ratio := c.couples / (c.grid[at] - r.theta[l])
		for j := range c.columns {
			part := f[j*active+l] * ratio
			sum += part * part
		}
	}
	return math.Sqrt(sum)
}

// spent reports whether what the vectors set aside may hide exceeds the radius alone. The search
// then cannot end, because the part of them only grows.
func (c *certificate) spent(r *ritz) bool {
	if c.couples == 0 || c.grid == nil {
		return false
	}
	return !(r.theta[0] < c.grid[0]) || !(c.dropped[0]+c.weight(0, r, c.coefficients(0, r), c.all(r)) < c.radius)
}

// all lists the Ritz vectors.
func (c *certificate) all(r *ritz) []int {
	return indices.UpTo(len(r.theta))
}

// holds reports whether ‖g‖ < radius for every value of the grid: with probability
// 1 − MissProbability no eigenvalue is missing. growth is the norm of the operator.
func (c *certificate) holds(r *ritz, growth float64) bool {
	if !(r.theta[0] < c.grid[0]) {
		return false
	}
	noise := 8 * 0x1p-52 * c.size * growth / (c.grid[0] - r.theta[0])
	all := c.all(r)
	var f []float64
	for at := range c.grid {
		if at < 2 || &c.gamma[at][0] != &c.gamma[at-1][0] { // before the first restart all are the same
			f = c.coefficients(at, r)
		}
		sum := 0.0
		for _, g := range c.onNext(at, r, f, all) {
			sum += g * g
		}
		coupled := 0.0
		if c.couples > 0 {
			coupled = c.dropped[at] + c.weight(at, r, f, all)
		}
		if !(math.Sqrt(sum)+coupled+noise < c.radius) {
			return false
		}
	}
	return true
}

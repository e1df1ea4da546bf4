package eigen

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"gonum.org/v1/gonum/blas/blas64"
)

// mostSweeps ends the rotations of orthogonalColumns; a handful of sweeps is the rule.
const mostSweeps = 40

// orthogonalColumns rotates the columns, which have equal lengths, until they are orthogonal:
// one-sided Jacobi, which finds every singular value of X·D to high relative accuracy for a
// diagonal D of any range and a well-conditioned X (Demmel and Veselić 1992). It returns the
// squared lengths. The columns come first that are longer. About 4·n·c² flops per sweep.
func orthogonalColumns(x [][]float64) []float64 {
	squares := make([]float64, len(x))
	for sweep := range mostSweeps {
		for j, v := range x {
			squares[j] = dot(v, v)
		}
		rotated := false
		for i := range x {
			for j := i + 1; j < len(x); j++ {
				rotated = rotate(x, squares, i, j) || rotated
			}
		}
		if !rotated && sweep > 0 {
			break
		}
	}
	for j, v := range x {
		squares[j] = dot(v, v)
	}
	return squares
}

// rotate makes columns i and j orthogonal, the longer one first, and reports whether they were not.
func rotate(x [][]float64, squares []float64, i, j int) bool {
	if squares[i] < squares[j] {
		x[i], x[j] = x[j], x[i]
		squares[i], squares[j] = squares[j], squares[i]
	}
	a, b := x[i], x[j]
	product := dot(a, b)
	if !(math.Abs(product) > 0x1p-52*float64(max(8, len(a)))*math.Sqrt(squares[i])*math.Sqrt(squares[j])) {
		return false
	}
	zeta := (squares[j] - squares[i]) / (2 * product)
	t := math.Copysign(1/(math.Abs(zeta)+math.Hypot(1, zeta)), zeta)
	c := 1 / math.Sqrt(1+t*t)
	s := c * t
	for k, v := range a {
		a[k], b[k] = c*v-s*b[k], s*v+c*b[k]
	}
	squares[i], squares[j] = squares[i]-t*product, dot(b, b)
	return true
}

func dot(a, b []float64) float64 { return blas64.Dot(space.VectorOf(a), space.VectorOf(b)) }

// spectrumOf returns the eigenvalues, ascending, of the pencil of a small graph above its zeros,
// and the eigenvectors y with yᵀMy = 1, one in each row. Every value has nearly all digits, over
// any number of orders of magnitude: the Laplacian is factored as X·D·Xᵀ by Gauss without a
// subtraction (a point that is eliminated leaves edges w_ik·w_jk/d_k between its neighbours), the
// point of largest d/m first, and Jacobi rotates M^-1/2·X·D^1/2. w is dense and symmetric, and is
// overwritten. About 20·q³ flops for q points.
func spectrumOf(w blas64.General, mass []float64) (values []float64, vectors [][]float64) {
	q := len(mass)
	gone := make([]bool, q)
	var x [][]float64
	for range q {
		k, most := -1, 0.0
		var degree float64
		for i := range q {
			if gone[i] {
				continue
			}
			d := 0.0
			for j, v := range w.Data[i*w.Stride:][:q] {
				if !gone[j] && j != i {
					d += v
				}
			}
			if d > most*mass[i] {
				k, most, degree = i, d/mass[i], d
			}
		}
		if k < 0 {
			break
		}
		gone[k] = true
		x = append(x, eliminate(w, mass, gone, k, degree))
	}
	squares := orthogonalColumns(x)
	for at := len(x) - 1; at >= 0; at-- { // the shortest columns are the smallest values
		y, length := x[at], math.Sqrt(squares[at])
		for i := range y {
			y[i] /= length * math.Sqrt(mass[i])
		}
		values, vectors = append(values, squares[at]), append(vectors, y)
	}
	return values, vectors
}

// eliminate joins the neighbours of point k and returns its column of M^-1/2·X·D^1/2.
func eliminate(w blas64.General, mass []float64, gone []bool, k int, degree float64) []float64 {
	q := len(mass)
	column := make([]float64, q)
	root := math.Sqrt(degree)
	column[k] = root / math.Sqrt(mass[k])
	edges := w.Data[k*w.Stride:][:q]
	for i, v := range edges {
		if gone[i] || v == 0 {
			continue
		}
		column[i] = -v / root / math.Sqrt(mass[i])
		row := w.Data[i*w.Stride:][:q]
		for j, u := range edges {
			if !gone[j] && j != i {
				row[j] += v / degree * u
			}
		}
	}
	return column
}

// gradedSpectrum returns the eigenvalues, ascending, and orthonormal eigenvectors, one in each row,
// of a positive definite matrix, which it overwrites: Cholesky's factor with the largest pivot
// first, and Jacobi. If a = D·B·D for a well-conditioned B and a diagonal D of any range, every
// value has a small relative error. ok is false if the matrix is not positive definite.
func gradedSpectrum(a blas64.General) (values []float64, vectors [][]float64, ok bool) {
	n := a.Rows
	gone := make([]bool, n)
	x := make([][]float64, 0, n)
	for range n {
		k, most := -1, 0.0
		for i := range n {
			if d := a.Data[i*a.Stride+i]; !gone[i] && d > most {
				k, most = i, d
			}
		}
		if k < 0 {
			return nil, nil, false
		}
		column, root := make([]float64, n), math.Sqrt(most)
		for i := range n {
			if !gone[i] {
				column[i] = a.Data[i*a.Stride+k] / root
			}
		}
		gone[k] = true
		for i, v := range column {
			if v == 0 || gone[i] {
				continue
			}
			row := a.Data[i*a.Stride:][:n]
			for j, u := range column {
				row[j] -= v * u
			}
		}
		x = append(x, column)
	}
	squares := orthogonalColumns(x)
	for at := n - 1; at >= 0; at-- {
		length := math.Sqrt(squares[at])
		for i := range x[at] {
			x[at][i] /= length
		}
		values, vectors = append(values, squares[at]), append(vectors, x[at])
	}
	return values, vectors, true
}

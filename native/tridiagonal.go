package native

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

const eps = 0x1p-52

// tridiagonalRange computes the eigenpairs r of the symmetric tridiagonal matrix with diagonal d
// and off-diagonal e; it does not change d and e. ok is false if the vectors fail the check at the
// end; values and vectors are then meaningless.
//
// The method is LAPACK's dstein (Jessup and Ipsen, SIAM J. Sci. Stat. Comput. 13, 1992). T is split
// at negligible entries of e. The eigenvalues of each part are computed without vectors. Each
// wanted vector comes from inverse iteration on its part and is orthogonalised against the earlier
// vectors with close eigenvalues.
func tridiagonalRange(d, e []float64, r EigRange) (values []float64, v blas64.General, ok bool) {
	n := len(d)
	norm := tridiagonalNorm(d, e)
	if norm == 0 {
		v = newGeneral(n, r.Count)
		for j := range r.Count {
			v.Data[(r.First+j)*v.Stride+j] = 1
		}
		return make([]float64, r.Count), v, true
	}

	type pair struct {
		value  float64
		lo, hi int // the part [lo, hi) of T
	}
	pairs := make([]pair, 0, n)
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && math.Abs(e[hi-1]) > eps*norm/8 {
			hi++
		}
		w, off := slices.Clone(d[lo:hi]), slices.Clone(e[lo:hi-1])
		if !goLAPACK.Dsterf(hi-lo, w, off) {
			return nil, v, false
		}
		for _, x := range w {
			pairs = append(pairs, pair{x, lo, hi})
		}
		lo = hi
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.value, b.value) })
	pairs = pairs[r.First : r.First+r.Count]

	// Vectors are stored as rows here, contiguous for the solves. Vectors of the same part are
	// orthogonalised together.
	rows := newGeneral(r.Count, n)
	solvers := map[int]*inverseIteration{}
	for j, p := range pairs {
		s := solvers[p.lo]
		if s == nil {
			s = newInverseIteration(d[p.lo:p.hi], e[p.lo:p.hi-1])
			solvers[p.lo] = s
		}
		if !s.vector(rows.Data[j*rows.Stride+p.lo:][:p.hi-p.lo], p.value) {
			return nil, v, false
		}
	}
	values = make([]float64, r.Count)
	for j, p := range pairs {
		values[j] = p.value
	}
	if !tridiagonalHolds(d, e, norm, values, rows) {
		return nil, v, false
	}
	return values, transposed(n, r.Count, rows.Data, rows.Stride), true
}

// tridiagonalNorm returns the infinity norm of T.
func tridiagonalNorm(d, e []float64) float64 {
	var norm float64
	for i, x := range d {
		sum := math.Abs(x)
		if i > 0 {
			sum += math.Abs(e[i-1])
		}
		if i < len(e) {
			sum += math.Abs(e[i])
		}
		norm = max(norm, sum)
	}
	return norm
}

// tridiagonalHolds checks the result of inverse iteration: residuals relative to the norm of T and
// orthonormality, both near rounding. 2nk² flops.
func tridiagonalHolds(d, e []float64, norm float64, values []float64, rows blas64.General) bool {
	n, k := rows.Cols, rows.Rows
	const slack = 64 * eps
	limit := slack * norm * math.Sqrt(float64(n))
	for j, value := range values {
		x := rows.Data[j*rows.Stride:][:n]
		for i := range x {
			res := (d[i] - value) * x[i]
			if i > 0 {
				res += e[i-1] * x[i-1]
			}
			if i < n-1 {
				res += e[i] * x[i+1]
			}
			if !(math.Abs(res) <= limit) {
				return false
			}
		}
	}
	gram := blas64.Symmetric{Uplo: blas.Upper, N: k, Stride: k, Data: make([]float64, k*k)}
	goEngine{}.Syrk(blas.NoTrans, 1, rows, 0, gram)
	limit = slack * math.Sqrt(float64(n)) * 4
	for i := range k {
		gram.Data[i*k+i]--
		for _, x := range gram.Data[i*k+i : (i+1)*k] {
			if !(math.Abs(x) <= limit) {
				return false
			}
		}
	}
	return true
}

// inverseIteration computes eigenvectors of one unreduced tridiagonal matrix, in ascending order of
// the eigenvalues.
type inverseIteration struct {
	d, e                []float64
	norm                float64
	random              *rand.Rand
	group               [][]float64 // vectors whose eigenvalues are near the last one
	last                float64     // the last eigenvalue, and the shift that was used for it
	shift               float64
	diag, up, up2, mult []float64 // factors of T - shift*I with row exchanges
	exchanged           []bool
}

func newInverseIteration(d, e []float64) *inverseIteration {
	m := len(d)
	buffer := make([]float64, 4*m)
	part := func(i int) []float64 { return buffer[i*m : (i+1)*m] }
	return &inverseIteration{
		d: d, e: e, norm: tridiagonalNorm(d, e), random: rand.New(rand.NewPCG(1, uint64(m))),
		diag: part(0), up: part(1), up2: part(2), mult: part(3), exchanged: make([]bool, m),
	}
}

// vector writes the unit eigenvector of value to x and reports whether the iteration converged.
func (s *inverseIteration) vector(x []float64, value float64) bool {
	m := len(s.d)
	if m == 1 {
		x[0] = 1
		return true
	}
	const (
		maxIterations = 8
		extra         = 2    // iterations after the growth that shows convergence
		near          = 1e-3 // relative to the norm: eigenvalues closer than this are one group
	)
	shift := value
	if len(s.group) > 0 {
		if value-s.last > near*s.norm {
			s.group = s.group[:0]
		} else if least := 10 * eps * max(math.Abs(value), eps*s.norm); shift-s.shift < least {
			shift = s.shift + least // equal shifts would give the same vector again
		}
	}
	s.last, s.shift = value, shift
	s.factor(shift)
	for i := range x {
		x[i] = 2*s.random.Float64() - 1
	}
	grown := 0
	for range maxIterations {
		var sum float64
		for _, v := range x {
			sum += math.Abs(v)
		}
		scale(x, float64(m)*s.norm*max(eps, math.Abs(s.diag[m-1])/s.norm)/sum)
		s.solve(x)
		for range 2 {
			for _, g := range s.group {
				goBLAS.Daxpy(m, -goBLAS.Ddot(m, g, 1, x, 1), g, 1, x, 1)
			}
		}
		largest := math.Abs(x[goBLAS.Idamax(m, x, 1)])
		if !(largest > 0) || math.IsInf(largest, 0) {
			return false
		}
		if largest >= math.Sqrt(0.1/float64(m)) {
			grown++
		}
		if grown > extra {
			scale(x, 1/goBLAS.Dnrm2(m, x, 1))
			s.group = append(s.group, x)
			return true
		}
	}
	return false
}

// factor computes T - shift*I = P*L*U by elimination with row exchanges. It replaces a zero pivot
// by a tiny one; this gives the solution the direction of the eigenvector.
func (s *inverseIteration) factor(shift float64) {
	m := len(s.d)
	tiny := eps * s.norm
	pivot, right := s.d[0]-shift, s.e[0]
	for i := range m - 1 {
		below, diag, off := s.e[i], s.d[i+1]-shift, 0.0
		if i+1 < m-1 {
			off = s.e[i+1]
		}
		if s.exchanged[i] = math.Abs(below) > math.Abs(pivot); s.exchanged[i] {
			mult := pivot / below
			s.diag[i], s.up[i], s.up2[i], s.mult[i] = below, diag, off, mult
			pivot, right = right-mult*diag, -mult*off
			continue
		}
		if math.Abs(pivot) < tiny {
			pivot = math.Copysign(tiny, pivot)
		}
		mult := below / pivot
		s.diag[i], s.up[i], s.up2[i], s.mult[i] = pivot, right, 0, mult
		pivot, right = diag-mult*right, off
	}
	if math.Abs(pivot) < tiny {
		pivot = math.Copysign(tiny, pivot)
	}
	s.diag[m-1] = pivot
}

// solve overwrites x with the solution y of (T - shift*I)*y = x.
func (s *inverseIteration) solve(x []float64) {
	m := len(x)
	for i := range m - 1 {
		if s.exchanged[i] {
			x[i], x[i+1] = x[i+1], x[i]
		}
		x[i+1] -= s.mult[i] * x[i]
	}
	x[m-1] /= s.diag[m-1]
	x[m-2] = (x[m-2] - s.up[m-2]*x[m-1]) / s.diag[m-2]
	for i := m - 3; i >= 0; i-- {
		x[i] = (x[i] - s.up[i]*x[i+1] - s.up2[i]*x[i+2]) / s.diag[i]
	}
}

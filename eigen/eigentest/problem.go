// Package eigentest makes graph pencils on which eigensolvers lose copies, signs or digits, with
// their spectra, for the tests of every solver.
//
// [Draw] numbers the problems: the same number gives the same problem. A problem is a union of
// connected parts without edges between them, so its spectrum is the union of the parts' spectra,
// each repeated for its copies. Small parts are solved by dense LAPACK, whole, and well-known ones
// by closed forms; no solver under test takes part.
package eigentest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Problem is a pencil L y = λ M y with all its eigenvalues.
type Problem struct {
	Name string
	W    *sparse.CSR
	// Mass is nil if M holds the degrees.
	Mass []float64
	// Values are the eigenvalues, ascending, one exact zero for each component.
	Values []float64
	// Zeros is the number of components.
	Zeros int
	// K is the number of eigenpairs to compute, between 1 and len(Values) − Zeros; 0 if there are
	// only zeros.
	K int
	// Exact is the error of Values that rounding allows.
	Exact float64
	// Wide is true if weights or masses differ by many orders of magnitude. A solver may then fail
	// to converge; it may not return wrong values.
	Wide bool
}

// part is a connected graph with its spectrum.
type part struct {
	n      int
	edges  []edge
	mass   []float64 // nil means the degrees
	values []float64 // nil: computed by LAPACK
}

type edge struct {
	i, j int
	w    float64
}

// family draws the parts of a problem.
type family struct {
	name string
	draw func(rng *rand.Rand) (parts []part, wide bool)
}

// Draw makes problem number i. Problems of at most a few hundred points, except a few of several
// thousand tiny components.
func Draw(i uint64) (Problem, error) {
	f := families[i%uint64(len(families))]
	rng := rand.New(rand.NewPCG(i, 0x5eed))
	parts, wide := f.draw(rng)
	p, err := union(rng, parts)
	if err != nil {
		return Problem{}, fmt.Errorf("problem %d (%s): %w", i, f.name, err)
	}
	p.Name, p.Wide = fmt.Sprintf("problem %d, %s, n = %d", i, f.name, p.W.NumRows), wide
	if rest := len(p.Values) - p.Zeros; rest > 0 {
		switch rng.IntN(4) {
		case 0: // any number up to all
			p.K = 1 + rng.IntN(rest)
			if p.W.NumRows > 150 {
				p.K = 1 + p.K%80
			}
		case 1: // around a multiple eigenvalue
			p.K = min(rest, 70, max(1, len(parts)+rng.IntN(3)-1))
		default:
			p.K = 1 + rng.IntN(min(rest, 12))
		}
	}
	return p, nil
}

// Families is the number of kinds of problems: Draw(i) is of kind i mod Families().
func Families() int { return len(families) }

// union joins the parts, in random order of their points, and their spectra.
func union(rng *rand.Rand, parts []part) (Problem, error) {
	n := 0
	for _, p := range parts {
		n += p.n
	}
	place := rng.Perm(n)
	b := sparse.NewBuilder(n, n)
	p := Problem{Zeros: len(parts), Exact: 1e-12}
	at := 0
	known := map[*edge][]float64{} // copies share their list of edges
	for _, q := range parts {
		for _, e := range q.edges {
			b.Add(place[at+e.i], place[at+e.j], e.w)
			b.Add(place[at+e.j], place[at+e.i], e.w)
		}
		if q.mass != nil {
			if p.Mass == nil {
				p.Mass = make([]float64, n)
			}
			for i, m := range q.mass {
				p.Mass[place[at+i]] = m
			}
		}
		at += q.n
		values := q.values
		if values == nil && len(q.edges) > 0 {
			values = known[&q.edges[0]]
		}
		if values == nil {
			var err error
			if values, err = q.spectrum(); err != nil {
				return Problem{}, err
			}
			if len(q.edges) > 0 {
				known[&q.edges[0]] = values
			}
		}
		p.Values = append(p.Values, values...)
	}
	slices.Sort(p.Values)
	clear(p.Values[:len(parts)])
	p.Exact *= max(1, p.Values[len(p.Values)-1])
	w, err := b.Build()
	p.W = w
	return p, err
}

// spectrum returns the eigenvalues of M^-1/2·L·M^-1/2 by dense LAPACK.
func (q part) spectrum() ([]float64, error) {
	if q.n == 1 {
		return []float64{0}, nil
	}
	a := blas64.Symmetric{N: q.n, Stride: q.n, Uplo: blas.Upper, Data: make([]float64, q.n*q.n)}
	degree := make([]float64, q.n)
	for _, e := range q.edges {
		i, j := min(e.i, e.j), max(e.i, e.j)
		a.Data[i*q.n+j] -= e.w
		degree[i] += e.w
		degree[j] += e.w
	}
	mass := q.mass
	if mass == nil {
		mass = degree
	}
	for i := range q.n {
		a.Data[i*q.n+i] = degree[i]
		for j := i; j < q.n; j++ {
			a.Data[i*q.n+j] /= math.Sqrt(mass[i] * mass[j])
		}
	}
	values, _, err := native.Default().SymEig(a, native.EigRange{}, false)
	return values, err
}

// Misfit returns the largest difference between computed eigenvalues, ascending, and the problem's
// eigenvalues without its first skipped zeros.
func (p Problem) Misfit(values []float64, skipped int) float64 {
	worst := 0.0
	for j, v := range values {
		if d := math.Abs(v - p.Values[skipped+j]); !(d <= worst) {
			worst = d
		}
	}
	return worst
}

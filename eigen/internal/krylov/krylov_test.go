package krylov

import (
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// byProducts is an operator that is known by its products only.
type byProducts struct {
	n   int
	mul func(dst, x blas64.General)
}

func (a byProducts) Dims() (r, c int) { return a.n, a.n }

func (a byProducts) MulBlock(dst, x blas64.General) { a.mul(dst, x) }

// diagonalOperator has the given eigenvalues and the unit vectors as eigenvectors.
func diagonalOperator(d []float64) byProducts {
	return byProducts{n: len(d), mul: func(dst, x blas64.General) {
		for i, v := range d {
			for j := range x.Cols {
				dst.Data[i*dst.Stride+j] = v * x.Data[i*x.Stride+j]
			}
		}
	}}
}

// testTask asks for the k largest eigenpairs of op to a relative tolerance of 1e-8.
func testTask(op problem.Operator, n, k int, seed uint64) problem.Task {
	return problem.Task{Op: op, N: n, K: k, Tol: 1e-8, Scaled: true, MaxIter: 10, Seed: seed, Start: blas64.General{Rows: n}}
}

// shuffledTorus is the graph of a torus of r × c points under a random numbering, as a scaled
// adjacency: entries 1/4.
func shuffledTorus(t testing.TB, r, c int) *sparse.CSR {
	t.Helper()
	number := rand.New(rand.NewPCG(8, 8)).Perm(r * c)
	var edges [][2]int
	for i := range r {
		for j := range c {
			at := number[i*c+j]
			edges = append(edges, [2]int{at, number[(i+1)%r*c+j]}, [2]int{at, number[i*c+(j+1)%c]})
		}
	}
	return symmetricOf(t, r*c, edges, 0.25)
}

// symmetricOf is the matrix of a graph whose edges all have the same weight.
func symmetricOf(t testing.TB, n int, edges [][2]int, weight float64) *sparse.CSR {
	t.Helper()
	b := sparse.NewBuilder(n, n)
	for _, e := range edges {
		b.Add(e[0], e[1], weight)
		b.Add(e[1], e[0], weight)
	}
	a := must.Get(b.Build())(t)
	return a
}

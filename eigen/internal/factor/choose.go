package factor

import (
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// Costs that decide between lanczos and shift-invert, in operations of a sparse product.
const (
	// Lanczos needs about ln(2/tol)/(2√(g/2)) steps to separate values that lie g apart at the end
	// of a spectrum of width 2 (the growth of Chebyshev polynomials), with four vectors each.
	stepsTimesRoot = 19.1 * 4 / 2 // for tol = 1e-8
	// An analysis takes as long as 150 products with one vector. It is done only if lanczos would
	// need 20 times as many, so it costs at most 5 % of the time.
	analysisProducts = 150
	leastProducts    = 20 * analysisProducts
	// Operations of a factorisation are mostly in dense products, which are this much faster.
	denseSpeed = 4
)

// Easy decides whether shift-invert is faster than lanczos for a pencil, and returns its
// analysis if it is. The first two tests cost as much as three products with one vector:
//
//  1. A breadth-first search from the end of each component gives levels; the cosine along them
//     is a test vector whose Rayleigh quotient g is at least the smallest non-zero λ and of the
//     size of the distances between the smallest ones. It predicts the products of lanczos.
//     Graphs without long paths (neighbour graphs of documents) need few, and the rule ends here.
//  2. Elimination level by level bounds the fill, because a level separates those before it from
//     those after it. If even a hundredth of its operations are more than lanczos takes, the rule
//     ends here.
//  3. Else the order and the fill are computed, and shift-invert is chosen if its operations
//     (factorisations for the solve and for the count, and solves) are at most half as many as
//     lanczos takes.
func Easy(t problem.Task) (s *Spectrum, why string) {
	a, ok := problem.MatrixOf(t.Op)
	if !ok || !t.Pencil || t.Known.Size() == 0 || t.Start.Cols > 0 {
		return nil, ""
	}
	nnz, n := float64(a.NNZ()), float64(t.N)
	level, depth, byLevels := levels(a)
	quotient := alongLevels(t, a, level, depth)
	products := max(stepsTimesRoot/math.Sqrt(max(quotient, 1e-16)/2), 8*float64(t.K))
	iterative := products * (2*nnz + 10*n)
	forest := nnz/2 < 1.05*n
	if products < leastProducts || byLevels > 100*denseSpeed*iterative && !forest {
		return nil, ""
	}
	s, err := Analyse(t.Op, t.Fixed, t.Observer)
	if err != nil || s.analysis.Bytes() > Available()/2 {
		return nil, ""
	}
	vectors := 2.5*float64(t.K) + 20
	direct := 3*s.analysis.Flops()/denseSpeed + vectors*(4*float64(s.analysis.Entries())+2*n*vectors) + 2*analysisProducts*nnz
	if direct > iterative/2 {
		return nil, ""
	}
	return s, fmt.Sprintf("the factor has only %.0f entries per row, and an iteration would need thousands of products", float64(s.analysis.Entries())/n)
}

// levels returns the distance of each point from one end of its component, in edges, the depth of
// each point's component, and the operations of eliminating all components level by level.
func levels(a *sparse.CSR) (level, depth []int32, flops float64) {
	n := a.NumRows
	level, depth = make([]int32, n), make([]int32, n)
	for i := range level {
		level[i] = -1
	}
	queue := make([]int32, 0, n)
	// sweep visits the component of start; from is where it begins in the queue.
	sweep := func(start int32, from int) []int32 {
		queue = append(queue[:from], start)
		level[start] = 0
		for at := from; at < len(queue); at++ {
			i := queue[at]
			cols, vals := a.Row(int(i))
			for k, j := range cols {
				if level[j] < 0 && vals[k] != 0 {
					level[j] = level[i] + 1
					queue = append(queue, j)
				}
			}
		}
		return queue[from:]
	}
	for i := range int32(n) {
		if level[i] >= 0 {
			continue
		}
		from := len(queue)
		part := sweep(i, from)
		end := part[len(part)-1]
		for _, j := range part {
			level[j] = -1
		}
		part = sweep(end, from)
		last := level[part[len(part)-1]]
		before, size, now := 0.0, 0.0, int32(0)
		for _, j := range part {
			if level[j] != now {
				flops += before * (before + size) * (before + size)
				before, size, now = size, 0, level[j]
			}
			size++
			depth[j] = last + 1
		}
		flops += before*(before+size)*(before+size) + size*size*size
	}
	return level, depth, flops
}

// alongLevels returns the Rayleigh quotient of the cosine along the levels of every component.
func alongLevels(t problem.Task, a *sparse.CSR, level, depth []int32) float64 {
	u, su := space.NewBlock(t.N, 1), space.NewBlock(t.N, 1)
	for i := range u.Data {
		u.Data[i] = t.Known.Weight[i] * math.Cos(math.Pi*(float64(level[i])+0.5)/float64(depth[i]))
	}
	t.Known.Project(u)
	norm := blas64.Nrm2(space.Vector(u))
	if norm == 0 {
		return 1
	}
	a.MulBlock(su, u)
	// (1 − S)u instead of 1 − uᵀSu keeps the digits of small quotients.
	sum := 0.0
	for i, v := range u.Data {
		sum += v * (v - su.Data[i])
	}
	return max(0, sum/(norm*norm))
}

// BeatsDense reports whether shift-invert takes less time than dense LAPACK for k eigenpairs of a.
// It analyses the pattern, unless the vectors of the basis alone would take longer than LAPACK.
func BeatsDense(a *sparse.CSR, k int) bool {
	n, nnz := a.NumRows, float64(a.NNZ())
	if n <= problem.SmallProblem || k > n/8 {
		return false
	}
	limit := denseTime(n, k)
	if invertTime(n, k, nnz, 0, nnz/2) >= limit { // a factor has at least the entries of a triangle
		return false
	}
	s, err := Analyse(a, nil, nil)
	if err != nil || s.analysis.Bytes() > Available()/2 {
		return false
	}
	return invertTime(n, k, nnz, s.analysis.Flops(), float64(s.analysis.Entries())) < limit
}

// denseTime and invertTime predict the seconds of LAPACK and of shift-invert on one thread. The
// factors are least squares of relative errors over some 60 solves on one core of an AMD EPYC:
// 1,200 to 2,000 points in 3 to 64 dimensions, graphs of 5 to 30 neighbours, k from 2 to n/8.
// BenchmarkChoice of package lle times both solvers and the choice on 36 such problems. Only the
// ratio counts, which the processor changes less; threads may favour one of the two.
func denseTime(n, k int) float64 {
	return 1e-9 * (0.092*math.Pow(float64(n), 3) + 0.33*float64(k)*float64(n)*float64(n))
}

func invertTime(n, k int, nnz, flops, entries float64) float64 {
	vectors := 2.5*float64(k) + 20
	return 1e-9 * (0.098*flops + 1.26*vectors*entries + 271*nnz + 0.64*float64(n)*vectors*vectors + 2.6*math.Pow(vectors, 3))
}

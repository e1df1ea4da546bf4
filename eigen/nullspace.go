package eigen

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
)

// nullspace is an orthonormal set of vectors with disjoint supports: vector c has the entries
// weight[i] for all i with label[i] == c. The connected components of a pencil's graph define it.
type nullspace struct {
	label  []int32
	weight []float64
	height []float64 // value of the indicator y = M^-1/2 u per component: 1/√vol, so that yᵀMy = 1
	count  int
	space  space // of the rows that the labels are of
}

// newNullspace returns the unit vectors M^1/2·1_c/√vol(c) of the components; volume has the sums of
// mass. A component without mass (an isolated point) gets its indicator, scaled to unit length.
func newNullspace(label []int32, volume, mass []float64) *nullspace {
	count := len(volume)
	s := &nullspace{label: label, weight: make([]float64, len(label)), height: make([]float64, count), count: count}
	for c, v := range volume {
		s.height[c] = 1
		if v > 0 {
			s.height[c] = 1 / math.Sqrt(v)
		}
	}
	for i, c := range label {
		s.weight[i] = 1
		if volume[c] > 0 {
			s.weight[i] = math.Sqrt(mass[i] / volume[c])
		}
	}
	return s
}

// size returns the number of known vectors; 0 for a nil nullspace.
func (s *nullspace) size() int {
	if s == nil {
		return 0
	}
	return s.count
}

// project removes the component along the known vectors from every column of x. 4 flops per entry.
// Rows run in parallel unless there are so many components that the partial sums would cost more
// than they save.
func (s *nullspace) project(x blas64.General) {
	if s.size() == 0 {
		return
	}
	n, b := x.Rows, x.Cols
	grain := max(4096, (n+31)/32)
	if s.count > n/64 {
		grain = n
	}
	chunks := parallel.Chunks(n, grain)
	partial := make([]float64, chunks*s.count*b)
	mustRun(parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		sums := partial[lo/grain*s.count*b:][:s.count*b]
		for i := lo; i < hi; i++ {
			sum, row, w := sums[int(s.label[i])*b:][:b], x.Data[i*x.Stride:][:b], s.weight[i]
			for j, v := range row {
				sum[j] += w * v
			}
		}
		return nil
	}))
	total := partial[:s.count*b]
	for c := 1; c < chunks; c++ {
		for j, v := range partial[c*s.count*b:][:s.count*b] {
			total[j] += v
		}
	}
	s.space.sum(total)
	mustRun(parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			sum, row, w := total[int(s.label[i])*b:][:b], x.Data[i*x.Stride:][:b], s.weight[i]
			for j := range row {
				row[j] -= w * sum[j]
			}
		}
		return nil
	}))
}

// byVolume lists the components by falling mass, ties by the lower number.
func byVolume(volume []float64) []int {
	order := make([]int, len(volume))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case volume[a] > volume[b]:
			return -1
		case volume[a] < volume[b]:
			return 1
		}
		return 0
	})
	return order
}

// volumesOf are the sums of mass of the components.
func volumesOf(label []int32, count int, mass []float64) []float64 {
	volume := make([]float64, count)
	for i, c := range label {
		volume[c] += mass[i]
	}
	return volume
}

// mustRun is for loops whose bodies cannot fail and whose context is never cancelled.
func mustRun(err error) {
	if err != nil {
		panic(err)
	}
}

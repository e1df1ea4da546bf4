package space

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
)

// Nullspace is an orthonormal set of vectors with disjoint supports: vector c has the entries
// Weight[i] for all i with Label[i] == c. The connected components of a pencil's graph define it.
type Nullspace struct {
	Label  []int32
	Weight []float64
	Height []float64 // value of the indicator y = M^-1/2 u per component: 1/√vol, so that yᵀMy = 1
	Count  int
	Space  Space // which rows have these labels
}

// NewNullspace returns the unit vectors M^1/2·1_c/√vol(c) of the components; volume has the sums of
// mass. A component without mass (an isolated point) gets its indicator, scaled to unit length.
func NewNullspace(label []int32, volume, mass []float64) *Nullspace {
	count := len(volume)
	s := &Nullspace{Label: label, Weight: make([]float64, len(label)), Height: make([]float64, count), Count: count}
	for c, v := range volume {
		s.Height[c] = 1
		if v > 0 {
			s.Height[c] = 1 / math.Sqrt(v)
		}
	}
	for i, c := range label {
		s.Weight[i] = 1
		if volume[c] > 0 {
			s.Weight[i] = math.Sqrt(mass[i] / volume[c])
		}
	}
	return s
}

// Size returns the number of known vectors; 0 for a nil nullspace.
func (s *Nullspace) Size() int {
	if s == nil {
		return 0
	}
	return s.Count
}

// Project removes the component along the known vectors from every column of x. 4 flops per entry.
// Rows run in parallel unless there are so many components that the partial sums would cost more
// than they save.
func (s *Nullspace) Project(x blas64.General) {
	if s.Size() == 0 {
		return
	}
	n, b := x.Rows, x.Cols
	grain := max(4096, (n+31)/32)
	if s.Count > n/64 {
		grain = n
	}
	chunks := parallel.Chunks(n, grain)
	partial := make([]float64, chunks*s.Count*b)
	MustRun(parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		sums := partial[lo/grain*s.Count*b:][:s.Count*b]
		if s.Count == 1 && b == 2 {
			s0, s1 := 0.0, 0.0
			for i, w := range s.Weight[lo:hi] {
				row := x.Data[(lo+i)*x.Stride:][:2]
				s0 += w * row[0]
				s1 += w * row[1]
			}
			sums[0], sums[1] = s0, s1
			return nil
		}
		for i := lo; i < hi; i++ {
			sum, row, w := sums[int(s.Label[i])*b:][:b], x.Data[i*x.Stride:][:b], s.Weight[i]
			for j, v := range row {
				sum[j] += w * v
			}
		}
		return nil
	}))
	total := partial[:s.Count*b]
	for c := 1; c < chunks; c++ {
		for j, v := range partial[c*s.Count*b:][:s.Count*b] {
			total[j] += v
		}
	}
	s.Space.Summed(total)
	MustRun(parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		if s.Count == 1 && b == 2 {
			s0, s1 := total[0], total[1]
			for i, w := range s.Weight[lo:hi] {
				row := x.Data[(lo+i)*x.Stride:][:2]
				row[0] -= w * s0
				row[1] -= w * s1
			}
			return nil
		}
		for i := lo; i < hi; i++ {
			sum, row, w := total[int(s.Label[i])*b:][:b], x.Data[i*x.Stride:][:b], s.Weight[i]
			for j := range row {
				row[j] -= w * sum[j]
			}
		}
		return nil
	}))
}

// VolumesOf returns the sum of mass of each component.
func VolumesOf(label []int32, count int, mass []float64) []float64 {
	volume := make([]float64, count)
	for i, c := range label {
		volume[c] += mass[i]
	}
	return volume
}

// InOrder returns the rows of x in another order, if there is one: row order[p] becomes row p.
func InOrder(x blas64.General, order []int32) blas64.General {
	if x.Cols == 0 || order == nil {
		return x
	}
	out := NewBlock(x.Rows, x.Cols)
	MustRun(parallel.For(context.Background(), len(order), 1<<13, func(_, lo, hi int) error {
		for p, row := range order[lo:hi] {
			copy(out.Data[(lo+p)*out.Stride:][:x.Cols], x.Data[int(row)*x.Stride:])
		}
		return nil
	}))
	return out
}

// InOrder returns the null space of the rows in another order: row order[p] becomes row p.
func (s *Nullspace) InOrder(order []int32) *Nullspace {
	if s == nil {
		return nil
	}
	t := *s
	t.Label, t.Weight = make([]int32, len(order)), make([]float64, len(order))
	for p, row := range order {
		t.Label[p], t.Weight[p] = s.Label[row], s.Weight[row]
	}
	return &t
}

// ConstantOf returns the null space of the constant vector of n entries.
func ConstantOf(n int) *Nullspace {
	mass := make([]float64, n)
	for i := range mass {
		mass[i] = 1
	}
	return NewNullspace(make([]int32, n), VolumesOf(make([]int32, n), 1, mass), mass)
}

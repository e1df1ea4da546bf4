// Package factor solves and counts by sparse LDLᵀ factors of shifted operators: counts by inertia
// that prove results complete, and block Lanczos on the inverse.
package factor

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"github.com/eigenmap/eigenmap/sparse/ldl"
	"gonum.org/v1/gonum/blas/blas64"
)

// Spectrum counts the eigenvalues of an operator by inertia and solves with shifted ones. It
// factors tau·I − op; a border becomes further rows with the pivots ±1, whose elimination gives
// the operator back.
type Spectrum struct {
	matrix         *sparse.CSR // −op with its border
	diagonal       []float64   // to be added, besides tau in the first n places
	n              int
	borderNegative int
	// norm is at least the 2-norm of op, and least at most.
	norm, least float64
	analysis    *ldl.Analysis
	observer    progress.Observer
}

// Analyse orders the shifted matrix of op and predicts the size of its factor. fixed, if not nil,
// marks points that count as eigenvalues 1 of their own (isolated points of a pencil). It returns
// nil and no error if the operator's entries are unknown.
func Analyse(op problem.Operator, fixed func(i int) bool, observer progress.Observer) (*Spectrum, error) {
	a, border, weight, ok := problem.Entries(op)
	if !ok {
		return nil, nil
	}
	s := &Spectrum{n: a.NumRows, observer: observer}
	s.setNorms(a, border, weight)
	s.matrix = problem.WithValues(a, func(v float64) float64 { return -v })
	size := s.n
	if border != nil {
		size += border.NumRows
	}
	s.diagonal = make([]float64, size)
	for i := range s.n {
		if fixed != nil && fixed(i) {
			s.diagonal[i] = -1
		}
	}
	if size > s.n {
		for r, w := range weight {
			s.diagonal[s.n+r] = math.Copysign(1, w)
			if w < 0 {
				s.borderNegative++
			}
		}
		s.matrix = withBorder(s.matrix, border, weight)
	}
	err := fits(150*int64(size)+12*int64(s.matrix.NNZ()), Available(), "the analysis of the shifted matrix")
	if err != nil {
		return nil, err
	}
	s.analysis, err = ldl.Analyze(s.matrix)
	return s, err
}

func (s *Spectrum) setNorms(a, border *sparse.CSR, weight []float64) {
	for i := range s.n {
		_, vals := a.Row(i)
		sum, square := 0.0, 0.0
		for _, v := range vals {
			sum += math.Abs(v)
		}
		for _, v := range vals {
			square += v / sum * v / sum
		}
		if s.norm = max(s.norm, sum); sum > 0 {
			s.least = max(s.least, sum*math.Sqrt(square))
		}
	}
	most := 0.0
	for r, w := range weight {
		square := 0.0
		_, vals := border.Row(r)
		for _, v := range vals {
			square += v * v
		}
		most = max(most, math.Abs(w)*square)
	}
	if s.norm += most; s.norm == 0 {
		s.norm = 1
	}
}

// withBorder appends the rows √|weight|·b_r, and the columns.
func withBorder(a, border *sparse.CSR, weight []float64) *sparse.CSR {
	scale := make([]float64, len(weight))
	for r, w := range weight {
		scale[r] = math.Sqrt(math.Abs(w))
	}
	b := border.ScaleRows(scale)
	t := b.Transpose()
	n := a.NumRows
	out := &sparse.CSR{NumRows: n + b.NumRows, NumCols: n + b.NumRows, RowPtr: make([]int, 1, n+b.NumRows+1)}
	room := a.NNZ() + 2*b.NNZ()
	out.Col, out.Val = make([]int32, 0, room), make([]float64, 0, room)
	for i := range n {
		cols, vals := a.Row(i)
		out.Col, out.Val = append(out.Col, cols...), append(out.Val, vals...)
		cols, vals = t.Row(i)
		for k, r := range cols {
			out.Col, out.Val = append(out.Col, int32(n)+r), append(out.Val, vals[k])
		}
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	for r := range b.NumRows {
		cols, vals := b.Row(r)
		out.Col, out.Val = append(out.Col, cols...), append(out.Val, vals...)
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	return out
}

// Available returns the memory that a factor may take, bytes; a variable for tests.
var Available = memory.Available

// fits refuses work that needs more bytes than there are.
func fits(need, left int64, what string) error {
	return memory.Check(need, left, "use ‹solver› lanczos and leave out ‹verify›, or fewer neighbours", "%s", what)
}

// Affordable reports whether a factor takes at most half of the memory that is left.
func (s *Spectrum) Affordable(ctx context.Context) bool {
	return s.analysis.Bytes() <= min(Available(), memory.Left(ctx))/2
}

// factor computes LDLᵀ of tau·I − op. A *ldl.PivotError means that tau is too close to an
// eigenvalue, of op or of a part of it.
func (s *Spectrum) factor(ctx context.Context, tau float64) (*ldl.Factor, error) {
	if err := fits(s.analysis.Bytes(), min(Available(), memory.Left(ctx)), "the sparse factor of the shifted matrix"); err != nil {
		return nil, err
	}
	d := append([]float64(nil), s.diagonal...)
	for i := range s.n {
		d[i] += tau
	}
	return s.analysis.Factor(ctx, s.matrix, d, s.observer)
}

// Above counts the eigenvalues of op above tau. The count is right for every operator within bound
// of op in the 2-norm, so it is right for op if none of its eigenvalues is that close to tau.
func (s *Spectrum) Above(ctx context.Context, tau float64) (count int, bound float64, err error) {
	f, err := s.factor(ctx, tau)
	if err != nil {
		return 0, 0, err
	}
	return f.Negative() - s.borderNegative, f.Error(), nil
}

// solve sets dst = (tau·I − op)⁻¹x with the factor of tau.
func (s *Spectrum) solve(f *ldl.Factor, dst, x blas64.General) {
	if len(s.diagonal) == s.n {
		f.SolveBlock(dst, x)
		return
	}
	wide := space.NewBlock(len(s.diagonal), x.Cols)
	space.CopyBlock(space.Rows(wide, 0, s.n), x)
	f.SolveBlock(wide, wide)
	space.CopyBlock(dst, space.Rows(wide, 0, s.n))
}

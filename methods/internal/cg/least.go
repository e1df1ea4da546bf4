package cg

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/blas/blas64"
)

// Operator is a matrix A that is known by its products with blocks of vectors.
type Operator interface {
	// Mul sets dst = A·x.
	Mul(ctx context.Context, dst, x blas64.General) error
	// MulT sets dst = Aᵀ·y and leaves y as it is.
	MulT(ctx context.Context, dst, y blas64.General) error
}

// Least are the ridge regressions min ‖A·X − B‖² + Ridge·‖X‖², one per column of B. The blocks have
// no gaps between their rows. Ranks may divide the rows of A and B: each has its own, all of them
// have X, and they call the methods together.
type Least struct {
	A     Operator
	Ridge float64
	B, X  blas64.General
	Rest  blas64.General // B − A·X
	Grad  blas64.General // Aᵀ(B − A·X) − Ridge·X
	// First is what the norms of the columns of Grad are measured by; 0 if there is nothing to solve
	// for. Left are these norms over First, 0 if that is 0.
	First, Left []float64
	Iterations  int          // of Solve
	Share       *ranks.Share // the division of the rows of A and B; nil: all are here
	// Noise is the squared norm that rounding can leave of an A that is zero: X stays 0 where A has no
	// more.
	Noise float64
	// Rounding is the share of ‖A‖·‖b‖ at which a column of Grad counts as rounding error and is
	// done; 0: none does.
	Rounding float64
	// norm is the largest squared norm of A that the products have shown, sizes are the squared norms
	// of the columns of B. ended marks columns whose direction A maps to 0.
	norm  float64
	sizes []float64
	ended []bool
}

// Squares returns the squared norms of the columns of a block of A's rows, of all ranks.
func (s *Least) Squares(b blas64.General) []float64 {
	squares := panel.Dots(b, b)
	s.Share.Sum(squares)
	return squares
}

// NewLeast sets X = 0, for A of the given number of columns whose rows are divided by share, and
// First to the norms of the columns of AᵀB. Memory besides B: 2 blocks of X's size and one of B's;
// [Least.Solve] takes one more of each.
func NewLeast(ctx context.Context, share *ranks.Share, a Operator, columns int, ridge float64, b blas64.General) (*Least, error) {
	s := &Least{A: a, Share: share, Ridge: ridge, B: b, X: panel.New(columns, b.Cols), Grad: panel.New(columns, b.Cols), Rest: panel.New(b.Rows, b.Cols), Left: make([]float64, b.Cols)}
	return s, s.Begin(ctx)
}

// Begin sets X = 0 and First to the norms of the columns of AᵀB.
func (s *Least) Begin(ctx context.Context) error {
	clear(s.X.Data)
	copy(s.Rest.Data, s.B.Data)
	if err := s.gradient(ctx); err != nil {
		return err
	}
	s.First = panel.Dots(s.Grad, s.Grad)
	s.norm, s.sizes, s.ended = 0, s.Squares(s.B), make([]bool, s.B.Cols)
	for j, v := range s.First {
		s.First[j] = math.Sqrt(v)
		s.Left[j] = 1
		if s.First[j] == 0 {
			s.Left[j] = 0
		}
	}
	return nil
}

// Measure sets Rest, Grad and Left from X.
func (s *Least) Measure(ctx context.Context) error {
	if err := s.A.Mul(ctx, s.Rest, s.X); err != nil {
		return err
	}
	for i, v := range s.B.Data {
		s.Rest.Data[i] = v - s.Rest.Data[i]
	}
	if err := s.gradient(ctx); err != nil {
		return err
	}
	s.compare(panel.Dots(s.Grad, s.Grad))
	return nil
}

// gradient sets Grad from Rest and X.
func (s *Least) gradient(ctx context.Context) error {
	if err := s.A.MulT(ctx, s.Grad, s.Rest); err != nil {
		return err
	}
	for i, v := range s.X.Data {
		s.Grad.Data[i] -= s.Ridge * v
	}
	return nil
}

// compare sets Left from the squared norms of the columns of Grad.
func (s *Least) compare(squares []float64) {
	for j, v := range squares {
		s.Left[j] = 0
		if s.First[j] > 0 {
			s.Left[j] = math.Sqrt(v) / s.First[j]
		}
	}
}

// Open reports whether column j goes on: it is above the tolerance, and not by rounding alone.
func (s *Least) Open(j int, tol float64) bool {
	return s.Left[j] > tol && !s.ended[j] && s.Left[j]*s.First[j] > s.Rounding*math.Sqrt(s.norm)*math.Sqrt(s.sizes[j])
}

// open reports whether any column goes on.
func (s *Least) open(tol float64) bool {
	for j := range s.Left {
		if s.Open(j, tol) {
			return true
		}
	}
	return false
}

// Solve goes on from X, Rest and Grad by conjugate gradients on the normal equations in their
// stable form (CGLS, Björck 1996, section 7.4), all columns in one block, until no column's Left
// exceeds opt.Tol by more than rounding ([Least.Open]) or opt.MaxIter steps are done: Left says
// what was reached. A column that is solved stands still. When the recurrence says that all are,
// Rest and Grad are measured, and the recurrence begins again from them if they say otherwise,
// three times at most. A step is a product with A, one with Aᵀ and 14·(rows of X)·columns flops.
// The bits depend on the products alone, not on the number of threads.
func (s *Least) Solve(ctx context.Context, opt Options) error {
	ctx, stopped := s.Share.Watch(ctx)
	k := s.X.Cols
	ahead, image := panel.New(s.X.Rows, k), panel.New(s.B.Rows, k)
	shares, gains := make([]float64, k), make([]float64, k)
	for start := 0; start < 4 && s.open(opt.Tol) && s.Iterations < opt.MaxIter; start++ {
		copy(ahead.Data, s.Grad.Data)
		gamma := panel.Dots(s.Grad, s.Grad)
		for s.Iterations < opt.MaxIter && s.open(opt.Tol) {
			opt.Observer.Report(opt.Stage, int64(s.Iterations), 0, "steps")
			if s.Iterations++; s.Iterations%16 == 1 { // ranks agree on it
				if err := stopped(); err != nil {
					return err
				}
			}
			if err := s.A.Mul(ctx, image, ahead); err != nil {
				return err
			}
			curve, size := s.Squares(image), panel.Dots(ahead, ahead)
			for j := range shares {
				shares[j] = 0
				if !s.Open(j, opt.Tol) {
					continue
				}
				c := curve[j] + s.Ridge*size[j]
				if s.ended[j] = !(c > 0); c > 0 {
					shares[j] = gamma[j] / c
					s.norm = max(s.norm, curve[j]/size[j])
				}
			}
			if s.Noise > 0 && s.norm <= s.Noise {
				clear(s.Left)
				return stopped()
			}
			panel.Add(s.X, shares, ahead, 1)
			panel.Add(s.Rest, shares, image, -1)
			if err := s.gradient(ctx); err != nil {
				return err
			}
			next := panel.Dots(s.Grad, s.Grad)
			s.compare(next)
			for j := range gains {
				gains[j] = 0
				if gamma[j] > 0 {
					gains[j] = next[j] / gamma[j]
				}
			}
			panel.Turn(ahead, gains, s.Grad)
			gamma = next
		}
		if err := s.Measure(ctx); err != nil {
			return err
		}
	}
	return stopped()
}

package lpp

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/blas/blas64"
)

// operator is B, or B stacked on a multiple of the identity, for its regressions ([cg.Operator]).
// The rows of all ranks make it.
type operator interface {
	Mul(ctx context.Context, dst, v blas64.General) error
	MulT(ctx context.Context, dst, u blas64.General) error
	// dims returns the own rows and the columns.
	dims() (r, c int)
	// noise is the squared norm that rounding can leave of a matrix that is zero.
	noise() float64
	// division is how ranks divide the rows; nil: all are here.
	division() *ranks.Share
}

// augmented is B stacked on root·I. Ranks that divide the rows of B divide the rows of I too.
type augmented struct {
	*design
	root     float64
	lo, hi   int          // the rows of I that are here
	together *ranks.Share // divides the rows of both
}

// augment returns the (n+p)×p operator of B stacked on root·I, whose least squares problems are B's
// with the ridge root².
func augment(b *design, root float64) *augmented {
	lo, hi := ranks.Part(b.share, b.share.Rank(), b.Cols)
	a := &augmented{design: b, root: root, lo: lo, hi: hi}
	if b.share.Divided() {
		a.together = ranks.NewShare(b.share, b.own+hi-lo)
	}
	return a
}

func (a *augmented) dims() (r, c int) { return a.own + a.hi - a.lo, a.Cols }

func (a *augmented) division() *ranks.Share { return a.together }

// Mul sets dst = (B; root·I)·v.
func (a *augmented) Mul(ctx context.Context, dst, v blas64.General) error {
	for i := a.lo; i < a.hi; i++ {
		from, to := row(v, i), row(dst, a.own+i-a.lo)
		for j, x := range from {
			to[j] = a.root * x
		}
	}
	return a.design.Mul(ctx, part(dst, 0, a.own, 0, dst.Cols), v)
}

// MulT sets dst = (Bᵀ, root·I)·u.
func (a *augmented) MulT(ctx context.Context, dst, u blas64.General) error {
	if err := a.design.MulT(ctx, dst, part(u, 0, a.own, 0, u.Cols)); err != nil {
		return err
	}
	below := blas64.General{Rows: a.Cols, Cols: u.Cols, Stride: u.Stride, Data: u.Data[a.own*u.Stride:]}
	if a.share.Divided() {
		own := panel.New(a.hi-a.lo, u.Cols)
		for i := range own.Rows {
			copy(row(own, i), row(u, a.own+i))
		}
		below = blas64.General{Rows: a.Cols, Cols: u.Cols, Stride: u.Cols, Data: ranks.GatherFloats(a.share, own.Data)}
	}
	for i := range a.Cols {
		from, to := row(below, i), row(dst, i)
		for j, x := range from {
			to[j] += a.root * x
		}
	}
	return nil
}

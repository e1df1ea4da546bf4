package lpp

import (
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// inner is the tolerance of the regressions inside a product, relative to the eigenpairs'
// tolerance: an error of a regression makes the operator asymmetric.
const inner = 1e-2

// wideBlock is how many vectors go through a regression at once on large data: a product with 8
// columns costs little more than one with 4, and the regression takes most of the time. 16 need
// twice as many products in all.
const wideBlock = 8

// maxSteps bounds the steps of a regression.
const maxSteps = 10000

// nothing is the bound below which a value or a length counts as zero, among numbers of order 1
// that have the accuracy of the eigenpairs.
const nothing = 1e-6

// projected finds the eigenpairs of Π(I ± S)Π, S continued by zeros over the ridge's rows, where Π
// projects on the range of B̃ = (B; √α·I). On that range they are 1 ± μ of the ridge problem, since
// Π·B̃ = B̃; outside they are 0, below everything wanted. a is the regression of the vector on B̃.
func (p *problem) projected(ctx context.Context) (solution, error) {
	var b operator = p.b
	all := p.b.Rows
	if p.alpha > 0 {
		b, all = augment(p.b, math.Sqrt(p.alpha)), p.b.Rows+p.b.Cols
	}
	sign := 1.0
	if !p.upper() {
		sign = -1
	}
	tol := p.tol()
	// The steps inside a product are not reported: they would break the solver's own progress in two.
	end := cg.Options{Tol: max(tol*inner, 1e-13), MaxIter: maxSteps}
	size, _ := b.dims()
	var failed error // the first failure inside a product
	fit := func(y blas64.General) (a, on blas64.General) {
		if failed == nil {
			a, on, failed = regress(ctx, b, y, end)
		}
		return a, on
	}
	product := func(dst, x blas64.General) {
		_, on := fit(x)
		if failed != nil {
			clear(dst.Data)
			return
		}
		n, moved := p.b.own, panel.New(size, x.Cols)
		p.mid.mul(panel.Rows(moved, 0, n), panel.Clone(panel.Rows(on, 0, n)))
		if _, moved = fit(moved); failed != nil {
			clear(dst.Data)
			return
		}
		for i := range size {
			to, from, more := row(dst, i), row(on, i), row(moved, i)
			for j, v := range from {
				to[j] = v + sign*more[j]
			}
		}
	}
	e := eigen.Options{K: p.opt.Dims, Which: eigen.Largest, Tol: tol, Solver: p.opt.Solver, Seed: p.opt.Seed, Observer: p.opt.Observer}
	if all >= 40*wideBlock {
		e.Block = wideBlock
	}
	if e.Solver == "" || e.Solver == eigen.Auto {
		e.Solver = eigen.Lanczos
	}
	r, err := eigen.Symmetric(ctx, rowsOperator{b.division(), all, product}, e)
	if failed != nil {
		return solution{}, failed
	}
	s, err := descending(r, err)
	if len(s.values) == 0 {
		return s, err
	}
	a, on := fit(s.a)
	if failed != nil {
		return solution{}, failed
	}
	lengths := p.b.squares(panel.Rows(on, 0, p.b.own))
	for j, v := range s.values {
		// Outside the range, or, with a ridge, a direction in which no document lies.
		if v < nothing || math.Sqrt(lengths[j]) < nothing {
			return solution{}, p.tooMany(j)
		}
	}
	for j := range s.values {
		s.values[j] = sign * (s.values[j] - 1)
	}
	s.a = a
	return s, err
}

// direct finds the largest eigenpairs of XᵀLX, whose smallest belong to directions without any
// document.
func (p *problem) direct(ctx context.Context) (solution, error) {
	if q, _ := p.b.side(); !p.upper() {
		return solution{}, invalid.Errorf("the smallest values for directions of unit length need the dense solver (%.1f GB), since every direction outside the documents' span has the value 0",
			float64(denseBytes(q, p.b.Rows))/1e9)
	}
	var rows *ranks.Share
	if p.b.share.Divided() {
		rows = ranks.Evenly(p.b.share, p.b.Cols)
	}
	product := func(dst, x blas64.General) {
		u, v := panel.New(p.b.own, x.Cols), panel.New(p.b.own, x.Cols)
		all := dst
		if rows.Divided() {
			x = blas64.General{Rows: p.b.Cols, Cols: x.Cols, Stride: x.Cols, Data: ranks.GatherFloats(rows, panel.Clone(x).Data)}
			all = panel.New(p.b.Cols, x.Cols)
		}
		// The solver checks the context between products.
		_ = p.b.Mul(context.Background(), u, x)
		p.mid.mul(v, u)
		_ = p.b.MulT(context.Background(), all, v)
		if rows.Divided() {
			fill(dst, part(all, rows.First(), rows.First()+dst.Rows, 0, dst.Cols))
		}
	}
	e := eigen.Options{K: p.opt.Dims, Which: eigen.Largest, Tol: p.opt.Tol, Solver: p.opt.Solver, Seed: p.opt.Seed, Observer: p.opt.Observer}
	if e.Solver == "" || e.Solver == eigen.Auto {
		e.Solver = eigen.Lanczos
	}
	r, err := eigen.Symmetric(ctx, rowsOperator{rows, p.b.Cols, product}, e)
	s, err := descending(r, err)
	if rows.Divided() && len(s.values) > 0 {
		s.a = blas64.General{Rows: p.b.Cols, Cols: s.a.Cols, Stride: s.a.Cols, Data: ranks.GatherFloats(rows, panel.Clone(s.a).Data)}
	}
	return s, err
}

// descending is the solution of a solver's result, also of an iteration that ended early.
func descending(r *eigen.Result, err error) (solution, error) {
	var stopped *eigen.NotConvergedError
	if errors.As(err, &stopped) {
		r = stopped.Result
	} else if err != nil {
		return solution{}, err
	}
	if r == nil || len(r.Values) == 0 {
		return solution{}, err
	}
	values, a := reversed(r.Values, mat.DenseCopyOf(r.Vectors).RawMatrix())
	return solution{values: values, a: a, stats: r.Stats}, err
}

package eigen

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/krylov"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// divided is the part of the task that this rank has. It is nil if the operator cannot be divided:
// matrices with entries can, and those with joined sets of points.
func divided(t problem.Task, team ranks.Team) (*problem.Task, error) {
	var a *sparse.CSR
	var joined cliques
	switch op := t.Op.(type) {
	case *sparse.CSR:
		a = op
	case *problem.Scaled:
		a = op.Matrix()
	case *cliqued:
		a, joined = op.CSR, op.cliques
	default:
		return nil, nil
	}
	if t.N < leastRows*team.Size() {
		return nil, invalid.Errorf("the eigenproblem has %d rows, too few for %d ranks: start fewer of them", t.N, team.Size())
	}
	own := t
	own.Space = space.Space{Share: ranks.Evenly(team, t.N)}
	lo, hi := ranks.Part(team, team.Rank(), t.N)
	own.N = hi - lo
	if t.Known != nil {
		known := *t.Known
		known.Label, known.Weight, known.Space = known.Label[lo:hi], known.Weight[lo:hi], own.Space
		own.Known = &known
	}
	own.Start = space.Rows(t.Start, lo, hi)
	if t.Start.Cols == 0 {
		own.Start = blas64.General{Rows: own.N}
	}
	part := rowsOf(a, joined, own)
	if d, ok := team.(divider); ok {
		m, err := d.NewMatrix(part)
		if err != nil {
			return nil, err
		}
		own.Op = dividedOperator{m, t.N}
		own.Matrix = m
		return &own, nil
	}
	own.Op = dividedOperator{newGhosted(ranks.Evenly(team, t.N), part), t.N}
	return &own, nil
}

// rowsOf are the rows that this rank has.
func rowsOf(a *sparse.CSR, joined cliques, own problem.Task) slepc.Rows {
	lo, hi := own.Space.First(), own.Space.First()+own.Space.Own()
	first, last := a.RowPtr[lo], a.RowPtr[hi]
	p := slepc.Rows{N: a.NumRows, First: lo, RowPtr: slices.Clone(a.RowPtr[lo : hi+1]), Col: a.Col[first:last], Val: a.Val[first:last]}
	for i := range p.RowPtr {
		p.RowPtr[i] -= first
	}
	if len(joined.members) > 0 {
		p.Sets, p.Weight = len(joined.members), joined.weight
		p.Set, p.Scale = make([]int32, hi-lo), make([]float64, hi-lo)
		for i := range p.Set {
			p.Set[i] = -1
		}
		for c, set := range joined.members {
			for _, i := range set {
				if at := int(i) - lo; at >= 0 && at < hi-lo {
					p.Set[at], p.Scale[at] = int32(c), joined.at(i)
				}
			}
		}
	}
	if own.Known.Size() > 0 {
		p.Labels, p.Label, p.Height = own.Known.Count, own.Known.Label, own.Known.Weight
	}
	return p
}

// solveBySLEPc gives SLEPc the rows of a matrix that every rank has whole, and gathers the vectors
// on all ranks. One process is a team of one, which MPI starts here.
func solveBySLEPc(ctx context.Context, t problem.Task) (p problem.Pairs, err error) {
	team := ranks.From(ctx)
	if team.Size() == 1 {
		world, err := slepc.Start()
		if err != nil {
			return p, err
		}
		team = world
	}
	if _, dividing := team.(divider); !dividing {
		return p, errHosted(team)
	}
	own, err := divided(t, team)
	switch {
	case err != nil:
		return p, err
	case own == nil:
		return p, invalid.Errorf("‹solver› slepc needs a graph that is given by its edges: use ‹solver› lanczos")
	}
	if own.Matrix != nil {
		defer own.Matrix.Close()
	}
	if team.Rank() > 0 {
		own.Observer = nil
	}
	ctx, own.Outer = context.WithoutCancel(ctx), ctx
	if p, err = krylov.BySLEPc(ctx, *own); err != nil {
		return p, err
	}
	packed := space.NewBlock(own.N, p.Vectors.Cols)
	space.CopyBlock(packed, p.Vectors)
	p.Vectors = space.AsBlock(ranks.GatherFloats(team, packed.Data), t.N, p.Vectors.Cols)
	p.Vectors.Stride = max(1, p.Vectors.Stride)
	return p, nil
}

// solveShared runs a solver on the ranks' rows of the task. The vectors have the rows of this rank.
func solveShared(ctx context.Context, t problem.Task, name Solver) (problem.Pairs, error) {
	// Other solvers take our own products, whose bits are the same where fewer processes host the
	// parts of all ranks.
	d, dividing := t.Space.Of().(divider)
	if a, ok := ghostedOf(t.Op); ok && dividing && name == SLEPc {
		m, err := d.NewMatrix(a.part)
		if err = ranks.Agree(t.Space.Share, err); err != nil {
			return problem.Pairs{}, err
		}
		defer m.Close()
		t.Op, t.Matrix = dividedOperator{m, t.Whole()}, m
	}
	if t.Space.Rank() > 0 {
		t.Observer = nil
	}
	ctx, t.Outer = context.WithoutCancel(ctx), ctx
	switch {
	case name == Lanczos:
		return krylov.Lanczos(ctx, t)
	case name == SLEPc && t.Matrix != nil:
		return krylov.BySLEPc(ctx, t)
	case name == SLEPc && dividing:
		return problem.Pairs{}, invalid.Errorf("‹solver› slepc needs a graph that is given by its edges: use ‹solver› lanczos")
	case name == SLEPc:
		return problem.Pairs{}, errHosted(t.Space.Of())
	}
	return problem.Pairs{}, invalid.Errorf("‹solver› %s does not work on rows that are divided among ranks: use lanczos or slepc", name)
}

// errHosted refuses SLEPc for parts that have no process each.
func errHosted(t ranks.Team) error {
	return invalid.Errorf("‹solver› slepc takes one process for each of the %d parts of the documents: use ‹solver› lanczos, or start as many ranks", t.Size())
}

// ghostedOf is an operator that is a matrix of which each rank has its rows.
func ghostedOf(op problem.Operator) (*ghosted, bool) {
	if d, ok := op.(dividedOperator); ok {
		a, ok := d.Divided.(*ghosted)
		return a, ok
	}
	return nil, false
}

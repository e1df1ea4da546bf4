package eigen

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// Divided is an [Operator] of which each rank has its own rows: MulBlock takes and gives these rows
// of blocks of vectors, and all ranks take part in it. Block Lanczos runs on it as on any operator,
// on every rank with the same decisions, because what it computes from whole vectors goes through
// the team. [slepc.Matrix] is one.
type Divided interface {
	MulBlock(dst, x blas64.General)
	NNZ() int
}

// divider is a team with matrices of its own, whose products send each rank only what it needs.
type divider interface {
	NewMatrix(slepc.Rows) (slepc.Matrix, error)
}

// divided is the part of the task that this rank has. It is nil if the operator cannot be divided:
// matrices with entries can, and those with joined sets of points.
func divided(t task, team ranks.Team) (*task, error) {
	var a *sparse.CSR
	var joined cliques
	switch op := t.op.(type) {
	case *sparse.CSR:
		a = op
	case *scaled:
		a = op.matrix()
	case *cliqued:
		a, joined = op.CSR, op.cliques
	default:
		return nil, nil
	}
	if t.n < leastRows*team.Size() {
		return nil, invalid.Errorf("the eigenproblem has %d rows, too few for %d ranks: start fewer of them", t.n, team.Size())
	}
	own := t
	own.space = space.Space{Share: ranks.Evenly(team, t.n)}
	lo, hi := ranks.Part(team, team.Rank(), t.n)
	own.n = hi - lo
	if t.known != nil {
		known := *t.known
		known.Label, known.Weight, known.Space = known.Label[lo:hi], known.Weight[lo:hi], own.space
		own.known = &known
	}
	own.start = space.Rows(t.start, lo, hi)
	if t.start.Cols == 0 {
		own.start = blas64.General{Rows: own.n}
	}
	part := rowsOf(a, joined, own)
	if d, ok := team.(divider); ok {
		m, err := d.NewMatrix(part)
		if err != nil {
			return nil, err
		}
		own.op = dividedOperator{m, t.n}
		own.matrix = m
		return &own, nil
	}
	own.op = dividedOperator{newGhosted(ranks.Evenly(team, t.n), part), t.n}
	return &own, nil
}

// dividedOperator is a divided matrix as an operator.
type dividedOperator struct {
	Divided
	n int
}

// Dims returns the size of the whole matrix.
func (a dividedOperator) Dims() (r, c int) { return a.n, a.n }

// rowsOf are the rows that this rank has.
func rowsOf(a *sparse.CSR, joined cliques, own task) slepc.Rows {
	lo, hi := own.space.First(), own.space.First()+own.space.Own()
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
	if own.known.Size() > 0 {
		p.Labels, p.Label, p.Height = own.known.Count, own.known.Label, own.known.Weight
	}
	return p
}

// solveBySLEPc gives SLEPc the rows of a matrix that every rank has whole, and gathers the vectors
// on all ranks. One process is a team of one, which MPI starts here.
func solveBySLEPc(ctx context.Context, t task) (p pairs, err error) {
	team := ranks.From(ctx)
	if team.Size() == 1 {
		world, err := slepc.Start()
		if err != nil {
			return p, err
		}
		team = world
	}
	own, err := divided(t, team)
	switch {
	case err != nil:
		return p, err
	case own == nil:
		return p, invalid.Errorf("‹solver› slepc needs a graph that is given by its edges: use ‹solver› lanczos")
	}
	if own.matrix != nil {
		defer own.matrix.Close()
	}
	if team.Rank() > 0 {
		own.observer = nil
	}
	ctx, own.outer = context.WithoutCancel(ctx), ctx
	if p, err = bySLEPc(ctx, *own); err != nil {
		return p, err
	}
	packed := space.NewBlock(own.n, p.vectors.Cols)
	space.CopyBlock(packed, p.vectors)
	p.vectors = space.AsBlock(ranks.GatherFloats(team, packed.Data), t.n, p.vectors.Cols)
	p.vectors.Stride = max(1, p.vectors.Stride)
	return p, nil
}

// sharedPairs makes the pairs that every rank has found by itself those of rank 0.
func sharedPairs(p pairs, team ranks.Team) pairs {
	if len(p.values) > 0 {
		team.Share(p.values)
		team.Share(p.vectors.Data)
	}
	return p
}

package lpp

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	embed := used.planned(in, at)
	if used.Kind != Neighbors {
		return []method.Stage{embed}, nil
	}
	stages, err := nystrom.Planned{Problem: nystrom.Problem{Graph: used.Graph}, Dims: 1}.Stages(in, at)
	if err != nil {
		return nil, err
	}
	return []method.Stage{stages[0], embed}, nil
}

// planned is the stage of the directions, the dense way or by an operator.
func (o Options) planned(in *method.Input, at method.Rates) method.Stage {
	const passes = 100 // of a direction over the data, by an operator
	// Davidson's method took 240 to 450 products of a direction, each with the data twice, with the
	// graph, and with some 75 vectors.
	const products, edges, vectors = 250, 30, 75
	own, p := in.X.Dims()
	n := in.Len()
	q := min(n, p)
	places := memory.Bytes(8, own, o.Dims)
	stage := method.Stage{Name: "regression", Keeps: memory.Sum(places, memory.Bytes(8, p, o.Dims)), Helps: []string{"‹dims›"}}
	bytes := o.operatorBytes(own, p, n)
	stage.Seconds = at.Passes(float64(at.Entries), float64(passes*o.Dims))
	if o.davidson() {
		one := 2*float64(at.Entries) + edges*float64(n) + vectors*float64(n+p)
		stage.Seconds = at.Passes(one, float64(products*o.Dims))
	}
	if o.Solver == eigen.Dense || (o.Solver == "" || o.Solver == eigen.Auto) && q <= denseSide && denseBytes(q, n) <= mostBytes {
		bytes = denseBytes(q, own)
		stage.Seconds = svd.GramSeconds(at, q) + at.Blocks(9*float64(q)*float64(q)*float64(q))
		stage.Helps = []string{"‹solver› lanczos"}
	}
	stage.Bytes = memory.Sum(bytes, places, rows.NormalizedBytes(own, o.Dims, o.NormalizeRows))
	if in.Sparse() { // the transpose
		stage.Bytes = memory.Sum(stage.Bytes, memory.Bytes(12, at.Of(own, n).Entries))
	}
	return stage
}

// operatorBytes is the memory of the ways by an operator, for own of n rows of p columns:
// Davidson's space, or an eigensolver with regressions inside its products.
func (o Options) operatorBytes(own, p, n int) int64 {
	if o.davidson() {
		room, width := davidsonSizes(n, p, o.Dims, mostBytes)
		return davidsonBytes(own, p, room, width)
	}
	length := own
	if set := o.ofKind(); set.Constraint != Identity && set.ridge() > 0 {
		length += p
	}
	return memory.Sum(eigen.Bytes(length, o.Dims, eigen.Options{Solver: o.Solver, Block: wideBlock}), memory.Bytes(2*8, length, o.Dims))
}

// davidson reports whether Davidson's method finds the directions, if the dense way does not.
func (o Options) davidson() bool {
	set := o.ofKind()
	return set.Constraint != Identity && set.ridge() > 0 && set.Which != eigen.Largest && (o.Solver == "" || o.Solver == eigen.Auto)
}

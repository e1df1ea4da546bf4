package svm

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/method"
)

// machineBytes is the memory of machines of n rows of d columns, with scores of so many rows:
// targets, costs, coefficients with their box, values and what a search for labels adds, and the
// models.
func machineBytes(n, d, machines, scored int, kernel Kernel) int64 {
	bytes := memory.Sum(memory.Bytes(88, machines, n), memory.Bytes(16, machines, scored))
	if kernel == Linear {
		bytes = memory.Sum(bytes, memory.Bytes(32, machines, d))
	}
	return bytes
}

// Planned is a stage of a name in which so many machines are trained on n of the rows, each for
// some number of times, and score all rows of the input.
func (o Options) Planned(name string, in *method.Input, at method.Rates, n, machines, times int) method.Stage {
	const sweeps = 20 // of a training
	all, d := in.X.Dims()
	// A plan knows no values: the kernel matrix, as of long rows, unless these are made short
	// ([Options.centred]).
	square, short := math.Inf(1), int64(0)
	if all := o.withDefaults(n, d, in.Sparse(), square); all.Bias == Free && all.Kernel == Linear && !in.Sparse() {
		square, short = steady/min(1, all.C), memory.Bytes(8, n, d) // not all of the columns may vary
	}
	used := o.withDefaults(n, d, in.Sparse(), square)
	scores := memory.Bytes(8, all, machines)
	stage := method.Stage{Name: name, Bytes: machineBytes(n, d, machines, all, used.Kernel), Keeps: scores, Helps: []string{"‹kernel› linear"}}
	if used.Solver == CD {
		stage.Seconds, stage.Helps = at.Passes(float64(at.Of(n, all).Entries), float64(sweeps*times*machines)), nil
		stage.Bytes = memory.Sum(stage.Bytes, short)
		return stage
	}
	kernel := memory.Bytes(8, n, n)
	stage.Seconds = at.Pairs(float64(n)*float64(n), all) + at.Passes(float64(n)*float64(n), float64(times*machines))
	stage.Bytes = memory.Sum(stage.Bytes, short, min(kernel, used.CacheBytes), pairs.PanelBytes(n, d, in.Sparse()))
	return stage
}

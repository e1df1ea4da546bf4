package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/planning"
)

// Plan is what a run will take, before it is run.
type Plan = planning.Plan

// PlanStage is what a stage of a run will take.
type PlanStage = planning.PlanStage

// DryRun is [MakePlan] of the command "cluster" or "embed" with all checks of the request that come
// before any reading. The number of clusters may be a range: memory is planned for the largest,
// time for a usual one, and a note says so. Nothing is written.
func DryRun(ctx context.Context, file string, opt Options, command string) (*Plan, error) {
	p, err := planning.DryRun(ctx, file, opt, command)
	return p, fault.Wrap(err)
}

// MakePlan says what memory and time a clustering of a file will take, by stages, and does none of
// the work: it looks at the sizes alone ([corpus.Measure]). A request that [Cluster] refuses
// without the entries of the documents is refused here too.
//
// The bytes are those by which the stages ask for memory. Times are rough: mostly within 1.5 times
// of what a run takes, sometimes five times away from it, and more on other machines.
func MakePlan(ctx context.Context, file string, opt Options) (*Plan, error) {
	return PlanRanks(ctx, file, opt, 0)
}

// PlanRanks is [MakePlan] of a run that so many ranks under mpirun share, each with the threads of
// this process: what one of them takes, the one that takes the most. 0 ranks are one process
// without MPI, 1 is one with it. A rank may take the memory that this process may take. The bytes
// that a rank receives are an upper estimate for its largest exchanges.
func PlanRanks(ctx context.Context, file string, opt Options, ranks int) (*Plan, error) {
	p, err := planning.PlanRanks(ctx, file, opt, ranks, false)
	return p, fault.Wrap(err)
}

// PlanShards is [PlanRanks] of a run whose ranks write their own parts of the results
// ([Run.SaveShards]).
func PlanShards(ctx context.Context, file string, opt Options, ranks int) (*Plan, error) {
	p, err := planning.PlanRanks(ctx, file, opt, ranks, true)
	return p, fault.Wrap(err)
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/internal/cores"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/spf13/cobra"
)

// graceForRanks is the time that another rank than 0 waits after an error, because rank 0 mostly
// has the same and reports it.
const graceForRanks = 5 * time.Second

// asRank runs the program, as a rank of an MPI run if mpirun or srun started it and this build has
// SLEPc. Only rank 0 prints and writes. A rank that fails ends all of them.
func asRank(ctx context.Context, watch progress.Observer) int {
	defer slepc.Stop()
	if !slepc.Available || !slepc.Launched() {
		return newApp(os.Stdout, os.Stderr, watch).run(ctx, os.Args[1:])
	}
	world, err := slepc.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, "eigenmap: "+err.Error())
		return exitFailed
	}
	if os.Getenv("EIGENMAP_DEBUG") != "" {
		defer func() {
			t := world.Traffic()
			fmt.Fprintf(os.Stderr, "rank %d of %d received %d bytes of exchanges, %d of sums, %d of products; peak memory %d\n",
				world.Rank(), world.Size(), t.Exchanged, t.Summed, t.Products, memory.Peak())
		}()
	}
	if world.Rank() == 0 {
		status := newApp(os.Stdout, os.Stderr, watch).run(ranks.With(ctx, world), os.Args[1:])
		if status != exitDone && world.Size() > 1 {
			slepc.Abort(status)
		}
		return status
	}
	var said bytes.Buffer
	status := newApp(io.Discard, &said, nil).run(ranks.With(ctx, world), os.Args[1:])
	if status != exitDone {
		time.Sleep(graceForRanks)
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		fmt.Fprintf(os.Stderr, "eigenmap: rank %d: %s\n", world.Rank(), strings.TrimPrefix(lines[len(lines)-1], "eigenmap: "))
		slepc.Abort(status)
	}
	return status
}

// divided are the commands whose work ranks share.
var divided = []string{"cluster", "embed", "graph"}

// ranked prepares a command for the ranks of an MPI run. Commands that are not divided run on rank
// 0 alone: idle is true on the others.
func ranked(ctx context.Context, cmd *cobra.Command, args []string) (_ context.Context, idle bool, err error) {
	team := ranks.From(ctx)
	if team.Size() == 1 {
		return ctx, false, nil
	}
	if err := ranks.SameOptions(team, []ranks.Fact{{Name: "the command", Value: cmd.Name()}}); err != nil {
		return ctx, false, err
	}
	switch {
	case !slices.Contains(divided, cmd.Name()):
		return ranks.With(ctx, nil), team.Rank() > 0, nil
	case slices.Contains(args, "-"):
		return ctx, false, requestf("standard input reaches one of the %d ranks only: give a file that all of them can read", team.Size())
	}
	return memory.Within(ctx, memory.Left(ctx)/int64(onMachine(ctx))), false, nil
}

// onMachine is the number of ranks on this machine, which share its cores and memory.
func onMachine(ctx context.Context) int {
	if w, ok := ranks.From(ctx).(*slepc.World); ok {
		return w.LocalSize()
	}
	return 1
}

// threads is the number of threads of a process. The ranks on one machine, of which there are some,
// share its processors, unless a number was asked for or each rank is bound to its own.
func threads(onMachine, asked int) int {
	all := cores.Choose(asked).Threads
	if asked > 0 || os.Getenv("OMP_NUM_THREADS") != "" || os.Getenv("SLURM_CPUS_PER_TASK") != "" {
		return all
	}
	return max(1, all/onMachine)
}

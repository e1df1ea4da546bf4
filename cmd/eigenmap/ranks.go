package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/cores"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
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
		return asProcess(ctx, ranks.Alone{}, watch, os.Args[1:], os.Stdout, os.Stderr)
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
	status := asProcess(ctx, world, watch, os.Args[1:], os.Stdout, os.Stderr)
	if status == exitDone && world.Wait(ctx, graceForRanks) != nil { // rank 0 may work alone
		status = exitInterrupted
	}
	if status != exitDone && world.Size() > 1 {
		slepc.Abort(status)
	}
	return status
}

// asProcess runs the program as one of some processes: as one rank, or as the parts that this
// process hosts if the documents are divided into more parts than there are processes.
func asProcess(ctx context.Context, processes ranks.Team, watch progress.Observer, args []string, stdout, stderr io.Writer) int {
	status, parts := asMember(ctx, processes, watch, args, stdout, stderr)
	if parts == 0 {
		return status
	}
	statuses := make(chan int, parts) // of those that failed, and at last of all
	go func() {
		ranks.Host(processes, parts, func(member *ranks.Hosted) {
			if status, _ := asMember(ctx, member, watch, args, stdout, stderr); status != exitDone {
				statuses <- status // the others may wait for this one for ever
			}
		})
		statuses <- exitDone
	}()
	return <-statuses
}

// asMember runs the program as one member of a team, of which rank 0 prints. parts is not 0 if the
// run is to be begun again with so many members.
func asMember(ctx context.Context, team ranks.Team, watch progress.Observer, args []string, stdout, stderr io.Writer) (status, parts int) {
	ctx = ranks.With(ctx, team)
	if team.Rank() == 0 {
		a := newApp(stdout, stderr, watch)
		return a.run(ctx, args), int(a.parts.Load())
	}
	var said bytes.Buffer
	a := newApp(io.Discard, &said, nil)
	if status = a.run(ctx, args); status != exitDone {
		time.Sleep(graceForRanks)
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		fmt.Fprintf(stderr, "eigenmap: rank %d: %s\n", team.Rank(), strings.TrimPrefix(lines[len(lines)-1], "eigenmap: "))
	}
	return status, int(a.parts.Load())
}

// divided are the commands whose work ranks share.
var divided = []string{"cluster", "embed", "graph", "predict"}

// ranked prepares a command for the ranks of an MPI run. Commands that are not divided run on rank
// 0 alone: idle is true on the others. A run whose documents are divided into more parts than there
// are ranks is idle on all of them, and is begun again with a.parts members.
func (a *app) ranked(ctx context.Context, cmd *cobra.Command, args []string) (_ context.Context, idle bool, err error) {
	team := ranks.From(ctx)
	if team.Size() > 1 {
		if err := ranks.SameOptions(team, []ranks.Fact{{Name: "the command", Value: cmd.Name()}}); err != nil {
			return ctx, false, err
		}
	}
	parts, err := a.partsOf(team, cmd, args)
	switch {
	case err != nil:
		return ctx, false, err
	case parts != team.Size():
		a.parts.Store(int64(parts))
		return ctx, true, nil
	case parts == 1:
		return ctx, false, nil
	}
	switch {
	case !slices.Contains(divided, cmd.Name()), cmd.Name() == "predict" && slices.Contains(args, "-"):
		return ranks.With(ctx, nil), team.Rank() > 0, nil
	case slices.Contains(args, "-"):
		return ctx, false, requestf("standard input reaches one of the %d ranks only: give a file that all of them can read", team.Size())
	}
	alone, err := a.alone(ctx, cmd)
	switch {
	case err != nil:
		return ctx, false, err
	case alone:
		ctx = ranks.With(ctx, nil)
		return ctx, team.Rank() > 0, eigenmap.SetEngine(threads(onMachine(ctx), cores.Choose(a.own.Threads)), a.own.Backend)
	}
	return memory.Within(ctx, memory.Left(ctx)/int64(processesHere(ctx))), false, nil
}

// alone reports whether rank 0 alone does the work of a command that ranks share with other
// options, and says so on rank 0. It then has the memory of its machine, and the processors that it
// is not kept from. All ranks call it.
func (a *app) alone(ctx context.Context, cmd *cobra.Command) (bool, error) {
	if cmd.Flags().Lookup("labels") == nil || text(cmd.Flags(), eigenmap.FitOnKey) != "" {
		return false, nil
	}
	var opt eigenmap.Options
	if apply(cmd.Flags(), &opt) != nil {
		return false, nil // the run says why
	}
	p, err := eigenmap.Prepare(opt, cmd.Name())
	if err != nil {
		return false, nil
	}
	if err := p.SameOnRanks(ctx); err != nil {
		return false, err
	}
	team := ranks.From(ctx)
	why := p.Alone(team.Size(), flagName)
	if why != "" && team.Rank() == 0 && !a.ui.quiet {
		fmt.Fprintf(a.stderr, "eigenmap: note: %s\n", why)
	}
	return why != "", nil
}

// partsOf is the number of parts that the documents of a command are divided into: as many as
// --ranks says, or as the pieces in --work have if ranks can share the run, or as there are ranks.
// Rank 0 decides for all.
func (a *app) partsOf(team ranks.Team, cmd *cobra.Command, args []string) (parts int, err error) {
	size := team.Size()
	if _, hosted := team.(*ranks.Hosted); hosted || cmd.Flags().Lookup("work") == nil { // plan only counts ranks
		return size, nil
	}
	if parts, err = strconv.Atoi(text(cmd.Flags(), "ranks")); err == nil {
		err = checkParts(parts, size)
	} else { // it is not given, or refused with the other options
		parts, err = a.partsFound(size, cmd, args), nil
	}
	said := []float64{float64(parts)}
	team.Share(said) // folders may differ from machine to machine
	return int(said[0]), err
}

// checkParts refuses numbers of parts that so many ranks cannot share.
func checkParts(parts, size int) error {
	switch {
	case parts < size:
		return requestf("--ranks %d: each of the %d ranks has a part: give at least as many, or start fewer ranks", parts, size)
	case parts > store.MostParts:
		return requestf("--ranks %d: at most %s parts can share a run: give fewer", parts, words.Thousands(store.MostParts))
	}
	return nil
}

// partsFound is the number of parts of the pieces in --work, or size if the run is not divided. A
// note says which, if these differ.
func (a *app) partsFound(size int, cmd *cobra.Command, args []string) int {
	dir := text(cmd.Flags(), "work")
	parts := store.Parts(dir, size)
	if parts == size {
		return size
	}
	why, err := undivided(cmd, args)
	switch {
	case err != nil: // the run refuses it
		return size
	case why != "":
		fmt.Fprintf(a.stderr, "eigenmap: note: %s has pieces of %d parts, which this run does not use: %s\n", dir, parts, why)
		return size
	}
	fmt.Fprintf(a.stderr, "eigenmap: note: the documents are divided into %d parts, as the pieces in %s are: --ranks %d divides them anew\n", parts, dir, size)
	return parts
}

// undivided is why ranks cannot share the run that a command line asks for, "" if they can.
func undivided(cmd *cobra.Command, args []string) (why string, err error) {
	sample, err := eigenmap.ParseFitOn(text(cmd.Flags(), eigenmap.FitOnKey))
	switch {
	case err != nil:
		return "", err
	case slices.Contains(args, "-"):
		return "standard input reaches one process", nil
	case sample != 0:
		return "--" + eigenmap.FitOnKey + " is for one process", nil
	case text(cmd.Flags(), "block") != "", text(cmd.Flags(), "merge") == "true":
		return "blocks of a graph are for one process", nil
	case cmd.Name() == "graph":
		if text(cmd.Flags(), "precision") == "single" {
			why = "--precision single is for one process"
		}
		return why, nil
	}
	var opt eigenmap.Options
	if err := apply(cmd.Flags(), &opt); err != nil {
		return "", err
	}
	p, err := eigenmap.Prepare(opt, cmd.Name())
	if err != nil {
		return "", err
	}
	return p.Undivided(flagName), nil
}

// onMachine is the number of ranks on this machine, or of parts, which share its cores and memory.
func onMachine(ctx context.Context) int { return processesHere(ctx) * partsHere(ctx) }

// processesHere is the number of processes of the run on this machine.
func processesHere(ctx context.Context) int {
	team := ranks.From(ctx)
	if m, ok := team.(*ranks.Hosted); ok {
		team = m.Outer()
	}
	if w, ok := team.(*slepc.World); ok {
		return w.LocalSize()
	}
	return 1
}

// partsHere is the number of parts that this process works on side by side.
func partsHere(ctx context.Context) int {
	if m, ok := ranks.From(ctx).(*ranks.Hosted); ok {
		return m.Here()
	}
	return 1
}

// threads is the number of threads of a process. The ranks on one machine, of which there are some,
// share its processors, unless a number was given for each or each rank is bound to its own.
func threads(onMachine int, c cores.Choice) int {
	if c.Own {
		return c.Threads
	}
	return max(1, c.Threads/onMachine)
}

package main

import (
	"context"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/cores"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/spf13/cobra"
)

func (a *app) planCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan FILE [--method M] [-k K]",
		Short: "Memory and time of a clustering, before it runs",
		Long: `Plan prints what cluster would take with the same flags: memory and time by stage, the peak of the
process, whether it fits the memory that is allowed (--max-memory, the machine, the job), and the
options that make the largest stage smaller. It looks at sizes alone: files up to 32 MiB are read,
of longer ones the header (mtx) or the first 8 MiB (jsonl, svm, csv, tsv). Times are rough.

With --ranks N it plans a run that N ranks share under mpirun: what the rank that takes the most takes
and receives in each stage. Times assume that the ranks work at once. The memory and the processors
are this machine's, as if all ranks were on it: give --max-memory and --threads for one rank.`,
		Example: `  eigenmap plan corpus.jsonl.gz --method le -k 30
  eigenmap plan counts.mtx --method semi-le --labeled-fraction 0.01 -k 40 --landmarks 20000 --max-memory 8GiB
  eigenmap plan counts.mat --method nmf --json
  eigenmap plan corpus.jsonl --method le -k 40 --solver slepc --ranks 4`,
		RunE: a.work(a.plan, "FILE"),
	}
	return a.flagged(cmd, func() {
		define(cmd.Flags(), everyOption())
		defineOwn(cmd.Flags(), new(rankOptions), new(planShardsOption), new(fitOnOption))
		a.methodHelp(cmd)
	})
}

func (a *app) plan(ctx context.Context, cmd *cobra.Command, args []string) error {
	opt := eigenmap.Options{Observer: a.ui.observe}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return err
	}
	var of rankOptions
	if err := own(cmd.Flags(), &of); err != nil {
		return err
	}
	size, err := eigenmap.ParseFitOn(text(cmd.Flags(), eigenmap.FitOnKey))
	if err != nil {
		return err
	}
	here := max(of.Ranks, 1)
	if of.Ranks == 0 && slepc.Available && slepc.Launched() { // ctx has no ranks: rank 0 alone plans
		of.Ranks, here = ranks.From(cmd.Context()).Size(), onMachine(cmd.Context())
	}
	whole := ""
	if r, err := eigenmap.Prepare(opt, "plan"); err == nil && size == 0 {
		if whole = r.Alone(of.Ranks, flagName); whole != "" {
			of.Ranks, here = 1, 1
			if err := eigenmap.SetEngine(threads(here, cores.Choose(a.own.Threads)), a.own.Backend); err != nil {
				return err
			}
		}
	}
	if here > 1 {
		ctx = memory.Within(ctx, memory.Left(cmd.Context())/int64(here)) // --max-memory counts for each rank
		if err := eigenmap.SetEngine(threads(here, cores.Choose(a.own.Threads)), a.own.Backend); err != nil {
			return err
		}
	}
	var p *eigenmap.Plan
	switch {
	case size == 0 && text(cmd.Flags(), "shards") == "true":
		p, err = eigenmap.PlanShards(ctx, args[0], opt, of.Ranks)
	case size == 0:
		p, err = eigenmap.PlanRanks(ctx, args[0], opt, of.Ranks)
	case of.Ranks > 0:
		return requestf("--fit-on is of one process: leave out --ranks")
	default:
		p, err = eigenmap.PlanOnSample(ctx, args[0], opt, size)
	}
	if err != nil {
		return err
	}
	if whole != "" {
		p.Notes = append(p.Notes, whole+".")
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(p.As(flagName))
	}
	a.printPlan(p)
	return nil
}

func (a *app) printPlan(p *eigenmap.Plan) {
	a.table(p.StageRows())
	a.printf("\n")
	p = p.As(flagName)
	a.table(p.Rows(flagName))
	for _, n := range p.Notes {
		a.printf("note  %s\n", n)
	}
}

// dryRun plans a run of a command in place of making it, if --dry-run was given.
func (a *app) dryRun(ctx context.Context, cmd *cobra.Command, file, command string) (bool, error) {
	var dry dryOption
	if err := own(cmd.Flags(), &dry); err != nil || !dry.Dry {
		return false, err
	}
	opt := eigenmap.Options{Observer: a.ui.observe, Work: text(cmd.Flags(), "work")}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return true, err
	}
	if dir := text(cmd.Flags(), "out"); dir != "" {
		if err := eigenmap.CheckOut(dir, command, inputs(cmd, file)...); err != nil {
			return true, err
		}
	}
	p, err := eigenmap.DryRun(ctx, file, opt, command)
	if err != nil {
		return true, err
	}
	a.ui.stop()
	if a.own.JSON {
		return true, a.printJSON(struct {
			*eigenmap.Plan
			DryRun bool           `json:"dry_run"`
			Config map[string]any `json:"config"`
		}{p.As(flagName), true, eigenmap.Config(p.Settings())})
	}
	var rows [][]string
	for _, s := range p.Settings() {
		if s.Name != eigenmap.FileKey {
			rows = append(rows, []string{flagName(s.Name), s.Text})
		}
	}
	a.table(rows)
	a.printf("\n")
	a.printPlan(p)
	a.printf("nothing was written: leave out --dry-run for the run\n")
	return true, nil
}

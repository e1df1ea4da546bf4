package main

import (
	"context"

	"github.com/eigenmap/eigenmap"
	"github.com/spf13/cobra"
)

func (a *app) planCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan FILE [--method M] [-k K]",
		Short: "Memory and time of a clustering, before it runs",
		Long: `Plan prints what cluster would take with the same flags: memory and time by stage, the peak of the
process, whether it fits the memory that is allowed (--max-memory, the machine, the job), and the
options that make the largest stage smaller. It looks at sizes alone: files up to 32 MiB are read,
of longer ones the header (mtx) or the first 8 MiB (jsonl, svm, csv, tsv). Times are rough.`,
		Example: `  eigenmap plan corpus.jsonl.gz --method le -k 30
  eigenmap plan counts.mtx --method semi-le --labeled-fraction 0.01 -k 40 --landmarks 20000 --max-memory 8GiB
  eigenmap plan counts.mat --method nmf --json`,
		RunE: a.work(a.plan, "FILE"),
	}
	define(cmd.Flags(), eigenmap.Fields(""))
	a.methodHelp(cmd)
	return cmd
}

func (a *app) plan(ctx context.Context, cmd *cobra.Command, args []string) error {
	opt := eigenmap.Options{Observer: a.ui.observe}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return err
	}
	p, err := eigenmap.MakePlan(ctx, args[0], opt)
	if err != nil {
		return err
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(p.As(flagName))
	}
	a.table(p.StageRows())
	a.printf("\n")
	p = p.As(flagName)
	a.table(p.Rows(flagName))
	for _, n := range p.Notes {
		a.printf("note  %s\n", n)
	}
	return nil
}

package main

import (
	"cmp"
	"context"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/spf13/cobra"
)

func (a *app) joinCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "join RESULT",
		Short: "One file of each that ranks wrote in parts",
		Long: `Join writes the clusters, the embedding and the model of a result that ranks wrote in parts (cluster
--shards) as one file each, and the other files as they are: into the folder of --out, else into RESULT
itself, where the parts are then removed. Nothing is held in memory. Commands that read a result or a model
need no join: they read the parts as one file.`,
		Example: `  eigenmap join result
  eigenmap join result --out joined`,
		RunE: a.work(a.join, "RESULT"),
	}
	return a.flagged(cmd, func() {
		defineOwn(cmd.Flags(), new(outOption))
	})
}

// joinJSON is the object of `join --json`.
type joinJSON struct {
	Result string   `json:"result"`
	Files  []string `json:"files"`
}

func (a *app) join(ctx context.Context, cmd *cobra.Command, args []string) error {
	dir := args[0]
	if !folder.Is(dir) {
		return requestf("%s: it is no folder of results: give the one that eigenmap cluster --shards wrote", dir)
	}
	out, err := eigenmap.OpenFolder(cmp.Or(text(cmd.Flags(), "out"), dir))
	a.out.Store(out)
	if err != nil {
		return err
	}
	defer out.Discard()
	saved, err := eigenmap.JoinShards(ctx, dir, out)
	if err != nil {
		return err
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(joinJSON{dir, saved})
	}
	for _, f := range saved {
		a.printf("wrote    %s\n", f)
	}
	return nil
}

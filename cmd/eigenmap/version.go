package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/cores"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Versions, backends, BLAS library and threads",
		Long:  "Version prints what this program was built from and what it computes with on this machine.",
		Example: `  eigenmap version
  eigenmap version --json`,
		RunE: a.work(func(ctx context.Context, _ *cobra.Command, _ []string) error {
			v := eigenmap.Versions()
			v.ThreadsBy = cores.Choose(a.own.Threads).Why
			room := "no known limit"
			if left := memory.Left(ctx); left != memory.Unknown {
				v.Memory, room = left, words.Bytes(left)+" may be taken"
			}
			if a.own.JSON {
				return a.printJSON(v)
			}
			revision := v.Revision
			if revision != "" {
				revision = " (" + revision + ")"
			}
			arpack := "not in this build"
			if v.ARPACK {
				arpack = "yes"
			}
			kernels := v.Core
			if why := v.Kernels.Why(); why != "" {
				kernels += ", " + why
			}
			if kernels == "" {
				kernels = "Go's"
			}
			a.table([][]string{
				{"eigenmap", v.Version + revision},
				{"go", v.Go + " " + v.Platform},
				{"backend", v.Backend + " (this program has: " + strings.Join(v.Backends, ", ") + ")"},
				{"BLAS", v.Library},
				{"kernels", kernels},
				{"LAPACK", v.LAPACK},
				{"ARPACK", arpack},
				{"threads", fmt.Sprintf("%d of %s", v.Threads, words.Plural(v.Cores, "core", "cores")) + ", by " + v.ThreadsBy},
				{"memory", room},
			})
			return nil
		}),
	}
}

package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/eigenmap/eigenmap/native"
	"github.com/spf13/cobra"
)

// version is set by the linker (-X main.version=v1.2.3); a plain build tells the revision it knows.
var version string

// versionInfo is what `version --json` prints and what every result carries.
type versionInfo struct {
	Version  string   `json:"version"`
	Revision string   `json:"revision,omitempty"`
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Backend  string   `json:"backend"`
	Backends []string `json:"backends"`
	Library  string   `json:"library"`
	LAPACK   string   `json:"lapack"`
	ARPACK   bool     `json:"arpack"`
	Threads  int      `json:"threads"`
	Cores    int      `json:"cores"`
}

func versions() versionInfo {
	n := native.Info()
	v := versionInfo{
		Version: version, Go: n.Go, Platform: n.OS + "/" + n.Arch,
		Backend: n.Backend, Backends: n.Engines, Library: n.BLAS, LAPACK: n.LAPACK, ARPACK: n.ARPACK,
		Threads: n.Threads, Cores: n.Cores,
	}
	if b, ok := debug.ReadBuildInfo(); ok {
		if v.Version == "" {
			v.Version = b.Main.Version
		}
		for _, s := range b.Settings {
			if s.Key == "vcs.revision" {
				v.Revision = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	if v.Version == "" || v.Version == "(devel)" {
		v.Version = "devel"
	}
	return v
}

// setEngine applies --threads and --backend; 0 and "" leave the defaults.
func setEngine(threads int, backend string) error {
	native.SetThreads(threads)
	if backend == "" {
		return nil
	}
	return native.Use(backend)
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Versions, backends, BLAS library and threads",
		Long:  "Version prints what this program was built from and what it computes with on this machine.",
		Example: `  eigenmap version
  eigenmap version --json`,
		RunE: a.work(func(_ context.Context, _ *cobra.Command, _ []string) error {
			v := versions()
			if a.opt.json {
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
			a.table([][]string{
				{"eigenmap", v.Version + revision},
				{"go", v.Go + " " + v.Platform},
				{"backend", v.Backend + " (this program has: " + strings.Join(v.Backends, ", ") + ")"},
				{"BLAS", v.Library},
				{"LAPACK", v.LAPACK},
				{"ARPACK", arpack},
				{"threads", fmt.Sprintf("%d of %s", v.Threads, plural(v.Cores, "core", "cores"))},
			})
			return nil
		}),
	}
}

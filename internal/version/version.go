// Package version says what a result was made with: the program, and what it computes with.
package version

import (
	"runtime/debug"

	"github.com/eigenmap/eigenmap/native"
)

// Number is the version of the program. Package eigenmap sets it before main begins.
var Number string

// Info is what a result was made with.
type Info struct {
	Version  string   `json:"version"`
	Revision string   `json:"revision,omitempty"`
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Backend  string   `json:"backend"`
	Backends []string `json:"backends"`
	Library  string   `json:"library"`
	// Core is the processor for which OpenBLAS chose its kernels, Kernels who chose them.
	Core    string         `json:"core,omitempty"`
	Kernels native.Kernels `json:"kernels,omitempty"`
	LAPACK  string         `json:"lapack"`
	ARPACK  bool           `json:"arpack"`
	Threads int            `json:"threads"`
	Cores   int            `json:"cores"`
	// ThreadsBy says what the number of threads was taken from, if the program chose it.
	ThreadsBy string `json:"threads_by,omitempty"`
	// Memory is how many bytes the program may still take; 0 if there is no known limit.
	Memory int64 `json:"memory"`
}

// Current describes this program and what it computes with.
func Current() Info {
	n := native.Info()
	v := Info{
		Version: Number, Go: n.Go, Platform: n.OS + "/" + n.Arch,
		Backend: n.Backend, Backends: n.Engines, Library: n.BLAS, Core: n.Core, Kernels: n.Kernels, LAPACK: n.LAPACK, ARPACK: n.ARPACK,
		Threads: n.Threads, Cores: n.Cores,
	}
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Path == "github.com/eigenmap/eigenmap" {
		for _, s := range b.Settings {
			if s.Key == "vcs.revision" {
				v.Revision = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return v
}

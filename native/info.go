package native

import (
	"runtime"
	"runtime/debug"
)

// Information describes the dense linear algebra of a program: its build and the machine it runs
// on.
type Information struct {
	// Backend is the engine in use; Engines are those available, the fastest first.
	Backend string   `json:"backend"`
	Engines []string `json:"engines"`
	// BLAS is the library of the engine in use with the configuration that it reports; LAPACK is
	// its version.
	BLAS   string `json:"blas"`
	LAPACK string `json:"lapack"`
	// Core is the processor for which OpenBLAS chose its kernels; empty for other engines.
	Core string `json:"core,omitempty"`
	// Threads is the thread limit; Cores is the number of processors this process may run on.
	Threads int `json:"threads"`
	Cores   int `json:"cores"`
	// ARPACK is true if [SymARPACK] works. The library does not report its version.
	ARPACK bool `json:"arpack"`
	// CGO is true in the native build.
	CGO  bool   `json:"cgo"`
	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
}

// Info returns the description of this build and machine.
func Info() Information {
	info := Information{
		Backend: Default().Name(),
		Threads: Threads(),
		Cores:   runtime.NumCPU(),
		ARPACK:  HasARPACK(),
		Go:      runtime.Version(),
		OS:      runtime.GOOS,
		Arch:    runtime.GOARCH,
	}
	for _, e := range Engines() {
		info.Engines = append(info.Engines, e.Name())
	}
	libraries(&info)
	return info
}

// goLibraries fills in the libraries of the Go engine: gonum's.
func goLibraries(info *Information) {
	version := "gonum"
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, m := range build.Deps {
			if m.Path == "gonum.org/v1/gonum" {
				version += " " + m.Version
			}
		}
	}
	info.BLAS, info.LAPACK, info.Core = version, version, ""
}

package native

import (
	"runtime"
	"runtime/debug"
)

// Information says what dense algebra a program was built with and what it runs on.
type Information struct {
	// Backend is the engine in use, Engines those available, the fastest first.
	Backend string   `json:"backend"`
	Engines []string `json:"engines"`
	// BLAS is the library of the engine in use, with its configuration as it tells itself, LAPACK its version.
	BLAS   string `json:"blas"`
	LAPACK string `json:"lapack"`
	// Core is the processor that OpenBLAS picked its kernels for; empty where another engine is in use.
	Core string `json:"core,omitempty"`
	// Threads is the knob, Cores the number of processors this process may run on.
	Threads int `json:"threads"`
	Cores   int `json:"cores"`
	// ARPACK says whether [SymARPACK] works. The library does not tell its version.
	ARPACK bool `json:"arpack"`
	// CGO says which face this is.
	CGO  bool   `json:"cgo"`
	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
}

// Info reports the build and the machine.
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

// goLibraries tells that the Go engine's dense algebra is gonum's.
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

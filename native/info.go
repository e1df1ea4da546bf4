package native

import (
	"fmt"
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
	// Kernels says who chose them, if not OpenBLAS by itself.
	Kernels Kernels `json:"kernels,omitempty"`
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

// Kernels says how OpenBLAS came to the kernels that it computes with. It knows processors by their
// model, and for models that are newer than itself it may take kernels of 2004, which take some ten
// times as long.
type Kernels string

const (
	// KernelsOwn: OpenBLAS chose them by itself, and they fit the processor.
	KernelsOwn Kernels = ""
	// KernelsChosen: OpenBLAS did not know the processor, and this package chose by its
	// instructions.
	KernelsChosen Kernels = "chosen"
	// KernelsForced: they are older than the processor, because OPENBLAS_CORETYPE is set.
	KernelsForced Kernels = "forced"
	// KernelsOld: they are older than the processor, and this OpenBLAS has no others.
	KernelsOld Kernels = "old"
)

// Why returns what there is to say of the choice, "" where OpenBLAS' own fits.
func (k Kernels) Why() string {
	switch k {
	case KernelsChosen:
		return "chosen by this program, since OpenBLAS does not know the processor"
	case KernelsForced:
		return "older than the processor: OPENBLAS_CORETYPE in the environment asks for them"
	case KernelsOld:
		return "older than the processor: this OpenBLAS has no others"
	}
	return ""
}

// Slow returns a sentence on kernels that are slower than the processor allows, or "".
func (i Information) Slow() string {
	if i.Kernels != KernelsForced && i.Kernels != KernelsOld {
		return ""
	}
	return fmt.Sprintf("OpenBLAS computes with kernels for %s, so dense work may take ten times as long; they are %s", i.Core, i.Kernels.Why())
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
	info.BLAS, info.LAPACK, info.Core, info.Kernels = version, version, "", KernelsOwn
}

package native

import "runtime"

// Information says what dense algebra a program was built with and what it runs on.
type Information struct {
	// Backend is the engine in use, Engines those available, the fastest first.
	Backend string   `json:"backend"`
	Engines []string `json:"engines"`
	// BLAS is the library and its configuration as it tells itself, LAPACK its version.
	BLAS   string `json:"blas"`
	LAPACK string `json:"lapack"`
	// Core is the processor that OpenBLAS picked its kernels for; empty without OpenBLAS.
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

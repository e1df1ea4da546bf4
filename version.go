package eigenmap

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native"
)

// Release is the semantic version of this source (semver.org). The C header, eigenmap.pc, the wheel
// and the release files have the same number.
const Release = "0.1.0"

// Version is the version of the program. The linker sets it to [Release], or to Release and a
// revision ("0.1.0+g0a2ace85", from .ci/version): -X github.com/eigenmap/eigenmap.Version=0.1.0.
// Empty means Release.
var Version string

// VersionInfo is what a result was made with.
type VersionInfo struct {
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
	// ThreadsBy says what the number of threads was taken from, if the program chose it.
	ThreadsBy string `json:"threads_by,omitempty"`
	// Memory is how many bytes the program may still take; 0 if there is no known limit.
	Memory int64 `json:"memory"`
}

// Versions describes this program and what it computes with.
func Versions() VersionInfo {
	n := native.Info()
	v := VersionInfo{
		Version: cmp.Or(Version, Release), Go: n.Go, Platform: n.OS + "/" + n.Arch,
		Backend: n.Backend, Backends: n.Engines, Library: n.BLAS, LAPACK: n.LAPACK, ARPACK: n.ARPACK,
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

// SetEngine sets the number of threads (0: all cores) and the backend of dense linear algebra
// ("openblas" or "go", "": openblas if it was built in), for the whole process. Results do not
// depend on the threads. Under a limit of the address space (ulimit -v) there are at most as many
// threads as the buffers of the library have room for.
func SetEngine(threads int, backend string) error {
	native.SetThreads(threads)
	if backend == "" {
		backend = native.Engines()[0].Name()
	}
	if err := native.Use(backend); err != nil {
		return err
	}
	space := memory.AddressSpace()
	if space == memory.Unknown {
		return nil
	}
	held := native.Reserve(native.Threads())
	if held == 0 {
		return &memory.Error{What: "the buffer of OpenBLAS", Need: native.BufferBytes, Limit: max(0, memory.Available()),
			Way: fmt.Sprintf("raise ulimit -v, which is %s, or give ‹backend› go", words.Bytes(space)), Own: true}
	}
	native.SetThreads(held)
	return nil
}

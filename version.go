package eigenmap

import (
	"cmp"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/version"
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

func init() { version.Number = cmp.Or(Version, Release) }

// VersionInfo is what a result was made with.
type VersionInfo = version.Info

// Versions describes this program and what it computes with.
func Versions() VersionInfo { return version.Current() }

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

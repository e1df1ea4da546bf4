//go:build linux && amd64 && (!cgo || purego)

package start

// What eigenmap_entry, in assembly, compares and says: it runs before the Go runtime, so these are
// data of the program that nothing sets.
var (
	leastSpace  = Least
	entryBefore = "eigenmap: ulimit -v allows "
	entryAfter  = " MiB of address space, and the program needs at least 1400 MiB to begin: raise the limit (ulimit -v unlimited)\n"
)

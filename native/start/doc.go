// Package start prepares a program for a limited address space (ulimit -v) before anything else
// runs. A program imports it for this effect alone; a library must not, because it may end or
// restart the process.
//
// Without a limit it does nothing. With one, and in the native build on Linux, it runs before the
// libraries and the Go runtime are set up, both of which end without a usable message where they
// lack address space:
//
//   - If the limit is below [Least], it says so in one sentence and exits with status 1.
//   - OpenBLAS reserves some 100 MB for each core when it is loaded. Unless OPENBLAS_NUM_THREADS is
//     set, the program is restarted in place (execve, the same process) with one thread of OpenBLAS
//     and one arena of malloc.
//
// A pure-Go program has no code before the Go runtime, which reserves 0.7 to 1.3 GB when it begins
// and ends with its own trace and status 2 where it cannot. On Linux and amd64 the linker's flag
// -E=eigenmap_entry, which the Makefile gives, makes code of this package the entry of the
// program: it refuses a limit below [Least] in the same way. Without the flag, as with go install,
// and on other machines [Check] applies Least as soon as Go runs.
package start

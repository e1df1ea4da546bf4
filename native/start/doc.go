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
// The pure-Go build has no place for code before the runtime, which needs 0.7 to 1.3 GB to begin
// and ends with its own trace below that; [Check] then applies Least as soon as Go runs.
package start

// Package start prepares a program, on Linux, before anything else runs. A program imports it for
// this effect alone; a library must not, because it may end the process.
//
// In the native build it runs before the libraries and the Go runtime are set up:
//
//   - OpenBLAS makes a thread for each core when it is loaded. Each reserves some 100 MB of address
//     space and polls for work for some tens of milliseconds. It is told that there is one thread;
//     a call that asks for more makes them then, as large factorisations of package native do.
//   - With a limited address space (ulimit -v) below [Least], in which the libraries and the Go
//     runtime would end without a usable message, it says so in one sentence and exits with status
//     1. With more, malloc keeps one arena.
//
// A pure-Go program has no code before the Go runtime, which reserves 0.7 to 1.3 GB when it begins
// and ends with its own trace and status 2 where it cannot. On Linux and amd64 the linker's flag
// -E=eigenmap_entry, which the Makefile gives, makes code of this package the entry of the
// program: it refuses a limit below [Least] in the same way. Without the flag, as with go install,
// and on other machines [Check] applies Least as soon as Go runs.
package start

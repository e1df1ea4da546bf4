// Package native is the dense linear algebra under everything else: BLAS and LAPACK, and ARPACK.
//
// It has two faces with one API. Built with cgo (and without the tag purego) it holds two engines,
// OpenBLAS+LAPACK and gonum's pure Go, and [Use] picks at run time; built without cgo or with
// -tags purego it holds the Go engine only and ARPACK is absent ([HasARPACK]). Everything above
// this package works on either face.
//
// # Contract
//
// Matrices are gonum's row-major blas64 types. Receivers of results must have the right shape and
// must not alias inputs unless the method says so. A wrong shape is a programmer's error and
// panics. What the data can cause comes back as an error: [NotPositiveDefiniteError],
// [ConvergenceError] and, from every factorisation, [NotFiniteError] (NaN and infinities are looked
// for first, in time proportional to the matrix). Empty matrices are valid everywhere, and a Stride
// of 0 is accepted for a matrix without columns. Work that has started cannot be cancelled, except
// [SymARPACK] between its products.
//
// # Threads
//
// One knob: [SetThreads]. OpenBLAS rests at one thread. A call that is large enough to gain, made
// while no parallel section ([Parallel]) is open and no other engine call runs, gets [Threads] of
// them until it returns; the calls of other goroutines wait for its end, so the threads of several
// calls never multiply. All other calls run on the caller's thread, side by side.
//
// After such a wide call OpenBLAS's workers poll for more work for some tens of milliseconds, and
// give way to other threads while they do: the first milliseconds of a Go loop that uses every core
// may run slower. The environment variable OPENBLAS_THREAD_TIMEOUT=4 makes them sleep at once.
//
// # Reproducibility
//
// The Go engine gives the same bits at any number of threads. OpenBLAS on one thread gives the same
// bits from call to call, whichever goroutine calls.
package native

// Package native is the dense linear algebra of all other packages: BLAS and LAPACK, and ARPACK.
//
// There are two builds with one API. The native build (with cgo and without the tag purego) has two
// engines, OpenBLAS+LAPACK and gonum's pure Go; [Use] chooses one at run time. The pure-Go build
// (without cgo or with -tags purego) has only the Go engine and no ARPACK ([HasARPACK]). All
// packages above this one work with both builds.
//
// # Contract
//
// Matrices are gonum's row-major blas64 types. Result arguments must have the right shape and must
// not alias inputs unless the method allows it. A wrong shape is a programming error and panics.
// Errors that depend on the data are returned: [NotPositiveDefiniteError], [ConvergenceError] and,
// from every factorisation, [NotFiniteError] (the check for NaN and infinities comes first and
// takes time proportional to the size of the matrix). Empty matrices are valid everywhere, and a
// Stride of 0 is accepted for a matrix without columns. A call that has started cannot be
// cancelled, except [SymARPACK] between its products.
//
// # Threads
//
// [SetThreads] is the only setting. Products (Gemm, Syrk, Gemv, Trsm) are cut into tiles that
// depend on their shape only. Goroutines share the tiles, and each goroutine uses one thread of the
// library. Inside a library call OpenBLAS uses one thread, with one exception: a large
// factorisation (Cholesky, SymEig, SymDefEig and SVD; from about 3e8 flops) uses [Threads] threads
// until it returns, if no parallel section ([Parallel]) is open and no other engine call runs at
// its start. Calls of other goroutines wait for its end, so the threads of several calls never
// multiply.
//
// The library's own thread count belongs to the process. Every call sets it and sets it back, so a
// program that uses OpenBLAS itself finds its count as it was; [Hold] does so for many calls.
//
// After such a wide call OpenBLAS's workers poll for more work for some tens of milliseconds;
// between polls they yield to other threads. With the environment variable
// OPENBLAS_THREAD_TIMEOUT=4 they sleep at once.
//
// # Reproducibility
//
// These give the same bits at any number of threads: the Go engine's products; with OpenBLAS Gemm,
// Syrk, Gemv, Trsm, QR and [SymARPACK], and every call that is too small to run wide or that runs
// in a parallel section. The wide calls (dpotrf, dsygst, dsyevd, dsyevr, dgesdd) differ between one
// thread and two by rounding; call them in [Parallel] if that matters. The two engines, and
// OpenBLAS on different processors, also differ by rounding.
package native

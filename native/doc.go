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
// One knob: [SetThreads]. Products (Gemm, Syrk, Gemv, Trsm) are cut into tiles that depend on their
// shape alone, and goroutines share the tiles, each on one thread of the library. Inside a library
// call OpenBLAS rests at one thread, with one exception: a large factorisation (Cholesky, SymEig,
// SymDefEig and SVD; from about 3e8 flops), made while no
// parallel section ([Parallel]) is open and no other engine call runs, gets [Threads] of them until
// it returns. Calls of other goroutines wait for its end, so the threads of several calls never
// multiply.
//
// After such a wide call OpenBLAS's workers poll for more work for some tens of milliseconds,
// yielding to other threads between two looks. The environment variable OPENBLAS_THREAD_TIMEOUT=4
// makes them sleep at once.
//
// # Reproducibility
//
// The same bits come out at any number of threads from the Go engine's products, and with OpenBLAS
// from Gemm, Syrk, Gemv, Trsm, QR, [SymARPACK], and all that is too small to run
// wide or runs in a parallel section. The wide ones (dpotrf, dsygst, dsyevd, dsyevr, dgesdd) differ between
// one thread and two by rounding: wrap them in [Parallel] where that matters. The two engines, and
// OpenBLAS on processors of different kinds, differ by rounding too.
package native

// Package eigen finds a few eigenpairs of large symmetric operators and of graph-Laplacian pencils.
//
// # The problem
//
// Every eigenproblem of this project is the upper end of the spectrum of one symmetric operator.
// The pencil L y = λ M y with L = diag(W·1) − W becomes, with u = M^1/2 y,
//
//	S u = μ u,  S = M^-1/2 W M^-1/2 + diag(1 − (W·1)/M),  λ = 1 − μ,
//
// so the smallest λ are the largest μ ([Pencil]). Problems that are not a pencil use [Symmetric].
//
// # The null space is known
//
// λ = 0 has one eigenvector for each connected component: the component's indicator. A Krylov
// solver misses copies of a multiple eigenvalue without an error. These vectors are therefore
// computed exactly and projected out, and the solver finds only the rest. The rest may still have
// multiple eigenvalues (a ring, equal components). The iterative solvers therefore finish by
// searching the complement of what they found from a fresh random block, and add the pairs that
// this search finds.
//
// # Solvers
//
//   - dense: the full accuracy of LAPACK in O(n³) time and 8n² bytes; for small problems and as a
//     check.
//   - arpack: implicitly restarted Lanczos by reverse communication (native build only).
//   - lanczos: block Lanczos with thick restart, full reorthogonalisation and locking, in Go, for
//     any Operator.
//   - auto (default): dense up to a few hundred rows or if a large part of the spectrum is wanted,
//     else lanczos.
//
// Stats.Solver and Stats.Why report the solver that ran and the reason.
//
// # Determinism
//
// One seed gives the same bits at any number of threads: products split rows into fixed chunks,
// reductions add in chunk order, and LAPACK runs on one thread. [CanonicalSigns] fixes the sign of
// each vector. Within a multiple eigenvalue the basis is arbitrary, but repeatable. With OpenBLAS
// this holds on one type of processor: its kernels differ by type, and so do the last digits.
package eigen

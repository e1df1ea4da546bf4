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
//   - shift-invert: block Lanczos on (A − σM)⁻¹ by one sparse LDLᵀ factorisation (package
//     sparse/ldl), for matrices whose entries are known and whose factor is sparse.
//   - auto (default): dense up to a few hundred rows or if a large part of the spectrum is wanted;
//     shift-invert for pencils of graphs with long paths and small separators (paths, grids,
//     sheets, roads), by a prediction of its operations; else lanczos.
//
// Stats.Solver and Stats.Why report the solver that ran and the reason.
//
// # Counting by inertia
//
// By Sylvester's law the negative pivots of LDLᵀ = A − σM are as many as the eigenvalues below σ.
// [Pencil.CountBelow] counts them. Options.Verify compares the count with a result: first with σ
// just above the last value; if there are more eigenvalues than found, with σ just below the
// cluster of the last value, so that only copies of it may be missing. A mismatch is an
// [InertiaError] with both numbers. shift-invert always counts, and goes on if a pair is missing.
//
// The factorisation does not exchange rows. Its rounding is bounded after the fact by that of the
// factor itself, |L||D||Lᵀ|: the count is exact for an operator that differs from the given one by
// at most Inertia.Bound. Shifts at which that bound exceeds the distance to the last value, or at
// which a pivot vanishes, are moved. Points joined in sets (NewCliquePencil) are one row per set
// with a known pivot. The fill is predicted from the pattern; a factor that does not fit in memory
// is refused with its bytes.
//
// # Determinism
//
// One seed gives the same bits at any number of threads: products split rows into fixed chunks,
// reductions add in chunk order, and LAPACK runs on one thread. [CanonicalSigns] fixes the sign of
// each vector. Within a multiple eigenvalue the basis is arbitrary, but repeatable. With OpenBLAS
// this holds on one type of processor: its kernels differ by type, and so do the last digits.
package eigen

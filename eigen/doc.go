// Package eigen finds a few eigenpairs of large symmetric operators and of graph-Laplacian pencils.
//
// # The one problem
//
// Every eigenproblem of this project is the upper end of one symmetric operator. The pencil
// L y = λ M y with L = diag(W·1) − W becomes, with u = M^1/2 y,
//
//	S u = μ u,  S = M^-1/2 W M^-1/2 + diag(1 − (W·1)/M),  λ = 1 − μ,
//
// so the smallest λ are the largest μ ([Pencil]). What is not a pencil goes through [Symmetric].
//
// # The null space is known
//
// λ = 0 has one eigenvector for each connected component: the component's indicator. A Krylov solver
// misses copies of a multiple eigenvalue silently, so those vectors are written down exactly and
// projected out, and a solver is asked only for what is not known. What is left may still be
// multiple (a ring, equal components); the iterative solvers therefore finish by searching, from a
// fresh random block, the complement of what they found, and take in what turns up there.
//
// # Solvers
//
//   - dense: all of LAPACK's accuracy in O(n³) time and 8n² bytes; for small problems and as a check.
//   - arpack: implicitly restarted Lanczos by reverse communication (native build only).
//   - lanczos: block Lanczos with thick restart, full reorthogonalisation and locking, in Go over any Operator.
//   - auto (default): dense up to a few hundred rows or when a large share of the spectrum is wanted, else lanczos.
//
// Stats.Solver and Stats.Why say what ran and why.
//
// # Determinism
//
// One seed gives the same bits at any thread count: the products split rows in fixed chunks, reductions
// add in chunk order, and LAPACK is called on one thread. Each vector's sign is fixed by [CanonicalSigns].
// Within a multiple eigenvalue the basis is arbitrary, but repeatable.
package eigen

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
// computed exactly and projected out, and the solver finds only the rest.
//
// # Weak bridges
//
// Parts of a graph that weak edges join have λ as small as these edges. A solver finds the space
// of their eigenvectors, but products with S round λ off at 1e-16, and mix the vectors at the
// tolerance. λ below 1e-4 are therefore recomputed over the edges, from terms w_ij·(y_i − y_j)²,
// which are all positive. If one is below 1e-6, all below 1e-4 are replaced by Ritz pairs of a
// larger space:
//
//   - Vectors that are constant on parts. Each point, and then each part, is merged with the one
//     that it is joined to most firmly, by weight over mass, until all that is left are weak edges.
//     The Laplacian of the parts is factored without a subtraction and solved by one-sided Jacobi,
//     so each λ has nearly all digits, over any number of orders of magnitude.
//   - What the solver's vectors deviate from their means over the parts.
//   - Corrections by conjugate gradients inside of the parts, if residuals say that a relative
//     error may exceed 1e-8.
//
// Several bridges of 1e-1 to 1e-20 keep six digits and more, with every solver. Residuals stay
// within the tolerance, or the pairs are left as they were. A graph without λ below 1e-6 costs
// nothing, the others some per cent of a solve.
//
// Limits: more than 512 parts are not resolved. Where weights fall evenly over many orders, so that
// there are no parts, a value may keep three digits only. Complete graphs of products
// ([NewFactoredPencil]) have Rayleigh quotients alone: one bridge keeps its digits, several may be
// mixed. [Restricted] and [Anchored] have neither: values below 1e-15 are rounding.
//
// # Completeness
//
// The rest may still have multiple eigenvalues (a ring, equal components), of which a Krylov space
// grown from b vectors holds only b copies, and start vectors may lack a wanted one. A small
// residual proves that an eigenvalue is near, not that none is missing. The iterative solvers
// therefore finish by searching the complement of what they found, and the search ends only with a
// certificate: with a probability of at least 1 − [MissProbability] no eigenvalue is missing that
// exceeds the k-th by more than ε = max(10·limit, 1e-9·‖A‖), where limit is the bound on residuals
// in terms of A.
//
// Let A be the operator on the complement of the known and the locked vectors. By Cauchy's
// interlacing theorem, if more than the locked values exceed x = μ_k + ε, then so does the largest
// eigenvalue μ of A; let v be its unit eigenvector. The search starts from Ω, b ≥ 4 columns of
// independent standard normal numbers drawn after everything was locked. Then g = Ωᵀv is a vector
// of b independent standard normal numbers, and
//
//	P(‖g‖ ≤ r) ≤ (r²/2)^(b/2) / Γ(b/2 + 1).
//
// The radius r for which this is MissProbability is fixed in advance: .0168 for b = 4. The basis V
// of the search and the next block Q satisfy AV = VT + QB. With z = Vᵀv and s = Qᵀv this gives
// (μ − T)z = Bᵀs, ‖s‖ ≤ 1, and, since Ω lies in the span of V,
//
//	‖g‖ ≤ ‖ΩᵀV·(μ − T)⁻¹·Bᵀ‖.
//
// The right side is known from the small matrices alone. It falls like 1/T_d((μ − c)/e) with the
// degree d of the space, for c and e half the sum and half the width of the Ritz values, and needs
// no bounds of the spectrum: the search stops as soon as it is below r (about √n/r in growth). If
// an eigenvalue μ ≥ x were missing, that could happen only with ‖g‖ < r. The event does not depend
// on when the search looks, so looking after every block costs no probability. Each search adds
// MissProbability to [Stats].Missed, for the union of the events.
//
// The bound is needed for every μ between x and ‖AΩ‖/r, the largest value that an eigenvalue with
// ‖g‖ > r can have. It is computed on a grid of 256 values, geometric in the distance from μ_k,
// and includes rounding. Between the values it is a smooth function of the logarithm of that
// distance. At a restart the part of the dropped Ritz vectors, which depends on μ, is added to the
// coefficients of Q for each value of the grid, so the bound holds across restarts. With a filter
// all this holds for p(A), because p increases above its band. A space that becomes invariant has
// B = 0: then the proof has probability one. If A has copies of μ_k, their Ritz values converge to
// it, and the bound falls below r once their residuals are small beside ε. Pairs that the search
// finds above the k-th value are locked (Stats.Recovered), and another search follows. A search
// that reaches the limit of restarts is a *[NotConvergedError].
//
// The solve also leaves approximations U of eigenvectors just below the k-th, with residuals δ_j.
// The search sets them aside: it works in the complement of U too, whose largest value lies farther
// below μ_k, so it needs about half of the products. Of a missing v it sees only w = v − U·Uᵀv, and
// w is an eigenvector up to an error of the second order in δ. Both are bounded and enter the
// comparison with r (see internal/krylov/completeness.go); vectors for which they would take more
// than a few per cent of r are not set aside. If such a search meets a value that is missing, it
// begins again without them.
//
// ARPACK's pairs go through the same search. For LAPACK's, Cholesky's factorisation of x − A with
// the found vectors shifted away is a proof without probability, in n³/3 flops. If it fails, dsyevd
// computes the whole spectrum.
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
//     sheets, roads), by a prediction of its operations; else lanczos, and dense if that does not
//     converge on at most 4,000 rows.
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
// The factorisation does not exchange rows. Its rounding error is bounded after the fact by the
// factor itself, |L||D||Lᵀ|: the count is exact for an operator that differs from the given one by
// at most Inertia.Bound. Shifts at which that bound exceeds the distance to the last value, or at
// which a pivot vanishes, are moved. Points joined in sets (NewCliquePencil) are one row per set
// with a known pivot. The fill is predicted from the pattern; a factor that does not fit in memory
// is refused with its bytes.
//
// # Determinism
//
// One seed gives the same bits at any number of threads: products split rows into fixed chunks,
// reductions add in chunk order, and LAPACK runs on one thread. ARPACK's results are dropped if it
// drew random vectors from the sequence that its calls share. [CanonicalSigns] fixes the sign of
// each vector. Within a multiple eigenvalue the basis is arbitrary, but repeatable. With OpenBLAS
// this holds on one type of processor: its kernels differ by type, and so do the last digits.
package eigen

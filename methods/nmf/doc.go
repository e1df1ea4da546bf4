// Package nmf is non-negative matrix factorisation: X ≈ W·H with all entries at least 0, documents
// as mixtures of topics, and the clustering that follows from it.
//
// # Contract
//
// Rows of X (n×m) are documents: W is n×k, a document's coefficients, and H is k×m, one topic's
// terms per row. The papers write X for our Xᵀ, so their U is our Hᵀ and their V our W. [Fit]
// minimises f(W, H) = ½‖X − W·H‖² (Frobenius) by alternation from random starts and keeps the run
// of the lowest objective, the earlier one on a tie. f never rises from one iteration to the next,
// up to the rounding of the traces that it is computed from, some 1e-15·‖X‖².
//
// Solvers: [ProjectedGradient], alternating non-negative least squares after Lin ("Projected
// gradient methods for nonnegative matrix factorization", Neural Computation 19, 2007),
// [Multiplicative] (Lee and Seung 2001) and [HALS] (Cichocki and Phan 2009, with the inner
// repetitions of Gillis and Glineur 2012). All stop by Lin's rule: the norm of the projected
// gradient is at most Tol times the start's gradient ([Model].KKT is the ratio at the end);
// multiplicative updates, and HALS without a Tol, also stop by the objective's decrease. Both parts
// of that gradient belong to the same (W, H); it costs nothing, since the next iteration begins
// with the product that it needs.
//
// [NCW] is the weighting of Xu, Liu and Gong ("Document clustering based on non-negative matrix
// factorization", SIGIR 2003): row i of X is divided by √((X·Xᵀ·1)_i), computed as X·(Xᵀ·1). Their
// clusters: topics scaled to unit length, each document to its largest coefficient.
//
// # Result
//
// Rows of H have unit Euclidean length (or are zero), W carries the scale, and topics are numbered
// by falling number of documents, ties by the first document: this fixes one (W, H) of the many
// with the same product. Rows and columns of X without entries are left out of the work; their best
// coefficients are 0. A document whose coefficients are all 0, as empty ones, has no largest one;
// it goes to cluster 0 and is listed in [Model].Unplaced.
//
// The result depends on the data, the options and, in its last digits, the engine behind package
// native; it does not depend on the number of threads.
//
// Rows that come in batches, and are not kept, are factorised by [Batches].
//
// # Cost
//
// Two products with X per iteration (X·Hᵀ and Xᵀ·W, 2·k flops per entry each, by sparse rows of X
// and of a transposed copy that all restarts share), two k×k Gram matrices, and the subproblems:
// 2·k² flops per row of W and column of H for each step tried. X and W·H are never formed densely.
package nmf

// Package spg is Sparse Projections over Graphs: a linear embedding of documents in which each
// direction uses few terms, so that a person can read it. A graph gives the responses, a lasso path
// the terms.
//
// # Contract
//
// Cai, He and Han 2008 ("Sparse projections over graph"). Eq. (1) wants directions a of few terms
// such that the projections X·a vary little over the edges of a graph. There are two steps (theorem
// 1): the vectors y with Wy = λ'Dy, eq. (7), λ' = 1 − λ the largest; then for each y the direction
// a that minimises
//
//	‖y − Xa‖² + β·‖a‖₁,   eq. (5), X with documents as rows,
//
// at the point of its lasso path with the number of terms wanted (package lars). [Ridge] in place
// of the lasso is spectral regression (Cai, He and Han 2007), [ElasticNet] has both penalties.
// Without a penalty, and if Xa = y has a solution, the directions span the same space as eq. (3)
// (package lpp).
//
// Responses, of any origin ([Responses]):
//   - [NeighborResponses]: the eigenvectors of a neighbour graph, unsupervised; the paper's
//     experiments take p = 7 neighbours;
//   - [ClassResponses]: the LDA graph's, which need no eigensolve: indicators and Gram-Schmidt
//     after the constant;
//   - [SemiResponses]: the neighbour graph with documents of the same label joined and documents of
//     different labels separated (package semile);
//   - [PCAResponses]: the PCA graph. All vectors but the constant share its eigenvalue λ' = 0, so
//     eq. (7) names no directions; eq. (3) does, the principal components, and those are the
//     responses: sparse approximations of PCA (Zou, Hastie and Tibshirani 2006, section 3.1).
//
// The paper leaves some choices open; they were made as follows. The constant response is left out,
// as the paper does for LDA ("useless since the responses of all the data points are the same"),
// and Dims counts the others, so the paper's c dimensions of c clusters are Dims = c − 1 here;
// components of a disconnected graph keep coordinates that separate them. Regressions have an
// intercept, implicitly; it moves all documents alike. Documents without neighbours have no
// response: the regressions leave them out, and they are projected like new ones. [Options].Scale
// sets the length of the directions, on which k-means depends; the paper does not give it.
//
// # Clustering
//
// The paper keeps c dimensions for c clusters and runs k-means on the projected documents:
// kmeans.Fit on [Model].Embedding with Dims = c − 1, where the constant is the dimension left out.
// Dims = c does not give the paper's figures: on four draws of five TDT2 classes the accuracy is
// .96 in place of .99, because the c-th vector splits a class.
//
// # Reading
//
// [Model.Directions] lists the terms of each direction, heaviest first. The sign of a direction is
// free; the heaviest term is made positive (the lower column on a tie), and the response gets the
// same sign.
//
// # Determinism
//
// The result is the same, bit for bit, at any number of threads. All directions are regressed in
// parallel; ranks that divide the documents regress one after the other together, and find the same
// up to rounding.
package spg

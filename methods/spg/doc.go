// Package spg is Sparse Projections over Graphs: a linear embedding of documents of which every direction uses a few terms only, so that it
// can be read. The responses come from a graph, the terms from a lasso path.
//
// # Contract
//
// Cai, He and Han 2008 ("Sparse projections over graph"). Eq. (1) asks for directions a with few terms of which the projections
// X·a vary little over the edges of a graph. Two steps (theorem 1): vectors y with Wy = λ'Dy, eq. (7), λ' = 1 − λ the largest; then for each y the a that minimises
//
//	‖y − Xa‖² + β·‖a‖₁,   eq. (5), X with documents as rows,
//
// at the point of its lasso path with the cardinality asked for (package lars). [Ridge] in place of the lasso is spectral regression (Cai, He and Han 2007),
// [ElasticNet] has both penalties. Without penalty, where Xa = y has a solution, the directions span those of eq. (3) (package lpp).
//
// Responses, of any origin ([Responses]):
//   - [NeighborResponses]: the eigenvectors of a neighbour graph, unsupervised; the paper's experiments take p = 7 neighbours;
//   - [ClassResponses]: the LDA graph's, which need no eigensolve: indicators and Gram-Schmidt after the constant;
//   - [SemiResponses]: the neighbour graph with documents of the same label joined, those of different labels parted (package semile);
//   - [PCAResponses]: the PCA graph. All vectors but the constant share its eigenvalue λ' = 0, so eq. (7) names no directions; eq. (3) does, the principal
//     components, and those are the responses: sparse approximations of PCA (Zou, Hastie and Tibshirani 2006, section 3.1).
//
// What the paper leaves open was decided so. The constant response is left out, as the paper does for LDA ("useless since the responses of all the data
// points are the same"), and Dims counts the others, so the paper's c dimensions of c clusters are Dims = c − 1 here; components of a disconnected graph keep coordinates that tell them apart. Regressions have an
// intercept, implicitly; it moves all documents alike. Documents without neighbours have no response: they take no part in the regressions
// and are projected like new ones. [Options].Scale says how long directions are; the paper's program does not tell, and k-means depends on it.
//
// # Clustering
//
// The paper keeps c dimensions for c clusters and runs k-means on the projected documents: kmeans.Fit on [Model].Embedding with Dims = c − 1, the constant being
// the dimension left out. Read as c dimensions besides the constant it does not give the paper's figures: on four draws of five TDT2 classes AC .99
// against .96, because the c-th vector splits a class.
//
// # Reading
//
// [Model.Directions] lists the terms of each direction, heaviest first. The sign of a direction is free; the heaviest term is made
// positive (the lower column on a tie), and the response turned with it.
//
// # Determinism
//
// The same bits come out at any number of threads; all directions are regressed in parallel.
package spg

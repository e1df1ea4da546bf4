// Package graphssl is the graph-based semi-supervised learning of Goldberg and Zhu 2006 ("Seeing
// stars when there aren't many stars"), used for classes as in Liu, Hsaio, Lee and Gou 2014,
// section IV.C: the predictions of a classifier are made smooth over a graph that joins every
// unlabelled document to its nearest labelled and its nearest unlabelled documents.
//
// # Objective
//
// Every document has a dongle, a node of known value: a labelled document its label y_i on an edge
// of weight M, an unlabelled one the prediction ŷ_i of a classifier that was trained with the
// labels only, on an edge of weight 1. An unlabelled document is joined to its k nearest labelled
// documents with weights a·w_ij and to its k' nearest unlabelled ones with weights b·w_ij. The
// scores f of a class minimise
//
//	Σ_{i labelled} M(f_i − y_i)² + Σ_{i unlabelled} (f_i − ŷ_i)²
//	  + Σ_{i unlabelled} Σ_{j ∈ kNN_L(i)} a·w_ij(f_i − f_j)²
//	  + Σ_{i unlabelled} Σ_{j ∈ k'NN_U(i)} b·w_ij(f_i − f_j)²
//
// with α = a·k + b·k' (Options.Alpha) and β = b/a (Beta), so a = α/(k + βk'). In matrices (C +
// a·L)f = C·y, with C = diag(M or 1), y the dongles' values and L the Laplacian of the joined graph
// W̄, whose entries are w_ij on labelled and β·w_ij on unlabelled edges. An edge that both ends
// chose counts once, as in the paper's W̄ = max(W̄, W̄ᵀ); the sum as printed above counts it twice
// (Options.Symmetry).
//
// Classes are learnt one against the others: y_i is 1 in the column of its class and −1 in the
// others, as is ŷ of a support vector machine. The label is the class of the largest score.
//
// # Solution
//
// Scaled by C + aD to a unit diagonal, the system is positive definite for every graph, components
// without a label included, and its condition does not depend on M. Conjugate gradients solve it
// for all classes in one block (package methods/internal/cg).
//
// # Documents without a common term
//
// As in package graph, sparse documents whose dot product is not positive are never joined, and
// rows without entries have no neighbours. A document without neighbours keeps its prediction.
package graphssl

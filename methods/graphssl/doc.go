// Package graphssl is the graph-based semi-supervised learning of Goldberg and Zhu 2006 ("Seeing stars when there aren't many stars"), used for classes as
// in Liu, Hsaio, Lee and Gou 2014, section IV.C: a classifier's predictions, made smooth over a graph that ties every unlabelled document to its nearest
// labelled and its nearest unlabelled ones.
//
// # Objective
//
// Every document has a dongle, a node of known value: a labelled one its label y_i on an edge of weight M, an unlabelled one the prediction ŷ_i of a classifier
// that knew the labels only, on an edge of weight 1. An unlabelled document is joined to its k nearest labelled documents with weights a·w_ij and to
// its k' nearest unlabelled ones with weights b·w_ij. The scores f of a class minimise
//
//	Σ_{i labelled} M(f_i − y_i)² + Σ_{i unlabelled} (f_i − ŷ_i)² + Σ_{i unlabelled} [ Σ_{j ∈ kNN_L(i)} a·w_ij(f_i − f_j)² + Σ_{j ∈ k'NN_U(i)} b·w_ij(f_i − f_j)² ]
//
// with α = a·k + b·k' (Options.Alpha) and β = b/a (Beta), so a = α/(k + βk'). In matrices (C + a·L)f = C·y: C = diag(M or 1), y the dongles' values, L the Laplacian of the
// joined graph W̄, whose entries are w_ij on labelled and β·w_ij on unlabelled edges. An edge that both ends chose counts once, as in the paper's W̄ = max(W̄, W̄ᵀ); the sum as printed
// above counts it twice (Options.Symmetry).
//
// Classes are learnt one against all: y_i is 1 in the column of its class and −1 in the others, as ŷ of a support vector machine; the label is the largest score.
//
// # Solution
//
// Scaled by C + aD to a unit diagonal, the system is positive definite for every graph, components without a label included, and its condition does not depend on M:
// conjugate gradients on all classes in one block (package methods/internal/cg).
//
// # Documents without a common term
//
// As in package graph, sparse documents whose dot product is not positive are never joined, and rows without entries are nobody's neighbours. A
// document without neighbours keeps its prediction.
package graphssl

// Package ldl factors large sparse symmetric matrices as LDLᵀ with a diagonal D, to solve systems
// and to count eigenvalues below a shift.
//
// # Steps
//
// [Analyze] reads the pattern only: it orders the rows by approximate minimum degree, builds the
// elimination tree and counts the entries of every column of L. Bytes and Flops of the factor are
// known then, before any memory is taken. [Analysis.Factor] computes the numbers for one matrix of
// that pattern; the analysis serves any number of shifts. [Factor.SolveBlock] solves with several
// right-hand sides at once, [Factor.Negative] counts negative eigenvalues.
//
// # Method
//
// Columns of L with the same rows below form supernodes, stored as dense panels of at most 128
// columns. A panel collects the products of the panels before it (left-looking), so that nearly
// all work is in matrix products of package native. Disjoint subtrees of the elimination tree run
// in parallel.
//
// # Accuracy
//
// Rows are not exchanged for numerical reasons: exchanges would destroy the predicted structure.
// For positive definite matrices nothing is lost. For indefinite ones (A − σI with σ inside the
// spectrum) pivots may be small and entries of L large. [Factor.Error] bounds the effect after the
// fact, and a pivot near zero gives [PivotError]; the way out of both is a slightly different σ.
package ldl

// Package tsvm is the transductive support vector machine (Joachims 1999, "Transductive inference for text classification using support vector machines"): the documents without a
// label take part in the training with labels of their own, which are learnt so that the margin is wide on them too. One against all for several classes,
// as in Liu, Hsaio, Lee and Gou 2014, section IV.C.
//
// # Problem
//
// For one class with labelled documents i and unlabelled j (y*_j = ±1, num+ of them positive):
//
//	min over y*, w, b   ½‖w‖² + C Σ ξ_i + C*₊ Σ_{y*_j=1} ξ*_j + C*₋ Σ_{y*_j=−1} ξ*_j,
//
// C*₊ = C*₋·num+/(unlabelled − num+), so that both sides pull alike. The kernel, the loss and the solver are those of package svm.
//
// # Label switching
//
// A machine that knows the labels only ranks the unlabelled documents; the first num+ of them begin as positive. C*₋ begins at 1e-5·C* and doubles until both costs are C*,
// the last level included. On every level documents m (positive) and l (negative) with ξ_m > 0, ξ_l > 0 and ξ_m + ξ_l > 2 change places. At
// the w and b of the moment that lowers the objective whatever the two costs, for both losses, and pairs that have no document in common do not touch each other, so several may change at
// once (Options.Pairs); the machine then goes on from where it stood. A step is kept only where the objective at the new w and b is below the one before: it is solved more closely until
// that is so, and taken back where it cannot be. So the objective falls with each switch on a level, num+ never changes, and the search ends.
//
// # What comes out
//
// The label of a document is the class of the largest decision value; labelled documents keep theirs. With every document labelled it is svm.OneVsRest. New documents
// are decided by the machines. The same bits come out at any number of threads.
//
// # Cost
//
// Some 17 levels of a few steps and class, each some sweeps of a solver that is started from the last solution; classes side by side, kernel values in common.
package tsvm

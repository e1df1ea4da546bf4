// Package tsvm is the transductive support vector machine (Joachims 1999, "Transductive inference
// for text classification using support vector machines"): the documents without a label take part
// in the training with labels of their own, which are learnt so that the margin is wide on them
// too. Several classes are learnt one against the others, as in Liu, Hsaio, Lee and Gou 2014,
// section IV.C.
//
// # Problem
//
// For one class with labelled documents i and unlabelled j (y*_j = ±1, num+ of them positive):
//
//	min over y*, w, b   ½‖w‖² + C Σ ξ_i + C*₊ Σ_{y*_j=1} ξ*_j + C*₋ Σ_{y*_j=−1} ξ*_j,
//
// C*₊ = C*₋·num+/(unlabelled − num+), so that both sides have the same weight. The kernel, the loss
// and the solver are package svm's.
//
// # Label switching
//
// A machine that was trained with the labels alone ranks the unlabelled documents; the first num+
// of them begin as positive. C*₋ begins at 1e-5·C* and doubles until both costs are C*, the last
// level included. On every level documents m (positive) and l (negative) with ξ_m > 0, ξ_l > 0 and
// ξ_m + ξ_l > 2 change places. At fixed w and b that lowers the objective for any two costs and
// both losses. Pairs without a common document do not affect each other, so several pairs may
// change at once (Options.Pairs). Then the machine is trained further from its current solution. A
// step is kept only if the objective at the new w and b is below the one before: the machine is
// solved more closely until that is so, and the step is taken back if it cannot be. So the
// objective falls with each switch on a level, num+ never changes, and the search ends.
//
// # Result
//
// The label of a document is the class of the largest decision value; labelled documents keep
// theirs. If every document has a label the result equals svm.OneVsRest. New documents are decided
// by the machines. The bits do not depend on the number of threads.
//
// # Cost
//
// Some 17 levels of a few steps per class, each some sweeps of a solver that starts from the last
// solution. Classes run side by side and share the kernel values.
package tsvm

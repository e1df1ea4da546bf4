// Package committee gives documents the classes that several methods vote for. All of them learn
// from the same known labels, but for one that knows none.
//
// # Votes
//
// Each member gives each document one vote, for the class that it finds the most probable (label
// propagation by class masses, logistic and kernel ridge regression) or takes (semi-LDC, the
// transductive machines). Classes that are nearly as probable share it: by the 16th powers of the
// probabilities, of which half remains where one is .96 of the other. The probabilities themselves
// are no good votes: those of a walk over a graph are spread over many classes, and count less the
// more classes there are.
// The clusters of diffusion, which learns from no labels, vote for the
// class with the most known labels in them. Where two classes have as many, or a cluster has no
// label, label propagation decides: its mean probability over the documents of the cluster that
// have no label is added to the number of labels. The shares of the votes are the probabilities of
// the committee. A document with a known label keeps it.
//
// Methods of one kind err alike; these are of several kinds: soft discriminants, a margin, a walk
// over the graph, a linear regression, one with a kernel and the graph's own clusters. Where their
// errors are not the same, most of them are right more often than each one (Hansen and Salamon
// 1990). Kernel ridge votes on dense rows: on texts, where classes are divided by lines, it is one
// more linear member. Where it votes the linear ones count half, so that the members that look at
// rows do not outvote those that follow the graph. Options may name the members.
//
// # Contract
//
// The class of a document is the one with the most votes, the lower on a tie. New documents are
// voted on by the members that have learnt a map, and by their neighbours among the training
// documents: label propagation by their scores, diffusion by the classes of their clusters. One
// that equals a training document gets its votes.
package committee

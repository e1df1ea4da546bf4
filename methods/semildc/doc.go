// Package semildc is semi-supervised linear discriminant clustering (Semi-LDC): a few labelled documents and many unlabelled ones choose a space of
// K − 1 dimensions in which k-means works.
//
// Source: Liu, Hsaio, Lee and Gou 2014, "Semi-supervised linear discriminant clustering", algorithm 2.
//
// # Stages
//
//  1. Soft labels Q, n×K (line 2): constrained PLSA on the term counts (package plsa), label propagation over a graph of the rows (labelprop;
//     the paper's figure 2), or the hard labels alone, zeros elsewhere (figure 3).
//  2. Reduction (line 3): principal components that explain 90 % of the variance (section IV), as many independent components (fastica; figure 1), or none.
//  3. Soft LDA of the reduced rows by Q (lines 4-9, package softlda): S_b·a = λ·(S_w + μI)·a, K − 1 directions.
//  4. Constrained k-means there (line 10, package ckmeans): labelled documents start the clusters and stay in them. The seeded form lets them move.
//
// Cluster c is class c throughout. Everything that a stage found stands in the [Model], and the Observer is told of it.
//
// # What the paper leaves open
//
// It reduces "the document-term matrix" and does not say how its terms are weighted. In raw counts a few long documents make up most of the
// variance; rows of unit length are taken, as elsewhere in this module, unless [Fit] is given other rows. PLSA works on the counts as equation 4
// says, but a document of more than five times the median length is scaled down to that ([LengthBound]): in the comp.* groups of 20 Newsgroups
// 55 posts with files in them hold 42 % of the words, and would be the topics. To scale short documents up as well (line 2 of
// algorithm 1 divides all by their lengths) makes their soft labels surer than their words are, and costs up to two points of macro-F1 on the corpora of the paper.
// μ is not told either: package softlda says what its default is.
//
// # New documents
//
// Reduction and discriminants are linear maps, so a fitted model holds their product alone, terms × (K − 1): [Model.Transform] projects
// new documents, [Model.Predict] gives them the class with the nearest centre. For the unlabelled documents of the fit that is their label.
//
// # Cost
//
// Of n documents and p terms the principal components cost by far the most: for a share of variance of texts half of the spectrum of the
// smaller side q is wanted, so LAPACK solves all of it where 32·q² bytes stay below a gigabyte (q ≤ 5,792), in about 4/3·q³ flops for
// the eigenvectors and 4·p·k² to refine k of them on the data. Above that, or where the vectors would take more than 2 GiB, the rows are not reduced unless components are asked for: with the regularised
// discriminants of sparse rows macro-F1 was the same within .001 on newsgroups. Constrained PLSA takes 4·entries·K flops a step, soft LDA n·k² + k³/3, k-means nothing.
package semildc

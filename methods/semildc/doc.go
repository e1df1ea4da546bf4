// Package semildc is semi-supervised linear discriminant clustering (Semi-LDC): a few labelled
// documents and many unlabelled ones determine a space of K − 1 dimensions, in which k-means finds
// the clusters.
//
// Source: Liu, Hsaio, Lee and Gou 2014, "Semi-supervised linear discriminant clustering", algorithm
// 2.
//
// # Stages
//
//  1. Soft labels Q, n×K (line 2): constrained PLSA on the term counts (package plsa), label
//     propagation over a graph of the rows (labelprop; the paper's figure 2), or the hard labels
//     alone, zeros elsewhere (figure 3).
//  2. Reduction (line 3): principal components that explain 90 % of the variance (section IV), as
//     many independent components (fastica; figure 1), or none.
//  3. Soft LDA of the reduced rows by Q (lines 4-9, package softlda): S_b·a = λ·(S_w + μI)·a, K − 1
//     directions; or, without a reduction, its kernel form (eq. 18) with a Gaussian kernel.
//  4. Constrained k-means there (line 10, package ckmeans): labelled documents start the clusters
//     and stay in them. The seeded form lets them move.
//
// Cluster c is class c throughout. The [Model] keeps what each stage found, and notes report it.
//
// # What the paper leaves open
//
// It reduces "the document-term matrix" and does not say how its terms are weighted. In raw counts
// a few long documents make up most of the variance; so rows of unit length are used, as elsewhere
// in this module, unless [Fit] is given other rows. PLSA works on the counts as equation 4 says,
// but a document of more than five times the median length is scaled down to that length
// ([LengthBound]): in the comp.* groups of 20 Newsgroups 55 posts with files in them hold 42 % of
// the words, and would become the topics. Scaling short documents up as well (line 2 of algorithm 1
// divides all documents by their lengths) gives them soft labels that are too certain, and costs up
// to two points of macro-F1 on the corpora of the paper. The paper gives no μ; see package softlda
// for its default.
//
// # New documents
//
// Reduction and discriminants are linear maps, so a fitted model needs only their product, terms ×
// (K − 1); the kernel form needs the training rows and a coefficient of each per direction.
// [Model.Transform] projects new documents, and [Model.Predict] gives them the class with the
// nearest centre. For the unlabelled documents of the fit that is their label.
//
// # Cost
//
// For n documents and p terms the principal components cost by far the most: a share of the
// variance of texts takes about half of the spectrum of the smaller side q, so LAPACK solves all of
// it, in about 4/3·q³ flops for the eigenvectors and 4·p·k² to refine k of them on the data. Where
// q is above 1,200, or the vectors would take more than 2 GiB, the rows are not reduced unless
// Reduction or Components is given: with the regularised discriminants of sparse rows accuracy was
// the same within .003 on newsgroups and on Debian's descriptions, in a seventh of the time.
// Constrained PLSA takes 4·entries·K
// flops per step, soft LDA n·k² + k³/3, k-means little. The kernel form takes the kernel matrix,
// n³/3 flops and 16·n² bytes.
package semildc

// Package cocluster clusters documents and terms together: both are the nodes of a bipartite graph
// whose edges are the weights of the terms in the documents, and the graph is cut.
//
// Source: Dhillon 2001, "Co-clustering documents and words using bipartite spectral graph
// partitioning", KDD, algorithms Bipartition and Multipartition(k). It is SpectralCoclustering of
// scikit-learn.
//
// With A the documents × terms, D₁ its row sums and D₂ its column sums, the relaxed normalised cut
// of the bipartite graph is the singular value decomposition of
//
//	Aₙ = D₁^-½ A D₂^-½ = U Σ Vᵀ
//
// whose first singular value is 1, with the vectors D₁^½ 1 and D₂^½ 1, which tell nothing apart.
// The next r pairs give documents the coordinates D₁^-½ U and terms the coordinates D₂^-½ V
// (equation 12 of the paper), and k-means finds the clusters among the rows of both. The paper
// takes r = ⌈log₂ k⌉; here it is k, and rows are scaled to length 1 unless [Free] is set
// (docs/methods/notes/co-clustering.md has the figures).
//
// A new document with the weights a has the coordinates a D₂^-½ V Σ^-1 / Σ_t a_t, which for a
// document of the fit are its coordinates there.
package cocluster

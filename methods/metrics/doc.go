// Package metrics compares a clustering with the true classes of the same rows.
//
// Everything is computed from the contingency [Table] of classes against clusters, which may be
// rectangular: the number of clusters may differ from the number of classes. With n rows, n_ij of
// them in class i and cluster j, a_i in class i and b_j in cluster j:
//
//   - accuracy: the largest Σ n_iπ(i) / n over one-to-one assignments π of clusters to classes,
//     found by the Kuhn-Munkres method;
//   - NMI: mutual information over the larger of the two entropies, in bits; with their geometric
//     mean as the norm, [Table.GeometricNMI];
//   - ARI: the Rand index adjusted for chance (Hubert and Arabie 1985, eq. 5);
//   - FMI and pairwise F: geometric and harmonic mean of pair precision and pair recall, where a
//     pair of rows is a hit if it has both the same class and the same cluster;
//   - purity: Σ_j max_i n_ij / n;
//   - macro-F1: the plain average over the classes of the F1 score of the clusters mapped to each.
//
// If clusters are already named after classes, accuracy and macro-F1 use the names and there is no
// assignment: see [Table.ScoresAs].
//
// # Labels
//
// Labels are arbitrary integers and only their equality matters. A row whose truth is negative is
// unlabelled and left out; a negative predicted label is a cluster like any other.
//
// # Degenerate labelings
//
// No score is ever NaN or infinite. NMI is 1 if both labelings are constant and 0 if only one is.
// The pair scores are 1 if neither labeling joins any two rows, because the two partitions are then
// the same; FMI and pairwise F are 0 if only one of them joins none. ARI is 1 if both labelings are
// constant or both all singletons, and 0 if one is constant or all singletons and the other is not.
//
// No score depends on the numbering of the clusters (up to rounding in the last digits), even if
// several assignments are optimal: see [Table.Assignment].
package metrics

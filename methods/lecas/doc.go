// Package lecas is Laplacian Eigenmaps on clustering-adjusted similarities (LE-CAS): the weights of
// edges between different clusters of a first clustering are multiplied by the similarity of the
// clusters' centroids.
//
// Source: Zhou and Wang 2019, sections 2.1-2.2 and 4.2. The steps, with rows as points:
//
//  1. kernel k-means into k1 clusters, k1 in 2..10 by the silhouette coefficient of several starts
//     ([ChooseClusters]);
//  2. the union graph of the k2 = 10 nearest neighbours with weights W_ij = exp(−‖x_i − x_j‖²/σ_m);
//  3. W̃_ij = exp(−‖u_a − u_b‖²/σ_m)·W_ij for i in cluster a and j in b ≠ a, u the means of the
//     clusters in the space of the data (eq. 2, 3);
//  4. the eigenvectors of L y = λ D y of W̃ with the c smallest eigenvalues that are not zero.
//
// # What the paper leaves open
//
//   - σ_m is "the mean of square Euclidean distance between all training instances" (section 4.2):
//     the mean over pairs of different rows, by the variance identity in O(n·d). The denominator is
//     printed as σ_m² in equations (1) and (3), which would be a distance to the fourth power.
//     [Sigma] is the default, [SigmaSquared] is as printed. Both heat kernels have the same
//     denominator.
//   - The kernel of kernel k-means is not named. Here it is Gaussian, and its width is the mean
//     squared distance whatever σ_m is, so that a curve over σ_m shows the adjustment alone.
//   - "Average contour coefficient": the best silhouette of the starts decides ([ByBest]), or their
//     mean ([ByMean]). The labels come from the start with the best silhouette, on a tie from the
//     earlier start and the smaller k1.
//
// # Effect
//
// With one cluster the result is Laplacian Eigenmaps bit for bit. With σ → 0 the graph splits into
// parts by label. With σ_m as defined the effect is small: σ_m is twice the variance of the rows,
// so the mean of ‖u_a − u_b‖² over the pairs of k clusters of equal size is at most σ_m·k/(k−1).
// Few edges of a neighbour graph join different clusters ([Model].Between), these keep on average a
// share of at least e^-2 of their weight, and the embedding is close to Laplacian Eigenmaps. The
// gap in the paper's table 2 does not follow from its formulas.
package lecas

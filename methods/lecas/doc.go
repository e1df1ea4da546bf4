// Package lecas is Laplacian Eigenmaps on clustering-adjusted similarities (LE-CAS): the weights of edges between different clusters of a
// first clustering are lowered by the similarity of the clusters' centroids.
//
// Source: Zhou and Wang 2019, sections 2.1-2.2 and 4.2. Their steps, rows being points:
//
//  1. kernel k-means into k1 clusters, k1 in 2..10 by the silhouette coefficient of several starts ([ChooseClusters]);
//  2. the union graph of the k2 = 10 nearest neighbours with weights W_ij = exp(−‖x_i − x_j‖²/σ_m);
//  3. W̃_ij = exp(−‖u_a − u_b‖²/σ_m)·W_ij for i in cluster a and j in b ≠ a, u the means of the clusters in the space of the data (eq. 2, 3);
//  4. the eigenvectors of L y = λ D y of W̃ with the c smallest eigenvalues that are not zero.
//
// # What the paper leaves open
//
//   - σ_m is "the mean of square Euclidean distance between all training instances" (section 4.2): the mean over pairs of different rows, by the
//     variance identity in O(n·d). The denominator is printed as σ_m² in equations (1) and (3), where that would be a distance to the fourth power;
//     [Sigma] is the default, [SigmaSquared] the letter of the equations. Both heat kernels have the same.
//   - The kernel of kernel k-means is not named: Gaussian with the mean squared distance as width, whatever σ_m is set to, so that a curve
//     over σ_m shows the adjustment alone.
//   - "Average contour coefficient": the best silhouette of the starts decides ([ByBest]), or their mean ([ByMean]). The labels are those
//     of the start with the best silhouette, the earlier on a tie; the smaller k1 on a tie.
//
// # What it shows
//
// With one cluster the result is Laplacian Eigenmaps bit for bit; with σ → 0 the graph falls apart by label. With σ_m as defined little can happen in between:
// σ_m is twice the variance of the rows, so the mean of ‖u_a − u_b‖² over the pairs of k clusters of equal size is at most σ_m·k/(k−1), and few edges of
// a neighbour graph join different clusters at all ([Model].Between): these keep a share of e^-2 or more of their weight, on average, and the embedding stays close to
// that of Laplacian Eigenmaps. The gap of the paper's table 2 does not follow from its formulas.
package lecas

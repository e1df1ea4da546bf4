// Package fastica is independent component analysis of dense and sparse rows by the fixed-point
// algorithm FastICA.
//
// Source: Hyvärinen 1999, "Fast and robust fixed-point algorithms for independent component
// analysis"; Hyvärinen and Oja 2000. Liu et al. 2014 use it in place of PCA before soft LDA
// (section IV).
//
// # Contract
//
// Rows are x = μ + M·s with sources s that are uncorrelated, of mean 0 and variance 1 (divided by
// n), and as far from Gaussian as the data allow. Principal components (package pca) whiten the
// rows, z = K·(x − μ), and give the number of sources; then the algorithm finds an orthogonal W
// with s = W·z whose rows w make E[G(wᵀz)] stationary for a contrast G: with g = G′ the fixed
// points of
//
//	w ← E[z·g(wᵀz)] − E[g′(wᵀz)]·w,
//
// all rows at once, W ← (WWᵀ)^-½W after each step (Symmetric), or one after the other, each kept
// orthogonal to those before (Deflation). The start is a random rotation by the seed.
//
// Independence does not fix order and signs: sources are ordered by falling negentropy (E[G(s)] −
// E[G(ν)])², ν standard normal, the earlier found on a tie, and the columns of the mixing matrix M
// have the signs of eigen.CanonicalSigns.
//
// # When it does not converge
//
// Gaussian data have no independent components: every rotation of them is as good. The same holds
// for sources close to Gaussian, of which text has many in its small principal components. The
// result is then the rotation at MaxIter, still uncorrelated and still spanning the principal
// components; Model.Converged is false, Model.Change says by how much, and the Observer gets a
// note. That is no error.
//
// # Before a discriminant analysis
//
// Sources are a rotation of the whitened principal components. Soft LDA with its regulariser μI,
// and k-means, do not depend on rotations: their results on all sources are those on pca with
// Whiten, converged or not, which is why the two look alike in figure 1 of Liu et al. The
// difference to plain PCA there is the whitening.
//
// # Work
//
// A step of Symmetric is 4·n·k² flops of matrix products in panels, n·k values of g, and an
// eigenproblem of order k; one of Deflation 4·n·k for each source. Any number of threads gives the
// same bits.
package fastica

// Package kernelkmeans is k-means in the feature space of a kernel: Gaussian, polynomial, linear,
// or a given matrix or sparse graph of similarities.
//
// Source: Dhillon, Guan and Kulis 2004, "Kernel k-means, spectral clustering and normalized
// cuts"; as the first step of LE-CAS, Zhou and Wang 2019, section 2.2. With clusters C and K_ij =
// φ(x_i)·φ(x_j), the squared distance of φ(x_i) from the mean of C is
//
//	K_ii − 2/|C|·Σ_{j∈C} K_ij + 1/|C|²·Σ_{j,l∈C} K_jl.
//
// # Contract
//
// From a start, every row goes to its nearest mean, the lower one on a tie, and the means follow,
// until no row changes, a move no longer lowers the objective ([Model].Converged), or they moved
// MaxIter times. [Model].History holds the objective after each move and never rises. A cluster
// that lost all rows is given the row farthest from its own mean (the lower on a tie) out of a
// cluster that has more than one. Rows at their mean are left alone, and with fewer distinct rows
// than K some clusters stay empty. These are the rules of package kmeans: the linear kernel gives
// its labels from the same start.
//
// A kernel that is not positive semidefinite (such as a graph without diagonal) has no feature
// space, and a move may raise the objective. Such a move is taken back and ends the run
// ([Model].Indefinite). Options.Shift on the diagonal makes the kernel positive semidefinite, but
// rows then change their clusters less easily.
//
// Restart r draws from the PCG stream (Seed, r), the lowest objective wins, the earlier restart
// on a tie, and clusters are numbered by falling size. The result is the same at any number of
// threads. The last digits of dense products depend on the engine behind package native.
//
// # Cost
//
// Sums Σ_{j∈C} K_ij are kept for all rows and updated with the rows of K of the points that changed
// their cluster. After n changes, or if more than half change at once, they are summed again, so
// rounding errors stay as small as in a plain sum. All restarts (and all K, in [FitEach]) move in
// step and share the rows of K. The n×n matrix K is kept only up to 1 GiB and what memory is left;
// otherwise its rows are computed when they are needed, in panels of 128 rows (64 for sparse data)
// by matrix products. A precomputed sparse K costs one pass over its entries per move and run.
package kernelkmeans

// Package kmeans is Lloyd's k-means for dense and sparse rows: an exact iteration with bounds that
// make most of its distance computations unnecessary.
//
// # Contract
//
// From given first centres, every row goes to its nearest centre, the lower one on a tie, and every
// centre moves to the mean of its rows, until no row changes ([Model].Converged) or MaxIter moves
// were made. Labels equal the plain algorithm's. The bounds (Hamerly 2010, "Making k-means even
// faster", including all rounding errors) skip only rows that cannot change. If the fast distances
// ‖x‖² + ‖c‖² − 2x·c are too close to decide, distances are computed again without cancellation.
// Where an eighth of dense rows or fewer change, the centres move by these rows alone; before a run
// ends its centres are computed from all their rows. The objective never increases from one move to
// the next, up to rounding, and the reported one is computed again from the rows.
//
// A cluster that loses all its rows gets the row farthest from its own centre, the lower on a tie,
// from a cluster with more than one row ([Model].Repaired). If there are fewer distinct rows than
// K, no such row exists: such clusters stay empty, labels are still in 0..K-1, Sizes has zeros, and
// the Observer gets a note.
//
// Rows of known clusters ([Options].Seeds) start their clusters at their means, and may be clamped
// to them. The objective then never increases either, a repair takes no clamped row, and only free
// rows are guaranteed to be with their nearest centre.
//
// Each restart has its own start; the lowest objective wins, the earlier restart on a tie. The
// result depends on the data, the options and, through the last digits of the weights for drawing
// starts, on the engine of package native. It does not depend on the number of threads.
//
// # Storage
//
// Sparse rows remain sparse. Their centres are stored as columns × clusters, so that one pass over
// a row's entries computes all its products with contiguous reads. Distances of dense rows with
// more than eight columns are computed in tiles by gemm, of narrower rows directly: there, from 8
// clusters and 4·k² rows on, a row is compared only with the centres near its own (Newling and
// Fleuret 2016). Many rows of many columns that vary in few directions, at most 128 and a quarter
// of the columns, have images in these. Images bound distances, so most rows are compared in few
// coordinates, and only rows that the bounds do not decide in all. The result has the same bits.
// See [Memory] for the sizes.
//
// Values may be as large as about 1e150 (squares must not overflow); differences below 1e-154 count
// as zero.
package kmeans

// Package kmeans is Lloyd's k-means for dense and sparse rows: an exact iteration with bounds that
// spare most of its distances.
//
// # Contract
//
// From given first centres, every row goes to its nearest centre, the lower one on a tie, and every
// centre to the mean of its rows, until no row changes ([Model].Converged) or MaxIter moves were
// made. Labels are those of the plain algorithm: the bounds (Hamerly 2010, "Making k-means even
// faster", with every rounding counted against them) only leave out what cannot change. If the fast
// distances ‖x‖² + ‖c‖² − 2x·c are too close to compare, distances are summed again without
// cancellation. The objective never rises from one move to the next, up to rounding, and the one
// reported is summed again from the rows.
//
// A cluster that loses all its rows is given the row farthest from its own centre, the lower on a
// tie, out of a cluster that has more than one ([Model].Repaired). With fewer distinct rows than
// K some clusters stay empty: labels stay in 0..K-1, Sizes has zeros, and the Observer receives a
// note.
//
// Rows of known clusters ([Options].Seeds) start their clusters at their means, and may be
// clamped there: the objective then never rises either, a repair takes no clamped row, and only
// the free rows are with their nearest centre.
//
// Every restart has its own starts; the lowest objective wins, the earlier restart on a tie. The
// result depends on the data, the options and, in the last digits of the weights that starts are
// drawn by, the engine behind package native; it does not depend on the number of threads.
//
// # Storage
//
// Sparse rows stay sparse. Their centres are kept as columns × clusters, so that one pass over a
// row's entries feeds all its products with contiguous reads. Dense rows of more than eight columns
// are measured in tiles by gemm, narrower ones directly. See [Memory] for the sizes.
//
// Values may be as large as 1e150 or so (squares must not overflow); differences below 1e-154 count
// as none.
package kmeans

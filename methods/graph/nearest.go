package graph

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/approx"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// KNN holds the K nearest neighbours of N rows in flat arrays: the neighbours of row i at [i·K,
// (i+1)·K), nearest first, ties by lower index. 20 bytes per neighbour.
type KNN struct {
	N, K  int
	Index []int32
	Dist2 []float64 // squared Euclidean distance
	Dot   []float64 // dot product
}

// Row returns the neighbours of row i as views. Do not write to them.
func (g *KNN) Row(i int) (index []int32, dist2, dot []float64) { return (*exact.Lists)(g).Row(i) }

// Nearest finds the k nearest neighbours of every row of x in Euclidean distance: exact, ties by
// the lower index, without the row itself. 1 ≤ k < rows.
//
// Sparse rows of length 1 that share terms are searched in float32, each pair once: terms of at
// least 3 % of the rows by dense tiles, columns of nearly all rows, such as vectors beside terms,
// by products of matrices, others by an inverted index of the later rows, 8192 at a time. The
// products have a known error, and the candidates that can be among the k nearest are computed
// again in float64. Rows that have more of these than the lists hold, as many copies have, are
// searched again in float64. 8 bytes per entry, 10 bytes per candidate and about 2 MB per worker.
// Other sparse rows use an inverted index with one accumulator per row: Σ over columns of
// (entries)²/2 multiply-adds, 14 bytes per entry and 512 KiB per worker.
//
// Rows of length 1 (up to rounding) are ranked by 2−2a·b, the dot product summed in ascending order
// of columns. Other rows are ranked by ‖a‖²+‖b‖²−2a·b of such sums, and by Σ(a−b)² if that would
// cancel. On 9,394 × 36,771 documents with 1.22M entries (k = 15), upper bounds on the contribution
// of the most frequent terms gained nothing: the top 64 are 38 % of the work, but 7 % of all pairs
// remain to be finished one by one.
//
// Dense rows use products of tiles of rows in float32, n²·d flops, each pair of tiles once, and 4
// bytes per value. Pairs that may be among the k nearest are then measured by Σ(a−b)², so neither
// the BLAS library nor cancellation decides a tie. Fewer than 256 rows use products in float64.
//
// Rows in single precision are converted as they are read, to the same bits as if all were.
//
// Errors: invalid k or n, *sparse.NotFiniteError, values whose squares overflow, lists larger than
// what is left (memory.Left), and the error of ctx. Events have the stage "neighbours" and count
// rows.
func Nearest(ctx context.Context, x mat.Matrix, k int, obs progress.Observer) (*KNN, error) {
	x, err := exact.Stored(x)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if err := exact.CheckNeighbours(n, k); err != nil {
		return nil, err
	}
	if err := exact.CheckLists(ctx, n, n, k, exact.BytesPerNeighbour); err != nil {
		return nil, err
	}
	g, err := exact.Nearest(ctx, ranks.Alone{}, x, nil, k, obs)
	return (*KNN)(g), err
}

// Approximate finds most of the k nearest neighbours of every row of x, in time nearly proportional
// to the rows. 1 ≤ k < rows. recall is the share found of the exact neighbours of [RecallSample]
// rows.
//
// The rows are divided into cells by the nearest of some means of rows drawn at random, and
// compared within each cell. Then neighbours of neighbours are tried (Dong, Charikar and Li,
// "Efficient k-nearest neighbor graph construction for generic similarity measures", WWW 2011).
// Another partition follows until the recall is at least [GoalRecall]. Candidates are ranked in
// float32; distances and dot products of the neighbours found are exact, with the bits of Nearest.
// Rows are renumbered by the cells of the first partition, so that rows that are compared lie near
// each other in memory.
//
// Dense rows of more than 32 columns are compared by whole numbers of 16 bits: their coordinates
// less the mean, or the coordinates in the directions that hold 93 % of the variance of 1,000 rows
// if these are at most half as many. Their products are exact in 32 bits, so they are the same on
// every processor. Such a search goes on until the recall is .985. Rows whose neighbours are so
// near that 16 bits do not tell them apart are compared in float32.
//
// One seed gives the same lists at any number of threads. Memory in addition to x: 56 bytes per
// neighbour, 4 bytes per row and worker, for sparse rows of length 1 a copy in float32, 8 bytes per
// entry, and for dense rows of more than 32 columns up to 12 bytes per value. It returns the errors
// and reports the events of Nearest.
func Approximate(ctx context.Context, x mat.Matrix, k int, seed uint64, obs progress.Observer) (g *KNN, recall float64, err error) {
	x, err = exact.Stored(x)
	if err != nil {
		return nil, 0, err
	}
	n, _ := x.Dims()
	if err := exact.CheckNeighbours(n, k); err != nil {
		return nil, 0, err
	}
	if err := exact.CheckLists(ctx, n, n, k, approx.BytesPerNeighbour); err != nil {
		return nil, 0, err
	}
	l, recall, err := approx.Search(ctx, ranks.Alone{}, x, nil, approx.Options{Neighbors: k, Cell: approx.CellRows, Seed: seed, Observer: obs})
	return (*KNN)(l), recall, err
}

// Neighbours finds the k nearest neighbours of every row of x by o.Search: as [Nearest], or as
// [Approximate] with o.Seed, whose recall is told to o.Observer.
func (o Options) Neighbours(ctx context.Context, x mat.Matrix, k int) (*KNN, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	stored, err := exact.Stored(x)
	if err != nil {
		return nil, err
	}
	n, yes := o.approximately(stored)
	if !yes {
		return Nearest(ctx, x, k, o.Observer)
	}
	g, recall, err := Approximate(ctx, x, k, o.Seed, o.Observer)
	if err == nil {
		o.noteRecall(n, recall)
	}
	return g, err
}

// NearestAmong finds the k nearest rows of train for every row of x in Euclidean distance, with the
// rules and the kernels of [Nearest]: exact, ties by the lower index, 1 ≤ k ≤ rows of train.
// The lists hold row numbers of train. x is treated as sparse or dense like train.
//
// Sparse rows cost Σ over columns of (entries of x)·(entries of train) multiply-adds, or less by
// the screen of Nearest, and a copy of both (12 bytes per entry) in addition to the index; dense
// rows cost 2·new·n·d flops. It returns the errors and reports the events of Nearest.
func NearestAmong(ctx context.Context, x, train mat.Matrix, k int, obs progress.Observer) (*KNN, error) {
	g, err := exact.Among(ctx, x, train, k, obs)
	return (*KNN)(g), err
}

package graph

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// KNN holds the K nearest neighbours of N rows in flat arrays: those of row i at [i·K, (i+1)·K),
// nearest first, ties by lower index. 20 bytes per neighbour.
type KNN struct {
	N, K  int
	Index []int32
	Dist2 []float64 // squared Euclidean distance
	Dot   []float64 // dot product
}

// Row returns the neighbours of row i as views. Do not write to them.
func (g *KNN) Row(i int) (index []int32, dist2, dot []float64) {
	lo, hi := i*g.K, (i+1)*g.K
	return g.Index[lo:hi:hi], g.Dist2[lo:hi:hi], g.Dot[lo:hi:hi]
}

// bytesPerNeighbour is the memory of a search for each entry of its lists: heap and result.
const bytesPerNeighbour = 12 + 20

// Nearest finds the k nearest neighbours of every row of x in Euclidean distance: exact, ties by
// the lower index, without the row itself. 1 ≤ k < rows.
//
// Sparse rows of length 1 without negative entries that share terms are searched in float32, each
// pair once: terms of at least 3 % of the rows by dense tiles, others by an inverted index of the
// later rows, 8192 at a time. The products have a known error, and the candidates that can be among
// the k nearest are computed again in float64. Rows that have more of these than the lists hold, as
// many copies have, are searched again in float64. 8 bytes per entry, 10 bytes per candidate and
// about 2 MB per worker. Other sparse rows use an inverted index with one accumulator per row: Σ
// over columns of (entries)²/2 multiply-adds, 14 bytes per entry and 512 KiB per worker.
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
	s, d, err := stored(x)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if err := checkK(n, k); err != nil {
		return nil, err
	}
	if err := checkLists(n, n, k, bytesPerNeighbour, memory.Left(ctx)); err != nil {
		return nil, err
	}
	if s != nil {
		return nearestSparse(ctx, s, k, parallel.For, obs)
	}
	return nearestDense(ctx, d, k, parallel.For, obs)
}

// stored returns x as sparse rows, or as dense rows, *mat.Dense or *sparse.SingleDense; the other
// result is nil. Rows in single precision stay so.
func stored(x mat.Matrix) (sparse.Rows, mat.Matrix, error) {
	switch x := x.(type) {
	case *sparse.Single:
		return x, nil, nil
	case *sparse.SingleDense:
		return nil, x, nil
	}
	s, d, err := kind(x)
	switch {
	case err != nil:
		return nil, nil, err
	case s != nil:
		return s, nil, nil
	}
	return nil, d, nil
}

// kind returns x as sparse or as dense rows in double precision; the other result is nil.
func kind(x mat.Matrix) (*sparse.CSR, *mat.Dense, error) {
	if x == nil {
		return nil, nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	if s, ok := x.(*sparse.CSR); ok {
		s, err := sparse.NewCSR(s.NumRows, s.NumCols, s.RowPtr, s.Col, s.Val)
		return s, nil, err
	}
	stored, err := sparse.Stored(x)
	if err != nil {
		return nil, nil, err
	}
	if s, ok := stored.(*sparse.CSR); ok {
		return s, nil, nil
	}
	return nil, stored.(*mat.Dense), nil
}

func checkK(n, k int) error {
	switch {
	case n == 0:
		return invalid.Errorf("there are no documents: a graph needs at least 2")
	case n == 1:
		return invalid.Errorf("there is only one document: a graph needs at least 2")
	case k < 1:
		return invalid.Errorf("the number of neighbours is %d: it must be at least 1", k)
	case k >= n:
		return invalid.Errorf("%d neighbours were requested, but each of %d documents has only %d others: choose at most %d", k, n, n-1, n-1)
	}
	return nil
}

// checkLists refuses lists of k neighbours of the rows that are here, of n documents, that take
// more than the budget.
func checkLists(here, n, k int, each, budget int64) error {
	// The numbers are below 2³¹ here, so the product does not overflow.
	return memory.Check(memory.Bytes(each, here, k), budget, "choose fewer ‹neighbors›", "%d neighbours of %s", k, words.Counted(n, "document"))
}

// nearestSparse is Nearest for sparse rows; its loops run by loop.
func nearestSparse(ctx context.Context, x sparse.Rows, k int, loop parallel.Loop, obs progress.Observer) (*KNN, error) {
	m, err := newSparseRows(x, 0)
	if err != nil {
		return nil, err
	}
	m.loop = loop
	t := newTicker(obs, m.x.NumRows)
	search := m.plain
	if m.screenable() {
		search = m.screened
	}
	g, err := search(ctx, k, t)
	if err == nil {
		t.finish()
	}
	return g, err
}

// plain finds the k nearest neighbours of every row with all dot products in float64.
func (m *sparseRows) plain(ctx context.Context, k int, t *ticker) (*KNN, error) {
	h := newHeaps(m.x.NumRows, k, m.unit)
	if err := m.nearest(ctx, h, t); err != nil {
		return nil, err
	}
	return h.lists(ctx, m.loop, m.measure)
}

// lists converts the heaps to sorted lists; measure returns the distance and the dot product of a
// pair from its score.
func (h *heaps) lists(ctx context.Context, loop parallel.Loop, measure func(i, j int, score float64) (dist2, dot float64)) (*KNN, error) {
	n, k := len(h.count), h.k
	g := newKNN(n, k)
	err := loop(ctx, n, 256, func(_, lo, hi int) error {
		row := make([]candidate, k)
		for i := lo; i < hi; i++ {
			for c := range row {
				row[c] = candidate{h.score[i*k+c], h.index[i*k+c]}
			}
			slices.SortFunc(row, nearer(h.unit))
			g.set(i, row, measure)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// candidate is a row that may be a neighbour of another.
type candidate struct {
	score float64
	j     int32
}

// nearer orders candidates by distance, ties by lower index. unit says that the scores are those of
// sparse rows of length 1; others are -d².
func nearer(unit bool) func(a, b candidate) int {
	return func(a, b candidate) int {
		s, t := a.score, b.score
		if unit {
			s, t = -unitDist2(s), -unitDist2(t)
		}
		return cmp.Or(cmp.Compare(t, s), cmp.Compare(a.j, b.j))
	}
}

func newKNN(n, k int) *KNN {
	return &KNN{N: n, K: k, Index: make([]int32, n*k), Dist2: make([]float64, n*k), Dot: make([]float64, n*k)}
}

// set writes the list of row i.
func (g *KNN) set(i int, list []candidate, measure func(i, j int, score float64) (dist2, dot float64)) {
	for c, r := range list {
		at := i*g.K + c
		g.Index[at] = r.j
		g.Dist2[at], g.Dot[at] = measure(i, int(r.j), r.score)
	}
}

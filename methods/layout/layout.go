// Package layout draws a graph in the plane: documents that the graph joins lie near each other.
//
// The forces are those of UMAP with its exponent b = 1 (McInnes, Healy and Melville 2018, "UMAP:
// Uniform Manifold Approximation and Projection", section 3.2): an edge of weight w pulls its ends
// together, and every document is pushed away from others that are drawn at random. UMAP moves one
// edge at a time. Here all documents move at once, from the places of the pass before, so that the
// result depends on the seed alone and not on the threads.
package layout

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Stage is the stage of the events of [Fit].
const Stage = "map"

// Passes is the number of times that every document moves.
const Passes = 200

// Options of [Fit].
type Options struct {
	Seed     uint64            // of the documents that push each other apart
	Observer progress.Observer // one event per pass
}

// Fit returns the places of the nodes of a graph in the plane, n × 2. They are in arbitrary units:
// turning, mirroring and moving them changes nothing.
//
// w holds the affinities: symmetric, without a diagonal, weights > 0. coords are coordinates of
// the same nodes, such as the graph's spectral embedding, whose rows count by their directions
// alone; nil if there are none. With coordinates an edge weighs w·exp(-d²/(σ_i·σ_j)), d the
// distance of its ends in them and σ_i² the mean of d² over the edges of i (the self-tuning scale
// of Zelnik-Manor and Perona 2004, with the mean in place of one neighbour), and the start is the
// plane of their largest variance. Without coordinates the start is the plane of the two slowest
// directions of diffusion along the graph.
//
// Groups of nodes that lie further from all others than a fifth of the side of the square that the
// nodes fill are moved nearer. Components of which the largest has 50 times as many nodes or more,
// and nodes without an edge, lie at the rim of the others, outside of them. The result is the same
// at any number of threads. With a store in the context a finished map is kept and read.
//
// Time: 200 passes over edges and 8 others per node, about 3 ns each. Memory: [Bytes], in single
// precision. Errors (fs.ErrInvalid): sizes that do not fit; [memory.Error]; the context's.
func Fit(ctx context.Context, w *sparse.CSR, coords *mat.Dense, opt Options) (*mat.Dense, error) {
	n := w.NumRows
	if w.NumCols != n || n == 0 {
		return nil, invalid.Errorf("a map of %d × %d affinities: give a square matrix of at least one document", n, w.NumCols)
	}
	if coords != nil {
		if r, _ := coords.Dims(); r != n {
			return nil, invalid.Errorf("a map of %d documents with coordinates of %d", n, r)
		}
	}
	if err := memory.Need(ctx, Bytes(n, w.NNZ()), "leave the map out by ‹map› false", "the map of %s", words.Counted(n, "document")); err != nil {
		return nil, err
	}
	st := store.From(ctx)
	if st == nil {
		return fit(ctx, w, coords, opt)
	}
	key := pieceKey(w, coords, opt)
	y := mat.NewDense(n, 2, nil)
	found, err := st.Read(Stage, key, func(d *store.Decoder) { d.Floats(y.RawMatrix().Data) })
	if found && err == nil {
		opt.Observer.Notef(Stage, "The map is the finished one in %s.", st.Dir)
	}
	if err != nil || found {
		return y, err
	}
	if y, err = fit(ctx, w, coords, opt); err != nil {
		return nil, err
	}
	return y, st.Write(Stage, key, func(e *store.Encoder) { e.Floats(y.RawMatrix().Data) })
}

// pieceKey is the key of a map among finished stages.
func pieceKey(w *sparse.CSR, coords *mat.Dense, opt Options) store.Key {
	h := store.NewHasher("map 4")
	h.Matrix(w)
	if coords != nil {
		h.Matrix(coords)
	}
	h.Value(opt.Seed)
	return h.Key()
}

// Bytes estimates the memory that [Fit] takes for n documents and some entries of w, in bytes.
func Bytes(n, entries int) int64 {
	return memory.Sum(memory.Bytes(4, entries), memory.Bytes(120, n))
}

// fit is Fit without memory and store.
func fit(ctx context.Context, w *sparse.CSR, coords *mat.Dense, opt Options) (*mat.Dense, error) {
	s := &plane{n: w.NumRows, ptr: w.RowPtr, col: w.Col, seed: opt.Seed}
	var rows *directions
	var start []float64
	var err error
	if coords != nil {
		rows = newDirections(coords)
		start, err = rows.plane(ctx)
	} else {
		start, err = slowest(ctx, w, opt.Seed)
	}
	if err == nil {
		err = s.weigh(ctx, w, rows)
	}
	if err != nil {
		return nil, err
	}
	s.filled = filled(w)
	s.begin(start)
	for pass := range Passes {
		opt.Observer.Report(Stage, int64(pass), Passes, "passes")
		if err := s.move(ctx, pass, Passes); err != nil {
			return nil, err
		}
	}
	return s.result(w), nil
}

// filled lists the nodes that have edges, nil if all have.
func filled(w *sparse.CSR) []int32 {
	if len(w.EmptyRows()) == 0 {
		return nil
	}
	list := []int32{}
	for i := range w.NumRows {
		if w.RowPtr[i+1] > w.RowPtr[i] {
			list = append(list, int32(i))
		}
	}
	return list
}

// result are the places, with what no edge joins to the crowd at its rim.
func (s *plane) result(w *sparse.CSR) *mat.Dense {
	out := mat.NewDense(s.n, 2, nil)
	data := out.RawMatrix().Data
	for k, v := range s.at {
		data[k] = float64(v)
	}
	toRim(w, out)
	return out
}

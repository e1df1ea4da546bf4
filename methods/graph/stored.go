package graph

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// buildStored is build with a store: it takes the finished graph from it, or what it has of the
// search for neighbours.
func buildStored(ctx context.Context, st *store.Store, x mat.Matrix, s sparse.Rows, d mat.Matrix, opt Options) (g *Graph, err error) {
	const kind = "affinity"
	key, lost := graphKey(x, opt), 0
	n, _ := x.Dims()
	found, err := st.Read(kind, key, func(d *store.Decoder) { g, lost = restored(d, n) })
	if err != nil {
		return nil, err
	}
	if found {
		opt.Observer.Notef(stage, "The graph is the finished one in %s.", st.Dir)
		g.report(lost, opt)
		return g, nil
	}
	if g, lost, err = build(ctx, x, s, d, opt); err != nil {
		return nil, err
	}
	return g, st.Write(kind, key, func(e *store.Encoder) {
		e.Matrix(g.W)
		e.Floats(g.Reach)
		e.Floats(g.Scales)
		e.Floats([]float64{g.HeatWidth, float64(lost)})
	})
}

// graphKey is the key of the graph of x.
func graphKey(x mat.Matrix, opt Options) store.Key {
	opt.MaxBytes, opt.Observer = 0, nil
	version := "affinity 2"
	if n, _ := x.Dims(); !sparse.Is(x) && len(keptRows(x)) < n {
		version = "affinity 3" // dense rows of zeros have no neighbours
	}
	h := store.NewHasher(version)
	h.Matrix(x)
	h.Value(opt)
	h.Value(opt.Seed)
	return h.Key()
}

// restored reads a graph of n rows from its piece.
func restored(d *store.Decoder, n int) (g *Graph, lost int) {
	w, reach, scales, rest := d.Matrix(n, n), d.AllFloats(), d.AllFloats(), make([]float64, 2)
	d.Floats(rest)
	if d.Failed() {
		return nil, 0
	}
	g, err := newGraph(w)
	if err != nil {
		d.Fail("%w", err)
		return nil, 0
	}
	g.Reach, g.Scales, g.HeatWidth = reach, scales, rest[0]
	return g, int(rest[1])
}

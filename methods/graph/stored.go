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

// buildSharedStored is buildShared with a store, if the context has one, which keeps the finished
// graph: each rank its own rows. It is prepared for rows in double precision.
func buildSharedStored(ctx context.Context, s sparse.Rows, d mat.Matrix, opt Options) (g *Graph, err error) {
	const kind = "affinity-rows"
	csr, _ := s.(*sparse.CSR)
	dense, _ := d.(*mat.Dense)
	st := store.From(ctx)
	lost := 0
	defer func() {
		if err == nil {
			g.reportShared(lost, opt)
		}
	}()
	if st == nil {
		g, lost, err = buildShared(ctx, csr, dense, opt)
		return g, err
	}
	var x mat.Matrix = dense
	if csr != nil {
		x = csr
	}
	key, n := sharedKey(x, opt), opt.Share.Total()
	var w *sparse.CSR
	var reach, scales []float64
	rest := make([]float64, 2)
	found, err := st.Read(kind, key, func(d *store.Decoder) {
		w, reach, scales = d.Matrix(opt.Share.Own(), n), d.AllFloats(), d.AllFloats()
		d.Floats(rest)
	})
	if err != nil {
		return nil, err
	}
	if found {
		opt.Observer.Notef(stage, "The graph is the finished one in %s.", st.Dir)
		if g, err = newShared(opt.Share, w); err != nil {
			return nil, err
		}
		g.Reach, g.Scales, g.HeatWidth, lost = reach, scales, rest[0], int(rest[1])
		return g, nil
	}
	if g, lost, err = buildShared(ctx, csr, dense, opt); err != nil {
		return nil, err
	}
	return g, st.Write(kind, key, func(e *store.Encoder) {
		e.Matrix(g.W)
		e.Floats(g.Reach)
		e.Floats(g.Scales)
		e.Floats([]float64{g.HeatWidth, float64(lost)})
	})
}

// sharedKey is the key of the own rows x of a graph that ranks divide.
func sharedKey(x mat.Matrix, opt Options) store.Key {
	own := graphKey(x, opt)
	h := store.NewHasher("affinity of a rank 1")
	h.Text(own.String())
	h.Ints(opt.Share.Bounds)
	return h.Key()
}

package graph

import (
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// storedGraph is the piece of a graph.
type storedGraph struct {
	w             *sparse.CSR
	reach, scales []float64
	rest          [2]float64 // the width of the heat kernel, and the edges that were left out
}

// read reads the graph of own rows, of n rows of all ranks.
func (p *storedGraph) read(d *store.Decoder, own, n int) {
	p.w, p.reach, p.scales = d.Matrix(own, n), d.AllFloats(), d.AllFloats()
	d.Floats(p.rest[:])
}

// graph makes the graph.
func (p *storedGraph) graph(share *ranks.Share) (g *Graph, lost int, err error) {
	if g, err = newGraph(share, p.w); err != nil {
		return nil, 0, err
	}
	g.Reach, g.Scales, g.HeatWidth = p.reach, p.scales, p.rest[0]
	return g, int(p.rest[1]), nil
}

// write writes the piece of a graph.
func write(e *store.Encoder, g *Graph, lost int) {
	e.Matrix(g.W)
	e.Floats(g.Reach)
	e.Floats(g.Scales)
	e.Floats([]float64{g.HeatWidth, float64(lost)})
}

// graphKey is the key of the graph of x.
func graphKey(x mat.Matrix, opt Options) store.Key {
	opt.Observer = nil
	version := "affinity 2"
	if n, _ := x.Dims(); !sparse.Is(x) && len(rows.Filled(x)) < n {
		version = "affinity 3" // dense rows of zeros have no neighbours
	}
	h := store.NewHasher(version)
	h.Matrix(x)
	h.Value(opt)
	h.Value(opt.Seed)
	return h.Key()
}

// rankKey is the key of the own rows of a graph that ranks divide; own is the key of the rows
// alone.
func rankKey(own store.Key, opt Options) store.Key {
	h := store.NewHasher("affinity of a rank 1")
	h.Text(own.String())
	h.Ints(opt.Share.Bounds)
	return h.Key()
}

package graph

import (
	"context"
	"encoding/json"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// storedGraph is the piece of a finished graph. The numbers of W come as bytes, exactly.
type storedGraph struct {
	RowPtr    []int           `json:"indptr"`
	Col       []int32         `json:"indices"`
	Val       store.FloatBits `json:"data"`
	Reach     store.FloatBits `json:"reach,omitempty"`
	Scales    store.FloatBits `json:"scales,omitempty"`
	HeatWidth float64         `json:"heat_width,omitempty"`
	Lost      int             `json:"lost,omitempty"`
}

// buildStored is build with a store: it takes the finished graph from it, or what it has of the
// search for neighbours.
func buildStored(ctx context.Context, st *store.Store, x mat.Matrix, s sparse.Rows, d mat.Matrix, opt Options) (*Graph, error) {
	const kind = "affinity"
	key := graphKey(x, opt)
	text, err := st.Find(kind, key)
	if err != nil {
		return nil, err
	}
	if text != nil {
		g, lost, err := restored(x, text)
		if err == nil {
			opt.Observer.Notef(stage, "The graph is the finished one in %s.", st.Dir)
			g.report(lost, opt)
		}
		return g, err
	}
	g, lost, err := build(ctx, x, s, d, opt)
	if err != nil {
		return nil, err
	}
	text, err = json.Marshal(storedGraph{RowPtr: g.W.RowPtr, Col: g.W.Col, Val: g.W.Val, Reach: g.Reach, Scales: g.Scales, HeatWidth: g.HeatWidth, Lost: lost})
	if err == nil {
		err = st.Put(kind, key, text)
	}
	return g, err
}

// graphKey is the key of the graph of x.
func graphKey(x mat.Matrix, opt Options) store.Key {
	opt.MaxBytes, opt.Observer = 0, nil
	h := store.NewHasher("affinity 1")
	h.Matrix(x)
	h.Value(opt)
	h.Value(opt.Seed)
	return h.Key()
}

// restored reads a graph of x from its piece.
func restored(x mat.Matrix, text []byte) (g *Graph, lost int, err error) {
	var v storedGraph
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, 0, invalid.Errorf("the piece of the graph is damaged: %w", err)
	}
	n, _ := x.Dims()
	w, err := sparse.NewCSR(n, n, v.RowPtr, v.Col, v.Val)
	if err != nil {
		return nil, 0, err
	}
	if g, err = newGraph(w); err != nil {
		return nil, 0, err
	}
	g.Reach, g.Scales, g.HeatWidth = v.Reach, v.Scales, v.HeatWidth
	return g, v.Lost, nil
}

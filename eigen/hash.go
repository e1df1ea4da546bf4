package eigen

import (
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
)

// hash adds the pencil to a key; it returns false if its operator is not known.
func (p *Pencil) hash(h *store.Hasher) bool {
	switch w := p.w.(type) {
	case *sparse.CSR:
		h.Matrix(w)
	case *cliqued:
		h.Matrix(w.CSR)
		hashSets(h, w.cliques)
	case *factored:
		w.Factor.hash(h)
		hashSets(h, w.cliques)
	case dividedOperator:
		part, ok := w.Divided.(*ghosted)
		if !ok {
			return false
		}
		part.hash(h)
	default:
		return false
	}
	h.Floats(p.mass)
	return true
}

// hash adds the rows of this rank, and which ones they are, to a key.
func (a *ghosted) hash(h *store.Hasher) {
	h.Text("rows of a rank")
	h.Ints(a.share.Bounds)
	h.Ints(a.part.RowPtr)
	h.Indices(a.part.Col)
	h.Floats(a.part.Val)
	h.Indices(a.part.Set)
	h.Floats(append([]float64{a.part.Weight}, a.part.Scale...))
}

func hashSets(h *store.Hasher, c cliques) {
	h.Floats([]float64{c.weight})
	h.Ints([]int{len(c.members)})
	for _, set := range c.members {
		h.Indices(set)
	}
}

// hash adds the graph to a key.
func (f *Factor) hash(h *store.Hasher) {
	h.Text("factor")
	h.Matrix(f.rows)
	h.Value(f.apart)
}

// hash adds the graph with its groups, and the maps that are wanted of it, to a key.
func (a *Anchored) hash(h *store.Hasher, splits [][]bool) bool {
	h.Text("anchored")
	if a.whole != nil {
		a.whole.hash(h)
	}
	switch s := a.s.(type) {
	case *sparse.CSR:
		h.Matrix(s)
	default:
		if a.whole == nil {
			return false
		}
	}
	h.Matrix(a.border)
	h.Indices(a.group)
	h.Indices(a.free)
	h.Floats(a.degree)
	h.Floats([]float64{a.inside})
	h.Value(splits)
	return true
}

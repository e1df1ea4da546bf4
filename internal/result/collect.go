package result

import (
	"context"
	"encoding/binary"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
)

// Collect gathers on rank 0 what files need of the documents of all ranks: the embedding, the
// graph for a map, and how new documents become rows. All ranks call it before rank 0 saves;
// without ranks it does nothing. 8 bytes per document and dimension, and 24 per edge; if rank 0
// has no memory for the edges, the map is drawn by the neighbours in the embedding.
func (r *Run) Collect() error {
	if !r.J.Share.Divided() || r.Whole {
		return nil
	}
	var err error
	if r.rows, err = r.ModelRows(); err != nil {
		return fault.Wrap(err)
	}
	if r.Fitted.Placer == nil {
		r.J.Note("The model takes no new documents: " + job.ClosedByShare)
	}
	if r.Embedding == nil {
		r.J.Note("There is no picture: no rank has the weighted terms of all documents")
		return nil
	}
	r.collectGraph()
	if all := r.J.Collected(r.Embedding); all != nil {
		r.Embedding, r.Whole = all, true
	}
	return nil
}

// collectGraph gathers the affinities that the ranks divide on rank 0, if a map is wanted. All
// ranks call it.
func (r *Run) collectGraph() {
	g := r.Fitted.Graph
	if r.Command != "cluster" || !r.J.WantsMap(true) || g == nil || g.W == nil || !g.Share.Divided() {
		return
	}
	edges := ranks.Count(g.Share, g.W.NNZ())
	if err := ranks.Agree(g.Share, memory.Need(memory.Bound(context.Background(), r.J.MaxBytes), memory.Bytes(24, edges), "", "the graph of all ranks")); err != nil {
		return
	}
	w := &sparse.CSR{NumRows: g.Total(), NumCols: g.Total(), RowPtr: []int{0}}
	lengths := make([]int32, g.W.NumRows)
	for i := range lengths {
		lengths[i] = int32(g.W.RowPtr[i+1] - g.W.RowPtr[i])
	}
	for at, own := range [][]byte{int32Bytes(lengths), int32Bytes(g.W.Col), ranks.Bytes(g.W.Val)} {
		parts := make([][]byte, g.Share.Size())
		parts[0] = own
		for _, part := range g.Share.Exchange(parts) {
			switch {
			case g.Share.Rank() > 0:
			case at == 0:
				for _, n := range ranks.Ints(part) {
					w.RowPtr = append(w.RowPtr, w.RowPtr[len(w.RowPtr)-1]+int(n))
				}
			case at == 1:
				w.Col = append(w.Col, ranks.Ints(part)...)
			default:
				w.Val = append(w.Val, ranks.Floats(part)...)
			}
		}
	}
	if g.Share.Rank() == 0 {
		r.graph = w
	}
}

// int32Bytes are the bytes that [ranks.Ints] reads.
func int32Bytes(x []int32) []byte {
	out := make([]byte, 0, 4*len(x))
	for _, v := range x {
		out = binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	return out
}

package lle

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Transform places new points, the rows of x: each is reconstructed from its nearest of the points that are embedded, and stands where the same weights put it among
// their coordinates (Saul and Roweis 2003, section 6.1). A point that equals one of these stands where that does, the lowest of several. Points that the fit left outside are
// nobody's neighbours here, and sparse rows without entries have none: they stand at the origin.
//
// It costs graph.NearestAmong and Weights. Errors: shapes and values that do not fit, and the context's.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	if x == nil {
		return nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	near, err := graph.NearestAmong(ctx, x, m.x, min(m.opt.Neighbors, len(m.kept)), m.opt.Observer)
	if err != nil {
		return nil, err
	}
	w, err := Weights(ctx, x, m.x, near, m.opt.Regularization)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	_, k := m.Embedding.Dims()
	y := mat.NewDense(n, k, nil)
	for i := range n {
		row := y.RawRowView(i)
		if s, ok := x.(*sparse.CSR); ok && s.RowPtr[i] == s.RowPtr[i+1] {
			continue
		}
		if index, dist2, _ := near.Row(i); dist2[0] == 0 {
			copy(row, m.Embedding.RawRowView(m.kept[index[0]]))
			continue
		}
		cols, vals := w.Row(i)
		for c, j := range cols {
			for a, v := range m.Embedding.RawRowView(m.kept[j]) {
				row[a] += vals[c] * v
			}
		}
	}
	return y, nil
}

package nystrom

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var _ method.Grower = (*Extension)(nil)

// Grow implements method.Grower. The coordinates of the new rows are those at which Place puts
// them, and the eigenvalues stay. The neighbour graph of old and new rows is built again under the
// options of the first one, at its width of the heat kernel: so later rows are joined to all of
// them as [graph.Attach] says of a graph of that many points. Coordinates of the old rows do not
// move, as they would in a fit of all rows: see docs/update.md.
//
// Time and memory: [graph.Build] of old and new rows. A complete graph, and rows in single
// precision, do not grow.
func (p *Extension) Grow(ctx context.Context, placed, wide mat.Matrix, documents int, obs progress.Observer) (method.Placer, error) {
	x, ok := joinedRows(p.X, wide)
	if p.Complete != nil || !ok {
		return nil, nil
	}
	at, err := p.Attach(ctx, placed, obs)
	if err != nil {
		return nil, err
	}
	raw := *p
	raw.NormalizeRows = false
	fresh, err := raw.PlaceBy(at)
	if err != nil {
		return nil, err
	}
	opt := p.Graph
	opt.Observer = obs
	g, err := graph.Build(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	out := *p
	out.Joined = NewJoined(x, g, opt)
	out.Graph.Observer = nil
	n, d := p.Coordinates.Dims()
	more, _ := placed.Dims()
	out.Coordinates = mat.NewDense(n+more, d, nil)
	out.Coordinates.Slice(0, n, 0, d).(*mat.Dense).Copy(p.Coordinates)
	out.Coordinates.Slice(n, n+more, 0, d).(*mat.Dense).Copy(fresh.Embedding)
	if p.Landmarks != nil {
		out.Landmarks = append([]int{}, p.Landmarks...)
		for i := range more {
			out.Landmarks = append(out.Landmarks, documents+i)
		}
	}
	return &out, nil
}

// joinedRows are the rows of a matrix and below them further ones, which may have more columns at
// the end; false for rows that are neither sparse nor dense in double precision, or of one kind
// each.
func joinedRows(old, more mat.Matrix) (mat.Matrix, bool) {
	switch a := old.(type) {
	case *sparse.CSR:
		b, ok := more.(*sparse.CSR)
		if !ok || b.NumCols < a.NumCols {
			return nil, false
		}
		out := &sparse.CSR{NumRows: a.NumRows + b.NumRows, NumCols: b.NumCols,
			RowPtr: append(make([]int, 0, a.NumRows+b.NumRows+1), a.RowPtr...),
			Col:    append(append(make([]int32, 0, len(a.Col)+len(b.Col)), a.Col...), b.Col...),
			Val:    append(append(make([]float64, 0, len(a.Val)+len(b.Val)), a.Val...), b.Val...)}
		for _, end := range b.RowPtr[1:] {
			out.RowPtr = append(out.RowPtr, len(a.Col)+end)
		}
		return out, true
	case *mat.Dense:
		b, ok := more.(*mat.Dense)
		n, d := a.Dims()
		if !ok {
			return nil, false
		}
		m, width := b.Dims()
		if width != d {
			return nil, false
		}
		out := mat.NewDense(n+m, d, nil)
		out.Slice(0, n, 0, d).(*mat.Dense).Copy(a)
		out.Slice(n, n+m, 0, d).(*mat.Dense).Copy(b)
		return out, true
	}
	return nil, false
}

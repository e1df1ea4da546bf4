package approx

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"gonum.org/v1/gonum/mat"
)

// newSearch draws the sample and divides the rows for the first time, which gives the places.
func newSearch(ctx context.Context, share *ranks.Share, x mat.Matrix, ids []int32, width int, o Options) (*search, error) {
	s := &search{x: x, ids: ids, share: share, k: o.Neighbors, obs: o.Observer}
	s.piece = Piece(share.Total(), share.Size(), o.Cell, o.Piece)
	if share.Divided() {
		if err := checkApproxBytes(ctx, share, x, o, s.piece); err != nil {
			return nil, err
		}
	}
	p, traits, err := exact.TeamPoints(share, x, ids)
	if err != nil {
		return nil, err
	}
	if !share.Divided() {
		s.x = p.Matrix(x)
	}
	s.traits = traits
	s.kind = newRowKind(share, s.x, traits)
	s.makes = newCellMaker(s.x, share, traits.Unit, o.Cell, width, o.Seed)
	var drawn mat.Matrix
	if s.sample, drawn, err = s.makes.newRecallSample(ctx, o.Neighbors); err != nil {
		return nil, err
	}
	if d, ok := drawn.(*mat.Dense); ok {
		s.kind.mean = meanOf(d)
	}
	if err = s.divide(ctx); err != nil {
		return nil, err
	}
	s.order()
	if share.Divided() {
		s.rows = s.moved()
	} else if s.rows, err = s.here(ctx, p); err != nil {
		return nil, err
	}
	s.findDrawn()
	s.near = newNearLists(s.places.Own(), width, s.kind.start())
	return s, nil
}

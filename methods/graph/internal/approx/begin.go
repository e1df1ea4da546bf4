package approx

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"gonum.org/v1/gonum/mat"
)

// newSearch draws the sample and divides the rows for the first time, which gives the places.
func newSearch(ctx context.Context, share *ranks.Share, x mat.Matrix, ids []int32, width int, o Options) (*search, error) {
	s := &search{drawer: drawer{x: x, share: share}, ids: ids, k: o.Neighbors, obs: o.Observer}
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
	s.rng = rand.New(rand.NewPCG(o.Seed, 0x6e656172))
	s.drawer = newDrawer(s.x, share)
	if err = s.begin(ctx, o.Neighbors); err != nil {
		return nil, err
	}
	if s.kind.short {
		width = imageWidth(o.Neighbors, share.Total())
	}
	s.makes = newCellMaker(newDrawer(s.z, share), s.kind, o.Cell, width, s.rng)
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
	if s.kind.short {
		s.near.tries = min(width, imageTries(o.Neighbors))
	}
	return s, nil
}

// begin draws the sample and finds its neighbours, and the images of dense rows of many columns by
// which they are searched, if these tell neighbours apart. All ranks call it.
func (s *search) begin(ctx context.Context, k int) error {
	var drawn mat.Matrix
	s.sample, drawn = newRecallSample(s.drawer, s.rng)
	s.z = s.x
	rows, dense := drawn.(*mat.Dense)
	if !dense {
		return s.sample.measure(ctx, s.drawer, drawn, k)
	}
	s.kind.mean = meanOf(rows)
	if _, d := rows.Dims(); d <= ExactColumns || d > exact.ScreenCols {
		return s.sample.measure(ctx, s.drawer, drawn, k)
	}
	p, err := newProjection(s.share, rows, math.Sqrt(s.kind.scale()), s.rng)
	if err = ranks.Agree(s.share, err); err != nil {
		return err
	}
	z, err := p.images(ctx, s.share, s.x)
	if err != nil {
		return err
	}
	some, err := p.images(ctx, s.share, rows)
	if err != nil {
		return err
	}
	suits, err := s.sample.measureImages(ctx, s.drawer, rows, p, z, some, k)
	if err != nil {
		return err
	}
	if !suits {
		return s.sample.measure(ctx, s.drawer, drawn, k)
	}
	s.z, s.kind.short = z, true
	return nil
}

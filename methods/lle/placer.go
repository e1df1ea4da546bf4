package lle

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/manifold"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Pieces places new rows: a row is reconstructed from its nearest training rows that have
// coordinates, and the same weights of these coordinates are its own (Saul and Roweis 2003,
// section 6.1). A row that equals a training row gets that row's coordinates; if several are equal,
// the lowest one's.
type Pieces struct {
	X             mat.Matrix
	Coordinates   *mat.Dense // of the training rows, before rows were normalised
	Outside       []int      // training rows without coordinates, ascending
	Neighbors     int        // training rows that reconstruct a row
	Ridge         float64    // Options.Ridge
	NormalizeRows bool       // coordinates are scaled to length 1
}

var _ method.Placer = (*Pieces)(nil)

// Width implements model.Part.
func (p *Pieces) Width() int {
	if p.Coordinates == nil {
		return 0
	}
	_, d := p.Coordinates.Dims()
	return d
}

// Place implements method.Placer. Rows without entries are put at the origin and listed.
//
// It costs graph.NearestAmong, twice, and Weights. Errors: shapes and values that do not fit, and
// the context's.
func (p *Pieces) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	if x == nil {
		return nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	n, _ := x.Dims()
	if n == 0 {
		return &method.Placement{Embedding: new(mat.Dense)}, nil
	}
	same, err := graph.Same(ctx, x, p.X, obs)
	if err != nil {
		return nil, err
	}
	return p.placeBy(ctx, x, same, obs)
}

// placeBy places rows x. same is the training row that each one equals, -1 for none.
func (p *Pieces) placeBy(ctx context.Context, x mat.Matrix, same []int, obs progress.Observer) (*method.Placement, error) {
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	from, of := p.inside()
	near, err := graph.NearestAmong(ctx, x, from, min(p.Neighbors, len(of)), obs)
	if err != nil {
		return nil, err
	}
	w, err := Weights(ctx, x, from, near, p.Ridge)
	if err != nil {
		return nil, err
	}
	y, lost, empty := mat.NewDense(len(same), p.Width(), nil), make([]bool, len(same)), rows.WithoutEntries(x)
	for i, j := range same {
		row := y.RawRowView(i)
		if j >= 0 {
			copy(row, p.Coordinates.RawRowView(j))
			_, lost[i] = slices.BinarySearch(p.Outside, j)
			continue
		}
		if _, lost[i] = slices.BinarySearch(empty, i); lost[i] {
			continue
		}
		cols, vals := w.Row(i)
		for c, j := range cols {
			for a, v := range p.Coordinates.RawRowView(of[j]) {
				row[a] += vals[c] * v
			}
		}
	}
	return manifold.Placed(x, y, lost, same, nil, p.NormalizeRows), nil
}

// inside are the training rows that have coordinates, and their numbers.
func (p *Pieces) inside() (x mat.Matrix, of []int) {
	n, _ := p.X.Dims()
	if of = rows.Others(n, p.Outside); len(of) == n {
		return p.X, of
	}
	return rows.Select(p.X, of), of
}

// Transform places new points, the rows of x, as [Pieces] does.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	at, err := m.pieces.Place(ctx, x, m.opt.Observer)
	if err != nil {
		return nil, err
	}
	return at.Embedding, nil
}

// Fields implements model.Part.
func (p *Pieces) Fields(f *model.Fields) {
	f.Rows("training", &p.X)
	f.Dense("coordinates", &p.Coordinates)
	f.Ints("outside", &p.Outside)
	f.Setting("neighbors", &p.Neighbors)
	f.Setting("regularization", &p.Ridge)
	f.Setting("normalize_rows", &p.NormalizeRows)
}

// Check implements model.Part.
func (p *Pieces) Check(of model.Frame) error {
	errs := []error{of.CheckTraining(p.X), of.CheckCoordinates(p.Coordinates, -1), of.CheckList("documents outside", p.Outside)}
	if p.Neighbors < 1 || !(p.Ridge > 0) || !finite(p.Ridge) {
		errs = append(errs, invalid.Errorf("the model reconstructs documents from %d neighbours with a regularization of %v", p.Neighbors, p.Ridge))
	}
	if len(p.Outside) >= of.Documents {
		errs = append(errs, invalid.Errorf("the model has no document inside"))
	}
	return invalid.Join(errs...)
}

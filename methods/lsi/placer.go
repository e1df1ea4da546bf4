package lsi

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Placer projects new documents on the components of a decomposition.
type Placer struct {
	// Singular are the r singular values, Components (r×terms) their right singular vectors as
	// rows: orthonormal, with the signs of eigen.CanonicalSigns.
	Singular   []float64
	Components *mat.Dense
	// Scale is what the coordinates are.
	Scale Scale
	// NormalizeRows scales the coordinates of each row to length 1.
	NormalizeRows bool
}

var _ method.Placer = (*Placer)(nil)

// Width implements model.Part.
func (p *Placer) Width() int { return len(p.Singular) }

// Place implements method.Placer: Transform.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	y, err := p.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	return &method.Placement{Embedding: y, Isolated: rows.WithoutEntries(x)}, nil
}

// Fields implements model.Part. A file without the setting normalize_rows, as of earlier versions,
// does not scale rows.
func (p *Placer) Fields(f *model.Fields) {
	f.Dense("components", &p.Components)
	f.Floats("singular_values", &p.Singular)
	f.Setting("scale", &p.Scale)
	if p.NormalizeRows || f.Has("normalize_rows") {
		f.Setting("normalize_rows", &p.NormalizeRows)
	}
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	if p.Scale != Projection && p.Scale != Left {
		return invalid.Errorf("the model has the unknown scale %q", string(p.Scale))
	}
	return of.CheckComponents(p.Components, len(p.Singular))
}

// factor multiplies the projection on component j.
func (p *Placer) factor(j int) float64 {
	switch {
	case p.Scale != Left:
		return 1
	case p.Singular[j] == 0:
		return 0
	}
	return 1 / p.Singular[j]
}

// Transform returns the coordinates of new documents, n×r, by projection (x·V, divided by Σ for
// [Left]), with rows of length 1 under NormalizeRows: for the documents of the fit their Embedding,
// to rounding. 2·entries·r flops. Errors (fs.ErrInvalid): an empty matrix, another number of
// columns, values that are not finite.
func (p *Placer) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	y, err := svd.Project(ctx, x, p.Components, nil)
	if err != nil {
		return y, err
	}
	if p.Scale == Left {
		by := make([]float64, len(p.Singular))
		for j := range by {
			by[j] = p.factor(j)
		}
		panel.ScaleColumns(y.RawMatrix(), by)
	}
	return rows.MaybeNormalized(y, p.NormalizeRows), nil
}

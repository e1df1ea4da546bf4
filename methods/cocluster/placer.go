package cocluster

import (
	"context"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Placer gives new documents the coordinates that the fit would give them.
type Placer struct {
	Components *mat.Dense // dimensions × terms: V of the fit, scaled by D₂^-½ and Σ^-1
	// NormalizeRows scales the coordinates of each row to length 1.
	NormalizeRows bool
}

var _ method.Placer = (*Placer)(nil)

// Place implements method.Placer. Weights below 0 count as they are.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	if p.Components == nil {
		return nil, invalid.Errorf("the model has no components: fit it first")
	}
	x, err := method.Rows(x)
	if err != nil {
		return nil, err
	}
	y, err := p.transform(ctx, x)
	if err != nil {
		return nil, err
	}
	return &method.Placement{Embedding: y, Isolated: rows.WithoutEntries(x)}, nil
}

func project(ctx context.Context, x mat.Matrix, components *mat.Dense) (*mat.Dense, error) {
	return svd.Project(ctx, x, components, nil)
}

// Width implements model.Part.
func (p *Placer) Width() int {
	if p.Components == nil {
		return 0
	}
	return p.Components.RawMatrix().Rows
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	f.Dense("components", &p.Components)
	f.Setting("normalize_rows", &p.NormalizeRows)
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error { return of.CheckComponents(p.Components, p.Width()) }

// termName names a column: by its number, counted from 1, without a name.
func termName(names []string, t int) string {
	if t < len(names) {
		return names[t]
	}
	return strconv.Itoa(t + 1)
}

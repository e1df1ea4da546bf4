package logistic

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Placer gives new documents the probabilities of the classes: the scores are a linear function of
// the row.
type Placer struct {
	Linear linear.Placer // from the columns to one score for each class
}

var _ method.Placer = (*Placer)(nil)

// Scores returns the scores of the rows of x, n×K, whose exponentials are in the ratios of the
// probabilities. Errors are as for linear.Placer.Project.
func (p *Placer) Scores(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	return p.Linear.Project(ctx, x)
}

// Width implements model.Part: there are no coordinates.
func (*Placer) Width() int { return 0 }

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	return Placed(ctx, p.Scores, x)
}

// Placed places rows by scores whose exponentials are in the ratios of the probabilities.
func Placed(ctx context.Context, scores func(context.Context, mat.Matrix) (*mat.Dense, error), x mat.Matrix) (*method.Placement, error) {
	of, err := scores(ctx, x)
	if err != nil {
		return nil, err
	}
	return &method.Placement{Labels: rows.Largest(of), Posterior: Probabilities(of), Isolated: rows.WithoutEntries(x)}, nil
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) { p.Linear.Fields(f) }

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	if k := len(p.Linear.Offset); k != of.Clusters || k == 0 {
		return invalid.Errorf("the model has scores of %d classes, which are not as many as its clusters", k)
	}
	return p.Linear.Check(of)
}

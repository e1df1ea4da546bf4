package kernelridge

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Placer gives new documents the probabilities of the classes, by the kernel of their row with the
// labelled rows.
type Placer struct {
	Machines svm.Placer // whose decision values are τ f
}

var _ method.Placer = (*Placer)(nil)

// Scores returns τ f of the rows of x, n×K, whose exponentials are in the ratios of the
// probabilities. Errors are as for svm.Placer.Decision.
func (p *Placer) Scores(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	return p.Machines.Decision(ctx, x)
}

// Width implements model.Part: there are no coordinates.
func (*Placer) Width() int { return 0 }

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	return logistic.Placed(ctx, p.Scores, x)
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) { p.Machines.Fields(f) }

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error { return p.Machines.Check(of) }

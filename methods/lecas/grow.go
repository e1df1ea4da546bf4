package lecas

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Grow implements method.Grower: the model does not grow, because its first clusters and their
// similarities are of the training rows.
func (p *Extension) Grow(context.Context, mat.Matrix, mat.Matrix, int, progress.Observer) (method.Placer, error) {
	return nil, nil
}

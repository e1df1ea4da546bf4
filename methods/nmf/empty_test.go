package nmf

import (
	"context"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// A topic that is no document's largest makes an empty cluster, and a note.
func TestEmptyTopicsAreTold(t *testing.T) {
	for _, c := range []struct {
		x     *mat.Dense
		empty bool
	}{
		{mat.NewDense(4, 2, []float64{1, 1, 1, 1, 1, 1, 1, 1}), true},
		{mat.NewDense(4, 2, []float64{1, 0, 1, 0, 0, 1, 0, 1}), false},
	} {
		told := false
		m := must.Get(Fit(context.Background(), c.x, Options{Dims: 2, Weighting: Plain, Solver: ProjectedGradient, Observer: func(e progress.Event) {
			told = told || strings.Contains(e.Message, "1 of 2 topics is no document's largest")
		}}))(t)
		if told != c.empty {
			t.Errorf("labels %v: told %v", m.Labels, told)
		}
	}
}

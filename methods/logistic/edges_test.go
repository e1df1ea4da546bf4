package logistic

import (
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/mat"
)

// TestEdges: two documents, constant columns, columns without entries, and rows that are all the
// same or of extreme size give finite weights and probabilities, and rows that differ by a factor
// the same probabilities.
func TestEdges(t *testing.T) {
	rows := mat.NewDense(4, 3, []float64{1, 5, 0, 2, 5, 0, 3, 5, 0, 4, 5, 0})
	for name, x := range map[string]*mat.Dense{
		"two documents": mat.NewDense(2, 2, []float64{1, 0, 0, 1}),
		"constant":      rows,
		"all the same":  mat.NewDense(4, 2, []float64{1, 2, 1, 2, 1, 2, 1, 2}),
		"zero":          mat.NewDense(4, 2, nil),
	} {
		n, _ := x.Dims()
		known := []int{0, 1, labels.Unknown, labels.Unknown}[:n]
		for _, scale := range []float64{1, 1e-150, 1e150, 1e-300} {
			var scaled mat.Dense
			scaled.Scale(scale, x)
			for kind, data := range map[string]mat.Matrix{"dense": &scaled, "sparse": csr(&scaled)} {
				m, err := Fit(t.Context(), data, known, 2, Options{})
				if err != nil {
					t.Errorf("%s, %s times %g: %v", name, kind, scale, err)
					continue
				}
				base, _ := Fit(t.Context(), x, known, 2, Options{})
				for i, p := range m.Posterior.RawMatrix().Data {
					if math.IsNaN(p) || math.Abs(p-base.Posterior.RawMatrix().Data[i]) > 1e-5 {
						t.Errorf("%s, %s times %g: probabilities %.6v, not %.6v", name, kind, scale, m.Posterior.RawMatrix().Data, base.Posterior.RawMatrix().Data)
						break
					}
				}
			}
		}
	}
}

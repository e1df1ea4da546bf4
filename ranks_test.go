package eigenmap

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/mat"
)

// TestRanksRefuse: what ranks cannot do together is refused before any work.
func TestRanksRefuse(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 0, 2, 0, 3, 0, 0, 1, 0, 2, 0, 3})
	for want, opt := range map[string]Options{
		"not divided among ranks": {Method: "pca", Clusters: 2},
		"work keeps":              {Method: "le", Clusters: 2, Work: t.TempDir()},
		"a range of clusters":     {Method: "le", ClusterRange: KRange{From: 2, To: 3}},
	} {
		ranks.Together(2, func(team ranks.Team) {
			_, err := ClusterMatrix(ranks.With(context.Background(), team), x, opt)
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", want, err)
			}
		})
	}
}

package isomap

import (
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

const scikitFits = `
import sys, json
import numpy as np
from sklearn.manifold import Isomap
a = json.load(sys.stdin)
m = Isomap(n_neighbors=a["k"], n_components=a["dims"], eigen_solver="dense", neighbors_algorithm="brute")
y = m.fit_transform(np.array(a["x"]))
json.dump(dict(y=y.tolist(), values=m.kernel_pca_.eigenvalues_.tolist()), sys.stdout)
`

// rowsOf are the rows of x, as JSON writes them.
func rowsOf(x *mat.Dense) [][]float64 {
	n, _ := x.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = x.RawRowView(i)
	}
	return rows
}

// The same data and neighbours as scikit-learn's Isomap give the same eigenvalues and, up to signs,
// coordinates.
func TestAgainstScikitLearn(t *testing.T) {
	x := rolled(sheet(300, 12))
	const k, dims = 8, 3
	var want struct {
		Y      [][]float64
		Values []float64
	}
	scikit.Ask(t, scikitFits, map[string]any{"x": rowsOf(x), "k": k, "dims": dims}, &want)
	m := fit(t, x, Options{Dims: dims, Graph: graph.Options{Neighbors: k}})
	if len(m.Outside) > 0 {
		t.Fatal("the graph is not connected")
	}
	for j := range dims {
		if math.Abs(m.Values[j]-want.Values[j]) > 1e-8*want.Values[0] {
			t.Errorf("eigenvalue %d is %v, scikit-learn's %v", j, m.Values[j], want.Values[j])
		}
		sign := 1.0
		if want.Y[0][j]*m.Embedding.At(0, j) < 0 {
			sign = -1
		}
		for i := range want.Y {
			if off := math.Abs(m.Embedding.At(i, j) - sign*want.Y[i][j]); off > 1e-6 {
				t.Fatalf("coordinate %d of point %d is %v, scikit-learn's %v", j, i, m.Embedding.At(i, j), sign*want.Y[i][j])
			}
		}
	}
}

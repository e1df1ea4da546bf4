package lle

import (
	"context"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"gonum.org/v1/gonum/mat"
)

const scikitFits = `
import sys, json
import numpy as np
from sklearn.manifold import LocallyLinearEmbedding
from sklearn.manifold._locally_linear import barycenter_kneighbors_graph
a = json.load(sys.stdin)
x = np.array(a["x"])
m = LocallyLinearEmbedding(n_neighbors=a["k"], n_components=a["dims"], reg=1e-3, eigen_solver="dense", neighbors_algorithm="brute")
y = m.fit_transform(x)
w = barycenter_kneighbors_graph(x, a["k"], reg=1e-3).toarray()
new = m.transform(x[:-1] + 0.3 * (x[1:] - x[:-1]))
json.dump(dict(y=y.tolist(), w=w.tolist(), new=new.tolist(), error=m.reconstruction_error_), sys.stdout)
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

// The same data and neighbours as scikit-learn's LocallyLinearEmbedding give the same weights and
// error and, up to signs, coordinates of old and new points. Its columns have length 1, ours √n.
func TestAgainstScikitLearn(t *testing.T) {
	u, _ := sheet(15, 3, 12)
	x := curved(u)
	const k, dims = 9, 2
	var want struct {
		Y, W, New [][]float64
		Error     float64
	}
	scikit.Ask(t, scikitFits, map[string]any{"x": rowsOf(x), "k": k, "dims": dims}, &want)
	m := fit(t, x, Options{Dims: dims, Neighbors: k})
	n := len(want.Y)
	between := mat.NewDense(n-1, 3, nil)
	between.Apply(func(i, j int, _ float64) float64 { return x.At(i, j) + 0.3*(x.At(i+1, j)-x.At(i, j)) }, between)
	fresh := must.Get(m.Transform(context.Background(), between))(t)
	for i := range n {
		for j := range n {
			if off := math.Abs(m.Weights.At(i, j) - want.W[i][j]); off > 1e-9 {
				t.Fatalf("weight (%d, %d) is %v, scikit-learn's %v", i, j, m.Weights.At(i, j), want.W[i][j])
			}
		}
	}
	if sum := m.Values[0] + m.Values[1]; math.Abs(sum-want.Error) > 1e-12 {
		t.Errorf("reconstruction error %v, scikit-learn's %v", sum, want.Error)
	}
	root := math.Sqrt(float64(n))
	for j := range dims {
		if want.Y[0][j]*m.Embedding.At(0, j) < 0 {
			root = -math.Abs(root)
		} else {
			root = math.Abs(root)
		}
		for i := range n {
			if off := math.Abs(m.Embedding.At(i, j) - root*want.Y[i][j]); off > 1e-6 {
				t.Fatalf("coordinate %d of point %d is %v, scikit-learn's %v", j, i, m.Embedding.At(i, j), root*want.Y[i][j])
			}
			if i < n-1 {
				if off := math.Abs(fresh.At(i, j) - root*want.New[i][j]); off > 1e-6 {
					t.Fatalf("coordinate %d of new point %d is %v, scikit-learn's %v", j, i, fresh.At(i, j), root*want.New[i][j])
				}
			}
		}
	}
}

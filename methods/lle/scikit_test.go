package lle

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os/exec"
	"strings"
	"testing"

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

// ask runs a Python program on the rows of x and reads its answer; the test is skipped where there is no scikit-learn.
func ask(t *testing.T, program string, x *mat.Dense, k, dims int, answer any) {
	t.Helper()
	n, _ := x.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = x.RawRowView(i)
	}
	question, err := json.Marshal(map[string]any{"x": rows, "k": k, "dims": dims})
	if err != nil {
		t.Fatal(err)
	}
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		const missing = 42
		c := exec.Command(python, "-W", "ignore", "-c", "import sys, importlib.util as u\nif not u.find_spec('sklearn'): sys.exit(42)\n"+program)
		c.Stdin = strings.NewReader(string(question))
		text, err := c.Output()
		var failed *exec.ExitError
		switch {
		case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist), errors.As(err, &failed) && failed.ExitCode() == missing:
			continue
		case err != nil:
			t.Fatalf("scikit-learn: %v", err)
		}
		if err := json.Unmarshal(text, answer); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Skip("no python3 with scikit-learn here (Debian: python3-sklearn)")
}

// The same data and neighbours as scikit-learn's LocallyLinearEmbedding: the same weights and error and, up to signs, coordinates of old and new points. Its columns
// have length 1, ours √n.
func TestAgainstScikitLearn(t *testing.T) {
	u, _ := sheet(15, 3, 12)
	x := curved(u)
	const k, dims = 9, 2
	var want struct {
		Y, W, New [][]float64
		Error     float64
	}
	ask(t, scikitFits, x, k, dims, &want)
	m := fit(t, x, Options{Dims: dims, Neighbors: k})
	n := len(want.Y)
	between := mat.NewDense(n-1, 3, nil)
	between.Apply(func(i, j int, _ float64) float64 { return x.At(i, j) + 0.3*(x.At(i+1, j)-x.At(i, j)) }, between)
	fresh, err := m.Transform(context.Background(), between)
	if err != nil {
		t.Fatal(err)
	}
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

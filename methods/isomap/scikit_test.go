package isomap

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os/exec"
	"strings"
	"testing"

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

// The same data and neighbours as scikit-learn's Isomap: the same eigenvalues and, up to signs, coordinates.
func TestAgainstScikitLearn(t *testing.T) {
	x := rolled(sheet(300, 12))
	const k, dims = 8, 3
	var want struct {
		Y      [][]float64
		Values []float64
	}
	ask(t, scikitFits, x, k, dims, &want)
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

package lars

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"gonum.org/v1/gonum/mat"
)

// scikitPaths follows lars_path on files of [n, p, lar, positive, most steps, centre, ridge], X by
// rows and y.
const scikitPaths = `
import sys, json, warnings
import numpy as np
from sklearn.linear_model import lars_path
warnings.simplefilter("ignore")
out = []
for name in sys.argv[1:]:
    a = np.fromfile(name)
    n, p, lar, positive, steps, centre = map(int, a[:6])
    ridge = a[6]
    x, y = a[7:7 + n * p].reshape(n, p), a[7 + n * p:]
    if centre:
        x, y = x - x.mean(0), y - y.mean()
    if ridge:
        x, y = np.vstack([x, np.sqrt(ridge) * np.eye(p)]), np.concatenate([y, np.zeros(p)])
    alphas, active, coefs = lars_path(x, y, method="lar" if lar else "lasso", positive=bool(positive), max_iter=steps)
    out.append(dict(penalties=(alphas * len(y)).tolist(), coefs=coefs.T.tolist()))
json.dump(out, sys.stdout)
`

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func writeNumbers(tb testing.TB, path string, parts ...[]float64) {
	var b bytes.Buffer
	for _, part := range parts {
		must.Do(tb, binary.Write(&b, binary.LittleEndian, part))
	}
	must.Do(tb, os.WriteFile(path, b.Bytes(), 0o600))
}

func readNumbers(path string) ([]float64, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(raw)/8)
	return out, binary.Read(bytes.NewReader(raw), binary.LittleEndian, out)
}

// Knots, active sets and coefficients agree with scikit-learn's lars_path, to 1e-8 of the largest,
// on thirty data sets. Those are in general position: at exact ties scikit-learn takes columns in
// another order, drops some for good and takes steps of length zero.
func TestAgainstScikitLearn(t *testing.T) {
	type set struct {
		name string
		x    mat.Matrix
		y    *mat.Dense
		opt  Options
	}
	var sets []set
	for k, s := range []struct {
		n, p, steps int
		sparse      bool
		noise       float64
	}{
		{20, 5, 0, false, 1}, {50, 10, 0, false, 0.1}, {400, 25, 0, false, 1}, {2000, 40, 0, false, 3}, {30, 29, 0, false, 1},
		{30, 30, 25, false, 1}, {25, 60, 20, false, 1}, {40, 300, 30, false, 0.5}, {60, 1000, 40, true, 1}, {200, 400, 60, true, 1},
		{300, 150, 100, true, 0.3}, {1000, 80, 0, true, 1}, {15, 200, 10, false, 2},
	} {
		rng := rand.New(rand.NewPCG(uint64(k), 77))
		x, y := mat.NewDense(s.n, s.p, nil), mat.NewDense(s.n, 1, nil)
		mixed := rng.NormFloat64()
		for i := range s.n {
			common := rng.NormFloat64()
			for j := range s.p {
				if !s.sparse || rng.Float64() < 0.15 {
					x.Set(i, j, rng.NormFloat64()+mixed*common+0.3)
				}
			}
			v := s.noise * rng.NormFloat64()
			for j := 0; j < s.p; j += 1 + s.p/8 {
				v += float64(1+j%3) * x.At(i, j)
			}
			y.Set(i, 0, v)
		}
		var in mat.Matrix = x
		if s.sparse {
			in = toCSR(x)
		}
		opt := Options{MaxSteps: s.steps, Intercept: k%2 == 0}
		sets = append(sets, set{fmt.Sprintf("lasso %d", k), in, y, opt})
		switch o := opt; k % 3 {
		case 0:
			o.LAR = true
			sets = append(sets, set{fmt.Sprintf("lar %d", k), in, y, o})
		case 1:
			o.Ridge = 1.5
			sets = append(sets, set{fmt.Sprintf("elastic net %d", k), in, y, o})
		case 2:
			o.Positive = true
			sets = append(sets, set{fmt.Sprintf("positive %d", k), in, y, o})
		}
	}
	x, y := texts(150, 400, 4, 12)
	for k := range 4 {
		sets = append(sets, set{fmt.Sprintf("texts %d", k), x, mat.DenseCopyOf(y.ColView(k)), Options{MaxSteps: 40, Intercept: true}})
	}
	dir := t.TempDir()
	var args []string
	for k, s := range sets {
		n, p := s.x.Dims()
		steps := s.opt.MaxSteps
		if steps == 0 {
			steps = 8 * min(n, p)
		}
		file := filepath.Join(dir, fmt.Sprint(k))
		writeNumbers(t, file, []float64{float64(n), float64(p), b2f(s.opt.LAR), b2f(s.opt.Positive), float64(steps), b2f(s.opt.Intercept), s.opt.Ridge},
			mat.DenseCopyOf(s.x).RawMatrix().Data, s.y.RawMatrix().Data)
		args = append(args, file)
	}
	var answers []answer
	scikit.Ask(t, scikitPaths, nil, &answers, args...)
	knots := 0
	for k, s := range sets {
		path, err := fitOne(s.x, s.y, s.opt)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		want := answers[k]
		end := comparable(path, s.opt)
		if end == path.Knots() && end != len(want.Penalties) || end > len(want.Penalties) {
			t.Errorf("%s: %d knots, scikit-learn %d (%s, last penalties %v and %v)", s.name, path.Knots(), len(want.Penalties),
				path.Stopped, path.Penalty[path.Knots()-1], want.Penalties[len(want.Penalties)-1])
			continue
		}
		knots += end
		compareKnots(t, s.name, path, want, end)
	}
	t.Logf("%d data sets, %d knots", len(sets), knots)
}

// comparable is the number of knots that can be compared. Version 1.2 (the loop of
// sklearn/linear_model/_least_angle.py) differs on purpose or by mistake in two places, where ours
// are held to the optimality conditions instead. In LAR, an active coefficient that changes sign
// there reverses the sign of its correlation in the next direction and lets no column enter. With
// positive coefficients, the solution at λ = 0 is interpolated as if the next penalty were the
// largest correlation left, which is negative.
func comparable(p *Path, opt Options) int {
	if opt.Positive && p.Penalty[p.Knots()-1] == 0 {
		return p.Knots() - 1
	}
	if !opt.LAR {
		return p.Knots()
	}
	signs := map[int32]bool{}
	for at := range p.Knots() {
		terms, values, _ := p.At(at)
		for k, j := range terms {
			if was, known := signs[j]; known && was != (values[k] > 0) {
				return at + 1
			}
			signs[j] = values[k] > 0
		}
	}
	return p.Knots()
}

// compareKnots compares the knots of a path before the one numbered end.
func compareKnots(t *testing.T, name string, path *Path, want answer, end int) {
	largest := 0.0
	for _, v := range want.Coefs[len(want.Coefs)-1] {
		largest = max(largest, math.Abs(v))
	}
	for at := range end {
		if math.Abs(path.Penalty[at]-want.Penalties[at]) > 1e-8*want.Penalties[0] {
			t.Errorf("%s: knot %d at λ = %v, scikit-learn's at %v", name, at, path.Penalty[at], want.Penalties[at])
			break
		}
		terms, values, _ := path.At(at)
		got := make([]float64, len(want.Coefs[at]))
		for i, j := range terms {
			got[j] = values[i]
		}
		bad := false
		for j, v := range want.Coefs[at] {
			if math.Abs(got[j]-v) > 1e-8*largest || (got[j] == 0) != (math.Abs(v) < 1e-13*largest) {
				t.Errorf("%s: knot %d: coefficient %d is %v, scikit-learn's %v", name, at, j, got[j], v)
				bad = true
			}
		}
		if bad {
			break
		}
	}
}

// answer is scikit-learn's path.
type answer struct {
	Penalties []float64
	Coefs     [][]float64
}

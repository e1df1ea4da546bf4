package metrics

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/internal/scikit"
	rowpairs "github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// literalSilhouette follows the definition, one pair at a time.
func literalSilhouette(x *mat.Dense, labels []int) []float64 {
	n, d := x.Dims()
	out := make([]float64, n)
	clusters := map[int]int{}
	for _, l := range labels {
		clusters[l]++
	}
	for i := range out {
		if clusters[labels[i]] < 2 || len(clusters) < 2 {
			continue
		}
		sum := map[int]float64{}
		for j := range n {
			s := 0.0
			for t := range d {
				s += (x.At(i, t) - x.At(j, t)) * (x.At(i, t) - x.At(j, t))
			}
			sum[labels[j]] += math.Sqrt(s)
		}
		a, b := sum[labels[i]]/float64(clusters[labels[i]]-1), math.Inf(1)
		for l, s := range sum {
			if l != labels[i] {
				b = min(b, s/float64(clusters[l]))
			}
		}
		if max(a, b) > 0 {
			out[i] = (b - a) / max(a, b)
		}
	}
	return out
}

func silhouetteRows(n, d int, seed uint64, grid bool) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 11))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(i, _ int, _ float64) float64 {
		if grid {
			return float64(rng.IntN(3)) // zeros, and many copies
		}
		return rng.NormFloat64() + float64(i%3)
	}, x)
	return x
}

func TestSilhouetteAgainstDefinition(t *testing.T) {
	ctx := context.Background()
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		x := silhouetteRows(n, d, rapid.Uint64().Draw(t, "seed"), rapid.Bool().Draw(t, "grid"))
		a := must.Get(sparse.FromMatrix(x))(t)
		several := [][]int{labeling(t, n, 4, "few"), labeling(t, n, n, "many"), make([]int, n)}
		several[0][0] = -7
		for name, data := range map[string]mat.Matrix{"dense": x, "sparse": a} {
			got := must.Get(SilhouetteEach(ctx, data, several, nil))(t)
			for q, s := range got {
				mean := 0.0
				for i, want := range literalSilhouette(x, several[q]) {
					mean += want / float64(n)
					if math.Abs(s.Values[i]-want) > 1e-9 {
						t.Fatalf("%s, labeling %d, row %d: %v, by definition %v", name, q, i, s.Values[i], want)
					}
				}
				if math.Abs(mean-s.Mean) > 1e-9 {
					t.Fatalf("%s: mean %v, want %v", name, s.Mean, mean)
				}
			}
		}
	})
}

// Windows of few rows, several panels and threads change nothing.
func TestSilhouetteWindowsAndThreads(t *testing.T) {
	defer native.SetThreads(0)
	const n = 700
	x := silhouetteRows(n, 5, 4, false)
	a, _ := sparse.FromMatrix(x)
	labels := make([]int, n)
	for i := range labels {
		labels[i] = i % 9
	}
	want := literalSilhouette(x, labels)
	for name, data := range map[string]mat.Matrix{"dense": x, "sparse": a} {
		var first []float64
		for threads := range 3 {
			native.SetThreads(threads + 1)
			s := must.Get(Silhouette(context.Background(), data, labels, nil))(t)
			if first == nil {
				first = s.Values
			}
			for i, v := range s.Values {
				if v != first[i] || math.Abs(v-want[i]) > 1e-9 {
					t.Fatalf("%s, %d threads, row %d: %v, with one thread %v, by definition %v", name, threads+1, i, v, first[i], want[i])
				}
			}
		}
		r := must.Get(rowpairs.New(context.Background(), data))(t)
		p, _ := newPartition(labels, n)
		for lo := 0; lo < n; lo += 130 {
			must.Do(t, silhouetteWindow(context.Background(), r, lo, min(lo+130, n), []*partition{p}, nil))
		}
		for i, v := range p.values {
			if math.Abs(v-want[i]) > 1e-9 {
				t.Fatalf("%s in windows, row %d: %v, by definition %v", name, i, v, want[i])
			}
		}
	}
}

func TestSimplifiedSilhouette(t *testing.T) {
	ctx := context.Background()
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 30).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		x := silhouetteRows(n, d, rapid.Uint64().Draw(t, "seed"), rapid.Bool().Draw(t, "grid"))
		a := must.Get(sparse.FromMatrix(x))(t)
		labels := labeling(t, n, 4, "labels")
		mean, size := map[int][]float64{}, map[int]float64{}
		for i, l := range labels {
			if mean[l] == nil {
				mean[l] = make([]float64, d)
			}
			size[l]++
			for c := range d {
				mean[l][c] += x.At(i, c)
			}
		}
		for name, data := range map[string]mat.Matrix{"dense": x, "sparse": a} {
			s := must.Get(SimplifiedSilhouette(ctx, data, labels))(t)
			for i, l := range labels {
				dist, want := map[int]float64{}, 0.0
				for c, m := range mean {
					v := 0.0
					for q := range d {
						v += (x.At(i, q) - m[q]/size[c]) * (x.At(i, q) - m[q]/size[c])
					}
					dist[c] = math.Sqrt(v)
				}
				near := math.Inf(1)
				for c, v := range dist {
					if c != l {
						near = min(near, v)
					}
				}
				if size[l] > 1 && len(size) > 1 && max(dist[l], near) > 1e-12 {
					want = (near - dist[l]) / max(dist[l], near)
				}
				// If a mean equals a row, its distance is only rounding.
				if math.Abs(s.Values[i]-want) > 1e-6 {
					t.Fatalf("%s, row %d: %v, want %v", name, i, s.Values[i], want)
				}
			}
		}
	})
}

func TestSilhouetteRefuses(t *testing.T) {
	ctx := context.Background()
	x := mat.NewDense(3, 1, []float64{1, 2, 4})
	for name, try := range map[string]func() error{
		"labels":     func() error { _, err := Silhouette(ctx, x, []int{0, 1}, nil); return err },
		"simplified": func() error { _, err := SimplifiedSilhouette(ctx, x, nil); return err },
		"NaN": func() error {
			_, err := Silhouette(ctx, mat.NewDense(2, 1, []float64{1, math.NaN()}), []int{0, 1}, nil)
			return err
		},
		"nothing": func() error { _, err := Silhouette(ctx, nil, nil, nil); return err },
	} {
		if err := try(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	stop, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Silhouette(stop, silhouetteRows(600, 2, 1, false), make([]int, 600), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

const scikitSilhouettes = `
import sys, json, warnings
warnings.simplefilter("ignore")
from sklearn.metrics import silhouette_samples, silhouette_score
out = []
for case in json.load(sys.stdin):
    try:
        out.append(dict(mean=float(silhouette_score(case["x"], case["labels"])), values=silhouette_samples(case["x"], case["labels"]).tolist()))
    except ValueError:
        out.append(dict(refused=True))
json.dump(out, sys.stdout)
`

// scikit-learn's silhouettes of random and degenerate labelings. It returns an error for one
// cluster and n clusters, for which ours are 0.
func TestSilhouetteAgainstScikitLearn(t *testing.T) {
	type sample struct {
		X      [][]float64 `json:"x"`
		Labels []int       `json:"labels"`
	}
	var cases []sample
	var data []*mat.Dense
	rng := rand.New(rand.NewPCG(1, 1))
	for q := range 24 {
		n := 12 + 10*q
		x := silhouetteRows(n, 1+q%5, uint64(q), q%3 == 2)
		s := sample{Labels: make([]int, n)}
		for i := range n {
			s.X = append(s.X, x.RawRowView(i))
			switch q % 6 {
			case 0:
				s.Labels[i] = rng.IntN(4)
			case 1:
				s.Labels[i] = i % 3
			case 2:
				s.Labels[i] = min(i, 2) // two singletons
			case 3:
				s.Labels[i] = max(0, i-1) // all but two are singletons
			case 4: // one cluster
			case 5:
				s.Labels[i] = i // all are singletons
			}
		}
		cases, data = append(cases, s), append(data, x)
	}
	var want []struct {
		Mean    float64
		Values  []float64
		Refused bool
	}
	scikit.Ask(t, scikitSilhouettes, cases, &want)
	for q, w := range want {
		s := must.Get(Silhouette(context.Background(), data[q], cases[q].Labels, nil))(t)
		if math.Abs(s.Mean-w.Mean) > 1e-7 {
			t.Errorf("case %d: mean %v, scikit-learn %v", q, s.Mean, w.Mean)
		}
		if w.Refused != (q%6 >= 4) {
			t.Errorf("case %d: refused %v", q, w.Refused)
		}
		for i, v := range w.Values {
			if math.Abs(s.Values[i]-v) > 1e-6 { // copies are 1e-8 apart there
				t.Errorf("case %d, row %d: %v, scikit-learn %v", q, i, s.Values[i], v)
			}
		}
	}
}

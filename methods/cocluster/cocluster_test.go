package cocluster

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// blocks are documents of k topics, row i of topic i mod k, each topic with terms of its own, and
// with the given probability a term of any.
func blocks(n, terms, k int, noise float64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	b := sparse.NewBuilder(n, terms)
	for i := range n {
		for range 12 {
			t := rng.IntN(terms/k)*k + i%k
			if rng.Float64() < noise {
				t = rng.IntN(terms)
			}
			b.Add(i, t, float64(1+rng.IntN(3)))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x
}

func fit(t *testing.T, x mat.Matrix, k int) *method.Fitted {
	t.Helper()
	out := must.Get(Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: k, Seed: 2}))(t)
	return out
}

// TestBlocks: documents and terms of a topic come together, where topics share terms and where the
// graph falls into parts.
func TestBlocks(t *testing.T) {
	const k = 4
	for _, noise := range []float64{0, 0.2} {
		x := blocks(240, 80, k, noise)
		for _, of := range []mat.Matrix{x, x.ToDense()} {
			out := fit(t, of, k)
			for i, c := range out.Clusters.Labels {
				if c != out.Clusters.Labels[i%k] {
					t.Fatalf("noise %g: document %d is in cluster %d, document %d of its topic in %d", noise, i, c, i%k, out.Clusters.Labels[i%k])
				}
			}
			if first := slices.Sorted(slices.Values(out.Clusters.Labels[:k])); !slices.Equal(first, []int{0, 1, 2, 3}) {
				t.Fatalf("noise %g: topics share clusters: %v", noise, first)
			}
			for topic := range k {
				for _, w := range out.Directions[out.Clusters.Labels[topic]] {
					if w.Column%k != topic {
						t.Errorf("noise %g: topic %d has the term %d", noise, topic, w.Column)
					}
				}
			}
		}
	}
}

// TestCoordinates: coordinates z of documents and y of terms satisfy the equations of the singular
// vectors, D₁ z σ = A y and D₂ y σ = Aᵀ z, and are orthogonal to the constant in D₁ and D₂.
func TestCoordinates(t *testing.T) {
	x := blocks(150, 60, 3, 0.4)
	b := must.Get(newBipartite(&method.Input{X: x}))(t)
	o := Options{Dims: 5}
	m := must.Get(o.decompose(context.Background(), &method.Input{X: x, Clusters: 3}, b))(t)
	v := b.nontrivial(m)
	z := must.Get(b.placer(v, m.Singular[1:]).transform(context.Background(), x))(t)
	y, list := b.coordinates(v)
	if len(list) != 60 {
		t.Fatalf("%d terms", len(list))
	}
	var az, ay mat.Dense
	ay.Mul(x.ToDense(), y)
	az.Mul(x.ToDense().T(), z)
	for j, s := range m.Singular[1:] {
		sum := 0.0
		for i, d := range b.documents {
			if e := math.Abs(d*z.At(i, j)*s - ay.At(i, j)); e > 1e-6 {
				t.Errorf("document %d, coordinate %d: %g off", i, j, e)
			}
			sum += d * z.At(i, j)
		}
		for u, d := range b.terms {
			if e := math.Abs(d*y.At(u, j)*s - az.At(u, j)); e > 1e-6 {
				t.Errorf("term %d, coordinate %d: %g off", u, j, e)
			}
		}
		if math.Abs(sum) > 1e-6 {
			t.Errorf("coordinate %d has the mean %g", j, sum)
		}
	}
	if s := m.Singular[0]; math.Abs(s-1) > 1e-8 {
		t.Errorf("the first singular value is %g", s)
	}
}

// TestParts: of a graph in parts, the coordinate that is left out is the constant one, so that all
// parts lie apart.
func TestParts(t *testing.T) {
	x := blocks(90, 30, 3, 0)
	out := must.Get(Spec.Fit(context.Background(), &Options{Dims: 2, RowLength: Free}, &method.Input{X: x, Clusters: 3}))(t)
	for i := range 90 {
		for j := range i {
			d := math.Hypot(out.Embedding.At(i, 0)-out.Embedding.At(j, 0), out.Embedding.At(i, 1)-out.Embedding.At(j, 1))
			if same := i%3 == j%3; same != (d < 1e-6) {
				t.Fatalf("documents %d and %d are %g apart", i, j, d)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	for says, x := range map[string]*mat.Dense{
		"at least 0":  mat.NewDense(3, 3, []float64{1, 0, 2, 0, -1, 1, 1, 1, 1}),
		"all weights": mat.NewDense(3, 3, nil),
	} {
		_, err := Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: 2})
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

package eigen

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// known is a graph whose normalised spectrum is known in closed form.
type known struct {
	name   string
	w      *sparse.CSR
	values []float64 // ascending
}

type edge struct {
	i, j int
	w    float64
}

func fromEdges(t testing.TB, n int, edges []edge) *sparse.CSR {
	t.Helper()
	b := sparse.NewBuilder(n, n)
	for _, e := range edges {
		b.Add(e.i, e.j, e.w)
		b.Add(e.j, e.i, e.w)
	}
	w := must.Get(b.Build())(t)
	return w
}

func path(n int) (edges []edge, values []float64) {
	for i := range n - 1 {
		edges = append(edges, edge{i, i + 1, 1})
	}
	for j := range n {
		values = append(values, 1-math.Cos(math.Pi*float64(j)/float64(n-1)))
	}
	return edges, values
}

func ring(n int) (edges []edge, values []float64) {
	for i := range n {
		edges = append(edges, edge{i, (i + 1) % n, 1})
		values = append(values, 1-math.Cos(2*math.Pi*float64(i)/float64(n)))
	}
	return edges, values
}

func star(n int) (edges []edge, values []float64) {
	values = append(values, 0, 2)
	for i := 1; i < n; i++ {
		edges = append(edges, edge{0, i, 1})
		if i > 1 {
			values = append(values, 1)
		}
	}
	return edges, values
}

func complete(n int) (edges []edge, values []float64) {
	values = append(values, 0)
	for i := range n {
		for j := range i {
			edges = append(edges, edge{i, j, 1})
		}
		if i > 0 {
			values = append(values, float64(n)/float64(n-1))
		}
	}
	return edges, values
}

func hypercube(d int) (edges []edge, values []float64) {
	for i := range 1 << d {
		for bit := range d {
			if j := i ^ 1<<bit; j > i {
				edges = append(edges, edge{i, j, 1})
			}
		}
		values = append(values, 2*float64(bits.OnesCount(uint(i)))/float64(d))
	}
	return edges, values
}

// union joins copies of graphs without edges between them and permutes the node numbers with a
// seed.
func union(t testing.TB, name string, parts ...func() ([]edge, []float64)) known {
	var (
		all    []edge
		values []float64
		n      int
	)
	for _, part := range parts {
		edges, v := part()
		for _, e := range edges {
			all = append(all, edge{e.i + n, e.j + n, e.w})
		}
		values = append(values, v...)
		n += len(v)
	}
	perm := rand.New(rand.NewPCG(1, 2)).Perm(n)
	for i := range all {
		all[i].i, all[i].j = perm[all[i].i], perm[all[i].j]
	}
	slices.Sort(values)
	return known{name, fromEdges(t, n, all), values}
}

func of(f func(int) ([]edge, []float64), n int) func() ([]edge, []float64) {
	return func() ([]edge, []float64) { return f(n) }
}

func isolated() ([]edge, []float64) { return nil, []float64{0} }

func times(count int, part func() ([]edge, []float64)) []func() ([]edge, []float64) {
	return slices.Repeat([]func() ([]edge, []float64){part}, count)
}

func knownGraphs(t testing.TB) []known {
	return []known{
		union(t, "path 2", of(path, 2)),
		union(t, "path 60", of(path, 60)),
		union(t, "ring 3", of(ring, 3)),
		union(t, "ring 101", of(ring, 101)),
		union(t, "star 80", of(star, 80)),
		union(t, "complete 40", of(complete, 40)),
		union(t, "hypercube 7", of(hypercube, 7)),
		union(t, "two rings 64", times(2, of(ring, 64))...),
		union(t, "nine equal rings 40", times(9, of(ring, 40))...),
		union(t, "ring, path, star, complete and three isolated points",
			of(ring, 50), of(path, 31), of(star, 20), of(complete, 12), isolated, isolated, isolated),
		union(t, "fifty components", append(append(times(20, of(ring, 12)), times(20, of(path, 9))...), times(10, of(complete, 5))...)...),
		union(t, "isolated points only", times(6, isolated)...),
		union(t, "one point", isolated),
	}
}

// randomGraph is connected (a random tree) with more random weighted edges.
func randomGraph(t testing.TB, n, extra int, seed uint64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(seed, 7))
	var edges []edge
	for i := 1; i < n; i++ {
		edges = append(edges, edge{i, rng.IntN(i), 0.1 + rng.Float64()})
	}
	for range extra {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			edges = append(edges, edge{i, j, 0.1 + rng.Float64()})
		}
	}
	return fromEdges(t, n, edges)
}

// clusteredGraph is a graph of k loosely joined groups, like the neighbour graph of a corpus.
func clusteredGraph(t testing.TB, n, k, degree int, mix float64, seed uint64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(seed, 11))
	var edges []edge
	for i := range n {
		edges = append(edges, edge{i, (i + k) % n, 0.5})
		for range degree {
			j := rng.IntN(n)
			if rng.Float64() > mix {
				j = j - j%k + i%k
			}
			if j < n && j != i {
				edges = append(edges, edge{i, j, 0.1 + 0.9*rng.Float64()})
			}
		}
	}
	return fromEdges(t, n, edges)
}

// subspaceGap is the sine of the largest angle between the D-orthonormal columns of a and b.
func subspaceGap(a, b *mat.Dense, mass []float64) float64 {
	n, k := a.Dims()
	scaled := mat.NewDense(n, k, nil)
	scaled.Apply(func(i, _ int, v float64) float64 { return mass[i] * v }, b)
	var g mat.Dense
	g.Mul(a.T(), scaled)
	// ‖B − A·AᵀMB‖ in the M-norm, which is the sine of the largest principal angle
	var proj mat.Dense
	proj.Mul(a, &g)
	proj.Sub(b, &proj)
	proj.Apply(func(i, _ int, v float64) float64 { return math.Sqrt(mass[i]) * v }, &proj)
	return mat.Norm(&proj, 2)
}

// gridGraph is the grid of side×side points.
func gridGraph(t testing.TB, side int) *sparse.CSR { return fromEdges(t, side*side, gridEdges(side)) }

// gridEdges are the edges of the grid of side×side points.
func gridEdges(side int) (edges []edge) {
	for i := range side {
		for j := range side {
			if i+1 < side {
				edges = append(edges, edge{i*side + j, (i+1)*side + j, 1})
			}
			if j+1 < side {
				edges = append(edges, edge{i*side + j, i*side + j + 1, 1})
			}
		}
	}
	return edges
}

package eigentest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// nearFamilies are the kinds of pencils with values that are nearly, but not quite, multiple: every
// value of one factor of a product is split by the weakly coupled others.
var nearFamilies = []family{
	{"torus", func(rng *rand.Rand) ([]part, bool) {
		p := coupled(ring(3+rng.IntN(38)), ring(3+rng.IntN(10)), coupling(rng))
		return []part{p}, false
	}},
	{"path times cycle", func(rng *rand.Rand) ([]part, bool) {
		a, b := path(3+rng.IntN(38)), ring(3+rng.IntN(10))
		if rng.IntN(2) == 0 {
			a, b = ring(3+rng.IntN(38)), path(2+rng.IntN(10))
		}
		return []part{coupled(a, b, coupling(rng))}, false
	}},
	{"path times path", func(rng *rand.Rand) ([]part, bool) {
		return []part{coupled(path(3+rng.IntN(38)), path(2+rng.IntN(10)), coupling(rng))}, false
	}},
	{"two couplings", func(rng *rand.Rand) ([]part, bool) {
		inner := coupled(ring(3+rng.IntN(14)), shape(rng, 4), coupling(rng))
		return []part{coupled(inner, shape(rng, 4), coupling(rng))}, false
	}},
	{"star or clique, coupled", func(rng *rand.Rand) ([]part, bool) {
		a := star(4 + rng.IntN(12))
		if rng.IntN(2) == 0 {
			a = clique(3 + rng.IntN(8))
		}
		return []part{coupled(a, shape(rng, 10), coupling(rng))}, false
	}},
	{"random graph, coupled", func(rng *rand.Rand) ([]part, bool) {
		a := random(rng, 8+rng.IntN(30), 1+rng.IntN(3), 0)
		return []part{coupled(a, shape(rng, 10), coupling(rng))}, false
	}},
	{"unequal copies", func(rng *rand.Rand) ([]part, bool) {
		// Values of the parts agree up to the coupling: (λ_a + c·λ_b)/(1 + c) for several c.
		a, b := ring(4+rng.IntN(30)), shape(rng, 4)
		var parts []part
		for range 2 + rng.IntN(3) {
			parts = append(parts, coupled(a, b, coupling(rng)))
		}
		return parts, false
	}},
	{"long torus", func(rng *rand.Rand) ([]part, bool) {
		return []part{coupled(ring(50+rng.IntN(70)), ring(3+rng.IntN(3)), coupling(rng))}, false
	}},
}

// DrawNear makes problem number i with near-multiple eigenvalues: products of rings, paths, stars,
// cliques and random graphs with couplings from 1e-3 to 1e-10, whose values are closed forms of the
// factors' values. K is any number; three of four times it ends within the lowest groups of near
// copies.
func DrawNear(i uint64) (Problem, error) {
	f := nearFamilies[i%uint64(len(nearFamilies))]
	rng := rand.New(rand.NewPCG(i, 0x6e656172))
	parts, _ := f.draw(rng)
	p, err := union(rng, parts)
	if err != nil {
		return Problem{}, fmt.Errorf("near problem %d (%s): %w", i, f.name, err)
	}
	rest := len(p.Values) - p.Zeros
	p.Name = fmt.Sprintf("near problem %d, %s, n = %d", i, f.name, p.W.NumRows)
	p.K = 1 + rng.IntN(min(rest, 40))
	if rng.IntN(4) == 0 {
		p.K = 1 + rng.IntN(min(rest, 120))
	}
	return p, nil
}

// NearTorus is the torus of a×b points with the weights 1 and c along its two directions.
func NearTorus(a, b int, c float64) (Problem, error) {
	p, err := union(rand.New(rand.NewPCG(uint64(a), uint64(b))), []part{coupled(ring(a), ring(b), c)})
	p.Name = fmt.Sprintf("torus %d×%d, coupling %g", a, b, c)
	return p, err
}

// coupling is between 1e-10 and 1e-3.
func coupling(rng *rand.Rand) float64 { return math.Pow(10, -3-7*rng.Float64()) }

// shape is a small connected graph, of at most about most points.
func shape(rng *rand.Rand, most int) part {
	n := 2 + rng.IntN(max(1, most-1))
	switch rng.IntN(4) {
	case 0:
		return path(n)
	case 1:
		return star(n + 1)
	case 2:
		return clique(n)
	}
	return ring(n + 1)
}

// coupled is the product of two graphs in which an edge w of a becomes w·d_j for every point j of
// b, of degree d_j, and an edge w of b becomes c·w·d_i for every point i of a. All degrees are
// d_i·d_j·(1 + c), so the values are (λ_a + c·λ_b)/(1 + c).
func coupled(a, b part, c float64) part {
	p := part{n: a.n * b.n}
	da, db := a.degrees(), b.degrees()
	for _, e := range a.edges {
		for j, d := range db {
			p.edges = append(p.edges, edge{e.i*b.n + j, e.j*b.n + j, e.w * d})
		}
	}
	for i, d := range da {
		for _, e := range b.edges {
			p.edges = append(p.edges, edge{i*b.n + e.i, i*b.n + e.j, c * e.w * d})
		}
	}
	for _, x := range a.known() {
		for _, y := range b.known() {
			p.values = append(p.values, (x+c*y)/(1+c))
		}
	}
	slices.Sort(p.values)
	return p
}

// degrees are the sums of weights of each point.
func (q part) degrees() []float64 {
	d := make([]float64, q.n)
	for _, e := range q.edges {
		d[e.i] += e.w
		d[e.j] += e.w
	}
	return d
}

// known is the spectrum with an exact zero, by LAPACK if there is no closed form.
func (q part) known() []float64 {
	values := slices.Clone(q.values)
	if values == nil {
		var err error
		if values, err = q.spectrum(); err != nil {
			panic(err) // LAPACK does not fail on a finite matrix
		}
	}
	slices.Sort(values)
	values[0] = 0
	return values
}

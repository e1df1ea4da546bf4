package eigentest

import (
	"math"
	"math/rand/v2"
	"slices"
)

// families are the kinds of problems.
var families = []family{
	{"copies of a sparse graph", func(rng *rand.Rand) ([]part, bool) {
		n := 5 + rng.IntN(40)
		return slices.Repeat([]part{random(rng, n, 1+rng.IntN(4), 0)}, 2+rng.IntN(11)), false
	}},
	{"copies of a dense graph", func(rng *rand.Rand) ([]part, bool) {
		n := 4 + rng.IntN(30)
		return slices.Repeat([]part{random(rng, n, n/2, 0)}, 2+rng.IntN(9)), false
	}},
	{"hundreds of small copies", func(rng *rand.Rand) ([]part, bool) {
		shapes := []part{ring(3), ring(4), path(2), path(3), clique(4), star(5), random(rng, 6, 2, 0)}
		return slices.Repeat([]part{shapes[rng.IntN(len(shapes))]}, 100+rng.IntN(901)), false
	}},
	{"clusters with weak bridges", func(rng *rand.Rand) ([]part, bool) {
		clusters := 2 + rng.IntN(5)
		p := part{}
		for c := range clusters {
			q := random(rng, 8+rng.IntN(40), 3, 0)
			for _, e := range q.edges {
				p.edges = append(p.edges, edge{p.n + e.i, p.n + e.j, e.w})
			}
			if c > 0 {
				p.edges = append(p.edges, edge{rng.IntN(p.n), p.n + rng.IntN(q.n), math.Pow(10, -14*rng.Float64())})
			}
			p.n += q.n
		}
		return []part{p}, false
	}},
	{"weights over twelve orders", func(rng *rand.Rand) ([]part, bool) {
		return []part{random(rng, 10+rng.IntN(120), 1+rng.IntN(4), 12)}, true
	}},
	{"strongly regular with isolated points", func(rng *rand.Rand) ([]part, bool) {
		parts := []part{stronglyRegular(rng)}
		return append(parts, slices.Repeat([]part{{n: 1, values: []float64{0}}}, rng.IntN(40))...), false
	}},
	{"stars and cliques", func(rng *rand.Rand) ([]part, bool) {
		var parts []part
		for range 1 + rng.IntN(5) {
			if n := 3 + rng.IntN(70); rng.IntN(2) == 0 {
				parts = append(parts, star(n))
			} else {
				parts = append(parts, clique(n))
			}
		}
		return parts, false
	}},
	{"rings and paths", func(rng *rand.Rand) ([]part, bool) {
		var parts []part
		for range 1 + rng.IntN(3) {
			if n := 3 + rng.IntN(120); rng.IntN(2) == 0 {
				parts = append(parts, ring(n))
			} else {
				parts = append(parts, slices.Repeat([]part{path(n)}, 1+rng.IntN(3))...)
			}
		}
		return parts, false
	}},
	{"grids and hypercubes", func(rng *rand.Rand) ([]part, bool) {
		if rng.IntN(2) == 0 {
			return []part{product(path(2+rng.IntN(14)), path(2+rng.IntN(14)))}, false
		}
		cube := path(2)
		for range 1 + rng.IntN(6) {
			cube = product(cube, path(2))
		}
		return slices.Repeat([]part{cube}, 1+rng.IntN(3)), false
	}},
	{"masses of their own", func(rng *rand.Rand) ([]part, bool) {
		var parts []part
		orders := 4 * rng.Float64()
		for range 1 + rng.IntN(4) {
			p := random(rng, 5+rng.IntN(60), 3, 0)
			p.mass = make([]float64, p.n)
			for i := range p.mass {
				p.mass[i] = math.Pow(10, orders*(rng.Float64()-0.5))
			}
			parts = append(parts, p)
			if rng.IntN(2) == 0 {
				parts = append(parts, p)
			}
		}
		return parts, orders > 2
	}},
}

// random is a random tree with extra random edges per point. Weights are between .1 and 1.1, or
// over the given orders of magnitude.
func random(rng *rand.Rand, n, extra int, orders float64) part {
	weight := func() float64 {
		if orders > 0 {
			return math.Pow(10, -orders*rng.Float64())
		}
		return 0.1 + rng.Float64()
	}
	p := part{n: n}
	for i := 1; i < n; i++ {
		p.edges = append(p.edges, edge{i, rng.IntN(i), weight()})
	}
	for range extra * n {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			p.edges = append(p.edges, edge{i, j, weight()})
		}
	}
	return p
}

// path has λ_j = 1 − cos(πj/(n−1)).
func path(n int) part {
	p := part{n: n}
	for i := range n {
		if i > 0 {
			p.edges = append(p.edges, edge{i - 1, i, 1})
		}
		p.values = append(p.values, 1-math.Cos(math.Pi*float64(i)/float64(n-1)))
	}
	return p
}

// ring has λ_j = 1 − cos(2πj/n).
func ring(n int) part {
	p := part{n: n}
	for i := range n {
		p.edges = append(p.edges, edge{i, (i + 1) % n, 1})
		p.values = append(p.values, 1-math.Cos(2*math.Pi*float64(i)/float64(n)))
	}
	return p
}

// star has λ = 0, 1 (n − 2 copies) and 2.
func star(n int) part {
	p := part{n: n, values: []float64{0, 2}}
	for i := 1; i < n; i++ {
		p.edges = append(p.edges, edge{0, i, 1})
		if i > 1 {
			p.values = append(p.values, 1)
		}
	}
	return p
}

// clique has λ = 0 and n/(n − 1) (n − 1 copies).
func clique(n int) part {
	p := part{n: n, values: []float64{0}}
	for i := range n {
		for j := range i {
			p.edges = append(p.edges, edge{i, j, 1})
		}
		if i > 0 {
			p.values = append(p.values, float64(n)/float64(n-1))
		}
	}
	return p
}

// product is the Cartesian product of two graphs: grids from paths, hypercubes from edges.
func product(a, b part) part {
	p := part{n: a.n * b.n}
	for i := range a.n {
		for _, e := range b.edges {
			p.edges = append(p.edges, edge{i*b.n + e.i, i*b.n + e.j, e.w})
		}
	}
	for _, e := range a.edges {
		for j := range b.n {
			p.edges = append(p.edges, edge{e.i*b.n + j, e.j*b.n + j, e.w})
		}
	}
	return p
}

// stronglyRegular is a Paley graph, a rook's graph or a complete multipartite graph: few
// eigenvalues, of high multiplicity.
func stronglyRegular(rng *rand.Rand) part {
	switch rng.IntN(3) {
	case 0:
		q := []int{5, 13, 17, 29, 37, 41, 53, 61, 73}[rng.IntN(9)]
		square := make([]bool, q)
		for i := 1; i < q; i++ {
			square[i*i%q] = true
		}
		p := part{n: q}
		for i := range q {
			for j := range i {
				if square[i-j] {
					p.edges = append(p.edges, edge{i, j, 1})
				}
			}
		}
		return p
	case 1:
		return product(clique(3+rng.IntN(8)), clique(3+rng.IntN(8)))
	}
	sets, size := 2+rng.IntN(6), 1+rng.IntN(12)
	p := part{n: sets * size}
	for i := range p.n {
		for j := range i {
			if i/size != j/size {
				p.edges = append(p.edges, edge{i, j, 1})
			}
		}
	}
	return p
}

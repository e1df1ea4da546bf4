package eigen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// bridged is a graph of strong parts that bridges join.
type bridged struct {
	name    string
	n       int
	edges   []edge
	bridges int
}

// drawBlobs draws two to seven blobs, joined as a path, a star, a ring or at random by bridges whose
// weights lie between 10^low and 10^high.
func drawBlobs(seed uint64, low, high float64) bridged {
	rng := rand.New(rand.NewPCG(seed, 0xb1ad6e))
	var g bridged
	var first []int
	count := 2 + rng.IntN(6)
	for range count {
		first = append(first, g.n)
		size := 6 + rng.IntN(20)
		for i := range size {
			for j := range i {
				if seed%2 == 0 || j == i-1 || rng.IntN(3) == 0 {
					weight := 1.0
					if seed%3 > 0 {
						weight = 0.1 + rng.Float64()
					}
					g.edges = append(g.edges, edge{g.n + i, g.n + j, weight})
				}
			}
		}
		g.n += size
	}
	first = append(first, g.n)
	join := func(a, b int) {
		in := func(c int) int { return first[c] + rng.IntN(first[c+1]-first[c]) }
		g.edges = append(g.edges, edge{in(a), in(b), math.Pow(10, low+(high-low)*rng.Float64())})
		g.bridges++
	}
	shape := []string{"path", "star", "ring", "random"}[seed/2%4]
	for c := 1; c < count; c++ {
		switch shape {
		case "star":
			join(0, c)
		case "random":
			join(rng.IntN(c), c)
		default:
			join(c-1, c)
		}
	}
	switch {
	case shape == "ring" && count > 2:
		join(0, count-1)
	case shape == "random":
		join(0, count-1)
		join(rng.IntN(count-1), count-1)
	}
	g.name = fmt.Sprintf("%s of %d blobs, %d points, seed %d", shape, count, g.n, seed)
	return g
}

func TestMeasureBridges(t *testing.T) {
	lo, hi := -14.0, -8.0
	if s := os.Getenv("RANGE"); s != "" {
		fmt.Sscanf(s, "%g,%g", &lo, &hi)
	}
	errs := map[Solver][]float64{}
	for seed := range uint64(48) {
		g := drawBlobs(seed, lo, hi)
		p, err := NewPencil(fromEdges(t, g.n, g.edges), nil)
		if err != nil {
			t.Fatal(err)
		}
		w := newBlock(g.n, g.n)
		for _, e := range g.edges {
			w.Data[e.i*g.n+e.j] += e.w
			w.Data[e.j*g.n+e.i] += e.w
		}
		want, _ := spectrumOf(w, slices.Clone(p.mass))
		small := 0
		for want[small] < 1e-4 {
			small++
		}
		for _, solver := range pencilSolvers() {
			k := small
			if seed%3 == 1 {
				k = max(1, small/2)
			} else if seed%3 == 2 {
				k = small + 3
			}
			r, err := p.Solve(context.Background(), Options{K: k, SkipNull: true, Solver: solver, Seed: seed})
			var unmet *NotConvergedError
			if errors.As(err, &unmet) {
				t.Logf("%s %s k=%d %v", g.name, solver, k, err)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for j := range min(k, small) {
				worst = max(worst, math.Abs(r.Values[j]/want[j]-1))
			}
			errs[solver] = append(errs[solver], worst)
			if worst > 1e-6 {
				t.Logf("%s %s k=%d small=%d worst %.2g", g.name, solver, k, small, worst)
			}
			checkOrthonormal(t, g.name, p, r)
		}
	}
	_ = mat.Dense{}
	for s, e := range errs {
		slices.Sort(e)
		over := 0
		for _, v := range e {
			if v > 1e-6 {
				over++
			}
		}
		t.Logf("%s: %d solves, %d above 1e-6, median %.2g, 90%% %.2g worst %.2g", s, len(e), over, e[len(e)/2], e[len(e)*9/10], e[len(e)-1])
	}
}

package lle

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// normal is n points of a normal distribution in the given number of dimensions.
func normal(n, dims int) *mat.Dense {
	rnd := rand.New(rand.NewPCG(36, 7))
	x := mat.NewDense(n, dims, nil)
	for i := range n {
		for j := range dims {
			x.Set(i, j, rnd.NormFloat64())
		}
	}
	return x
}

// Points in ten dimensions have no small separators, and yet a sparse factor is faster than LAPACK
// for few coordinates; it finds the same values. For many coordinates LAPACK is faster, also on a
// surface, whose factor is small: it took a seventh of the time for 2,000 points and 250
// coordinates.
func TestChoice(t *testing.T) {
	for _, c := range []struct {
		name string
		x    *mat.Dense
		dims int
		want eigen.Solver
	}{
		{"ten dimensions", normal(1500, 10), 5, eigen.ShiftInvert},
		{"surface", roll(1200, 1), 4, eigen.ShiftInvert},
		{"surface, many coordinates", roll(1200, 1), 150, eigen.Dense},
	} {
		opt := Options{Dims: c.dims, Neighbors: 10}
		chosen := must.Get(Fit(context.Background(), c.x, opt))(t)
		if chosen.Stats.Solver != c.want {
			t.Errorf("%s: the solver is %s", c.name, chosen.Stats.Solver)
		}
		opt.Eigen.Solver = eigen.Dense
		dense := must.Get(Fit(context.Background(), c.x, opt))(t)
		for j, v := range dense.Values {
			if math.Abs(chosen.Values[j]-v) > 1e-9 {
				t.Errorf("%s: value %d is %g, by LAPACK %g", c.name, j, chosen.Values[j], v)
			}
		}
	}
}

// BenchmarkChoice times both solvers, of which [eigen.EasyToFactor] chooses one, and auto, on one
// thread, neighbour search included.
func BenchmarkChoice(b *testing.B) {
	defer native.SetThreads(0)
	native.SetThreads(1)
	for _, c := range []struct {
		name string
		x    *mat.Dense
	}{{"surface", roll(2000, 2)}, {"ten", normal(2000, 10)}, {"fifty", normal(2000, 50)}} {
		for _, near := range []int{5, 10, 30} {
			for _, dims := range []int{2, 10, 50, 250} {
				for _, solver := range []eigen.Solver{eigen.ShiftInvert, eigen.Dense, eigen.Auto} {
					b.Run(fmt.Sprintf("%s/%d/%d/%s", c.name, near, dims, solver), func(b *testing.B) {
						for b.Loop() {
							if _, err := Fit(context.Background(), c.x, Options{Dims: dims, Neighbors: near, Eigen: eigen.Options{Solver: solver}}); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}

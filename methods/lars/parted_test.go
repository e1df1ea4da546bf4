package lars

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Six columns that correlate equally, three terms: nothing by default, the first three where ties
// are parted.
func TestTieLargerThanTheTerms(t *testing.T) {
	x, y := mat.NewDense(6, 6, nil), mat.NewDense(6, 1, nil)
	for i := range 6 {
		x.Set(i, i, 1)
		y.Set(i, 0, 2)
	}
	p, err := fitOne(x, y, Options{MaxTerms: 3})
	if err != nil || p.Terms(p.Knots()-1) != 0 {
		t.Fatalf("%v, %d terms", err, p.Terms(p.Knots()-1))
	}
	p, err = fitOne(x, y, Options{MaxTerms: 3, PartTies: true})
	if err != nil {
		t.Fatal(err)
	}
	terms, values, _ := p.At(p.Knots() - 1)
	if !slices.Equal(terms, []int32{0, 1, 2}) || !slices.Equal(values, []float64{2, 2, 2}) || !slices.Equal(p.Parted, []int32{3, 4, 5}) {
		t.Errorf("terms %v with %v, parted %v", terms, values, p.Parted)
	}
}

// On data full of ties a parted path is the path of the columns that were not kept out, and it has
// as many terms as were asked for, unless it came to its end.
func TestPropertyPartedTies(t *testing.T) {
	parted := 0
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 11))
		n, p := 4+rng.IntN(12), 4+rng.IntN(20)
		x, y := mat.NewDense(n, p, nil), mat.NewDense(n, 1, nil)
		for i := range n {
			y.Set(i, 0, float64(rng.IntN(3)-1))
			for j := range p {
				x.Set(i, j, float64(rng.IntN(3)/2))
			}
		}
		opt := Options{MaxTerms: 1 + rng.IntN(4), PartTies: true, Intercept: rng.IntN(2) == 0}
		path := must.Get(fitOne(toCSR(x), y, opt))(t)
		parted += len(path.Parted)
		left := mat.DenseCopyOf(x)
		for _, j := range path.Parted {
			for i := range n {
				left.Set(i, int(j), 0)
			}
		}
		if err := checkPath(left, y, path, opt, 1e-10); err != nil {
			t.Fatalf("%d×%d %+v, parted %v: %v", n, p, opt, path.Parted, err)
		}
		if last := path.Terms(path.Knots() - 1); last > opt.MaxTerms || last < opt.MaxTerms && path.Stopped == StoppedTerms && len(path.Parted) == 0 {
			t.Fatalf("%d terms of %d, stopped: %s", last, opt.MaxTerms, path.Stopped)
		}
	})
	if parted == 0 {
		t.Error("no draw had a tie to part")
	}
}

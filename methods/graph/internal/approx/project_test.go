package approx

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"gonum.org/v1/gonum/mat"
)

// sheet makes rows near a space of few dimensions, far from the origin.
func sheet(n, d, dims int, noise float64, rng *rand.Rand) *mat.Dense {
	z, w := mat.NewDense(n, dims, nil), mat.NewDense(dims, d, nil)
	for _, m := range []*mat.Dense{z, w} {
		m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
	}
	x := new(mat.Dense)
	x.Mul(z, w)
	x.Apply(func(_, j int, v float64) float64 { return 50 + float64(j) + v + noise*rng.NormFloat64() }, x)
	return x
}

// tight makes pairs of clusters that are a million times as far apart as their rows.
func tight(n, d int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	x.Apply(func(i, _ int, _ float64) float64 { return float64(i%2)*1e6 + rng.NormFloat64() }, x)
	return x
}

// hidden has groups of 30 rows with centres in 64 of 192 columns, and in the others what tells the
// rows of a group apart, with less than 7 % of the variance.
func hidden(n int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, 192, nil)
	for i := range n {
		row := x.RawRowView(i)
		if i%30 == 0 {
			for j := range 64 {
				row[j] = rng.NormFloat64()
			}
		} else {
			copy(row[:64], x.RawRowView(i / 30 * 30)[:64])
		}
		for j := 64; j < len(row); j++ {
			row[j] = 0.24 * 8 / math.Sqrt(128) * rng.NormFloat64()
		}
	}
	return x
}

// Images are no farther apart than the rows, with and without directions, and the k-th neighbours
// of the sample that they lead to are the k-th of all pairs.
func TestImages(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 5))
	const n, k = 900, 7
	for _, c := range []struct {
		name string
		x    *mat.Dense
		cols int // of the images
		fits bool
	}{
		{"directions", sheet(n, 160, 12, 0.05, rng), 64, true},
		{"coordinates", sheet(n, 70, 70, 1, rng), 70, true},
		{"all equal", mat.NewDense(n, 140, slices.Repeat([]float64{3}, n*140)), 64, true},
		{"all zeros", mat.NewDense(n, 140, nil), 140, true},
		{"tight", tight(n, 40, rng), 40, false},
		{"hidden", hidden(n, rng), 64, false},
	} {
		d := newDrawer(c.x, ranks.NewShare(ranks.Alone{}, n))
		s, some := newRecallSample(d, rng)
		drawn := some.(*mat.Dense)
		kind := rowKind{largest: largestNorm(c.x)}
		p, err := newProjection(d.share, drawn, math.Sqrt(kind.scale()), rng)
		if err != nil {
			t.Fatal(c.name, err)
		}
		z, err := p.images(background, d.share, c.x)
		if err != nil {
			t.Fatal(c.name, err)
		}
		images, err := p.images(background, d.share, drawn)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if _, cols := z.Dims(); !strings.HasPrefix(c.name, "all") && cols != c.cols {
			t.Errorf("%s: images of %d columns, not %d", c.name, cols, c.cols)
		}
		for i := range n {
			if length := mat.Norm(z.RowView(i), 2); length > shortLength {
				t.Fatalf("%s: row %d has length %v", c.name, i, length)
			}
			j := (i*7 + 1) % n
			far := p.farthest(exact.SquaredDistance(c.x.RawRowView(i), c.x.RawRowView(j)))
			if got := exact.SquaredDistance(z.RawRowView(i), z.RawRowView(j)); got > far {
				t.Fatalf("%s: images of %d and %d at %v, not %v at most", c.name, i, j, got, far)
			}
		}
		fits, err := s.measureImages(background, d, drawn, p, z, images, k)
		if err != nil || fits != c.fits {
			t.Errorf("%s: %v, %v", c.name, fits, err)
		}
		got := slices.Clone(s.worst)
		if err := s.measure(background, d, drawn, k); err != nil {
			t.Fatal(c.name, err)
		}
		if !slices.Equal(got, s.worst) {
			t.Errorf("%s: the k-th neighbours of the sample are others than by all pairs", c.name)
		}
	}
}

package kmeans

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// sheets are rows of d columns that nearly lie in a few directions, around an offset. Every tenth
// row is that before it, and every tenth lies between the two before it, nearly or exactly.
func sheets(n, d int, scale, offset float64) *mat.Dense {
	rnd := rand.New(rand.NewPCG(36, 5))
	const directions = 8
	basis := make([]float64, directions*d)
	for at := range basis {
		basis[at] = rnd.NormFloat64()
	}
	x := mat.NewDense(n, d, nil)
	for i := range n {
		row := x.RawRowView(i)
		var y [directions]float64
		for a := range y {
			y[a] = 4 * rnd.NormFloat64()
		}
		for t := range row {
			v := rnd.NormFloat64()
			for a, c := range y {
				v += c * basis[a*d+t]
			}
			row[t] = scale*v + offset
		}
		switch i % 10 {
		case 3:
			copy(row, x.RawRowView(i-1))
		case 6, 9:
			for t := range row {
				row[t] = (x.At(i-1, t) + x.At(i-3, t)) / 2
			}
			row[0] += float64(i%2) * scale * 1e-9
		}
	}
	return x
}

// withImages are the points of rows with images and without.
func withImages(t *testing.T, x mat.Matrix, k int) (with, without *densePoints) {
	t.Helper()
	var of [2]*densePoints
	for at := range of {
		var err error
		if of[at], err = newDensePoints(ctx, x); err != nil {
			t.Fatal(err)
		}
	}
	if m := (Options{K: k, Restarts: 1}).imageDirections(of[0]); m == 0 {
		t.Fatal("images are not chosen")
	} else if err := of[0].makeImages(ctx, m); err != nil {
		t.Fatal(err)
	}
	return of[0], of[1]
}

// Images bound the distances of all rows and centres, and that closely.
func TestImageBounds(t *testing.T) {
	for _, c := range []struct{ scale, offset float64 }{{1, 0}, {1, 1e7}, {1e-8, 0}, {1e9, -1e9}} {
		p, _ := withImages(t, sheets(imageRows, 96, c.scale, c.offset), 20)
		if p.images == nil {
			t.Fatalf("%v: no images", c)
		}
		centers := p.newCenters(20).(*denseCenters)
		for j := range 20 {
			if _, err := centers.mean(ctx, j, []int32{int32(j), int32(40 * j), 4000}[:1+j%3], make([]float64, 96)); err != nil {
				t.Fatal(err)
			}
		}
		v := newView(centers)
		if !v.look() {
			t.Fatalf("%v: the centres cannot be seen", c)
		}
		rows := make([]int32, 100)
		for i := range rows {
			rows[i] = int32(40 * i)
		}
		out, narrow := make([]float64, 100*20), 0
		v.tile(rows, out, &screenRoom{})
		for r, i := range rows {
			for j := range 20 {
				exact, err := centers.exact(int(i), j), v.error(int(i))
				least := out[r*20+j]
				most := least + 4*v.images.rest[i]*v.rest[j]
				if exact < least-err || exact > most+err {
					t.Fatalf("%v: the distance %g is not in [%g, %g] ± %g", c, exact, least, most, err)
				}
				if most-least+2*err < 0.5*exact {
					narrow++
				}
			}
		}
		if narrow < 1500 {
			t.Errorf("%v: only %d of 2,000 distances are known to a half", c, narrow)
		}
	}
}

// Clusters, centres and the starts of k-means++ have the same bits with images as without, in both
// precisions and at any number of threads, also where rows are equally far from centres.
func TestImagesDoNotChangeTheResult(t *testing.T) {
	defer native.SetThreads(native.Threads())
	const k = 24
	for _, c := range []struct{ scale, offset float64 }{{1, 0}, {1, 1e5}, {1e-9, 0}} {
		x := sheets(imageRows+70, 96, c.scale, c.offset)
		single := must.Get(sparse.NewSingleDense(x))(t)
		for _, stored := range []mat.Matrix{x, single} {
			with, without := withImages(t, stored, k)
			if with.images == nil {
				t.Fatalf("%v: no images", c)
			}
			for _, init := range []Init{PlusPlus, Random} {
				var want *run
				for threads, p := range []*densePoints{without, with, with} {
					native.SetThreads(threads + 1)
					r := newRun(p, k, parallel.Workers(p.x.Rows, 1), parallel.For)
					r.total = r.n
					must.Do(t, r.start(ctx, 0, Options{Init: init, Seed: 3}))
					must.Do(t, r.lloyd(ctx, 6))
					if want == nil {
						want = r
					} else if !slices.Equal(r.label, want.label) || !slices.Equal(r.c.(*denseCenters).c, want.c.(*denseCenters).c) ||
						r.objective != want.objective || r.iterations != want.iterations {
						t.Errorf("%v, %s, %T, %d threads: another result with images", c, init, stored, threads+1)
					}
				}
			}
		}
	}
}

// Images tell most clusters of such rows: few rows are compared with all centres.
func TestImagesTellMostRows(t *testing.T) {
	p, _ := withImages(t, sheets(imageRows, 96, 1, 100), 24)
	r := newRun(p, 24, 1, parallel.Serial)
	for j := range r.k {
		r.c.place(j, 170*j)
	}
	r.reset()
	r.separations()
	if _, err := r.assign(ctx); err != nil {
		t.Fatal(err)
	}
	if s := r.scratch[0]; s.viewed != r.n || s.told < r.n*3/4 || r.blind {
		t.Errorf("of %d rows %d are seen and %d told", r.n, s.viewed, s.told)
	}
}

// Rows without few directions have no images, and neither have rows where there is no memory for
// them. What does not fit is left out, not refused.
func TestWithoutImages(t *testing.T) {
	rnd := rand.New(rand.NewPCG(36, 6))
	noise := mat.NewDense(imageRows, 96, nil)
	for at := range noise.RawMatrix().Data {
		noise.RawMatrix().Data[at] = rnd.Float64()
	}
	if p, _ := withImages(t, noise, 24); p.images != nil {
		t.Error("noise has images")
	}
	if p, _ := withImages(t, mat.NewDense(imageRows, 96, nil), 24); p.images != nil {
		t.Error("zeros have images")
	}
	x := sheets(imageRows, 96, 1, 0)
	opt := Options{K: 24, Restarts: 1, MaxIter: 2}
	without := needed(x, opt.withDefaults(), 0)
	if all := Memory(x, opt); all <= without {
		t.Fatalf("%d bytes with images, %d without", all, without)
	}
	want := must.Get(Fit(ctx, x, opt))(t)
	little := memory.Bound(ctx, without)
	p := must.Get(newDensePoints(ctx, x))(t)
	if err := imagesWithin(little, x, p, opt.withDefaults()); err != nil || p.images != nil {
		t.Errorf("there are images where there is no memory for them, or %v", err)
	}
	got, err := Fit(little, x, opt)
	if err != nil || !slices.Equal(got.Labels, want.Labels) || math.Float64bits(got.Objective) != math.Float64bits(want.Objective) {
		t.Errorf("with little memory: %v, or another result", err)
	}
}

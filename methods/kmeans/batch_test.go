package kmeans

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// corners are n rows of 4 columns around k centres that are far apart.
func corners(n, k int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 9))
	x := mat.NewDense(n, 4, nil)
	for i := range n {
		j := rng.IntN(k)
		for t := range 4 {
			x.Set(i, t, 10*float64((j>>t)&1)+rng.NormFloat64())
		}
	}
	return x
}

func batches(t *testing.T, x *mat.Dense, k, size int, asSparse bool) *Batches {
	t.Helper()
	b, err := NewBatches(Options{K: k, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	n, d := x.Dims()
	for lo := 0; lo < n; lo += size {
		var part mat.Matrix = x.Slice(lo, min(lo+size, n), 0, d)
		if asSparse {
			if part, err = sparse.FromMatrix(part); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.Add(context.Background(), part); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// objective is the sum of the squared distances to the nearest centres, by its definition.
func objective(x, c *mat.Dense) (sum float64) {
	n, d := x.Dims()
	k, _ := c.Dims()
	for i := range n {
		least := math.Inf(1)
		for j := range k {
			far := 0.0
			for t := range d {
				v := x.At(i, t) - c.At(j, t)
				far += v * v
			}
			least = min(least, far)
		}
		sum += least
	}
	return sum
}

// On separated data batches come near Lloyd's objective, whatever their size, and the counts are
// the rows; sparse batches are dense ones but for rounding.
func TestBatchesComeNearLloyd(t *testing.T) {
	x := corners(6000, 8, 1)
	lloyd := must.Get(Fit(context.Background(), x, Options{K: 8, Seed: 3}))(t)
	for _, size := range []int{100, 500, 1999} {
		m := must.Get(batches(t, x, 8, size, false).Model())(t)
		if got := objective(x, m.Centers); got > 1.02*lloyd.Objective {
			t.Errorf("batches of %d: objective %v, Lloyd's %v", size, got, lloyd.Objective)
		}
		total := 0
		for _, n := range m.Sizes {
			total += n
		}
		if total != 6000 {
			t.Errorf("batches of %d: %d rows counted", size, total)
		}
		other, _ := batches(t, x, 8, size, true).Model()
		if !mat.EqualApprox(m.Centers, other.Centers, 1e-9) || !slices.Equal(m.Sizes, other.Sizes) {
			t.Errorf("batches of %d: sparse rows give other centres", size)
		}
		again, _ := batches(t, x, 8, size, false).Model()
		if !mat.Equal(m.Centers, again.Centers) {
			t.Errorf("batches of %d: another run gives other centres", size)
		}
	}
}

// One batch of all rows gives Lloyd's centres; given again, with a stable assignment, they stay,
// and are the means of their rows.
func TestOneBatchIsLloyd(t *testing.T) {
	x := corners(800, 4, 2)
	lloyd := must.Get(Fit(context.Background(), x, Options{K: 4, Seed: 3}))(t)
	b := batches(t, x, 4, 800, false)
	first, _ := b.Model()
	if !mat.Equal(first.Centers, lloyd.Centers) || !slices.Equal(first.Sizes, lloyd.Sizes) {
		t.Fatal("the centres are not Lloyd's")
	}
	labels, err := b.Add(context.Background(), x)
	if err != nil || !slices.Equal(labels, lloyd.Labels) {
		t.Fatal("the assignment is not stable", err)
	}
	twice, _ := b.Model()
	if !mat.EqualApprox(twice.Centers, lloyd.Centers, 1e-12) || b.Rows() != 1600 {
		t.Error("the centres moved, though every row is where it was")
	}
}

// A centre is the mean of the rows that it ever got: Sculley's loop over the rows, literally, gives
// the same.
func TestBatchesAreSculleysLoop(t *testing.T) {
	x := corners(900, 6, 4)
	b, _ := NewBatches(Options{K: 6, Seed: 1, Restarts: 1})
	first := x.Slice(0, 300, 0, 4)
	if _, err := b.Add(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	m, _ := b.Model()
	c, v := mat.DenseCopyOf(m.Centers), slices.Clone(m.Sizes)
	for lo := 300; lo < 900; lo += 200 {
		batch := x.Slice(lo, lo+200, 0, 4)
		labels := must.Get(b.Add(context.Background(), batch))(t)
		for i, j := range labels {
			v[j]++
			rate := 1 / float64(v[j])
			for t := range 4 {
				c.Set(j, t, (1-rate)*c.At(j, t)+rate*batch.At(i, t))
			}
		}
	}
	m, _ = b.Model()
	if !mat.EqualApprox(m.Centers, c, 1e-10) || !slices.Equal(m.Sizes, v) {
		t.Errorf("the centres are not the loop's: %v and %v", mat.Formatted(m.Centers), mat.Formatted(c))
	}
}

func TestBatchesRefuse(t *testing.T) {
	ctx := context.Background()
	for _, opt := range []Options{{K: 0}, {K: 2, Seeds: []int{0, 1}}, {K: 2, Init: "none"}} {
		if b, err := NewBatches(opt); err == nil {
			if _, err = b.Add(ctx, mat.NewDense(3, 1, nil)); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%+v: %v", opt, err)
			}
		} else if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	b, _ := NewBatches(Options{K: 2})
	if _, err := b.Model(); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no batch: %v", err)
	}
	if _, err := b.Add(ctx, mat.NewDense(1, 2, []float64{1, 2})); !errors.Is(err, fs.ErrInvalid) || b.Rows() != 0 {
		t.Errorf("one row for two clusters: %v", err)
	}
	if _, err := b.Add(ctx, mat.NewDense(3, 2, []float64{1, 2, 3, 4, 50, 60})); err != nil {
		t.Fatal(err)
	}
	before, _ := b.Model()
	for _, x := range []mat.Matrix{mat.NewDense(1, 3, nil), mat.NewDense(1, 2, []float64{math.NaN(), 1}), nil} {
		if _, err := b.Add(ctx, x); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%v: %v", x, err)
		}
	}
	if labels, err := b.Add(ctx, new(mat.Dense)); err != nil || len(labels) != 0 {
		t.Errorf("an empty batch: %v, %v", labels, err)
	}
	if after, _ := b.Model(); !mat.Equal(before.Centers, after.Centers) || b.Rows() != 3 {
		t.Error("a refused batch moved the centres")
	}
}

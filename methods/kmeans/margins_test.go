package kmeans

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Margins are the distances by the definition, over several pieces of rows, and an empty cluster
// has no centre.
func TestMarginsAreDistances(t *testing.T) {
	const n, d, k = 300, 4, 5
	x, centers := blobs(n, d, k, 3, 1), blobs(k, d, k, 3, 2)
	rng := rand.New(rand.NewPCG(4, 4))
	labels := make([]int, n)
	for i := range labels {
		labels[i] = rng.IntN(k)
	}
	for _, sizes := range [][]int{nil, {1, 0, 3, 4, 5}} {
		own, next, err := Margins(ctx, x, centers, sizes, labels)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range labels {
			least := math.Inf(1)
			for j := range k {
				if j != c && (sizes == nil || sizes[j] > 0) {
					least = min(least, floats.Distance(x.RawRowView(i), centers.RawRowView(j), 2))
				}
			}
			if want := floats.Distance(x.RawRowView(i), centers.RawRowView(c), 2); math.Abs(own[i]-want) > 1e-12*want || math.Abs(next[i]-least) > 1e-12*least {
				t.Fatalf("row %d: %v and %v, want %v and %v", i, own[i], next[i], want, least)
			}
		}
	}
	_, next, err := Margins(ctx, x, centers.Slice(0, 1, 0, d).(*mat.Dense), nil, make([]int, n))
	if err != nil || !math.IsInf(next[0], 1) {
		t.Errorf("one centre: %v, %v", next[0], err)
	}
	for _, wrong := range []int{-1, k} {
		labels[n-1] = wrong
		if _, _, err := Margins(ctx, x, centers, nil, labels); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("label %d of %d: %v", wrong, k, err)
		}
	}
}

// Rows whose squared distances sum to more than a float holds are refused, shorter ones are not:
// the sum over n rows of (|a| + |b|)² ≤ 4 s, s the largest squared length, is below the largest
// float for s up to a quarter of its n-th part.
func TestLongRowsAreRefused(t *testing.T) {
	const n = 40
	for share, ok := range map[float64]bool{1.0 / 32: true, 1.0 / 2: false} {
		x := mat.NewDense(n, 1, nil)
		for i := range n {
			x.Set(i, 0, math.Sqrt(share*math.MaxFloat64/n)*float64(1-i%2*2))
		}
		m, err := Fit(ctx, x, Options{K: 2})
		if ok && (err != nil || math.IsInf(m.Objective, 0) || math.IsNaN(m.Objective)) {
			t.Errorf("share %v: %v", share, err)
		}
		if !ok && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("share %v is not refused: %v", share, err)
		}
	}
}

package spectral

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// TestDiscretize: rows that are unit vectors, turned by any rotation and shaken a little, come
// apart as they were, and a rotation of the rows does not change their clusters.
func TestDiscretize(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, k := range []int{1, 2, 5, 12} {
		var square mat.Dense
		data := make([]float64, k*k)
		for i := range data {
			data[i] = rng.NormFloat64()
		}
		var qr mat.QR
		qr.Factorize(mat.NewDense(k, k, data))
		qr.QTo(&square)
		const n = 300
		u, truth := mat.NewDense(n, k, nil), make([]int, n)
		for i := range n {
			truth[i] = rng.IntN(k*k) % k
			row := make([]float64, k)
			length := 0.0
			for j := range row {
				row[j] = square.At(truth[i], j) + 0.1*rng.NormFloat64()/math.Sqrt(float64(k))
				length += row[j] * row[j]
			}
			for j := range row {
				u.Set(i, j, row[j]/math.Sqrt(length))
			}
		}
		labels := must.Get(Discretize(context.Background(), u, 7))(t)
		checkSame(t, truth, labels)
		var turned mat.Dense
		turned.Mul(u, &square)
		again := must.Get(Discretize(context.Background(), &turned, 7))(t)
		checkSame(t, labels, again)
	}
	if _, err := Discretize(context.Background(), mat.NewDense(2, 3, nil), 0); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Discretize(stopped, mat.NewDense(3, 2, nil), 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestDiscretizeZeros: rows of zeros do not disturb the others.
func TestDiscretizeZeros(t *testing.T) {
	u := mat.NewDense(6, 2, []float64{1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0})
	labels, err := Discretize(context.Background(), u, 1)
	if err != nil || labels[0] != labels[3] || labels[2] != labels[4] || labels[0] == labels[2] {
		t.Error(labels, err)
	}
	if labels, err = Discretize(context.Background(), mat.NewDense(4, 2, nil), 1); err != nil || !slices.Equal(labels, make([]int, 4)) {
		t.Error(labels, err)
	}
}

// checkSame: the partitions are one, whatever the numbers.
func checkSame(t *testing.T, a, b []int) {
	t.Helper()
	of, back := map[int]int{}, map[int]int{}
	for i := range a {
		if at, ok := of[a[i]]; ok && at != b[i] {
			t.Fatalf("row %d is in another cluster", i)
		}
		if at, ok := back[b[i]]; ok && at != a[i] {
			t.Fatalf("row %d is in a cluster of two", i)
		}
		of[a[i]], back[b[i]] = b[i], a[i]
	}
}

// TestStartRowsAreApart: of rows that are the vectors of an orthonormal basis, many of each, the
// start takes one of each.
func TestStartRowsAreApart(t *testing.T) {
	const k = 5
	rng := rand.New(rand.NewPCG(8, 1))
	data := make([]float64, k*k)
	for i := range data {
		data[i] = rng.NormFloat64()
	}
	var qr mat.QR
	qr.Factorize(mat.NewDense(k, k, data))
	var basis mat.Dense
	qr.QTo(&basis)
	u := mat.NewDense(60, k, nil)
	for i := range 60 {
		u.SetRow(i, basis.RawRowView(rng.IntN(k)))
	}
	for first := range 60 {
		r := (&discretizer{u: u}).start(first)
		var gram mat.Dense
		gram.Mul(r.T(), r)
		for i := range k {
			gram.Set(i, i, gram.At(i, i)-1)
		}
		if far := mat.Norm(&gram, 2); far > 1e-12 {
			t.Fatalf("from row %d: the rows are %v from orthonormal ones", first, far)
		}
	}
}

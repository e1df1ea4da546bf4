package corpus

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// unlike has columns in units that lie far apart, one of one value and one far from 0.
func unlike(n int) *mat.Dense {
	rng := rand.New(rand.NewPCG(7, 8))
	x := mat.NewDense(n, 6, nil)
	for i := range n {
		x.SetRow(i, []float64{rng.NormFloat64(), 1e9 + rng.Float64(), 1e-7 * rng.ExpFloat64(), 3, float64(rng.IntN(4) / 3), -5e12 * rng.Float64()})
	}
	return x
}

// deviationOf is the formula, with the mean taken off first.
func deviationOf(x []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range x {
		mean += (v - x[0]) / float64(len(x))
	}
	for _, v := range x {
		sum += (v - x[0] - mean) * (v - x[0] - mean) / float64(len(x))
	}
	return math.Sqrt(sum)
}

// The deviations agree with the formula, and have the same bits for sparse and dense documents,
// in any order, on any number of threads and ranks.
func TestDeviations(t *testing.T) {
	x := unlike(1500)
	n, m := x.Dims()
	got := must.Get((&Corpus{X: x}).Deviations())(t)
	for j := range m {
		if want := deviationOf(mat.Col(nil, j, x)); math.Abs(got[j]-want) > 1e-12*want {
			t.Errorf("column %d: %v, not %v", j, got[j], want)
		}
	}
	same := func(what string, c *Corpus) {
		t.Helper()
		if own, err := c.Deviations(); err != nil || !slices.Equal(own, got) {
			t.Errorf("%s: %v, not %v (%v)", what, own, got, err)
		}
	}
	csr := must.Get(sparse.FromMatrix(x))(t)
	same("sparse", &Corpus{X: csr})
	backwards := mat.NewDense(n, m, nil)
	for i := range n {
		backwards.SetRow(n-1-i, x.RawRowView(i))
	}
	same("backwards", &Corpus{X: backwards})
	defer native.SetThreads(native.Threads())
	native.SetThreads(1)
	same("one thread", &Corpus{X: x})
	native.SetThreads(4)
	same("four threads", &Corpus{X: x})
	for _, size := range []int{2, 5} {
		for _, x := range []mat.Matrix{x, csr} {
			ranks.Together(size, func(team ranks.Team) {
				own, err := (&Corpus{X: x}).Divide(team)
				if err != nil {
					t.Error(err)
					return
				}
				same("ranks", own)
			})
		}
	}
	narrow := &Corpus{X: mat.DenseCopyOf(x.Slice(0, n, 4, 5))}
	must.Do(t, narrow.ToSingle())
	if own, err := narrow.Deviations(); err != nil || own[0] != got[4] {
		t.Errorf("single precision: %v, not %v (%v)", own, got[4], err)
	}
}

// Columns at the ends of the range of numbers have deviations too, and columns of one value, or
// whose values differ by less than 1e-289, have none.
func TestDeviationsOfExtremes(t *testing.T) {
	const most = math.MaxFloat64
	x := mat.NewDense(2, 5, []float64{most, 1, 0, 5e-324, -3e-280, -most, 1, math.SmallestNonzeroFloat64, 0, 3e-280})
	got, err := (&Corpus{X: x}).Deviations()
	if want := []float64{most, 0, 0, 0, 3e-280}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, not %v (%v)", got, want, err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := (&Corpus{X: mat.NewDense(2, 1, []float64{v, 1})}).Deviations(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%v: %v", v, err)
		}
	}
	if _, err := (&Corpus{}).Deviations(); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("without a matrix: %v", err)
	}
}

// "standard" makes every column one of deviation 1, whatever its unit, keeps zeros and signs, and a
// document weighed by the corpus' own weights has the bits that it has in the corpus.
func TestWeightedStandard(t *testing.T) {
	x := unlike(700)
	c := &Corpus{X: x}
	rows := must.Get(c.Weighted(WeightStandard, NormNone))(t)
	n, m := x.Dims()
	for j := range m {
		want := 1.0
		if j == 3 { // of one value
			want = 0
		}
		if got := deviationOf(mat.Col(nil, j, rows)); math.Abs(got-want) > 1e-6 { // the column far from 0 has six digits left
			t.Errorf("column %d has the deviation %v", j, got)
		}
	}
	columns := must.Get(c.ColumnWeights(WeightStandard))(t)
	one, err := (&Corpus{X: mat.DenseCopyOf(x.Slice(5, 6, 0, m))}).WeightedLike(WeightStandard, NormNone, columns)
	if err != nil || !slices.Equal(mat.Row(nil, 0, one), mat.Row(nil, 5, rows)) {
		t.Errorf("%v, not %v (%v)", mat.Row(nil, 0, one), mat.Row(nil, 5, rows), err)
	}
	csr := must.Get(sparse.FromMatrix(x))(t)
	if s, err := (&Corpus{X: csr}).Weighted(WeightStandard, NormNone); err != nil || !mat.Equal(s, rows) {
		t.Errorf("sparse rows differ (%v)", err)
	}
	scaled := mat.NewDense(n, m, nil)
	scaled.Apply(func(_, j int, v float64) float64 { return v * math.Ldexp(1, 7*j) }, x)
	if other, err := (&Corpus{X: scaled}).Weighted(WeightStandard, NormNone); err != nil || !mat.Equal(other, rows) {
		t.Errorf("other units give other rows (%v)", err)
	}
	if _, err := c.WeightedLike(WeightStandard, NormNone, columns[1:]); err == nil {
		t.Error("weights of other columns are taken")
	}
}

package space

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

func randomBlock(rng *rand.Rand, rows, cols int) blas64.General {
	b := NewBlock(rows, cols)
	for i := range b.Data {
		b.Data[i] = rng.NormFloat64()
	}
	return b
}

// Two columns lose the same component as each of them alone, bit by bit, whatever their stride.
func TestProjectTwoColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const n = 10_007
	mass := make([]float64, n)
	for i := range mass {
		mass[i] = 0.1 + rng.Float64()
	}
	known := NewNullspace(make([]int32, n), VolumesOf(make([]int32, n), 1, mass), mass)
	wide := randomBlock(rng, n, 5)
	pair := Columns(wide, 1, 3)
	var alone [2]blas64.General
	for j := range alone {
		alone[j] = NewBlock(n, 1)
		CopyBlock(alone[j], Columns(pair, j, j+1))
		known.Project(alone[j])
	}
	known.Project(pair)
	for i := range n {
		for j, column := range alone {
			if got, want := pair.Data[i*pair.Stride+j], column.Data[i]; got != want {
				t.Fatalf("row %d, column %d: %v beside another column, %v alone", i, j, got, want)
			}
		}
	}
	for j := range 2 {
		sum := 0.0
		for i, w := range known.Weight {
			sum += w * pair.Data[i*pair.Stride+j]
		}
		if math.Abs(sum) > 1e-12 {
			t.Errorf("column %d keeps a component of %.1e", j, sum)
		}
	}
}

// Lengths hold where squares overflow, vanish or lose digits, and are those of the columns.
func TestColumnNorms(t *testing.T) {
	for _, cols := range []int{1, 2, 3} {
		for _, scale := range []float64{0, 1e-310, 1e-160, 1e-90, 1, 1e140, 1e160, 1e300} {
			r := NewBlock(40_000, cols)
			for i := range r.Rows {
				for j := range cols {
					r.Data[i*cols+j] = scale * float64(j+1)
				}
			}
			for j, got := range ColumnNorms(blas64.General{}, r) {
				want := scale * float64(j+1) * 200
				if !(math.Abs(got-want) <= 1e-12*want+0x1p-1060) {
					t.Errorf("%d columns of %g: length %d is %g, not %g", cols, scale, j, got, want)
				}
			}
		}
	}
	r := NewBlock(3, 2)
	r.Data[2], r.Data[3] = math.NaN(), math.Inf(1)
	if norms := ColumnNorms(blas64.General{}, r); !math.IsNaN(norms[0]) || !math.IsInf(norms[1], 1) {
		t.Errorf("the lengths of columns with NaN and +Inf are %v", norms)
	}
}

// Columns become orthonormal, W = Q·R, by one round or two, and nearly dependent ones stay as they
// are, to the bit.
func TestOrthonormalise(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	const n = 3000
	for _, cols := range []int{2, 3} {
		for _, apart := range []float64{1, 0.1, 0.01, 1e-6, 0} {
			w := randomBlock(rng, n, cols)
			for i := range n {
				w.Data[i*cols+1] = w.Data[i*cols] + apart*w.Data[i*cols+1]
			}
			before := NewBlock(n, cols)
			CopyBlock(before, w)
			b := NewBasis(n, 0, nil, 1)
			r, ok := b.orthonormalise(w, 0)
			if ok != (apart >= 0.01) {
				t.Fatalf("%d columns, %g apart: orthonormal is %v", cols, apart, ok)
			}
			if !ok {
				for i, v := range before.Data {
					if w.Data[i] != v {
						t.Fatalf("%d columns, %g apart: entry %d changed from %v to %v", cols, apart, i, v, w.Data[i])
					}
				}
				continue
			}
			g := b.gram(w)
			for i := range cols {
				for j := range cols {
					want := 0.0
					if i == j {
						want = 1
					}
					if math.Abs(g.Data[i*cols+j]-want) > 1e-13 {
						t.Errorf("%d columns, %g apart: QᵀQ has %v at %d, %d", cols, apart, g.Data[i*cols+j], i, j)
					}
				}
			}
			for i := range n {
				for j := range cols {
					sum := 0.0
					for k := range cols {
						sum += w.Data[i*cols+k] * r.Data[k*cols+j]
					}
					if math.Abs(sum-before.Data[i*cols+j]) > 1e-12 {
						t.Fatalf("%d columns, %g apart: QR is %v at %d, %d, not %v", cols, apart, sum, i, j, before.Data[i*cols+j])
					}
				}
			}
		}
	}
}

// A block of which all columns are kept, or replaced, is then what the basis holds: dependent
// columns, short ones, zeros and nearly dependent ones as well, of blocks of any width.
func TestAppendedBlockIsTheBasis(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	const n = 301
	for cols := 1; cols <= 5; cols++ {
		for name, change := range map[string]func(row []float64){
			"random":           func([]float64) {},
			"short":            func(row []float64) { row[0] *= 1e-7 },
			"zero":             func(row []float64) { row[cols-1] = 0 },
			"dependent":        func(row []float64) { row[cols-1] = 2 * row[0] },
			"nearly dependent": func(row []float64) { row[cols-1] = row[0] + 0.05*row[cols-1] },
		} {
			b := NewBasis(n, 2*cols, ConstantOf(n), 3)
			w := randomBlock(rng, n, cols)
			for i := range n {
				change(w.Data[i*cols:][:cols])
			}
			b.Orthogonalise(w, 0)
			if r := b.Append(w, cols, 1); r.Rows != cols {
				t.Fatalf("%d columns, %s: %d were kept", cols, name, r.Rows)
			}
			for i := range n {
				for j := range cols {
					if got, want := w.Data[i*cols+j], b.V.Data[i*b.V.Stride+j]; got != want {
						t.Fatalf("%d columns, %s: row %d has %v in column %d and the basis %v", cols, name, i, got, j, want)
					}
				}
			}
		}
	}
}

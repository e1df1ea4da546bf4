package lda

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/mat"
)

// literalShrinkage is the formula of Ledoit and Wolf with every matrix written out: of the rows
// of z, which have mean zero.
func literalShrinkage(z *mat.Dense) float64 {
	n, p := z.Dims()
	var s mat.Dense
	s.Mul(z.T(), z)
	s.Scale(1/float64(n), &s)
	m := mat.Trace(&s) / float64(p)
	target := mat.NewDense(p, p, nil)
	for j := range p {
		target.Set(j, j, m)
	}
	var d mat.Dense
	d.Sub(&s, target)
	delta := math.Pow(mat.Norm(&d, 2), 2) / float64(p)
	beta := 0.0
	for i := range n {
		var one mat.Dense
		one.Outer(1, z.RowView(i), z.RowView(i))
		one.Sub(&one, &s)
		beta += math.Pow(mat.Norm(&one, 2), 2) / float64(p) / float64(n) / float64(n)
	}
	if delta <= 0 {
		return 0
	}
	return min(1, beta/delta)
}

// literal is the estimate for labelled rows: the mean over the classes, or the estimate of all
// rows.
func literal(x mat.Matrix, known []int, k int) float64 {
	_, p := x.Dims()
	all, mean, weight := new(mat.Dense), 0.0, 0.0
	for c := range k {
		var rows []int
		for i, l := range known {
			if l == c {
				rows = append(rows, i)
			}
		}
		z := mat.NewDense(len(rows), p, nil)
		for j := range p {
			sum := 0.0
			for _, i := range rows {
				sum += x.At(i, j)
			}
			for r, i := range rows {
				z.Set(r, j, x.At(i, j)-sum/float64(len(rows)))
			}
		}
		mean += float64(len(rows)-1) * literalShrinkage(z)
		weight += float64(len(rows) - 1)
		if all.IsEmpty() {
			all.CloneFrom(z)
			continue
		}
		var both mat.Dense
		both.Stack(all, z)
		all = &both
	}
	return min(max(mean/weight, literalShrinkage(all)), mostShrinkage)
}

// The fast form is the literal one, for sparse and dense rows, few documents and many, labels
// missing or not, in any units.
func TestShrinkageByItsFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	for _, size := range [][3]int{{7, 5, 3}, {12, 40, 4}, {200, 9, 3}, {150, 30, 5}} {
		for _, hidden := range []bool{false, true} {
			x, known := classes(rng, size[0], size[1], size[2], hidden)
			want := literal(x, known, size[2])
			for _, units := range []float64{1, 1e-120, 255} {
				dense := x.ToDense()
				dense.Scale(units, dense)
				scale := make([]float64, size[0])
				for i := range scale {
					scale[i] = units
				}
				for _, in := range []mat.Matrix{x.ScaleRows(scale), dense} {
					m := fit(t, in, known, size[2], Options{})
					if math.Abs(m.Shrinkage-want) > 1e-9 || !m.Estimated {
						t.Errorf("%v, hidden %v, units %g, %T: γ = %v, want %v", size, hidden, units, in, m.Shrinkage, want)
					}
					_, within := scatters(x, known, size[2])
					if alpha := want / (1 - want) * mat.Trace(within) / float64(size[1]); math.Abs(m.Ridge/units/units-alpha) > 1e-6*alpha {
						t.Errorf("%v: α = %v, want %v", size, m.Ridge/units/units, alpha)
					}
				}
			}
		}
	}
}

// Of more documents than shrinkageRows the estimate is near the exact one, and of dense rows it is
// that.
func TestShrinkageOfManyDocuments(t *testing.T) {
	x, known := classes(rand.New(rand.NewPCG(12, 3)), 4*shrinkageRows, 10, 4, false)
	m := fit(t, x, known, 4, Options{})
	want := literal(x, known, 4)
	if math.Abs(m.Shrinkage-want) > 0.05*want {
		t.Errorf("γ = %v, exact %v", m.Shrinkage, want)
	}
	if got := fit(t, x.ToDense(), known, 4, Options{}).Shrinkage; math.Abs(got-want) > 1e-9 {
		t.Errorf("dense rows: γ = %v, exact %v", got, want)
	}
}

// The classes that a document is given to do not depend on the units of the data; with a ridge of 1
// they do.
func TestShrinkageHidesUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	x, known := classes(rng, 60, 40, 4, true)
	found := func(units float64, opt Options) []int {
		y := x.ToDense()
		y.Scale(units, y)
		got := must.Get(fit(t, y, known, 4, opt).Predict(ctx, y))(t)
		return got
	}
	small, large := found(1, Options{}), found(1000, Options{})
	for i := range small {
		if small[i] != large[i] {
			t.Errorf("document %d is in class %d or %d", i, small[i], large[i])
		}
	}
}

// One document of each class: the spread within classes is unknown, and the directions span the
// means.
func TestOneDocumentOfEachClass(t *testing.T) {
	x, known := classes(rand.New(rand.NewPCG(9, 4)), 40, 12, 3, false)
	for i := range known {
		if i >= 3 {
			known[i] = labels.Unknown
		}
	}
	m := fit(t, x, known, 3, Options{})
	if m.Shrinkage != 0 || !m.Estimated || !(m.Ridge > 0) {
		t.Errorf("γ = %v, α = %v", m.Shrinkage, m.Ridge)
	}
	for _, unit := range []float64{0x1p-300, 0x1p300} {
		var scaled mat.Dense
		scaled.Scale(unit, x)
		if a := fit(t, &scaled, known, 3, Options{}).Ridge / unit / unit; math.Abs(a-m.Ridge) > 1e-12*m.Ridge {
			t.Errorf("data times %g: α is %v in their units, not %v", unit, a, m.Ridge)
		}
	}
	got, err := m.Predict(ctx, x)
	if err != nil || got[0] != 0 || got[1] != 1 || got[2] != 2 {
		t.Errorf("%v %v", got[:3], err)
	}
}

// Noise of one variance in many columns is shrunk almost
// wholly, and long data hardly at all.
func TestShrinkageAtItsEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	set := func(n, p int, spread func(j int) float64) float64 {
		z := mat.NewDense(n, p, nil)
		for i := range n {
			for j := range p {
				z.Set(i, j, spread(j)*rng.NormFloat64())
			}
		}
		b := must.Get(svd.New(ctx, z, true))(t)
		of := make([]int32, n)
		for i := range of {
			of[i] = int32(i)
		}
		g := must.Get(ledoitWolf(ctx, b, z, [][]int32{of}))(t)
		return g
	}
	if g := set(20, 200, func(int) float64 { return 1 }); g < 0.85 {
		t.Errorf("noise: γ = %v", g)
	}
	if g := set(900, 5, func(j int) float64 { return float64(1 + j) }); g > 0.05 {
		t.Errorf("long data: γ = %v", g)
	}
}

package nmf

import (
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// bestSupport finds the non-negative least squares solution by trying every set of positive
// coefficients.
func bestSupport(h *mat.Dense, x []float64) (best float64) {
	k, m := h.Dims()
	target := mat.NewVecDense(m, x)
	best = mat.Dot(target, target) / 2
	for set := 1; set < 1<<k; set++ {
		var rows []float64
		count := 0
		for j := range k {
			if set>>j&1 == 1 {
				rows = append(rows, h.RawRowView(j)...)
				count++
			}
		}
		if count > m {
			continue
		}
		a := mat.NewDense(count, m, rows)
		var c, r mat.VecDense
		if err := c.SolveVec(a.T(), target); err != nil || mat.Min(&c) < 0 {
			continue
		}
		r.MulVec(a.T(), &c)
		r.SubVec(target, &r)
		best = min(best, mat.Dot(&r, &r)/2)
	}
	return best
}

func TestTransformIsTheBestFit(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		k, m := rapid.IntRange(1, 5).Draw(t, "k"), rapid.IntRange(1, 8).Draw(t, "m")
		h := random(k, m, 0.6, rapid.Uint64().Draw(t, "topics"))
		if k > 2 && rapid.Bool().Draw(t, "dependent") {
			h.SetRow(1, h.RawRowView(0))
		}
		x := random(4, m, 0.7, rapid.Uint64().Draw(t, "rows"))
		model := &Placer{H: h}
		c := must.Get(model.Transform(ctx, csr(t, x)))(t)
		for i := range 4 {
			row := mat.NewDense(1, m, x.RawRowView(i))
			got := square(row, mat.NewDense(1, k, c.RawRowView(i)), h)
			if want := bestSupport(h, x.RawRowView(i)); got > want+1e-10*(1+want) || mat.Min(c) < 0 {
				t.Fatalf("row %d: coefficients %v leave %v, the best leave %v", i, c.RawRowView(i), got, want)
			}
		}
	})
}

// Training documents get the coefficients that they have, weights included.
func TestTransformOfTheTrainingRows(t *testing.T) {
	x, _ := texts(t, 200, 400, 30, 4, 2)
	for _, weighting := range []Weighting{Plain, NCW} {
		m := must.Get(Fit(ctx, x, Options{Dims: 4, Weighting: weighting, Restarts: 2, Tol: 1e-10, MaxIter: 5000, Solver: HALS}))(t)
		for _, scaled := range []mat.Matrix{x, x.ToDense()} {
			c := must.Get(m.Transform(ctx, scaled))(t)
			if !mat.EqualApprox(c, m.W, 1e-6*mat.Max(m.W)) {
				t.Errorf("%s: coefficients of the training rows differ from theirs in the model", weighting)
			}
			labels := must.Get(m.Predict(ctx, scaled))(t)
			if !slices.Equal(labels, m.Labels) {
				t.Errorf("%s: predicted labels of the training rows differ from the model's", weighting)
			}
		}
	}
}

// A row times a constant has its coefficients times that constant, at any size; unknown words have
// none.
func TestTransformAtAnyScale(t *testing.T) {
	x := random(6, 9, 0.6, 7)
	model := &Placer{H: random(3, 9, 0.8, 8)}
	for j := range 3 {
		model.H.Set(j, 8, 0)
	}
	ref := must.Get(model.Transform(ctx, x))(t)
	for _, exponent := range []int{400, -400} {
		var y mat.Dense
		y.Scale(math.Ldexp(1, exponent), x)
		c := must.Get(model.Transform(ctx, &y))(t)
		c.Scale(math.Ldexp(1, -exponent), c)
		if !mat.EqualApprox(c, ref, 1e-13) {
			t.Errorf("rows times 2^%d have other coefficients", exponent)
		}
	}
	unknown := mat.NewDense(1, 9, []float64{8: 1})
	if c, err := model.Transform(ctx, unknown); err != nil || mat.Norm(c, 1) != 0 {
		t.Errorf("coefficients %v of unknown words, error %v", c, err)
	}
}
